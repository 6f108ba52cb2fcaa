"""Helpers that test error messages by class, place and value, not by wording."""

import re
from contextlib import contextmanager

import pytest


def names(message, *named):
    """Return whether a one-line message has each text, and each number as a whole."""
    return "\n" not in message and all(
        re.search(rf"(?<![\w.]){re.escape(str(each))}(?!\w|\.\d)", message)
        if isinstance(each, int | float)
        else str(each) in message
        for each in named
    )


@contextmanager
def refused(error, *named):
    """Return a context manager that expects a one-line error with these places and
    values.
    """
    with pytest.raises(error) as caught:
        yield caught
    assert names(str(caught.value), *named), (str(caught.value), named)
