"""Population of race decisions in memory: positions, frequencies and equities."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.populations.decisions import SPLITS, RaceDecisions
from bearoff.sim.storage import RunError

Float64Array = NDArray[np.float64]

SOURCES = ("table", "model", "rollout")
"""Names of the sources of the equities; `DecisionValues.sources` contains indices into this
tuple."""


@dataclass(frozen=True, eq=False)
class DecisionValues:
    """Win probability and equities of each decision, from the viewpoint of the roller.

    For money, equities are in points at a cube value of 1. At a score, they are in EMG:
    doubles with a centred cube at 1, redoubles with the roller's cube at 2.

    Attributes
    ----------
    win_probability : ndarray of float64, shape (n,)
        Win probability of the roller without a cube.
    no_double : ndarray of float64, shape (n,)
        Equity of not doubling with a centred cube.
    no_redouble : ndarray of float64, shape (n,)
        Equity of not redoubling with the roller's cube.
    double_take : ndarray of float64, shape (n,)
        Equity of doubling if the opponent takes. If the opponent passes, the equity is 1.
    error : ndarray of float64, shape (n,)
        Error of the equities of each decision. By source of the equities, this is the
        maximum error of the two-sided table, the usual error of the fast model, or the
        standard error of the rollout.
    sources : ndarray of int8, shape (n,)
        Where the equities of each decision come from: an index into `SOURCES`.
    redouble_take : ndarray of float64 or None, shape (n,)
        Equity of redoubling if the opponent takes, at a match score; None for money play,
        where it equals `double_take`.
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
        """Arrays of this object by attribute name, except attributes that are None."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: array for name, array in arrays.items() if array is not None}

    @property
    def redoubled(self) -> Float64Array:
        """Equity of redoubling if the opponent takes, for money or at a score."""
        return self.double_take if self.redouble_take is None else self.redouble_take

    def chosen(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> "DecisionValues":
        """Return the win probabilities and equities of the selected decisions."""
        return DecisionValues(**{name: array[rows] for name, array in self.columns.items()})

    def replaced(
        self, rows: NDArray[np.int64], others: "DecisionValues"
    ) -> "DecisionValues":
        """Return a copy in which the decisions `rows` have the values of `others`."""
        changed = {name: array.copy() for name, array in self.columns.items()}
        for name, array in changed.items():
            array[rows] = getattr(others, name)
        return DecisionValues(**changed)


@dataclass(frozen=True, eq=False)
class CubeVisits:
    """Frequencies of decisions by owner of the cube, and sums of cube values.

    Attributes
    ----------
    centred, owned : ndarray of int64, shape (n,)
        Number of occurrences with a centred cube, and with a cube owned by the roller.
    doubled : ndarray of int64, shape (n,)
        Number of occurrences in which the opponent is doubled and must answer.
    owned_stakes, doubled_stakes : ndarray of int64, shape (n,)
        Cube value before the decision, summed over the occurrences that `owned` counts, and
        over those that `doubled` counts.
    """

    centred: NDArray[np.int64]
    owned: NDArray[np.int64]
    doubled: NDArray[np.int64]
    owned_stakes: NDArray[np.int64]
    doubled_stakes: NDArray[np.int64]

    def chosen(self, rows: NDArray[np.bool_]) -> "CubeVisits":
        return CubeVisits(*(getattr(self, field.name)[rows] for field in fields(self)))


@dataclass(frozen=True, eq=False)
class Population:
    """Population of race decisions with a name and metadata.

    Attributes
    ----------
    about : mapping
        Metadata as in the file. The keys include the name, seed, size and points of the
        population, the digest, the number of ``games`` in each data split, and the command.
        At a match score, there is also the key ``score``, in the notation of
        `bearoff.Score.parse`.
    decisions : RaceDecisions
        Pairs of positions, with data splits and frequencies.
    roller_counts, opponent_counts : ndarray of int8, shape (n, points)
        Numbers of checkers on the ace point, deuce point, ... of the roller and of the
        opponent.
    roller_epc, opponent_epc : ndarray of float64, shape (n,)
        Effective pip counts in pips; estimates for sides with a checker outside the home
        board.
    values : DecisionValues
        Equities and win probabilities of the decisions.
    cube : CubeVisits or None
        Frequencies by owner of the cube; None for games without a cube.
    """

    about: dict[str, Any]
    decisions: RaceDecisions
    roller_counts: NDArray[np.int8]
    opponent_counts: NDArray[np.int8]
    roller_epc: Float64Array
    opponent_epc: Float64Array
    values: DecisionValues
    cube: CubeVisits | None = None

    def __len__(self) -> int:
        return len(self.decisions)

    def chosen(self, rows: NDArray[np.bool_]) -> "Population":
        """Return the population with only the selected rows; `rows` is a mask."""
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
        """Return the decisions of one data split.

        Parameters
        ----------
        name : {"train", "validation", "test"}
            Name of the data split.
        only_here : bool
            Whether to leave out pairs that also occur in another data split.

        Raises
        ------
        RunError
            If there is no data split of this name.
        """
        if name not in SPLITS:
            raise RunError(
                f"the split of a population must be one of {', '.join(SPLITS)}, got "
                f"{name!r}"
            )
        rows = self.decisions.splits == SPLITS.index(name)
        return self.chosen(rows & ~self.decisions.elsewhere if only_here else rows)
