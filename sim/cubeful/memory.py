"""Cache of both sides' cube decisions for pairs of positions.

Games from the same start reach the same pairs of positions repeatedly. Cube strategies are
called once for all pairs that are not in the cache, and compiled code looks up the stored
decisions.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.sim.cubeful.sides import CubeSide, decisions

Int64Array = NDArray[np.int64]
UInt8Array = NDArray[np.uint8]
UInt64Array = NDArray[np.uint64]

SMALLEST, LARGEST = 1 << 16, 1 << 22
"""Minimum and maximum number of entries in the cache of cube decisions. The maximum takes
38 MB."""

FULL = 0.6
"""Fraction of occupied entries at which the cache of cube decisions grows or is cleared."""

_KEPT = 1 << 17
"""Maximum size of a table, in positions, for which the checkers of all positions are kept
in memory. For larger tables, they are computed when needed."""


class CubeMemory:
    """Hash table of cube decisions by pair of positions.

    Parameters
    ----------
    roller, opponent : CubeSide
        Cube strategies of the side on roll, and of its opponent.
    points, checkers : int
        Maximum numbers of points and of checkers per side.
    side : int or None
        Side on roll if cube decisions depend on the match score, otherwise None.

    Attributes
    ----------
    keys : ndarray of uint64, shape (slots,)
        Key of each entry of the hash table; 0 if the entry is empty. A key combines both
        position numbers and, if cube decisions depend on the cube value, the number of
        doubles.
    codes : ndarray of uint8, shape (slots,)
        Cube decisions of each entry, as bit flags; see `sim.cubeful.kernels.DOUBLE`.
    """

    def __init__(
        self,
        roller: CubeSide,
        opponent: CubeSide,
        points: int,
        checkers: int,
        side: int | None = None,
    ) -> None:
        self._sides = roller, opponent
        self._side = side
        self._size = points, checkers
        self._taken = 0
        self._clear(SMALLEST)

    def make_room(self, pairs: int) -> None:
        """Make room for new pairs of positions by enlarging or clearing the cache."""
        from bearoff.sim.cubeful import kernels

        while self._taken + pairs > FULL * len(self.keys):
            old_keys, old_codes = self.keys, self.codes
            self._clear(min(2 * len(old_keys), LARGEST))
            if len(self.keys) > len(old_keys):
                kernels.move_keys(old_keys, old_codes, self.keys, self.codes)
            else:
                self._taken = 0

    def decide(self, slots: Int64Array) -> None:
        """Compute and store the cube decisions of new pairs at given cache indices."""
        self._taken += len(slots)
        if self._side is None:
            self._ask(self._sides, slots)
            return
        levels = self.keys[slots] >> np.uint64(60)
        for level in np.unique(levels).tolist():
            roller, opponent = (one.now(self._side, level) for one in self._sides)
            self._ask((roller, opponent), slots[levels == level])

    def _ask(self, sides: tuple[CubeSide, CubeSide], slots: Int64Array) -> None:
        from bearoff.sim.cubeful.kernels import DOUBLE, REDOUBLE, TAKE

        pairs = (self.keys[slots] & np.uint64((1 << 60) - 1)).astype(np.int64)
        rollers, opponents = (
            _positions(numbers, *self._size)
            for numbers in (pairs >> 32, pairs & 0xFFFFFFFF)
        )
        double, redouble, take = decisions(*sides, rollers, opponents)
        self.codes[slots] = double * DOUBLE + redouble * REDOUBLE + take * TAKE

    def _clear(self, slots: int) -> None:
        self.keys: UInt64Array = np.zeros(slots, dtype=np.uint64)
        self.codes: UInt8Array = np.zeros(slots, dtype=np.uint8)


def _positions(numbers: Int64Array, points: int, checkers: int) -> NDArray[np.int8]:
    """Return the checkers on each point, shape (n, points), for position numbers."""
    if bearoff.position_count(points, checkers) <= _KEPT:
        return _every_position(points, checkers).take(numbers, axis=0)
    return bearoff.unrank(numbers, points, checkers)


@lru_cache(maxsize=4)
def _every_position(points: int, checkers: int) -> NDArray[np.int8]:
    numbers = np.arange(bearoff.position_count(points, checkers))
    return bearoff.unrank(numbers, points, checkers)
