"""Order of the pairs of positions in the two-sided tables.

Positions are stored in *slots*, level by level. Level 0 is the empty position, and level
``k`` has the pip counts ``2k - 1`` and ``2k``. Two pip counts share a level because no play
leads from the higher to the lower one: a play moves at least 2 pips unless it bears the
last checker off the 1 point. Within a level the positions are sorted by number, so the
*full* ones, which have all checkers on the board, come last. Both parts are padded to a
multiple of 16 slots. A plane has a value for each slot of the roller and each of the
opponent, in blocks of 16 rollers: ``plane[roller // 16, opponent, roller % 16]``.
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
"""Number of position groups (24 pips) that a play can cover; older values are not needed
again."""

LANES = 16
"""Number of rollers stored together: one cache line of 32-bit values."""

MOST_SLOTS = 1 << 16
"""Maximum number of storage indices, because successors are stored in 16 bits."""

BYTES_IN_WINDOW = 3
"""Memory in bytes of each value that later positions need during solving."""

Int64Array = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairOrder:
    """Storage order of the positions of a table.

    Attributes
    ----------
    points, checkers : int
        Number of points, and maximum number of checkers of a side.
    start : int
        Number of checkers of each side at the start, 15 in backgammon. A full position
        has them all on the board, and only a full side can lose a gammon.
    numbers : ndarray of int64
        Benjamin-Ross numbers of the positions, ascending.
    slots : ndarray of uint16
        Storage index of each position number; 0 for positions that are not in the
        table.
    levels : ndarray of int64, shape (levels + 1,)
        First storage index of each group of two pip counts, followed by the total
        number.
    full_starts : ndarray of int64, shape (levels,)
        First storage index of each group's positions with all checkers on the board;
        the group's end without such positions.
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
        """Division of the pair values into compressed rectangles."""
        return Layout(self.levels)

    @property
    def size(self) -> int:
        """Total number of storage indices, a multiple of 16."""
        return int(self.levels[-1])

    @property
    def blocks(self) -> int:
        """Number of 16-roller blocks."""
        return self.size // LANES

    @property
    def full_before(self) -> Int64Array:
        """Number of positions with all checkers on the board in each earlier group."""
        widths = self.levels[1:] - self.full_starts
        return np.concatenate([[0], widths.cumsum()])

    @property
    def full_window_slots(self) -> int:
        """Maximum number of positions with all checkers on, at most 24 pips apart."""
        ends = self.full_before[1:]
        starts = self.full_before[np.maximum(np.arange(len(ends)) - REACH + 1, 0)]
        return int((ends - starts).max())

    @property
    def full_blocks(self) -> NDArray[np.bool_]:
        """Whether each block of 16 positions has all checkers on the board."""
        steps = np.zeros(self.blocks + 1, dtype=np.int8)
        np.add.at(steps, self.full_starts // LANES, 1)
        np.add.at(steps, self.levels[1:] // LANES, -1)
        return np.asarray(steps[:-1].cumsum() > 0)

    @property
    def has_full(self) -> bool:
        """Whether a position has all checkers on the board, so that gammons can be lost."""
        return self.checkers == self.start

    @property
    def window_slots(self) -> int:
        """Maximum number of positions with pip counts that differ by at most 24."""
        ends = self.levels[1:]
        starts = self.levels[np.maximum(np.arange(len(ends)) - REACH + 1, 0)]
        return int((ends - starts).max())

    @property
    def sums_of_a_level(self) -> int:
        """Maximum number of pairs of one group's positions with all earlier ones."""
        return int((np.diff(self.levels) * self.levels[1:]).max())

    @property
    def sums_of_a_part(self) -> int:
        """Maximum number of pairs of positions in memory at a time."""
        return int(max(self.sums_of_a_level // 4, np.diff(self.levels).max() ** 2))

    def number(self, position: Position) -> int:
        """Return the number in this table of a position given on any number of points.

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
    """Return the order of the positions of tables of this size.

    The order has all positions, or the `origins`, given by number, and all positions that
    can follow them. Raises `PositionError` if the size is impossible, or there are too many
    positions.

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
    """Return the result of `pair_order_of`, computed once per size."""
    positions = position_count(points, checkers)
    numbers = np.arange(positions)
    if origins is not None:
        numbers = successors(points, checkers).reachable(origins)
    pips = pip_levels.pip_counts(points, checkers)[numbers]
    fewer = position_count(points, start - 1) if start > 1 else 1
    # Levels without positions are left out, so that a play covers fewer levels.
    _, levels = np.unique((pips + 1) // 2, return_inverse=True)
    # Each level has two groups: first the positions with checkers off, then the full
    # positions.
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
    """Return the number of positions of a side.

    Raises `PositionError` if tables of this size are impossible.
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
    """List the successors of every position and roll as storage indices.

    A slot without a position has the successors of the first slot of its block. The only
    successor of slot 0 is slot 0.
    """
    table = successors(places.points, places.checkers)
    rolls = len(ROLLS)
    number_of = np.zeros(places.size, dtype=np.int64)
    number_of[places.slots[places.numbers]] = places.numbers
    # A block of 16 slots always begins with a position, because the padding is shorter
    # than a block.
    first_of_block = np.repeat(number_of[::LANES], LANES)
    number_of = np.where(number_of, number_of, first_of_block)
    counts = np.diff(table.offsets).reshape(-1, rolls)[number_of]
    offsets = np.zeros(places.size * rolls + 1, dtype=np.int64)
    np.cumsum(counts.ravel(), out=offsets[1:])
    starts = table.offsets[:-1].reshape(-1, rolls)[number_of].ravel()
    gather = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], counts.ravel())
    return Successors(offsets, places.slots[table.numbers[gather]])
