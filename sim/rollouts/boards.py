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
"""Limit on the mean number of rolls that a side needs. Below the limit, the side considers
plays that need up to 0.5 rolls more than the fewest-rolls play, and above the limit only
0.2. Near the end of a race, a play that needs more rolls on average may win more often,
because only a lucky roll wins."""

_ROLLS_AT_ONCE = 1 << 16
"""Number of rolls, over all positions, whose plays are compared at once."""


def tried(mean_rolls: Float64Array) -> Float64Array:
    """Return how many rolls more than the fewest-rolls play a considered play may need.

    The limit on the mean number of additional rolls depends on the mean number of rolls
    that the side needs.
    """
    return np.where(mean_rolls < SOON, 0.5, 0.2)


class RollStatistics(NamedTuple):
    """EPC, and standard deviation of the number of rolls, of one side in many games.

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
        Index in `numbers` of the first play of each position and roll. Roll ``r`` of
        position ``x`` has the index ``21 * x + r`` in `offsets`.
    numbers : ndarray of uint16
        Position numbers after the plays, ordered by position and then by roll.
    """

    offsets: NDArray[np.int32]
    numbers: NDArray[np.uint16]


@dataclass(frozen=True)
class RaceBoard:
    """All positions of one side with limited numbers of points and checkers.

    A board has at most 65,536 positions, which are numbered. The distribution of the number
    of rolls with fewest-rolls play is exact for each of them.

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
        fewest = table.policy.ravel()
        most = np.repeat(tried(table.mean_rolls), len(bearoff.ROLLS))
        kept = np.empty(len(every.numbers), dtype=bool)
        # All rolls at once would need half a gigabyte of temporary arrays.
        for first in range(0, len(fewest), _ROLLS_AT_ONCE):
            last = min(first + _ROLLS_AT_ONCE, len(fewest))
            plays = np.diff(every.offsets[first : last + 1])
            at = slice(*every.offsets[[first, last]])
            after, best = every.numbers[at], np.repeat(fewest[first:last], plays)
            more = table.mean_rolls[after] - table.mean_rolls[best]
            kept[at] = (more < np.repeat(most[first:last], plays)) & (after != best)
        before = np.concatenate([[0], np.cumsum(kept, dtype=np.int32)])
        return {
            "offsets": before[every.offsets].astype(np.int32),
            "numbers": every.numbers[kept],
        }

    @cached_property
    def arrays(self) -> "BoardArrays":
        """EPC, plays and distributions of the positions, as arrays for compiled code."""
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
        """Return position numbers and roll statistics, given the checkers on 24 points.

        The array ``counts`` has shape (..., 24). For positions that are not on this race
        board, the statistics are estimates of `bearoff.bear_in`.
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

        If the race board contains both sides, the equity is computed exactly from both
        distributions of the number of rolls. Otherwise, both numbers of rolls are assumed
        to be normally distributed.

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
        """Choose the plays of the side on roll with the highest win probability.

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
"""Numbered positions of a side with up to 15 checkers, all in the home board."""

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
"""Race boards that extend beyond the home board. Each has the most points for its number of
checkers for which position numbers fit into 16 bits."""


def board_of(sides: Sequence[bearoff.Position]) -> RaceBoard:
    """Return a race board, that is, numbered positions, that contains both sides.

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
