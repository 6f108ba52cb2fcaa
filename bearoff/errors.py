"""The errors of the package: each names the value, the rule it breaks and what to do."""


class BearoffError(ValueError):
    """Base of every error that bad input can cause; commands print it as one sentence."""


class PositionError(BearoffError):
    """A text, number or array that is no position of the stated points and checkers."""


class RollError(BearoffError):
    """A text or pair of numbers that is no roll of two dice."""


class TableError(BearoffError):
    """A table that cannot be built, read or kept."""
