"""Division of all pairs of positions into rectangles, which are compressed separately.

A file has one value for each pair of position indices. 16 successive roller positions form
a *block*. Positions are divided into *levels*, which are solved one after another. The
blocks of a level are divided evenly into *bands* of at most 64 blocks. A *rectangle*
contains the values of one band of rollers against one level of opponents. Rectangles are
stored in the order in which they are solved. For each level, the first rectangles have this
level's rollers against all lower levels of opponents. The next rectangles have all rollers
up to this level against this level's opponents.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

LANES = 16
"""Number of roller positions, and number of opponent positions, in the blocks whose values
are stored together."""

UNFITTED = 1200
"""Maximum number of positions at which values are compressed without matrix factors. For
such small tables, compiling the code that fits the factors would take longer than all other
work."""

_MOST_BLOCKS = 64
"""Maximum number of blocks of 16 roller positions in a rectangle of values, which must fit
into the cache of a processor core."""

Int64Array = NDArray[np.int64]
Int32Array = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Layout:
    """Division of all pairs of positions into rectangles, which are compressed separately.

    Attributes
    ----------
    levels : ndarray of int64, shape (levels + 1,)
        First position index of each level, followed by the number of position indices. All
        elements are multiples of 16. The positions of a level are solved together.
    """

    levels: Int64Array

    @property
    def slots(self) -> int:
        """Number of position indices of a player. Some indices have no position."""
        return int(self.levels[-1])

    @cached_property
    def bands(self) -> Int64Array:
        """Index of the first block of each band, followed by the number of blocks."""
        firsts = [0]
        for blocks in (np.diff(self.levels) // LANES).tolist():
            parts = -(-blocks // _MOST_BLOCKS)
            firsts += [firsts[-1] + blocks * (k + 1) // parts for k in range(parts)]
        return np.array(firsts, dtype=np.int64)

    @cached_property
    def blocks(self) -> Int32Array:
        """Band of each block of 16 rollers, and the band's first block and size."""
        return _members(self.bands)

    @cached_property
    def tiles(self) -> Int32Array:
        """Level of each block of 16 opponents, and the level's first block and size."""
        return _members(self.levels // LANES)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of bands of rollers, and number of levels of opponents."""
        return len(self.bands) - 1, len(self.levels) - 1

    @cached_property
    def order(self) -> Int64Array:
        """Roller band and opponent level of each rectangle, in the order of the file."""
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
