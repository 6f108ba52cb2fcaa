"""Order of the pairs of positions in the two-sided tables.

Positions are put in *slots*: sorted by pip count, those of one count by
number. Slots make *levels*: level 0 is the empty position, level ``k`` the pip counts
``2k - 1`` and ``2k``, and each is padded to a multiple of 16 slots. Two counts share a
level because no play from the higher leads to the lower: a play moves 2 pips or more
unless the last checker leaves the ace point. A plane holds a value for each slot of the
roller and each of the opponent, in blocks of 16 rollers:
``plane[roller // 16, opponent, roller % 16]``.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import Successors, pip_levels, successors
from bearoff.positions import POINTS, position_count
from bearoff.rolls import ROLLS

REACH = 12
"""Levels that a play reaches down, 24 pips; older values are not needed again."""

LANES = 16
"""Rollers of a block; one cache line of 32-bit values."""

Int64Array = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairOrder:
    """Slots of the positions of at most so many checkers on the home board.

    Attributes
    ----------
    checkers : int
        Checkers of each side, 1 to 15.
    slots : ndarray of uint16, shape (positions,)
        Slot of each position, by Benjamin-Ross number.
    levels : ndarray of int64, shape (levels + 1,)
        First slot of each level, and behind the last the number of slots.
    """

    checkers: int
    slots: NDArray[np.uint16]
    levels: Int64Array

    @property
    def size(self) -> int:
        """Slots in all, a multiple of 16."""
        return int(self.levels[-1])

    @property
    def blocks(self) -> int:
        """Blocks of rollers."""
        return self.size // LANES

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
    def plane_bytes(self) -> int:
        """Bytes of a plane of 16-bit values."""
        return 2 * self.size**2


@lru_cache(maxsize=2)
def pair_order_of(checkers: int) -> PairOrder:
    """Return the order of the tables of so many checkers.

    Examples
    --------
    >>> pair_order_of(15).size, pair_order_of(15).plane_bytes
    (54704, 5985055232)
    """
    pips = pip_levels.pip_counts(POINTS, checkers)
    order = np.argsort(pips, kind="stable")
    counts = np.bincount((pips + 1) // 2)
    padded = -(-counts // LANES) * LANES
    levels = np.concatenate([[0], np.cumsum(padded)])
    within = np.arange(len(pips)) - np.repeat(np.cumsum(counts) - counts, counts)
    slots = np.empty(len(pips), dtype=np.uint16)
    slots[order] = np.repeat(levels[:-1], counts) + within
    return PairOrder(checkers, slots, levels)


def slot_successors(places: PairOrder) -> Successors:
    """List the successors of every slot and roll as slots.

    A slot that holds no position leads where the first of its level does, and slot 0 to
    itself.
    """
    table = successors(POINTS, places.checkers)
    rolls = len(ROLLS)
    firsts = np.zeros(places.size, dtype=np.int64)
    firsts[places.levels[:-1]] = 1
    number_of = np.zeros(places.size, dtype=np.int64)
    number_of[places.slots] = np.arange(position_count(POINTS, places.checkers))
    number_of = np.where(
        number_of, number_of, number_of[places.levels[:-1]][firsts.cumsum() - 1]
    )
    counts = np.diff(table.offsets).reshape(-1, rolls)[number_of]
    offsets = np.zeros(places.size * rolls + 1, dtype=np.int64)
    np.cumsum(counts.ravel(), out=offsets[1:])
    starts = table.offsets[:-1].reshape(-1, rolls)[number_of].ravel()
    gather = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], counts.ravel())
    return Successors(offsets, places.slots[table.numbers[gather]])
