"""Configurations with one changed value, and the errors that are reported for them."""

import copy
import re
from typing import Any

import pytest

from bearoff.sim import ConfigError, load_config

GOOD = {"run": "x", "games": 1, "pairs": [{"random": {"pairs": 1}}]}
SPAN = {"from": 1, "to": 9}
CUBE = {"roller": "keith", "opponent": "perfect"}
SCORE = {"score": "3-5"}

BASES: dict[str, dict[str, Any]] = {
    "standard_error": {"games": None, "standard_error": {"target": 0.1}},
    "cube": {"cube": CUBE},
    "match": {"cube": CUBE, "match": SCORE},
    "pairs[0].list": {"pairs": [{"list": [{"roller": 1, "opponent": 1}]}]},
    "pairs[0].list[0].race": {"pairs": [{"list": [{"race": "x"}]}]},
    "pairs[0].grid": {"pairs": [{"grid": {"roller": {**SPAN}, "lead": {**SPAN}}}]},
    "pairs[0].random": {"pairs": [{"random": {"pairs": 1, "pips": {**SPAN}}}]},
    "pairs[0].file": {"pairs": [{"file": {"path": "a.csv"}}]},
    "pairs[0].every": {"pairs": [{"every": {}}]},
}
"""Additional keys that keep a configuration with a changed value valid, by the first part
of the value's path."""


def with_value(place, value):
    """Return a valid configuration with one changed value."""
    base = max((k for k in BASES if place.startswith(k)), key=len, default=None)
    config: dict[str, Any] = copy.deepcopy({**GOOD, **BASES.get(base or "", {})})
    *steps, last = [int(k) if k.isdigit() else k for k in re.findall(r"[^.[\]]+", place)]
    node: Any = config
    for step in steps:
        node = node[step] if isinstance(step, int) else node.setdefault(step, {})
    node[last] = value
    return config


def span(first, last, step=None):
    """Return a range of numbers as a configuration has it."""
    return {"from": first, "to": last} | ({} if step is None else {"step": step})


def refusal(config, load=load_config, **options):
    """Return the error reported for a configuration."""
    with pytest.raises(ConfigError) as caught:
        load(config, **options)
    return caught.value


def problems(config):
    return refusal(config).problems
