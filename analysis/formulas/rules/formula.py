"""Interface of formulas, which decide the cube for many races at once.

Most formulas are a `CountRule`: an adjusted count and three lines. Any other frozen
dataclass works if it has `name`, `text` (in a player's words), `source`, `decide` for
arrays and `work` for one race, step by step. With `win_probability` it also estimates the
chance to win.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from bearoff import RACE_EFFICIENCY, CubeThresholds
from bearoff.analysis.formulas.counting import CountsArray, Float64Array
from bearoff.analysis.formulas.writing import Verdict, Worksheet
from bearoff.matchup import CubeDecision


class Formula(Protocol):
    """A rule for cube decisions in a race.

    Attributes
    ----------
    name : str
        Name of the formula.
    text : str
        Rule in a player's words.
    source : str
        Publication, or the data it was fitted on.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def source(self) -> str: ...  # noqa: D102

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Return the cube decisions of many races.

        Parameters
        ----------
        rollers, opponents : ndarray of int, shape (n, points)
            Checkers on the ace, deuce, ... of the roller and the opponent.
        """


@runtime_checkable
class WorkedFormula(Formula, Protocol):
    """A formula that can be worked out step by step."""

    def work(self, sheet: Worksheet, sides: Sequence[tuple[int, ...]]) -> Verdict:
        """Write one race on the worksheet and return the decisions.

        Parameters
        ----------
        sheet : Worksheet
            Worksheet that receives the steps.
        sides : two tuples of int
            Checkers on ace, deuce, ... of the roller and of the opponent.
        """


@runtime_checkable
class WinFormula(Formula, Protocol):
    """A formula that also estimates the roller's chance to win."""

    def win_probability(self, rollers: CountsArray, opponents: CountsArray) -> Float64Array:
        """Estimate the roller's win probability before the roll, 0 to 1, shape (n,)."""


def decide_by_chance(
    win_probability: Float64Array, efficiency: float = RACE_EFFICIENCY
) -> CubeDecision:
    """Return cube decisions by Janowski's thresholds at estimated win probabilities.

    This serves methods that estimate a probability and have no cube rule of their own.
    """
    at = CubeThresholds.janowski(efficiency)
    return CubeDecision(
        double=win_probability >= at.double,
        redouble=win_probability >= at.redouble,
        take=win_probability <= at.cash,
    )
