"""A population in memory: decisions, positions and values."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.populations.decisions import SPLITS, RaceDecisions
from bearoff.sim.storage import RunError

Float64Array = NDArray[np.float64]

SOURCES = ("table", "model", "rollout")
"""Where values come from, in the order of their codes."""


@dataclass(frozen=True, eq=False)
class Values:
    """What decisions are worth to the side on roll.

    Equities are in points at a cube of 1. At a score they are EMG: doubles of a centred
    cube at 1, redoubles of one at 2 that the roller owns.

    Attributes
    ----------
    win_probability : ndarray of float64, shape (n,)
        Cubeless chance of the roller.
    no_double : ndarray of float64, shape (n,)
        Equity of not doubling now, the cube in the centre.
    no_redouble : ndarray of float64, shape (n,)
        The same, the roller owning the cube.
    double_take : ndarray of float64, shape (n,)
        Equity after a double that is taken; a pass is worth 1.
    error : ndarray of float64, shape (n,)
        Of the equities: largest error from the table, stated error of the model,
        standard error of a rollout.
    sources : ndarray of int8, shape (n,)
        Places in `SOURCES`.
    redouble_take : ndarray of float64 or None, shape (n,)
        Equity after a redouble that is taken, at a score; None for money, where it is
        that after a double.
    """

    win_probability: Float64Array
    no_double: Float64Array
    no_redouble: Float64Array
    double_take: Float64Array
    error: Float64Array
    sources: NDArray[np.int8]
    redouble_take: Float64Array | None = None

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """The arrays by name, those that there are."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: array for name, array in arrays.items() if array is not None}

    @property
    def redoubled(self) -> Float64Array:
        """Equity after a redouble that is taken."""
        return self.double_take if self.redouble_take is None else self.redouble_take

    def chosen(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> "Values":
        """Return some of them."""
        return Values(**{name: array[rows] for name, array in self.columns.items()})

    def replaced(self, rows: NDArray[np.int64], others: "Values") -> "Values":
        """Return them with those of some rows replaced by others."""
        changed = {name: array.copy() for name, array in self.columns.items()}
        for name, array in changed.items():
            array[rows] = getattr(others, name)
        return Values(**changed)


@dataclass(frozen=True, eq=False)
class CubeVisits:
    """How often decisions are met in games with the cube, and at what stakes.

    Attributes
    ----------
    centred, owned : ndarray of int64, shape (n,)
        Visits with the cube in the centre, and with the roller owning it.
    doubled : ndarray of int64, shape (n,)
        Visits whose double or redouble the opponent decides about.
    owned_stakes, doubled_stakes : ndarray of int64, shape (n,)
        Values of the cube before the decision, summed over `owned` and `doubled`.
    """

    centred: NDArray[np.int64]
    owned: NDArray[np.int64]
    doubled: NDArray[np.int64]
    owned_stakes: NDArray[np.int64]
    doubled_stakes: NDArray[np.int64]

    def chosen(self, rows: NDArray[np.bool_]) -> "CubeVisits":
        """Return some of them."""
        return CubeVisits(*(getattr(self, field.name)[rows] for field in fields(self)))


@dataclass(frozen=True, eq=False)
class Population:
    """A named population of race decisions with their values.

    Attributes
    ----------
    about : mapping
        Metadata of the file: name, seed, size and unit, points, digest, ``games`` by
        split, versions, the command that builds it; ``score``, as `bearoff.Score.parse`
        reads it, if values are of one.
    decisions : RaceDecisions
        Pairs, splits and frequencies.
    roller_counts, opponent_counts : ndarray of int8, shape (n, points)
        Checkers on the ace, deuce, ... of the side on roll and of the other.
    roller_epc, opponent_epc : ndarray of float64, shape (n,)
        Effective pip counts, in pips; estimates where a checker is beyond home.
    values : Values
        What the decisions are worth.
    cube : CubeVisits or None
        Of games with the cube.
    """

    about: dict[str, Any]
    decisions: RaceDecisions
    roller_counts: NDArray[np.int8]
    opponent_counts: NDArray[np.int8]
    roller_epc: Float64Array
    opponent_epc: Float64Array
    values: Values
    cube: CubeVisits | None = None

    def __len__(self) -> int:
        return len(self.decisions)

    def chosen(self, rows: NDArray[np.bool_]) -> "Population":
        """Return some of its rows, chosen by a mask."""
        return replace(
            self,
            decisions=self.decisions.chosen(rows),
            roller_counts=self.roller_counts[rows],
            opponent_counts=self.opponent_counts[rows],
            roller_epc=self.roller_epc[rows],
            opponent_epc=self.opponent_epc[rows],
            values=self.values.chosen(rows),
            cube=self.cube.chosen(rows) if self.cube is not None else None,
        )

    def split(self, name: str, *, only_here: bool = False) -> "Population":
        """Return a split of it.

        Parameters
        ----------
        name : {"train", "validation", "test"}
            Which.
        only_here : bool
            Leave out pairs that occur in another split as well.

        Raises
        ------
        RunError
            If there is no such split.
        """
        if name not in SPLITS:
            raise RunError(f"a population has the splits {', '.join(SPLITS)}, got {name!r}")
        rows = self.decisions.splits == SPLITS.index(name)
        return self.chosen(rows & ~self.decisions.elsewhere if only_here else rows)
