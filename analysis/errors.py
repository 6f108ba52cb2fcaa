"""Errors raised by the package `analysis`."""

from bearoff.errors import BearoffError
from bearoff.sim.storage import RunError as RunError


class FitError(BearoffError):
    """Error for simulation results to which no formula can be fitted."""


class FormulaError(BearoffError):
    """Error for a name or number that does not define a formula."""
