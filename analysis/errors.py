"""Errors raised by the package `analysis`."""

from bearoff.errors import BearoffError
from bearoff.sim.storage import RunError as RunError


class FitError(BearoffError):
    """Error raised if no formula can be fitted to given simulation results."""


class FormulaError(BearoffError):
    """Error raised for a name or number that does not define a formula."""
