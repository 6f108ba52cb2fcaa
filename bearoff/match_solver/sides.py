"""Positions of one player, sorted by pip count, with the positions after each roll."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import Successors, reached, successors
from bearoff.positions import POINTS, position_count, unrank
from bearoff.rolls import ROLLS

Int64Array = NDArray[np.int64]

LANES = 32
"""Number of consecutive opposing positions that the kernels process at once. Their float64
values fill four cache lines."""

MOST_BEYOND = 60_000
"""Maximum number of reachable positions of a player with a checker outside the home board.
Larger races are not solved."""

_ROLLS = len(ROLLS)


@dataclass(frozen=True, eq=False)
class SolverSide:
    """Positions of one player, sorted by pip count, with the positions after each roll.

    The *index* of a position is its place in this order; index 0 is the position without
    checkers. A *level* has the pip counts ``2k - 1`` and ``2k``. No play leads to a
    position of the same level, because a play moves at least 2 pips or bears off the last
    checker.

    Attributes
    ----------
    numbers : ndarray of int64, shape (positions,)
        Benjamin-Ross number of each position.
    slots : ndarray of int64
        Index of the position with each Benjamin-Ross number, or with each number in
        `listed`. The index is -1 if the number does not belong to a position of the player.
    levels : ndarray of int64
        Index of the first position of each level, followed by the number of positions.
    offsets, successors : ndarray of int64, ndarray of int32
        Positions after each roll, as in `bearoff.plays.Successors`, but given by index
        instead of position number.
    full : ndarray of bool, shape (positions,)
        Whether no checker has been borne off, so that the player can lose a gammon.
    start : int
        Number of checkers of each player at the start of the game.
    listed : ndarray of int64, shape (positions,), or None
        Benjamin-Ross numbers of the positions in ascending order, if the board has more
        than six points; otherwise None.
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
        return len(self.numbers)

    def slots_of(self, numbers: Int64Array) -> Int64Array:
        """Return the index of each position number; -1 for missing positions."""
        if self.listed is None:
            inside = np.minimum(numbers, len(self.slots) - 1)
            return np.asarray(np.where(numbers == inside, self.slots[inside], -1))
        places = np.minimum(np.searchsorted(self.listed, numbers), self.size - 1)
        return np.asarray(np.where(self.listed[places] == numbers, self.slots[places], -1))


@lru_cache(maxsize=4)
def every_position(checkers: int, start: int) -> SolverSide:
    table, numbers = successors(POINTS, checkers), position_count(POINTS, checkers)
    return _side(np.arange(numbers), table, np.arange(numbers), checkers, start, POINTS)


@lru_cache(maxsize=8)
def reachable(origins: tuple[int, ...], checkers: int, start: int) -> SolverSide:
    """Return the given positions, and all positions that are reachable from them."""
    table = successors(POINTS, checkers)
    numbers = table.reachable(origins)
    return _side(numbers, table, numbers, checkers, start, POINTS)


@lru_cache(maxsize=8)
def reachable_beyond(origin: int, checkers: int, start: int, points: int) -> SolverSide:
    """Return a position on more than six points, and all positions reachable from it.

    Raises `TableError` if more than `MOST_BEYOND` positions are reachable.
    """
    numbers, table = reached(origin, points, checkers, MOST_BEYOND)
    return _side(numbers, table, np.arange(len(numbers)), checkers, start, points)


def checkers_held(numbers: Int64Array, points: int = POINTS) -> int:
    """Return the largest n for which `numbers` has all positions of at most n checkers."""
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
) -> SolverSide:
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
    return SolverSide(
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
