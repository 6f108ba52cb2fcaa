"""How a plane is cut: rectangles of rollers against opponents, each coded by itself.

A plane has a value for each pair of slots, in blocks of 16 rollers. The slots come in
levels, the order in which planes are solved. The blocks of a level are shared out evenly
among bands of at most 64; a *rectangle* is one band of rollers against one level of
opponents. Rectangles are stored in the order in which they are solved: for each level,
its bands against the lower levels, then all bands up to it against the level.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

LANES = 16
"""Rollers of a block; also opponents of a tile."""

UNFITTED = 1200
"""Slots up to which nothing is fitted: compiling that takes longer than all else together,
and six checkers take 11 MB and not 6."""

_MOST_BLOCKS = 64
"""Of a band: its rectangles are fitted by one pair of factors, in a thread's cache."""

Int64Array = NDArray[np.int64]
Int32Array = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Layout:
    """The rectangles of planes whose levels start at these slots.

    Attributes
    ----------
    levels : ndarray of int64, shape (levels + 1,)
        First slot of each level, and behind the last the number of slots; multiples of 16.
    """

    levels: Int64Array

    @property
    def slots(self) -> int:
        """Slots of a side."""
        return int(self.levels[-1])

    @cached_property
    def bands(self) -> Int64Array:
        """First block of each band, and behind the last the number of blocks."""
        firsts = [0]
        for blocks in (np.diff(self.levels) // LANES).tolist():
            parts = -(-blocks // _MOST_BLOCKS)
            firsts += [firsts[-1] + blocks * (k + 1) // parts for k in range(parts)]
        return np.array(firsts, dtype=np.int64)

    @cached_property
    def blocks(self) -> Int32Array:
        """Of each block of rollers: its band, the band's first block, its blocks."""
        return _members(self.bands)

    @cached_property
    def tiles(self) -> Int32Array:
        """Of 16 opponents each: their level, the level's first 16, how many 16 it has."""
        return _members(self.levels // LANES)

    @property
    def shape(self) -> tuple[int, int]:
        """Bands, and levels."""
        return len(self.bands) - 1, len(self.levels) - 1

    @cached_property
    def order(self) -> Int64Array:
        """Band and level of each rectangle in the order of the file, shape (n, 2)."""
        starts = self.bands[:-1] * LANES
        level_of = np.searchsorted(self.levels, starts, side="right") - 1
        pairs = np.indices(self.shape).reshape(2, -1).T
        solved = np.maximum(level_of[pairs[:, 0]], pairs[:, 1])
        keys = pairs[:, 1], pairs[:, 0], pairs[:, 1] == solved, solved
        return np.ascontiguousarray(pairs[np.lexsort(keys)])


def _members(firsts: Int64Array) -> Int32Array:
    sizes = np.diff(firsts)
    groups = np.stack([np.arange(len(sizes)), firsts[:-1], sizes], axis=1)
    return np.repeat(groups, sizes, axis=0).astype(np.int32)
