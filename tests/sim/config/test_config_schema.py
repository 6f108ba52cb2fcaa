"""The schema for editors and the documentation agree with the program."""

import importlib.util
import json
import re
from pathlib import Path

import jsonschema
import pytest

from bearoff.sim.config.errors import show
from bearoff.sim.config.grid import MOST_CELLS
from bearoff.sim.config.load import json_schema, load_config, parse_config
from bearoff.sim.config.values import MOST_PAIRS
from bearoff.sim.config.yaml_source import LARGEST_FILE, MOST_VALUES
from tests.sim.config.refusals import CUBE, GOOD, SPAN
from tests.sim.config.test_config_refusals import REFUSED

SCHEMA = json_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_one():
    VALIDATOR.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"pairs": [{"list": [{"roller": 1, "opponent": "[1]"}]}]},
        {"pairs": [{"list": [{"race": "LwAAwC0AAAAAAA"}]}]},
        {"pairs": [{"file": {"path": "a.CSV"}}, {"harvest": {"pairs": 1, "start": []}}]},
        {"pairs": [{"grid": {"by": "epc", "roller": SPAN, "lead": {**SPAN, "step": 0.5}}}]},
        {"workers": 3},
        {"backend": "dask", "scheduler": "tcp://10.0.0.5:8786"},
        {"seed": 2**64 - 1},
        {"games": 1e6},
        {"cube": {"roller": "perfect", "opponent": {"janowski": 1}}},
        {"cube": CUBE, "players": {"roller": "perfect"}},
        {"cube": {"roller": "x", "opponent":
                  {"thresholds": {"double": 0, "redouble": 1, "take": 0.2}}}},
        {"cube": CUBE | {"rival": {"centred": "x", "owned": "y", "take": "z"}, "value": 8}},
        {"rollout": {}},
        {"rollout": {"table": 8, "luck": False, "first_rolls": 1}},
        {"rollout": {}, "table": {"points": 24},
         "pairs": [{"list": [{"roller": "[12]", "opponent": "[12,1]"}]}]},
    ],
)  # fmt: skip
def test_what_both_accept(change):
    VALIDATOR.validate({**GOOD, **change})
    load_config({**GOOD, **change})


@pytest.mark.parametrize("config", [config for config, _, _ in REFUSED], ids=show)
def test_what_the_program_refuses_is_refused_in_the_editor(config):
    assert not VALIDATOR.is_valid(config)


ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "batches.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


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
            # If a configuration class has only one key, this key just names the kind of
            # content and is not listed.
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
