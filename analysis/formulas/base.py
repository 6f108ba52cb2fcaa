"""What a formula is: something a player can work out, asked for many races at once.

To add one, write a frozen dataclass with a `name`, a `text` that says it as a player
would, its `source`, and `decide`; if it also estimates the chance to win, add
`win_probability`. Put the instance into the list in ``analysis/formulas/__init__.py``.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bearoff import RACE_EFFICIENCY, CubeThresholds, one_sided_table, rank

CountsArray = NDArray[np.integer]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Decision:
    """What a formula tells both sides to do, one entry per race, at money play.

    Attributes
    ----------
    double, redouble : ndarray of bool, shape (n,)
        Whether the roller turns a centred cube, and one of his own.
    take : ndarray of bool, shape (n,)
        Whether the opponent, once doubled, takes.
    """

    double: BoolArray
    redouble: BoolArray
    take: BoolArray


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

    EPC come from the one-sided table of 15 checkers on as many points.
    """

    def count(counts: CountsArray) -> Float64Array:
        if measure == "epc":
            return one_sided_table(counts.shape[-1]).epc[rank(counts)]
        return pips(counts).astype(np.float64)

    ours = count(rollers)
    return ours, count(opponents) - ours


def beyond(counts: CountsArray, point: int, free: int) -> Int64Array:
    """Checkers on a point beyond the first `free` of them, shape (n,)."""
    return np.maximum(counts[:, point - 1].astype(np.int64) - free, 0)


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
