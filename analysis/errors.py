"""The errors of the package: one clear sentence each."""

from bearoff.errors import BearoffError


class RunError(BearoffError):
    """A folder that is no run, of another version, or with damaged parts."""


class FitError(BearoffError):
    """Outcomes from which nothing can be fitted."""


class FormulaError(BearoffError):
    """A name or number that makes no formula."""
