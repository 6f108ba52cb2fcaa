"""A refusal is held to its class, its place and the value it names, not to its words."""

import re
from contextlib import contextmanager

import pytest


def names(message, *named):
    """Whether a message of one line has each text, and each number as a whole."""
    return "\n" not in message and all(
        re.search(rf"(?<![\w.]){re.escape(str(each))}(?!\w|\.\d)", message)
        if isinstance(each, int | float)
        else str(each) in message
        for each in named
    )


@contextmanager
def refused(error, *named):
    """Requires a refusal within, in one line that names each place and value."""
    with pytest.raises(error) as caught:
        yield caught
    assert names(str(caught.value), *named), (str(caught.value), named)
