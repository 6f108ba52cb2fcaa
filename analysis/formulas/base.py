"""What a formula is: something a player can work out, asked for many races at once.

Most are a `CountRule`: an adjusted count and three lines. Another is a frozen dataclass
with a `name`, a `text` that says it as a player would, its `source`, `decide` for arrays
and `work` for one race, step by step; if it also estimates the chance to win, add
`win_probability`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from analysis.formulas.pad import Pad
from bearoff import POINTS, RACE_EFFICIENCY, CubeThresholds, one_sided_table, rank
from bearoff.cube_strategies import CubeDecision

BOARD = 24
"""Points a checker may stand on."""

CountsArray = NDArray[np.integer]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


Decision = CubeDecision
"""What a formula tells both sides to do; so a formula is a cube strategy as well."""


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

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> Decision:
        """Say what to do with the cube.

        Parameters
        ----------
        rollers, opponents : ndarray of int, shape (n, points)
            Checkers on the ace, deuce, ... of the side on roll and of the other.
        """


@dataclass(frozen=True)
class Verdict:
    """What a formula tells both sides to do in one race; see `Decision`."""

    double: bool
    redouble: bool
    take: bool


@runtime_checkable
class WorkedFormula(Formula, Protocol):
    """A formula that can be worked out step by step."""

    def work(self, pad: Pad, sides: Sequence[tuple[int, ...]]) -> Verdict:
        """Work out one race on the pad.

        Parameters
        ----------
        pad : Pad
            Where every step is written.
        sides : two tuples of int
            Checkers on ace, deuce, ... of the roller and of the opponent.
        """


@runtime_checkable
class WinFormula(Formula, Protocol):
    """A formula that also estimates the roller's chance to win."""

    def win_probability(self, rollers: CountsArray, opponents: CountsArray) -> Float64Array:
        """Estimate the roller's chance before the roll, 0 to 1, shape (n,)."""


def pips(counts: CountsArray) -> Int64Array:
    """Raw pip count of each position, shape (n,).

    Examples
    --------
    >>> import numpy as np
    >>> pips(np.array([[0, 0, 0, 5, 5, 5], [2, 1, 0, 0, 0, 0]]))
    array([75,   4])
    """
    points = np.arange(1, counts.shape[-1] + 1, dtype=np.int64)
    total: Int64Array = counts.astype(np.int64) @ points
    return total


def count_and_lead(
    measure: str, rollers: CountsArray, opponents: CountsArray
) -> tuple[Float64Array, Float64Array]:
    """Count both sides: the roller's count and lead, in pips, each of shape (n,).

    EPC as `side_epc` gives them.
    """

    def count(counts: CountsArray) -> Float64Array:
        if measure == "epc":
            return side_epc(counts)
        return pips(counts).astype(np.float64)

    ours = count(rollers)
    return ours, count(opponents) - ours


def side_epc(counts: CountsArray) -> Float64Array:
    """EPC of every side under fewest-rolls play, shape (n,).

    Exact with all checkers home, from the one-sided table; else estimated by
    `bearoff.bear_in`.
    """
    if counts[:, POINTS:].any():
        from bearoff.bear_in import bear_in

        return np.asarray(bear_in().epc(_fitted(counts, BOARD)))
    return np.asarray(one_sided_table().epc[rank(_fitted(counts, POINTS))])


def _fitted(counts: CountsArray, points: int) -> Int64Array:
    """Cut or fill up to so many points."""
    fitted = np.zeros((len(counts), points), dtype=np.int64)
    fitted[:, : counts.shape[1]] = counts[:, :points]
    return fitted


def decide_by_chance(
    win_probability: Float64Array, efficiency: float = RACE_EFFICIENCY
) -> Decision:
    """Decide by an estimated chance to win at Janowski's thresholds.

    For methods that estimate a chance and have no rule of their own for the cube.
    """
    at = CubeThresholds.janowski(efficiency)
    return Decision(
        double=win_probability >= at.double,
        redouble=win_probability >= at.redouble,
        take=win_probability <= at.cash,
    )
