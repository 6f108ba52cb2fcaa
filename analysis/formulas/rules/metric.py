"""Kleinman's metric K, and the win probabilities of Kleinman and Johansen.

With :math:`D = T - L + 4` and :math:`S = T + L - 4` for the pip counts L of the roller and
T of the opponent, :math:`K = D^2 / S`. A player memorises the values of K for doubling,
redoubling and passing. If S is less than 1, the divisor is 1.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import copysign, exp
from statistics import NormalDist
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bearoff import RACE_EFFICIENCY, CubeThresholds
from bearoff.analysis.formulas.counting import CountsArray, Float64Array, features
from bearoff.analysis.formulas.rules.formula import decide_by_chance
from bearoff.analysis.formulas.writing import (
    Verdict,
    Worksheet,
    format_number,
    steps,
)
from bearoff.matchup import CubeDecision

Int64Array = NDArray[np.int64]


class _ByMetric(ABC):
    """Base class of formulas that derive a win probability from Kleinman's metric K."""

    efficiency: float
    reading: ClassVar[str]

    @property
    def text(self) -> str:
        """The formula in words for players, including the values of K to memorise."""
        double, redouble, last_take = (f"{limit:.2f}" for limit in self._limits)
        return (
            "Add 4 to the lead and square the sum; divide the square by the sum of both "
            f"pip counts less 4. {self.reading} Double from {double} on, redouble from "
            f"{redouble}, take up to {last_take}."
        )

    @property
    def _limits(self) -> tuple[float, float, float]:
        """Smallest values of K to double and to redouble, and the largest to take."""
        at = CubeThresholds.janowski(self.efficiency)
        return (
            self.metric_at(at.double),
            self.metric_at(at.redouble),
            self.metric_at(at.cash),
        )

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Return cube decisions by Janowski's thresholds, given the win probability."""
        return decide_by_chance(self.win_probability(rollers, opponents), self.efficiency)

    def win_probability(self, rollers: CountsArray, opponents: CountsArray) -> Float64Array:
        """Estimate the roller's win probability before the roll, shape (n,)."""
        ours = features.pip_count(features.columns_of(rollers)).astype(np.int64)
        theirs = features.pip_count(features.columns_of(opponents)).astype(np.int64)
        # The denominator is at least 1, because the sum of the pip counts minus 4 can be
        # negative near the end of a race.
        return self.of_metric(theirs - ours + 4, np.maximum(ours + theirs - 4, 1))

    @abstractmethod
    def of_metric(self, ahead: Int64Array, total: Int64Array) -> Float64Array:
        """Return the win probability, given D (lead + 4) and S (sum of pip counts - 4)."""

    @abstractmethod
    def metric_at(self, chance: float) -> float:
        """Return Kleinman's metric K at a given win probability of at least one half."""

    def work(self, sheet: Worksheet, sides: Sequence[tuple[int, ...]]) -> Verdict:
        """Write the calculation for one race on the worksheet.

        K is shown as negative if the roller is behind.
        """
        ours, theirs = (
            steps.write_pips(sheet, side, who)
            for side, who in zip(sides, steps.SIDES, strict=True)
        )
        ahead, less = theirs - ours + 4, ours + theirs - 4
        total = max(less, 1)
        raised = "" if total == less else "; the divisor must be at least 1, so it is 1"
        sheet.write(
            "D: your lead plus 4 pips", f"{theirs} - {ours} + 4 = {ahead}", None,
            ("lead plus 4",), large=1, small=1,
        )  # fmt: skip
        sheet.write(
            "S: the sum of both pip counts less 4",
            f"{ours} + {theirs} - 4 = {less}{raised}", None,
            ("sum less 4",), large=1, small=1,
        )  # fmt: skip
        metric = copysign(Fraction(ahead**2, total), ahead)
        sign = "-" if ahead < 0 else ""
        sheet.write(
            "K: D squared, divided by S",
            f"{sign}{ahead**2} / {total} = {format_number(round(metric, 2))}",
            None, long=2, round=1,
        )  # fmt: skip
        return steps.write_thresholds(sheet, "", metric, *self._limits)


@dataclass(frozen=True)
class Kleinman(_ByMetric):
    """Win probability by Kleinman's metric K, with Janowski's cube thresholds."""

    name: str = "kleinman"
    reading: ClassVar[str] = (
        "The quotient gives the winning chance: 0.55 is 70%, 0.9 is 75%, 1.2 is 78%, 1.4 "
        "is 80%, 1.8 is 83%."
    )
    source: str = "Kleinman, Vision Laughs at Counting"
    efficiency: float = RACE_EFFICIENCY

    def of_metric(self, ahead: Int64Array, total: Int64Array) -> Float64Array:
        """Return the standard normal distribution function of D / sqrt(2 * S)."""
        from scipy.special import ndtr  # The import of scipy is slow, so it is local.

        chance: Float64Array = ndtr(ahead / np.sqrt(2 * total))
        return chance

    def metric_at(self, chance: float) -> float:
        """Return Kleinman's metric K at a given win probability of at least one half.

        Examples
        --------
        >>> round(Kleinman().metric_at(0.75), 2)
        0.91
        """
        return 2 * NormalDist().inv_cdf(chance) ** 2


_KINK = 1.0


@dataclass(frozen=True)
class Johansen(_ByMetric):
    """Johansen's win probability as a function of Kleinman's metric K.

    Johansen defined the win probability only for D >= 0. For D < 0, this class returns one
    minus the win probability at the same K, by symmetry.
    """

    name: str = "johansen"
    reading: ClassVar[str] = (
        "The winning chance is 0.76 plus 0.114 times the natural logarithm of the quotient "
        "if the quotient is above 1, otherwise 0.5 plus 0.267 times its square root."
    )
    source: str = "Johansen 2001"

    @property
    def efficiency(self) -> float:  # type: ignore[override]
        """Cube efficiency of Janowski's thresholds, which is fixed for this formula."""
        return RACE_EFFICIENCY

    def of_metric(self, ahead: Int64Array, total: Int64Array) -> Float64Array:
        metric = ahead**2 / total
        above = 0.76 + 0.114 * np.log(np.maximum(metric, _KINK))
        chance = np.where(metric > _KINK, above, 0.5 + 0.267 * np.sqrt(metric))
        return np.clip(np.where(ahead < 0, 1 - chance, chance), 0, 1)

    def metric_at(self, chance: float) -> float:
        """Return Kleinman's metric K at a given win probability of at least one half.

        Examples
        --------
        >>> round(Johansen().metric_at(0.797), 2), round(Johansen().metric_at(0.688), 3)
        (1.38, 0.496)
        """
        low = 0.5 + 0.267 * _KINK**0.5
        if chance <= low:
            return ((chance - 0.5) / 0.267) ** 2
        return exp((chance - 0.76) / 0.114)
