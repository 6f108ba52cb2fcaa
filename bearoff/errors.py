"""The errors of the package: each names the value, the rule it breaks and what to do."""


def printable(text: str) -> str:
    r"""Return `text` on one line, with escapes for what a terminal would obey.

    Examples
    --------
    >>> printable("a name\n\x1b[31mof two lines")
    'a name \\x1b[31mof two lines'
    """
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)


class BearoffError(ValueError):
    """Base of every error that bad input can cause; commands print it as one sentence."""


class PositionError(BearoffError):
    """A text, number or array that is no position of the stated points and checkers."""


class RollError(BearoffError):
    """A text or pair of numbers that is no roll of two dice."""


class ScoreError(BearoffError):
    """A score, cube or match equity table that no match can have."""


class TableError(BearoffError):
    """A table that cannot be built, read or stored."""


class MissingTableError(TableError):
    """A table that is not built."""


class LockedError(BearoffError):
    """A lock that another process holds."""
