"""Race boards: all positions of a size, with the plays and roll distributions for rollouts.

Plays to consider instead of the fewest-rolls plays are computed once and stored.
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
"""Version of the stored arrays; arrays of other versions are recomputed."""

SOON = 5.0
"""Mean rolls of a side below which it tries more plays, because it may need luck."""


def tried(mean_rolls: Float64Array) -> Float64Array:
    """Return how many more rolls a play may need on average than the fewest-rolls play.

    Plays that need still more rolls are not compared. Depends on the side's mean rolls.
    """
    return np.where(mean_rolls < SOON, 0.5, 0.2)


class RollStatistics(NamedTuple):
    """Statistics of the rolls that one side needs, in many games.

    Attributes
    ----------
    numbers : ndarray of int64
        Position number on the board; -1 if the board does not contain the position.
    epc : ndarray of float64
        Effective pip count of the side.
    std_rolls : ndarray of float64
        Standard deviation of the number of rolls needed.
    """

    numbers: Int64Array
    epc: Float64Array
    std_rolls: Float64Array

    @property
    def rolls(self) -> Float64Array:
        """Mean number of rolls needed."""
        return self.epc / bearoff.PIPS_PER_ROLL

    def of(self, games: Any) -> "RollStatistics":
        return RollStatistics(self.numbers[games], self.epc[games], self.std_rolls[games])


class Choices(NamedTuple):
    """Plays to consider instead of the fewest-rolls play, for each position and roll.

    Attributes
    ----------
    offsets : ndarray of int32, shape (positions * 21 + 1,)
        Start indices: ``numbers[offsets[21 * x + r]: offsets[21 * x + r + 1]]`` are the
        plays for roll ``r`` in position ``x``.
    numbers : ndarray of uint16
        Position numbers after the plays.
    """

    offsets: NDArray[np.int32]
    numbers: NDArray[np.uint16]


@dataclass(frozen=True)
class RaceBoard:
    """All positions of up to some checkers on some points, at most 65,536.

    The roll distributions of these positions are exact for fewest-rolls play.

    Attributes
    ----------
    points, checkers : int
        Size of the board.
    """

    points: int
    checkers: int

    @cached_property
    def table(self) -> bearoff.OneSidedTable:
        """One-sided table of the board, built and stored on first use."""
        return bearoff.one_sided_table(self.points, self.checkers)

    @cached_property
    def choices(self) -> Choices:
        """Plays to consider; computed and stored on first use."""
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
        """The board's positions for compiled code."""
        from bearoff.sim.rollouts.kernels import BoardArrays

        exactly = self.table.distribution
        return BoardArrays(
            np.array(self.table.epc),
            np.array(self.table.policy),
            exactly.astype(np.float32),
            tail_sums(exactly).astype(np.float32),
        )

    def prepare(self) -> None:
        """Load the board; first use computes and stores it, in up to four seconds."""
        _ = self.arrays, self.choices

    @cached_property
    def counts(self) -> NDArray[np.int8]:
        """Checkers on 24 points for every position."""
        return widen(bearoff.unrank(np.arange(len(self.table)), self.points))

    def numbers(self, counts: NDArray[np.int8]) -> Int64Array:
        """Return position numbers, -1 for positions with a checker beyond the board.

        The counts have shape (..., 24).
        """
        outside = counts[..., self.points :].any(axis=-1)
        return np.where(outside, -1, bearoff.rank(counts[..., : self.points]))

    def standing(self, counts: NDArray[np.int8]) -> RollStatistics:
        """Return the statistics of rolls needed; positions are int8 of shape (..., 24).

        For positions beyond the board, the statistics are estimates of `bearoff.bear_in`.
        """
        numbers, player = self.numbers(counts), bear_in()
        epc, std_rolls = player.epc(counts), player.std_rolls(counts)
        if self != HOME_BOARD:
            held = numbers >= 0
            epc[held] = self.table.epc[numbers[held]]
            std_rolls[held] = self.table.std_rolls[numbers[held]]
        return RollStatistics(numbers, epc, std_rolls)

    def cubeless_after(self, other: RollStatistics, after: RollStatistics) -> Float64Array:
        """Return the opponent's cubeless equity after each roll.

        It is a convolution if the board contains both sides, and else an approximation
        from the means and standard deviations of the rolls needed.

        Parameters
        ----------
        other : RollStatistics
            Shape (games,).
        after : RollStatistics
            Shape (games, 21).
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
        """Return the plays on the board that win most often, and the opponent's equities.

        Returns
        -------
        after : RollStatistics
            The mover after each roll; shape (games, 21).
        equities : ndarray of float64, shape (games, 21)
            Equity of the other side without a cube, with fewest-rolls play from then on.
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
"""RaceBoard of all positions with every checker home."""

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
"""Largest boards whose position numbers have 16 bits, by checkers."""


def board_of(sides: Sequence[bearoff.Position]) -> RaceBoard:
    """Return the board for games between two sides.

    It is `HOME_BOARD` if both sides are home, or if no wider board contains both.
    """
    highest = max(side.highest for side in sides)
    checkers = max(side.on_board for side in sides)
    if highest > HOME_BOARD.points:
        for board in _WIDER:
            if checkers <= board.checkers and highest <= board.points:
                return board
    return HOME_BOARD
