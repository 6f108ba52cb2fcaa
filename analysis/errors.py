"""Errors of the package; each message is one clear sentence."""

from bearoff.errors import BearoffError
from bearoff.sim.storage import RunError as RunError


class FitError(BearoffError):
    """Nothing can be fitted to these outcomes."""


class FormulaError(BearoffError):
    """A name or number does not define a formula."""
