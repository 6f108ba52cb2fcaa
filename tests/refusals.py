"""Functions that check error messages without their exact words."""

import re
from contextlib import contextmanager

import pytest


def names(message, *named):
    """Return whether a one-line message contains all these texts and numbers."""
    return "\n" not in message and all(
        re.search(rf"(?<![\w.]){re.escape(str(each))}(?!\w|\.\d)", message)
        if isinstance(each, int | float)
        else str(each) in message
        for each in named
    )


@contextmanager
def refused(error, *named):
    """Return a context manager that expects an error whose message contains these texts."""
    with pytest.raises(error) as caught:
        yield caught
    assert names(str(caught.value), *named), (str(caught.value), named)
