"""Find ratios that are worse than the committed ones by more than noise.

A ratio is flagged if it is more than 20 % below the committed figure, and if the middle
half of its rounds lies below the middle half of the committed one's: two figures that noise
alone may have parted are not. What is to be flagged is measured a second time first.
A figure of another kind of machine flags nothing: by how much one program is faster than
another depends on the processor.
"""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.history.records import Committed, Machine, Ratio
from benchmarks.suite.measure import Measured

WORSE = 0.20
"""Share of a committed ratio that may be lost."""

_ROUNDING = 1e-9
"""A loss of exactly a fifth is not more than a fifth, whatever the last bit says."""


def change(found: Ratio, before: Ratio) -> float:
    """Return how much better than before, as a share of that: -0.2 is a fifth worse."""
    return found.value / before.value - 1


def is_worse(found: Ratio, before: Ratio) -> bool:
    """Whether a ratio is worse than before by more than is allowed.

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
    """A measurement beside what was committed.

    Attributes
    ----------
    measured : Measured
        The measurement that counts: the second, where there are two.
    before : Committed or None
        What it is held to.
    elsewhere : bool
        Whether that was recorded on another kind of machine.
    worse : bool
        Whether it is flagged.
    """

    measured: Measured
    before: Committed | None
    elsewhere: bool
    worse: bool

    @property
    def change(self) -> float | None:
        """How much better than before; None if there is no before."""
        if self.before is None:
            return None
        return change(self.measured.ratio, self.before.ratio)


def compare_to_history(
    measure: Callable[[], Measured], before: Committed | None, machine: Machine
) -> Comparison:
    """Measure, a second time where the first result would be flagged, and compare the last.

    Parameters
    ----------
    measure : callable
        Measures a benchmark.
    before : Committed or None
        What it is held to; nothing is flagged without, or if another kind of machine was
        measured.
    machine : Machine
        The one measured on.
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
