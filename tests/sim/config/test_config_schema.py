"""The JSON schema for editors accepts and refuses the same configurations as the
program.
"""

import jsonschema
import pytest

from bearoff.sim.config.errors import ConfigError, show
from bearoff.sim.config.load import json_schema, load_config
from tests.sim.config.refusals import CUBE, GOOD, SPAN
from tests.sim.config.test_config_refusals import REFUSED

SCHEMA = json_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


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


@pytest.mark.parametrize("key", ["run", "pairs", "games"])
def test_what_must_be_there(key):
    config = {name: value for name, value in GOOD.items() if name != key}
    assert not VALIDATOR.is_valid(config)
    with pytest.raises(ConfigError):
        load_config(config)
