"""A run's outcomes as plain arrays: what fits, scores and charts work on."""

from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bearoff import unrank
from bearoff.analysis.errors import RunError
from bearoff.analysis.outcomes.run import Run
from bearoff.sim.storage import schema

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

SPLIT_SALT = 0x9E3779B97F4A7C15
"""Makes the split of `Outcomes.held_out` one of its own; never changed."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """One entry per pair in every array, in the order of the run.

    Attributes
    ----------
    roller, opponent : ndarray of int64
        Numbers of the side on roll and of the other.
    roller_pips, opponent_pips : ndarray of float64
        Raw pip counts.
    roller_epc, opponent_epc : ndarray of float64
        Effective pip counts.
    weight : ndarray of float64
        How much the pair counts in averages.
    games, wins : ndarray of int64
        Games played, and won by the roller.
    gammons_won, gammons_lost : ndarray of int64
        Games that the roller won and lost as a gammon.
    expected : ndarray of float64
        What the share of wins converges to; nan where unknown.
    points, checkers : int
        Size of the run's table.
    MEASURES : tuple of str
        How a side's count is taken: raw pip count or effective pip count.
    """

    MEASURES: ClassVar = ("epc", "pips")

    roller: Int64Array
    opponent: Int64Array
    roller_pips: Float64Array
    opponent_pips: Float64Array
    roller_epc: Float64Array
    opponent_epc: Float64Array
    weight: Float64Array
    games: Int64Array
    wins: Int64Array
    gammons_won: Int64Array
    gammons_lost: Int64Array
    expected: Float64Array
    points: int
    checkers: int

    @classmethod
    def of(cls, run: Run) -> Self:
        """Read the columns that are needed of a run, nothing else.

        Raises
        ------
        RunError
            If no pair is finished, a part is missing or damaged, or the run did not
            play plain races.
        """
        run.require(schema.RACES)
        names = list(_ARRAYS)
        table = run.table(names)
        if table.num_rows == 0:
            raise RunError(f"{run.path} holds no finished pair yet; simulate on")
        whole = ("roller", "opponent", "games", "wins", "gammons_won", "gammons_lost")
        return cls(
            **{
                name: table[name]
                .to_numpy()
                .astype(np.int64 if name in whole else np.float64)
                for name in names
            },
            points=run.points,
            checkers=run.checkers,
        )

    def __len__(self) -> int:
        return len(self.roller)

    def __getitem__(self, chosen: BoolArray | Int64Array | slice) -> Self:
        return replace(self, **{name: getattr(self, name)[chosen] for name in _ARRAYS})

    @property
    def win_probability(self) -> Float64Array:
        """Simulated win probability of the roller, before the roll."""
        return self.wins / self.games

    @property
    def variance(self) -> Float64Array:
        """Variance that the finite number of games gives each win probability.

        From (wins + 1) / (games + 2), so that a pair without a loss has some.
        """
        p = (self.wins + 1) / (self.games + 2)
        return p * (1 - p) / self.games

    @property
    def roller_counts(self) -> NDArray[np.int8]:
        """Checkers on the ace, deuce, ... of the side on roll, shape (n, points)."""
        return unrank(self.roller, self.points, self.checkers)

    @property
    def opponent_counts(self) -> NDArray[np.int8]:
        """Checkers on the ace, deuce, ... of the other side, shape (n, points)."""
        return unrank(self.opponent, self.points, self.checkers)

    def count(self, measure: str) -> Float64Array:
        """The roller's count, in pips, by one of its `MEASURES`."""
        return {"pips": self.roller_pips, "epc": self.roller_epc}[measure]

    def lead(self, measure: str) -> Float64Array:
        """The opponent's count less the roller's, in pips, by one of its `MEASURES`."""
        theirs = {"pips": self.opponent_pips, "epc": self.opponent_epc}[measure]
        return theirs - self.count(measure)

    def held_out(self) -> BoolArray:
        """Mask of the pairs that fits are scored on, shape (n,); fits see only the others.

        One pair in three, by a hash of the two numbers alone: a pair is on the same
        side of the split in every run, whatever else the run holds.
        """
        mixed = splitmix64(
            self.roller.astype(np.uint64) * np.uint64(1 << 32)
            + self.opponent.astype(np.uint64)
            + np.uint64(SPLIT_SALT)
        )
        third: BoolArray = mixed % np.uint64(3) == 0
        return third


_ARRAYS = tuple(
    field.name for field in fields(Outcomes) if field.name not in ("points", "checkers")
)


def splitmix64(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64-bit words (the finaliser of Steele, Lea and Flood's SplitMix).

    Examples
    --------
    The generator's published first output from seed 0:

    >>> import numpy as np
    >>> hex(splitmix64(np.array([0x9E3779B97F4A7C15], dtype=np.uint64))[0])
    '0xe220a8397b1dcdaf'
    """
    z = values.astype(np.uint64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
