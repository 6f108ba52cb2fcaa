"""Interface of formulas, which make cube decisions in many races at once.

Most formulas are a `CountRule`: an adjusted count and three required leads. Any other
frozen dataclass is a formula if it has `name`, `text` (the rule in words for players),
`source`, `decide` for arrays of races, and `work`, which writes the worksheet for one race.
With a method `win_probability`, it also estimates win probabilities.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from bearoff import RACE_EFFICIENCY, CubeThresholds
from bearoff.analysis.formulas.counting import CountsArray, Float64Array
from bearoff.analysis.formulas.writing import Verdict, Worksheet
from bearoff.matchup import CubeDecision


class Formula(Protocol):
    """Interface of formulas, which make cube decisions in races.

    Attributes
    ----------
    name : str
        Name of the formula.
    text : str
        The rule in words for players.
    source : str
        Publication, or data to which the formula was fitted.
    """

    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def source(self) -> str: ...

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Return the cube decisions in many races.

        Parameters
        ----------
        rollers, opponents : ndarray of int, shape (n, points)
            Checkers on the ace, deuce, ... points of the roller and of the opponent.
        """


@runtime_checkable
class WorkedFormula(Formula, Protocol):
    """Interface of formulas that can be calculated step by step."""

    def work(self, sheet: Worksheet, sides: Sequence[tuple[int, ...]]) -> Verdict:
        """Write the calculation for one race on the worksheet; return the cube decisions.

        Parameters
        ----------
        sheet : Worksheet
            Worksheet that receives the steps.
        sides : two tuples of int
            Checkers on the ace, deuce, ... points of the roller and of the opponent.
        """


@runtime_checkable
class WinFormula(Formula, Protocol):
    """Interface of formulas that make cube decisions and estimate win probabilities."""

    def win_probability(self, rollers: CountsArray, opponents: CountsArray) -> Float64Array:
        """Estimate the roller's win probability before the roll, 0 to 1, shape (n,)."""


def decide_by_chance(
    win_probability: Float64Array, efficiency: float = RACE_EFFICIENCY
) -> CubeDecision:
    """Return the cube decisions for given win probabilities, by Janowski's thresholds.

    For formulas that estimate a win probability but have no cube rule of their own.
    """
    at = CubeThresholds.janowski(efficiency)
    return CubeDecision(
        double=win_probability >= at.double,
        redouble=win_probability >= at.redouble,
        take=win_probability <= at.cash,
    )
