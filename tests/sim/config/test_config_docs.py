"""docs/config.md and the schema beside the configs say what the models say."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.config.grid import MOST_CELLS
from sim.config.load import json_schema, parse_config
from sim.config.problems import describe
from sim.config.values import MOST_PAIRS
from sim.config.yaml_source import LARGEST_FILE, MOST_VALUES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "config.md").read_text(encoding="utf-8")
SCHEMA = json_schema()

# The models in the order of their lists of keys on the page; the first is the whole.
LISTS = (
    None,
    "TableSize",
    "ListedRace",
    "PairFile",
    "PairGrid",
    "Span",
    "RandomPairs",
    "Harvest",
    "Every",
    "Players",
    "CubeConfig",
    "Thresholds",
    "StateStrategy",
    "RolloutConfig",
    "MatchConfig",
    "StandardError",
)


def rows(model: str | None) -> Iterator[str]:
    """The list that the page must have for a model."""
    node = SCHEMA if model is None else SCHEMA["$defs"][model]
    for key, field in node["properties"].items():
        takes = "a mapping" if "$ref" in field else _takes(field)
        default = _default(field, key in node.get("required", ()))
        yield f"- `{key}`: {takes}{default}. {field['description']}"


def _takes(field: dict[str, Any]) -> str:
    if "oneOf" in field and "format" not in field:
        return "`auto` or " + describe(field["oneOf"][1], SCHEMA)
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    return describe(field, SCHEMA)


def _default(field: dict[str, Any], required: bool) -> str:
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


def lists() -> list[str]:
    return re.findall(r"(?:^- `\w+`: .+\n?)+", PAGE, re.MULTILINE)


def test_every_key_is_documented_as_it_is() -> None:
    expected = ["\n".join(rows(model)) for model in LISTS]
    assert [found.strip() for found in lists()] == expected


@pytest.mark.parametrize("model", ["Between", "Numbers"])
def test_ranges_have_no_other_keys_than_the_page_says(model: str) -> None:
    assert set(SCHEMA["$defs"][model]["properties"]) == {"from", "to"}


@pytest.mark.parametrize("text", re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
def test_the_examples_load(text: str) -> None:
    parse_config(text)


def test_the_bounds_are_documented() -> None:
    text = " ".join(PAGE.split())
    assert f"{MOST_CELLS:,} cells and {MOST_PAIRS:,} pairs" in text
    assert f"{LARGEST_FILE // 2**10} KB and {MOST_VALUES:,} keys and values" in text


def test_the_schema_beside_the_configs_is_fresh() -> None:
    written = (ROOT / "configs" / "batch.schema.json").read_text(encoding="utf-8")
    assert written == json.dumps(SCHEMA, indent=2, ensure_ascii=False) + "\n", (
        "run: bearoff schema > configs/batch.schema.json"
    )
