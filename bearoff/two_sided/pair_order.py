"""Order in which two-sided tables store the pairs of positions.

The *index* of a position is its place in this order. Positions are sorted by *level*: level
0 is the empty position, and level ``k`` has the pip counts ``2k - 1`` and ``2k``. No play
leads to a position of the same level, because a play moves at least 2 pips unless it bears
the last checker off the 1 point. The positions of a level are sorted by position number.
The *full* positions, which have all checkers on the board, therefore come last. The full
positions and the others are each padded to a multiple of 16 indices. A file contains a
value for each index of the roller and of the opponent, in blocks of 16 rollers:
``plane[roller // 16, opponent, roller % 16]``.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff import checks
from bearoff.errors import PositionError
from bearoff.pair_planes import Layout
from bearoff.plays import Successors, pip_levels, successors
from bearoff.positions import CHECKERS, POINTS, Position, position_count
from bearoff.rolls import ROLLS

REACH = 12
"""Maximum number of pip levels by which a play lowers a position. A pip level consists of
two pip counts, and a play moves at most 24 pips."""

LANES = 16
"""Number of positions of the roller whose values are stored side by side. Sixteen values of
32 bits fill one cache line."""

MOST_SLOTS = 1 << 16
"""Maximum number of position indices in a table, because an index is stored in 16 bits."""

BYTES_IN_WINDOW = 3
"""Memory in bytes of one value that the solver keeps for positions with higher pip counts.
"""

Int64Array = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairOrder:
    """Order in which a two-sided table stores its positions.

    Attributes
    ----------
    points, checkers : int
        Number of points of the board, and maximum number of checkers per player.
    start : int
        Number of checkers of each player at the start of the game, 15 in backgammon. A
        *full* position has all these checkers on the board. Only the player of a full
        position can lose a gammon.
    numbers : ndarray of int64
        Benjamin-Ross numbers of the positions, in ascending order.
    slots : ndarray of uint16
        Index of each Benjamin-Ross number; 0 for positions that are not in the table.
    levels : ndarray of int64, shape (levels + 1,)
        Index of the first position of each pip level (two pip counts), followed by the
        number of indices.
    full_starts : ndarray of int64, shape (levels,)
        Index of the first position of each pip level that has all checkers on the board;
        the end of the pip level if no position has.
    """

    points: int
    checkers: int
    start: int
    numbers: Int64Array
    slots: NDArray[np.uint16]
    levels: Int64Array
    full_starts: Int64Array

    @cached_property
    def layout(self) -> Layout:
        """Division of the pairs of positions into compressed blocks."""
        return Layout(self.levels)

    @property
    def size(self) -> int:
        """Number of position indices including padding, a multiple of 16."""
        return int(self.levels[-1])

    @property
    def blocks(self) -> int:
        """Number of blocks of 16 rollers' positions that are stored together."""
        return self.size // LANES

    @property
    def full_before(self) -> Int64Array:
        """Number of indices of positions with no checker off below each pip level."""
        widths = self.levels[1:] - self.full_starts
        return np.concatenate([[0], widths.cumsum()])

    @property
    def full_window_slots(self) -> int:
        """Largest number of positions with no checker off in 12 successive pip levels."""
        ends = self.full_before[1:]
        starts = self.full_before[np.maximum(np.arange(len(ends)) - REACH + 1, 0)]
        return int((ends - starts).max())

    @property
    def full_blocks(self) -> NDArray[np.bool_]:
        """For each block of 16 positions: whether they have all checkers on the board."""
        steps = np.zeros(self.blocks + 1, dtype=np.int8)
        np.add.at(steps, self.full_starts // LANES, 1)
        np.add.at(steps, self.levels[1:] // LANES, -1)
        return np.asarray(steps[:-1].cumsum() > 0)

    @property
    def has_full(self) -> bool:
        """Whether the table has positions with no checker off, which can lose a gammon."""
        return self.checkers == self.start

    @property
    def window_slots(self) -> int:
        """Largest number of position indices in any 12 successive pip levels."""
        ends = self.levels[1:]
        starts = self.levels[np.maximum(np.arange(len(ends)) - REACH + 1, 0)]
        return int((ends - starts).max())

    @property
    def sums_of_a_level(self) -> int:
        """Largest number of pairs of a roller in a pip level with opponents no higher."""
        return int((np.diff(self.levels) * self.levels[1:]).max())

    @property
    def sums_of_a_part(self) -> int:
        """Length of the solver's array of sums against the opponents of one pip level."""
        return int(max(self.sums_of_a_level // 4, np.diff(self.levels).max() ** 2))

    def number(self, position: Position) -> int:
        """Return the table's position number for a position on any board size.

        Raises `PositionError` if the position is not in the table.
        """
        if position.highest > self.points or position.on_board > self.checkers:
            raise PositionError(
                f"a side with {position.on_board} checkers up to point {position.highest} "
                f"is not in any table for {self.checkers} checkers on {self.points} points"
            )
        counts = position.counts[: self.points]
        return Position(counts + (0,) * (self.points - len(counts))).number


def pair_order_of(
    points: int = POINTS,
    checkers: int = CHECKERS,
    start: int = CHECKERS,
    origins: tuple[int, ...] | None = None,
) -> PairOrder:
    """Return the order of the positions in a table of a given size.

    The order includes all positions or, if `origins` lists position numbers, only these
    positions and the positions reachable from them. Raises `PositionError` if the size is
    impossible or there are too many positions.

    Examples
    --------
    >>> pair_order_of(6, 15).size, pair_order_of(7, 12).size
    (54976, 50784)
    """
    check_table_size(points, checkers, start)
    return _pair_order_of(points, checkers, start, origins)


@lru_cache(maxsize=4)
def _pair_order_of(
    points: int, checkers: int, start: int, origins: tuple[int, ...] | None
) -> PairOrder:
    positions = position_count(points, checkers)
    numbers = np.arange(positions)
    if origins is not None:
        numbers = successors(points, checkers).reachable(origins)
    pips = pip_levels.pip_counts(points, checkers)[numbers]
    fewer = position_count(points, start - 1) if start > 1 else 1
    # Pip levels without positions are left out of the numbering.
    _, levels = np.unique((pips + 1) // 2, return_inverse=True)
    # Within a pip level, positions with checkers borne off precede positions with all
    # checkers on the board.
    groups = levels * 2 + (numbers >= fewer)
    order = np.argsort(groups, kind="stable")
    counts = np.bincount(groups, minlength=groups.max() // 2 * 2 + 2)
    padded = -(-counts // LANES) * LANES
    firsts = np.concatenate([[0], np.cumsum(padded)])
    within = np.arange(len(numbers)) - np.repeat(np.cumsum(counts) - counts, counts)
    slots = np.zeros(positions, dtype=np.uint16)
    slots[numbers[order]] = np.repeat(firsts[:-1], counts) + within
    return PairOrder(points, checkers, start, numbers, slots, firsts[::2], firsts[1::2])


def check_table_size(points: int, checkers: int, start: int = CHECKERS) -> int:
    """Return the number of positions per player in a table of a given size.

    Raises `PositionError` if a table of this size is impossible.
    """
    positions = position_count(points, checkers)
    checks.integer(start, "start", checkers, CHECKERS, PositionError)
    if positions > MOST_SLOTS:
        raise PositionError(
            f"{checkers} checkers on {points} points have {positions:,} positions, but a "
            f"two-sided table may have at most {MOST_SLOTS:,}; use fewer points or checkers"
        )
    return positions


def slot_successors(places: PairOrder) -> Successors:
    """List the positions that each position can reach by each roll, as indices.

    Indices without a position, which fill up a block of 16, have the same plays as the
    first position of the block. The position without checkers leads only to itself.
    """
    table = successors(places.points, places.checkers)
    rolls = len(ROLLS)
    number_of = np.zeros(places.size, dtype=np.int64)
    number_of[places.slots[places.numbers]] = places.numbers
    # Indices without a position get the number of the first position in their block of 16.
    # Every block has a position, because it is filled up only at its end.
    first_of_block = np.repeat(number_of[::LANES], LANES)
    number_of = np.where(number_of, number_of, first_of_block)
    counts = np.diff(table.offsets).reshape(-1, rolls)[number_of]
    offsets = np.zeros(places.size * rolls + 1, dtype=np.int64)
    np.cumsum(counts.ravel(), out=offsets[1:])
    starts = table.offsets[:-1].reshape(-1, rolls)[number_of].ravel()
    gather = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], counts.ravel())
    return Successors(offsets, places.slots[table.numbers[gather]])
