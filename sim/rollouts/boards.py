"""Race boards: numbered positions of one side, with plays and rolls for rollouts.

For each position and roll, the plays that may be better than the fewest-rolls play are
computed once and stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.bear_in import bear_in, widen
from bearoff.one_sided import tail_sums
from bearoff.plays import successors
from bearoff.storage import Arrays, CheckedArrays, load_or_build, require_shapes

if TYPE_CHECKING:
    from bearoff.sim.rollouts.kernels import BoardArrays

Float32Array = NDArray[np.float32]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

VERSION = 2
"""Version of the stored arrays. Arrays of any other version are computed again."""

SOON = 5.0
"""Mean number of rolls below which only a lucky roll may win. A side then considers plays
that need up to 0.5 additional rolls on average, instead of 0.2."""


def tried(mean_rolls: Float64Array) -> Float64Array:
    """Return the maximum number of additional rolls, on average, of a considered play.

    Plays are compared with the fewest-rolls play. The limit depends on the mean number of
    rolls that the side needs.
    """
    return np.where(mean_rolls < SOON, 0.5, 0.2)


class RollStatistics(NamedTuple):
    """Mean and standard deviation of the rolls that a side needs, in each of many games.

    Attributes
    ----------
    numbers : ndarray of int64
        Position number of the side on the board; -1 if the side has checkers beyond the
        board.
    epc : ndarray of float64
        Effective pip count of the side, in pips.
    std_rolls : ndarray of float64
        Standard deviation of the number of rolls that the side needs.
    """

    numbers: Int64Array
    epc: Float64Array
    std_rolls: Float64Array

    @property
    def rolls(self) -> Float64Array:
        """Mean number of rolls that the side needs to bear off."""
        return self.epc / bearoff.PIPS_PER_ROLL

    def of(self, games: Any) -> "RollStatistics":
        return RollStatistics(self.numbers[games], self.epc[games], self.std_rolls[games])


class Choices(NamedTuple):
    """Plays that may be better than the fewest-rolls play, for each position and roll.

    Attributes
    ----------
    offsets : ndarray of int32, shape (positions * 21 + 1,)
        Start indices of the plays: ``numbers[offsets[21 * x + r]: offsets[21 * x + r +
        1]]`` are the plays of roll ``r`` in position ``x``.
    numbers : ndarray of uint16
        Position numbers after the plays, concatenated over all positions and rolls.
    """

    offsets: NDArray[np.int32]
    numbers: NDArray[np.uint16]


@dataclass(frozen=True)
class RaceBoard:
    """Numbered positions of one side with limited points and checkers, at most 65,536.

    The distribution of the number of rolls is exact for these positions, for fewest-rolls
    play.

    Attributes
    ----------
    points, checkers : int
        Highest point on which a checker may be, and maximum number of checkers.
    """

    points: int
    checkers: int

    @cached_property
    def table(self) -> bearoff.OneSidedTable:
        """One-sided table of the board's positions, built and stored on first use."""
        return bearoff.one_sided_table(self.points, self.checkers)

    @cached_property
    def choices(self) -> Choices:
        """Plays that may be better than the fewest-rolls play; stored on first use."""
        name = "plays-tried"
        if self != HOME_BOARD:
            name = f"{name}-{self.points:02}x{self.checkers:02}"
        found = load_or_build(name, VERSION, self._search, self._check)
        return Choices(found["offsets"], found["numbers"])

    def _check(self, arrays: CheckedArrays) -> None:
        rolls = len(self.table) * len(bearoff.ROLLS)
        require_shapes(
            arrays, {"offsets": ((rolls + 1,), "i4"), "numbers": ((None,), "u2")}
        )

    def _search(self) -> Arrays:
        every, table = successors(self.points, self.checkers), self.table
        plays = np.diff(every.offsets)
        fewest = np.repeat(table.policy.ravel(), plays)
        most = np.repeat(np.repeat(tried(table.mean_rolls), len(bearoff.ROLLS)), plays)
        more = table.mean_rolls[every.numbers] - table.mean_rolls[fewest]
        kept = (more < most) & (every.numbers != fewest)
        before = np.concatenate([[0], np.cumsum(kept)])
        return {
            "offsets": before[every.offsets].astype(np.int32),
            "numbers": every.numbers[kept],
        }

    @cached_property
    def arrays(self) -> "BoardArrays":
        """Tables of the board's positions as arrays for compiled code."""
        from bearoff.sim.rollouts.kernels import BoardArrays

        exactly = self.table.distribution
        return BoardArrays(
            np.array(self.table.epc),
            np.array(self.table.policy),
            exactly.astype(np.float32),
            tail_sums(exactly).astype(np.float32),
        )

    def prepare(self) -> None:
        """Load the board's arrays; the first use computes them, in up to four seconds."""
        _ = self.arrays, self.choices

    @cached_property
    def counts(self) -> NDArray[np.int8]:
        """Number of checkers on each of 24 points, for every position of the board."""
        return widen(bearoff.unrank(np.arange(len(self.table)), self.points))

    def numbers(self, counts: NDArray[np.int8]) -> Int64Array:
        """Return position numbers; -1 for positions with checkers outside the board.

        The array ``counts`` has shape (..., 24).
        """
        outside = counts[..., self.points :].any(axis=-1)
        return np.where(outside, -1, bearoff.rank(counts[..., : self.points]))

    def standing(self, counts: NDArray[np.int8]) -> RollStatistics:
        """Return position numbers, EPCs and roll statistics for counts of shape (..., 24).

        The statistics of positions beyond the board are estimates of `bearoff.bear_in`.
        """
        numbers, player = self.numbers(counts), bear_in()
        epc, std_rolls = player.epc(counts), player.std_rolls(counts)
        if self != HOME_BOARD:
            held = numbers >= 0
            epc[held] = self.table.epc[numbers[held]]
            std_rolls[held] = self.table.std_rolls[numbers[held]]
        return RollStatistics(numbers, epc, std_rolls)

    def cubeless_after(self, other: RollStatistics, after: RollStatistics) -> Float64Array:
        """Return the opponent's cubeless equity after each of the roller's 21 rolls.

        If the board contains both sides, the equity is the exact convolution of both
        distributions. Otherwise it is an approximation from the means and standard
        deviations of both numbers of rolls.

        Parameters
        ----------
        other : RollStatistics
            Statistics of the rolls that the opponent needs, shape (games,).
        after : RollStatistics
            Statistics of the rolls that the side on roll needs after each roll, shape
            (games, 21).
        """
        from bearoff.sim.rollouts import kernels

        equities = np.empty(after.epc.shape)
        kernels.equities_by_spread(*other[1:], *after[1:], equities)
        held = after.numbers >= 0
        games = np.flatnonzero((other.numbers >= 0) & held.any(axis=1))
        on_board = np.maximum(after.numbers[games], 0)
        exact = np.empty(on_board.shape)
        kernels.equities_after(
            self.arrays.exactly, self.arrays.at_least, other.numbers[games], on_board, exact
        )
        equities[games] = np.where(held[games], exact, equities[games])
        return equities

    def win_most(
        self, others: Int64Array, movers: Int64Array
    ) -> tuple[RollStatistics, Float64Array]:
        """Return the plays with the highest win probability, and the equities after them.

        Returns
        -------
        after : RollStatistics
            Statistics of the rolls that the side on roll needs after the chosen play of
            each roll, shape (games, 21).
        equities : ndarray of float64, shape (games, 21)
            Cubeless equity of the opponent after the play, if both sides then make
            fewest-rolls plays.
        """
        from bearoff.sim.rollouts import kernels

        table, arrays = self.table, self.arrays
        after = np.empty((len(movers), len(bearoff.ROLLS)), dtype=np.int64)
        equities = np.empty(after.shape)
        kernels.win_most(
            arrays.exactly,
            arrays.at_least,
            others,
            movers,
            arrays.policy,
            self.choices,
            after,
            equities,
        )
        return RollStatistics(after, table.epc[after], table.std_rolls[after]), equities


HOME_BOARD = RaceBoard(bearoff.POINTS, bearoff.CHECKERS)
"""Race board of all positions with all checkers in the home board."""

_WIDER = (
    RaceBoard(24, 4),
    RaceBoard(20, 5),
    RaceBoard(15, 6),
    RaceBoard(12, 7),
    RaceBoard(10, 8),
    RaceBoard(9, 9),
    RaceBoard(8, 10),
    RaceBoard(7, 12),
)
"""Race boards that extend beyond the home board: for each number of checkers, the board
with the most points whose position numbers fit in 16 bits."""


def board_of(sides: Sequence[bearoff.Position]) -> RaceBoard:
    """Return the numbering of positions (a race board) that contains both sides.

    The result is `HOME_BOARD` if both sides are in their home boards, or if no wider board
    contains both sides.
    """
    highest = max(side.highest for side in sides)
    checkers = max(side.on_board for side in sides)
    if highest > HOME_BOARD.points:
        for board in _WIDER:
            if checkers <= board.checkers and highest <= board.points:
                return board
    return HOME_BOARD
