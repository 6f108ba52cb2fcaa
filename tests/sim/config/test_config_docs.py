"""The documentation and the schema of configurations agree with the program."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

from bearoff.sim.config.grid import MOST_CELLS
from bearoff.sim.config.load import json_schema, parse_config
from bearoff.sim.config.values import MOST_PAIRS
from bearoff.sim.config.yaml_source import LARGEST_FILE, MOST_VALUES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "batches.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCHEMA = json_schema()


def hooks():
    """Return the module that builds the documentation site."""
    spec = importlib.util.spec_from_file_location("hooks", ROOT / "docs" / "hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_key_is_described_for_editors_and_on_the_site():
    listed = hooks().configuration_keys()
    for node in (SCHEMA, *SCHEMA["$defs"].values()):
        fields = node["properties"]
        for name, field in fields.items():
            defined = SCHEMA["$defs"].get(field.get("$ref", "").rpartition("/")[2], {})
            said = (defined | field)["description"]
            # A configuration class with a single key is not listed, because this key only
            # names the kind of content.
            if len(fields) > 1:
                assert f"- `{name}`: " in listed, name
                assert said in listed, name


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
