"""Editors judge a configuration by the JSON schema; it must agree with the models."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

from sim.config.errors import ConfigError
from sim.config.load import json_schema, load_config

SCHEMA = json_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
CONFIGS = sorted((Path(__file__).parents[3] / "configs").glob("*.yaml"))

GOOD: dict[str, Any] = {"run": "x", "games": 1, "pairs": [{"random": {"pairs": 1}}]}
SPAN = {"from": 1, "to": 9}
BOTH = {"roller": "keith", "opponent": "never"}


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_shipped_configurations_pass(path: Path) -> None:
    VALIDATOR.validate(YAML(typ="safe", pure=True).load(path))
    VALIDATOR.validate(load_config(path).effective())


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
        {"cube": BOTH, "players": {"roller": "perfect"}},
        {
            "cube": BOTH
            | {"rival": {"thresholds": {"double": 0, "redouble": 1, "take": 0.2}}}
        },
        {
            "cube": BOTH
            | {"opponent": {"centred": "x", "owned": "y", "take": "z"}, "value": 8}
        },
        {"rollout": {}},
        {"rollout": {"table": 8, "luck": False, "first_rolls": 1}},
        {
            "rollout": {},
            "table": {"points": 24},
            "pairs": [{"list": [{"roller": "[12]", "opponent": "[12,1]"}]}],
        },
    ],
)
def test_what_both_accept(change: dict[str, Any]) -> None:
    VALIDATOR.validate({**GOOD, **change})
    load_config({**GOOD, **change})


@pytest.mark.parametrize(
    "change",
    [
        {"games": "5"},
        {"games": True},
        {"games": 0},
        {"gmaes": 5},
        {"run": "Quick"},
        {"standard_error": {"target": 0.1}},
        {"pairs": []},
        {"pairs": [{}]},
        {"pairs": [{"random": {"pairs": 1}, "harvest": {"pairs": 1}}]},
        {"pairs": [{"list": [{"roller": 1}]}]},
        {"pairs": [{"list": [{"roller": 1, "opponent": 1, "race": "LwAAwC0AAAAAAA"}]}]},
        {"pairs": [{"list": [{"race": 5}]}]},
        {"pairs": [{"file": {"path": "a.xls"}}]},
        {"pairs": [{"grid": {"roller": SPAN, "lead": {**SPAN, "step": 0}}}]},
        {"pairs": [{"grid": {"roller": SPAN, "lead": SPAN, "by": "pip"}}]},
        {"players": {"roller": "best"}},
        {"table": {"points": 25}},
        {"seed": -1},
        {"workers": 0},
        {"workers": "all"},
        {"backend": "threads"},
        {"scheduler": "tcp://10.0.0.5:8786"},
        {"output": ""},
        {"cube": {}},
        {"cube": "perfect"},
        {"cube": BOTH | {"position": "owned"}},
        {"cube": BOTH | {"value": 2048}},
        {"cube": BOTH | {"rival": {"janowski": 1.1}}},
        {"cube": BOTH | {"rival": {"janowski": 1, "thresholds": 1}}},
        {"cube": BOTH | {"rival": {"thresholds": {"double": 0.7, "redouble": 0.7}}}},
        {"cube": BOTH | {"rival": {"centred": "x", "owned": "y"}}},
        {"cube": BOTH | {"rival": {"centred": "x", "owned": "y", "take": BOTH}}},
        {"cube": BOTH, "games": None, "standard_error": {"target": 0.1}},
        {"players": {"opponent": "perfect"}},
        {"rollout": {"first_rolls": 6}},
        {"rollout": {"luck": "yes"}},
        {"rollout": {}, "cube": BOTH},
        {"rollout": {}, "players": {"roller": "optimal"}},
        {"table": {"points": 24}},
        {"table": {"points": 24}, "rollout": {}, "pairs": [{"random": {"pairs": 1}}]},
    ],
)
def test_what_both_refuse(change: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid({**GOOD, **change})
    with pytest.raises(ConfigError):
        load_config({**GOOD, **change})


@pytest.mark.parametrize("key", ["run", "pairs", "games"])
def test_what_must_be_there(key: str) -> None:
    config = {name: value for name, value in GOOD.items() if name != key}
    assert not VALIDATOR.is_valid(config)
    with pytest.raises(ConfigError):
        load_config(config)


def test_every_key_is_described_for_editors() -> None:
    for node in (SCHEMA, *SCHEMA["$defs"].values()):
        for key, field in node["properties"].items():
            assert "description" in _resolved(field), key


def _resolved(field: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in field:
        return {**SCHEMA["$defs"][field["$ref"].rsplit("/", 1)[-1]], **field}
    return field
