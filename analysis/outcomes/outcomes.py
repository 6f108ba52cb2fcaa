"""Results of a simulation run as arrays, for fitting formulas and drawing charts."""

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
"""Constant in the hash function that selects held-out pairs of positions. A different
constant selects different pairs."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Results of a run of races without the cube, one array entry per pair of positions.

    Attributes
    ----------
    roller, opponent : ndarray of int64
        Position numbers of the roller and the opponent.
    roller_pips, opponent_pips : ndarray of float64
        Pip counts, without adjustments.
    roller_epc, opponent_epc : ndarray of float64
        Effective pip counts.
    weight : ndarray of float64
        Weight of the pair of positions in averages.
    games, wins : ndarray of int64
        Number of games played, and of games won by the roller.
    gammons_won, gammons_lost : ndarray of int64
        Number of gammons that the roller won and lost.
    expected : ndarray of float64
        Expected win probability; NaN if unknown.
    points, checkers : int
        Number of points of the board, and number of checkers per side, in the table with
        which the run was played.
    MEASURES : tuple of str
        Ways to count: pip count and effective pip count.
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
        """Read the results of a simulation run.

        Raises
        ------
        RunError
            If no pair is finished, a part is missing or damaged, or the run is not of races
            without a cube.
        """
        run.require(schema.RACES)
        names = list(_ARRAYS)
        table = run.table(names)
        if table.num_rows == 0:
            raise RunError(
                f"the run {run.path} has no finished pairs yet; run the same simulation "
                "again to continue it"
            )
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
        """Sampling variance of each simulated win probability.

        The variance is computed from (wins + 1) / (games + 2), and is therefore positive
        even if all games were won.
        """
        p = (self.wins + 1) / (self.games + 2)
        return p * (1 - p) / self.games

    @property
    def roller_counts(self) -> NDArray[np.int8]:
        """Roller's checkers on the ace, deuce, ... points, shape (n, points)."""
        return unrank(self.roller, self.points, self.checkers)

    @property
    def opponent_counts(self) -> NDArray[np.int8]:
        """Opponent's checkers on the ace, deuce, ... points, shape (n, points)."""
        return unrank(self.opponent, self.points, self.checkers)

    def count(self, measure: str) -> Float64Array:
        """Return the roller's pip count or EPC; `measure` is one of `MEASURES`."""
        return {"pips": self.roller_pips, "epc": self.roller_epc}[measure]

    def lead(self, measure: str) -> Float64Array:
        """Return the lead: the opponent's count minus the roller's, in pips."""
        theirs = {"pips": self.opponent_pips, "epc": self.opponent_epc}[measure]
        return theirs - self.count(measure)

    def held_out(self) -> BoolArray:
        """Return a mask of the pairs of positions that are not used for fits, shape (n,).

        A hash of the two position numbers selects one third of the pairs. The same pair is
        therefore held out in every run, or in none.
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
    """Hash 64-bit integers by the final step of SplitMix64 (Steele, Lea and Flood).

    Examples
    --------
    According to its authors, the generator with seed 0 first returns this number:

    >>> import numpy as np
    >>> hex(splitmix64(np.array([0x9E3779B97F4A7C15], dtype=np.uint64))[0])
    '0xe220a8397b1dcdaf'
    """
    z = values.astype(np.uint64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
