"""Check for benchmarks whose speed ratio has become worse by more than noise explains.

A ratio is reported if it is more than 20% below its reference, and if the interquartile
ranges of both do not overlap; noise may explain ranges that overlap. A benchmark that would
be reported is first measured again. Ratios from another type of machine are not used as
limits, because relative speeds depend on the processor.
"""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.history.records import Committed, Machine, Ratio
from benchmarks.suite.measure import Measured

WORSE = 0.20
"""Largest relative decrease of a speed ratio that is not reported."""

_ROUNDING = 1e-9
"""Tolerance for rounding errors, so that a decrease of exactly one fifth is not reported.
"""


def change(found: Ratio, before: Ratio) -> float:
    """Return the relative change of a speed ratio; -0.2 means that it is a fifth lower."""
    return found.value / before.value - 1


def is_worse(found: Ratio, before: Ratio) -> bool:
    """Return whether a speed ratio is significantly lower than its reference.

    Examples
    --------
    >>> before = Ratio(value=10, low=9.8, high=10.2, rounds=7)
    >>> is_worse(Ratio(value=8, low=7.9, high=8.1, rounds=7), before)
    False
    >>> is_worse(Ratio(value=7.9, low=7.8, high=8.0, rounds=7), before)
    True

    If the quartile ranges of both ratios overlap, a lower ratio does not count as worse:

    >>> is_worse(Ratio(value=7.9, low=5.0, high=9.9, rounds=7), before)
    False
    """
    return change(found, before) < -WORSE - _ROUNDING and found.high < before.low


@dataclass(frozen=True)
class Comparison:
    """Measured speed ratio, compared with its reference.

    Attributes
    ----------
    measured : Measured
        Measurement of the speed ratio; the second measurement if there are two.
    before : Committed or None
        Reference ratio.
    elsewhere : bool
        Whether the reference ratio comes from another type of machine.
    worse : bool
        Whether the speed ratio is reported as worse than its reference.
    """

    measured: Measured
    before: Committed | None
    elsewhere: bool
    worse: bool

    @property
    def change(self) -> float | None:
        """Relative change of the speed ratio; None without a reference."""
        if self.before is None:
            return None
        return change(self.measured.ratio, self.before.ratio)


def compare_to_history(
    measure: Callable[[], Measured], before: Committed | None, machine: Machine
) -> Comparison:
    """Measure a benchmark, twice if it seems slower, and compare it with its reference.

    Parameters
    ----------
    measure : callable
        Function that measures a benchmark.
    before : Committed or None
        Reference speed ratio, or None. A ratio from another type of machine does not count.
    machine : Machine
        Type of the machine on which the benchmark is measured.
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
