"""What is reported of a configuration."""

import re
from typing import Any

import pytest

from sim.config.errors import ConfigError
from sim.config.load import load_config

GOOD = {"run": "x", "games": 1, "pairs": [{"random": {"pairs": 1}}]}


def refusal(config: Any) -> str:
    """All that is reported of a configuration."""
    with pytest.raises(ConfigError) as caught:
        load_config(config)
    return str(caught.value)


def refusal_of(key: str, value: Any, **others: Any) -> str:
    """What is reported of one value, itself left out of the place."""
    message = refusal({**GOOD, **others, key: value})
    assert "\n" not in message, message
    return message.removeprefix(key)


def refusal_of_source(kind: str, value: Any, **others: Any) -> str:
    return refusal_of("pairs", [{kind: value}], **others).removeprefix(f"[0].{kind}")


def says(found: str, expected: str) -> bool:
    """Whether a message is as expected, where "..." stands for words of one line."""
    parts = map(re.escape, expected.split("..."))
    return re.fullmatch(".*".join(parts), found) is not None
