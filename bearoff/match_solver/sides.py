"""One player's positions as the solver has them: sorted by pips, and where rolls lead."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import Successors, pip_levels, successors
from bearoff.positions import POINTS, position_count, unrank
from bearoff.rolls import ROLLS

Int64Array = NDArray[np.int64]

LANES = 32
"""Positions of the other side met at once: four cache lines, fetched one after another."""

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
        Slot of each number, -1 where it has none.
    levels : ndarray of int64
        First slot of each level, and behind the last the number of slots.
    offsets, successors : ndarray of int64, ndarray of int32
        As `bearoff.plays.Successors`, of slots.
    full : ndarray of bool, shape (slots,)
        Whether all checkers are on the board, so that a gammon can be lost.
    start : int
        How many all are.
    """

    numbers: Int64Array
    slots: Int64Array
    levels: Int64Array
    offsets: Int64Array
    successors: NDArray[np.int32]
    full: NDArray[np.bool_]
    start: int

    @property
    def size(self) -> int:
        """Slots in all."""
        return len(self.numbers)


@lru_cache(maxsize=4)
def every_position(checkers: int, start: int) -> Side:
    """Return all positions of at most so many checkers; `start` checkers are all."""
    table = successors(POINTS, checkers)
    return _side(np.arange(position_count(POINTS, checkers)), checkers, start, table)


@lru_cache(maxsize=8)
def reachable(origins: tuple[int, ...], checkers: int, start: int) -> Side:
    """Return the positions of some numbers, and all that their plays lead to."""
    table = successors(POINTS, checkers)
    return _side(table.reachable(origins), checkers, start, table)


def checkers_held(numbers: Int64Array, points: int = POINTS) -> int:
    """Return the checkers of which all positions are among some, given in rising order."""
    gaps = np.flatnonzero(numbers != np.arange(len(numbers)))
    held = int(gaps[0]) if gaps.size else len(numbers)
    checkers = 0
    while position_count(points, checkers + 1) <= held:
        checkers += 1
    return checkers


def _side(numbers: Int64Array, checkers: int, start: int, table: Successors) -> Side:
    pips = pip_levels.pip_counts(POINTS, checkers)[numbers]
    numbers = numbers[np.argsort(pips, kind="stable")]
    counts = np.bincount((pips + 1) // 2)
    levels = np.concatenate([[0], np.cumsum(counts[counts > 0])])
    slots = np.full(position_count(POINTS, checkers), -1, dtype=np.int64)
    slots[numbers] = np.arange(len(numbers))
    lengths = np.diff(table.offsets).reshape(-1, _ROLLS)[numbers].ravel()
    starts = table.offsets[:-1].reshape(-1, _ROLLS)[numbers].ravel()
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    gather = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    on_board = unrank(numbers, POINTS, checkers).sum(axis=-1)
    return Side(
        numbers,
        slots,
        levels,
        offsets,
        slots[table.numbers[gather]].astype(np.int32),
        on_board == start,
        start,
    )
