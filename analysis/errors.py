"""The errors of the package: one clear sentence each."""

from bearoff.errors import BearoffError
from bearoff.sim.storage import RunError as RunError


class FitError(BearoffError):
    """Outcomes from which nothing can be fitted."""


class FormulaError(BearoffError):
    """A name or number that makes no formula."""
