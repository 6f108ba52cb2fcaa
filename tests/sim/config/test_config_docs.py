"""docs/config.md, all keys and the schema beside the configs say what the models say.

``python -m tests.sim.config.test_config_docs > docs/api/config-keys.md`` writes all keys.
"""

import json
import re
from pathlib import Path

import pytest

from bearoff.sim.config.grid import MOST_CELLS
from bearoff.sim.config.load import json_schema, parse_config
from bearoff.sim.config.problems import describe
from bearoff.sim.config.values import MOST_PAIRS
from bearoff.sim.config.yaml_source import LARGEST_FILE, MOST_VALUES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "config.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCHEMA = json_schema()

KEYS = ROOT / "docs" / "api" / "config-keys.md"

# The headings of the list of keys, each with the models below it; the first is the whole.
PARTS: dict[str, tuple[tuple[str | None, str], ...]] = {
    "All": ((None, ""),),
    "table": (("TableSize", ""),),
    "pairs: list": (("ListedRace", "Each entry has `roller` and `opponent`, or `race`."),),
    "pairs: file": (("PairFile", ""),),
    "pairs: grid": (
        ("PairGrid", ""),
        ("Span", "`roller` and `lead` are spans; by pips, all their numbers are whole:"),
    ),
    "pairs: random": (
        ("RandomPairs", ""),
        ("Between", "`checkers` and `pips` are ranges of whole numbers:"),
    ),
    "pairs: harvest": (("Harvest", ""),),
    "pairs: every": (
        ("Every", ""),
        ("Numbers", "Both are ranges of whole numbers, by default all of the table:"),
    ),
    "players": (("Players", ""),),
    "cube": (
        ("CubeConfig", ""),
        ("Thresholds", "`thresholds` has these keys:"),
        ("StateStrategy", "The mapping by states of the cube has these:"),
    ),
    "rollout": (("RolloutConfig", ""),),
    "match": (("MatchConfig", ""),),
    "standard_error": (("StandardError", ""),),
}


def rows(model):
    """The list that the page must have for a model."""
    node = SCHEMA if model is None else SCHEMA["$defs"][model]
    for key, field in node["properties"].items():
        takes = "a mapping" if "$ref" in field else _takes(field)
        default = _default(field, key in node.get("required", ()))
        yield f"- `{key}`: {takes}{default}. {field['description']}"


def _takes(field):
    if "oneOf" in field and "format" not in field:
        return "`auto` or " + describe(field["oneOf"][1], SCHEMA)
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    return describe(field, SCHEMA)


def _default(field, required):
    if required:
        return ", required"
    default = field.get("default")
    if default in (None, "", []):
        return ""
    if isinstance(default, dict):
        return f", default `{{{', '.join(f'{k}: {v}' for k, v in default.items())}}}`"
    if isinstance(default, bool):
        return f", default `{str(default).lower()}`"
    shown = f"{default:g}" if isinstance(default, float) else default
    return f", default `{shown}`"


def page():
    """The page of all keys."""
    parts = [
        "# All keys of a configuration",
        "What they are for: [config.md](../config.md). Made from the program.",
    ]
    for heading, models in PARTS.items():
        parts.append(f"## {heading}")
        for model, text in models:
            parts += [*filter(None, [text]), "\n".join(rows(model))]
    return "\n\n".join(parts) + "\n"


def test_the_list_of_keys_is_fresh():
    assert KEYS.read_text(encoding="utf-8") == page(), (
        "run: python -m tests.sim.config.test_config_docs > docs/api/config-keys.md"
    )


def test_the_list_has_every_key_of_every_model():
    listed = {model for models in PARTS.values() for model, _ in models}
    held = {
        name
        for name, node in SCHEMA["$defs"].items()
        if len(node.get("properties", ())) > 1  # One names the kind of what is in it.
    }
    assert held <= listed


@pytest.mark.parametrize("text", re.findall(r"```yaml\n(.*?)```", README + PAGE, re.DOTALL))
def test_the_examples_load(text):
    parse_config(text)


def test_the_bounds_are_documented():
    text = " ".join(PAGE.split())
    assert f"{MOST_CELLS:,} cells and {MOST_PAIRS:,} pairs" in text
    assert f"{LARGEST_FILE // 2**10} KB and {MOST_VALUES:,} keys and values" in text


def test_the_schema_beside_the_configs_is_fresh():
    written = (ROOT / "configs" / "batch.schema.json").read_text(encoding="utf-8")
    assert written == json.dumps(SCHEMA, indent=2, ensure_ascii=False) + "\n", (
        "run: bearoff schema > configs/batch.schema.json"
    )


if __name__ == "__main__":
    print(page(), end="")
