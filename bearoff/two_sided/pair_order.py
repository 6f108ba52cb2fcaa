"""Order of the pairs of positions in the two-sided tables.

Positions are put in *slots*, level by level: level 0 is the empty position, level ``k`` the
pip counts ``2k - 1`` and ``2k``. Two counts share a level because no play from the higher
leads to the lower: a play moves 2 pips or more unless the last checker leaves the ace
point. Within a level the positions stand by number, so that those with all checkers on the
board, the *full* ones, come last; both parts are padded to a multiple of 16 slots. A plane
holds a value for each slot of the roller and each of the opponent, in blocks of 16
rollers: ``plane[roller // 16, opponent, roller % 16]``.
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
"""Levels that a play reaches down, 24 pips; older values are not needed again."""

LANES = 16
"""Rollers of a block; one cache line of 32-bit values."""

MOST_SLOTS = 1 << 16
"""Slots that the 16 bits of a successor tell apart."""

BYTES_IN_WINDOW = 3
"""Of a value that is held while a plane is solved."""

Int64Array = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairOrder:
    """Slots of the positions of at most so many checkers on so many points.

    Attributes
    ----------
    points, checkers : int
        Size of each side's positions.
    start : int
        Checkers with which a side starts, 15 in backgammon: a position that still has them
        all is full, and loses a gammon.
    numbers : ndarray of int64
        Benjamin-Ross numbers of the positions, in rising order.
    slots : ndarray of uint16
        Slot of each number; 0 also of those that are not held.
    levels : ndarray of int64, shape (levels + 1,)
        First slot of each level, and behind the last the number of slots.
    full_starts : ndarray of int64, shape (levels,)
        First slot of each level's full positions; the level's end where it has none.
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
        """The rectangles of the planes."""
        return Layout(self.levels)

    @property
    def size(self) -> int:
        """Slots in all, a multiple of 16."""
        return int(self.levels[-1])

    @property
    def blocks(self) -> int:
        """Blocks of rollers."""
        return self.size // LANES

    @property
    def full_before(self) -> Int64Array:
        """Slots of full positions below each level, shape (levels + 1,)."""
        widths = self.levels[1:] - self.full_starts
        return np.concatenate([[0], widths.cumsum()])

    @property
    def full_window_slots(self) -> int:
        """Most slots of full positions of `REACH` levels in a row."""
        ends = self.full_before[1:]
        starts = self.full_before[np.maximum(np.arange(len(ends)) - REACH + 1, 0)]
        return int((ends - starts).max())

    @property
    def full_blocks(self) -> NDArray[np.bool_]:
        """Whether the positions of each block are full, shape (blocks,)."""
        steps = np.zeros(self.blocks + 1, dtype=np.int8)
        np.add.at(steps, self.full_starts // LANES, 1)
        np.add.at(steps, self.levels[1:] // LANES, -1)
        return np.asarray(steps[:-1].cumsum() > 0)

    @property
    def has_full(self) -> bool:
        """Whether there are full positions, so that gammons can be lost."""
        return self.checkers == self.start

    @property
    def window_slots(self) -> int:
        """Most slots of `REACH` levels in a row: what is held while a plane is solved."""
        ends = self.levels[1:]
        starts = self.levels[np.maximum(np.arange(len(ends)) - REACH + 1, 0)]
        return int((ends - starts).max())

    @property
    def sums_of_a_level(self) -> int:
        """Most pairs of a level's slots with all slots up to it."""
        return int((np.diff(self.levels) * self.levels[1:]).max())

    @property
    def sums_of_a_part(self) -> int:
        """Most of them that are held at once, for the rollers of a level or some levels."""
        return int(max(self.sums_of_a_level // 4, np.diff(self.levels).max() ** 2))

    def number(self, position: Position) -> int:
        """Return the number of a position in these tables, whatever points it was given on.

        Raises
        ------
        PositionError
            If they do not hold it.
        """
        if position.highest > self.points or position.on_board > self.checkers:
            raise PositionError(
                f"a side with {position.on_board} checkers up to point {position.highest} "
                f"is in no table of {self.checkers} checkers on {self.points} points"
            )
        counts = position.counts[: self.points]
        return Position(counts + (0,) * (self.points - len(counts))).number


def pair_order_of(
    points: int = POINTS,
    checkers: int = CHECKERS,
    start: int = CHECKERS,
    origins: tuple[int, ...] | None = None,
) -> PairOrder:
    """Return the order of the tables of so many points and checkers.

    Of all positions, or of the `origins`, given by number, and what they can become.

    Raises
    ------
    PositionError
        If the size is none, or the positions are more than the tables can hold.

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
    """Make what `pair_order_of` returns, once for each size."""
    positions = position_count(points, checkers)
    numbers = np.arange(positions)
    if origins is not None:
        numbers = successors(points, checkers).reachable(origins)
    pips = pip_levels.pip_counts(points, checkers)[numbers]
    fewer = position_count(points, start - 1) if start > 1 else 1
    # Levels that no position has are left out: a play reaches down fewer then.
    _, levels = np.unique((pips + 1) // 2, return_inverse=True)
    # Two groups for each level: number order puts the full positions last.
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
    """Return the positions of a table's side.

    Raises
    ------
    PositionError
        If there are no tables of this size.
    """
    positions = position_count(points, checkers)
    checks.integer(start, "start", checkers, CHECKERS, PositionError)
    if positions > MOST_SLOTS:
        raise PositionError(
            f"{checkers} checkers on {points} points have {positions:,} positions, and a "
            f"two-sided table holds {MOST_SLOTS:,} at most; take fewer points or checkers"
        )
    return positions


def slot_successors(places: PairOrder) -> Successors:
    """List the successors of every slot and roll as slots.

    A slot that holds no position leads where the first of its block does, and slot 0 to
    itself.
    """
    table = successors(places.points, places.checkers)
    rolls = len(ROLLS)
    number_of = np.zeros(places.size, dtype=np.int64)
    number_of[places.slots[places.numbers]] = places.numbers
    # Blocks of 16 begin with a position, and padding is less than a block.
    first_of_block = np.repeat(number_of[::LANES], LANES)
    number_of = np.where(number_of, number_of, first_of_block)
    counts = np.diff(table.offsets).reshape(-1, rolls)[number_of]
    offsets = np.zeros(places.size * rolls + 1, dtype=np.int64)
    np.cumsum(counts.ravel(), out=offsets[1:])
    starts = table.offsets[:-1].reshape(-1, rolls)[number_of].ravel()
    gather = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], counts.ravel())
    return Successors(offsets, places.slots[table.numbers[gather]])
