"""The interface of formulas: what a player can work out, for many races at once.

Most are a `CountRule`: an adjusted count and three lines. Another is a frozen dataclass
with a `name`, a `text` that says it as a player would, its `source`, `decide` for arrays
and `work` for one race, step by step; if it also estimates the chance to win, add
`win_probability`.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from bearoff import RACE_EFFICIENCY, CubeThresholds
from bearoff.analysis.formulas.counting import CountsArray, Float64Array
from bearoff.analysis.formulas.writing import Verdict, Worksheet
from bearoff.matchup import CubeDecision


class Formula(Protocol):
    """A method for the cube in a race.

    Attributes
    ----------
    name : str
        What it is called up by.
    text : str
        The rule as a player says it.
    source : str
        Where it is published, or what it was fitted on.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def source(self) -> str: ...  # noqa: D102

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Say what to do with the cube.

        Parameters
        ----------
        rollers, opponents : ndarray of int, shape (n, points)
            Checkers on the ace, deuce, ... of the side on roll and of the other.
        """


@runtime_checkable
class WorkedFormula(Formula, Protocol):
    """A formula that can be worked out step by step."""

    def work(self, sheet: Worksheet, sides: Sequence[tuple[int, ...]]) -> Verdict:
        """Work out one race on the worksheet.

        Parameters
        ----------
        sheet : Worksheet
            Where every step is written.
        sides : two tuples of int
            Checkers on ace, deuce, ... of the roller and of the opponent.
        """


@runtime_checkable
class WinFormula(Formula, Protocol):
    """A formula that also estimates the roller's chance to win."""

    def win_probability(self, rollers: CountsArray, opponents: CountsArray) -> Float64Array:
        """Estimate the roller's chance before the roll, 0 to 1, shape (n,)."""


def decide_by_chance(
    win_probability: Float64Array, efficiency: float = RACE_EFFICIENCY
) -> CubeDecision:
    """Decide by an estimated chance to win at Janowski's thresholds.

    For methods that estimate a chance and have no rule of their own for the cube.
    """
    at = CubeThresholds.janowski(efficiency)
    return CubeDecision(
        double=win_probability >= at.double,
        redouble=win_probability >= at.redouble,
        take=win_probability <= at.cash,
    )
