"""Search for ratios that are worse than the recorded ones by more than noise.

A ratio is flagged if it is more than 20 % below the reference and the interquartile ranges
of the two do not overlap, because noise alone may explain overlapping ones. A benchmark
that would be flagged is measured a second time first. References from another type of
machine flag nothing, because relative speeds depend on the processor.
"""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.history.records import Committed, Machine, Ratio
from benchmarks.suite.measure import Measured

WORSE = 0.20
"""Maximum relative decrease of a ratio below its reference."""

_ROUNDING = 1e-9
"""Tolerance for rounding, so that a loss of exactly a fifth is not flagged."""


def change(found: Ratio, before: Ratio) -> float:
    """Return the relative improvement: -0.2 is a fifth worse."""
    return found.value / before.value - 1


def is_worse(found: Ratio, before: Ratio) -> bool:
    """Check whether a ratio is worse than before by more than is allowed.

    Examples
    --------
    >>> before = Ratio(value=10, low=9.8, high=10.2, rounds=7)
    >>> is_worse(Ratio(value=8, low=7.9, high=8.1, rounds=7), before)
    False
    >>> is_worse(Ratio(value=7.9, low=7.8, high=8.0, rounds=7), before)
    True

    A noisy measurement proves nothing:

    >>> is_worse(Ratio(value=7.9, low=5.0, high=9.9, rounds=7), before)
    False
    """
    return change(found, before) < -WORSE - _ROUNDING and found.high < before.low


@dataclass(frozen=True)
class Comparison:
    """Measurement compared with its reference.

    Attributes
    ----------
    measured : Measured
        Measurement that counts: the second one, if there are two.
    before : Committed or None
        Reference ratio.
    elsewhere : bool
        Whether the reference is from another type of machine.
    worse : bool
        Whether the ratio is flagged.
    """

    measured: Measured
    before: Committed | None
    elsewhere: bool
    worse: bool

    @property
    def change(self) -> float | None:
        """Relative improvement; None without a reference."""
        if self.before is None:
            return None
        return change(self.measured.ratio, self.before.ratio)


def compare_to_history(
    measure: Callable[[], Measured], before: Committed | None, machine: Machine
) -> Comparison:
    """Measure, a second time if the first result would be flagged, and compare.

    Parameters
    ----------
    measure : callable
        Function that measures a benchmark.
    before : Committed or None
        Reference; without one, or with one from another type of machine, nothing is
        flagged.
    machine : Machine
        Type of machine that is measured.
    """
    measured = measure()
    if before is None:
        return Comparison(measured, None, elsewhere=False, worse=False)
    elsewhere = before.record.machine != machine
    worse = not elsewhere and is_worse(measured.ratio, before.ratio)
    if worse:
        measured = measure()
        worse = is_worse(measured.ratio, before.ratio)
    return Comparison(measured, before, elsewhere, worse)
