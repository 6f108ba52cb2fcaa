"""One player's positions as the solver has them: sorted by pips, and where rolls lead."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import Successors, reached, successors
from bearoff.positions import POINTS, position_count, unrank
from bearoff.rolls import ROLLS

Int64Array = NDArray[np.int64]

LANES = 32
"""Positions of the other side met at once: four cache lines, fetched one after another."""

MOST_BEYOND = 60_000
"""Positions that a side with checkers beyond home can come to, up to which it is solved."""

_ROLLS = len(ROLLS)


@dataclass(frozen=True, eq=False)
class Side:
    """Positions in *slots*: sorted by pip count, all that their plays lead to included.

    Slot 0 has borne off. Slots make *levels* of two pip counts, ``2k - 1`` and ``2k``; no
    play leads to a slot of the same level, since it moves 2 pips or bears off the last.

    Attributes
    ----------
    numbers : ndarray of int64, shape (slots,)
        Benjamin-Ross number of each slot.
    slots : ndarray of int64
        Slot of each number, -1 where it has none; of each of `listed` if there are some.
    levels : ndarray of int64
        First slot of each level, and behind the last the number of slots.
    offsets, successors : ndarray of int64, ndarray of int32
        As `bearoff.plays.Successors`, of slots.
    full : ndarray of bool, shape (slots,)
        Whether all checkers are on the board, so that a gammon can be lost.
    start : int
        How many all are.
    points : int
        Points of the board that are numbered.
    listed : ndarray of int64, shape (slots,), or None
        Their numbers, ascending, beyond home; at home every number has a place in `slots`.
    """

    numbers: Int64Array
    slots: Int64Array
    levels: Int64Array
    offsets: Int64Array
    successors: NDArray[np.int32]
    full: NDArray[np.bool_]
    start: int
    points: int = POINTS
    listed: Int64Array | None = None

    @property
    def size(self) -> int:
        """Slots in all."""
        return len(self.numbers)

    def slots_of(self, numbers: Int64Array) -> Int64Array:
        """Return the slots of numbers, -1 where a number has none."""
        if self.listed is None:
            inside = np.minimum(numbers, len(self.slots) - 1)
            return np.asarray(np.where(numbers == inside, self.slots[inside], -1))
        places = np.minimum(np.searchsorted(self.listed, numbers), self.size - 1)
        return np.asarray(np.where(self.listed[places] == numbers, self.slots[places], -1))


@lru_cache(maxsize=4)
def every_position(checkers: int, start: int) -> Side:
    """Return all positions of at most so many checkers; `start` checkers are all."""
    table, numbers = successors(POINTS, checkers), position_count(POINTS, checkers)
    return _side(np.arange(numbers), table, np.arange(numbers), checkers, start, POINTS)


@lru_cache(maxsize=8)
def reachable(origins: tuple[int, ...], checkers: int, start: int) -> Side:
    """Return the positions of some numbers, and all that their plays lead to."""
    table = successors(POINTS, checkers)
    numbers = table.reachable(origins)
    return _side(numbers, table, numbers, checkers, start, POINTS)


@lru_cache(maxsize=8)
def reachable_beyond(origin: int, checkers: int, start: int, points: int) -> Side:
    """Return a position with checkers beyond home, and all that its plays lead to.

    Raises
    ------
    TableError
        If they are more than `MOST_BEYOND`.
    """
    numbers, table = reached(origin, points, checkers, MOST_BEYOND)
    return _side(numbers, table, np.arange(len(numbers)), checkers, start, points)


def checkers_held(numbers: Int64Array, points: int = POINTS) -> int:
    """Return the checkers of which all positions are among some, given in rising order."""
    gaps = np.flatnonzero(numbers != np.arange(len(numbers)))
    held = int(gaps[0]) if gaps.size else len(numbers)
    checkers = 0
    while position_count(points, checkers + 1) <= held:
        checkers += 1
    return checkers


def _side(
    numbers: Int64Array,
    table: Successors,
    places: Int64Array,
    checkers: int,
    start: int,
    points: int,
) -> Side:
    """Sort positions, given in rising order with their places in a table of successors."""
    counts = unrank(numbers, points, checkers)
    pips = counts @ np.arange(1, points + 1)
    order = np.argsort(pips, kind="stable")
    levels = np.bincount((pips + 1) // 2)
    slots = np.full((len(table.offsets) - 1) // _ROLLS, -1, dtype=np.int64)
    slots[places[order]] = np.arange(len(numbers))
    rows = (places[order, None] * _ROLLS + np.arange(_ROLLS)).ravel()
    lengths = table.offsets[rows + 1] - table.offsets[rows]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    gather = np.arange(offsets[-1]) + np.repeat(table.offsets[rows] - offsets[:-1], lengths)
    return Side(
        numbers[order],
        slots,
        np.concatenate([[0], np.cumsum(levels[levels > 0])]),
        offsets,
        slots[table.numbers[gather]].astype(np.int32),
        counts.sum(axis=-1)[order] == start,
        start,
        points,
        None if points == POINTS else numbers,
    )
