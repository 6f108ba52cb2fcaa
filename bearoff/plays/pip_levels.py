"""Positions by pip count: the order in which a table is solved.

Every play lowers the pip count, by 1 to 6 for each checker played and 24 at most, so the
positions of one count, a *level*, depend only on lower levels and can be solved at once.

A table of P points lists its positions by the checkers on the board, and those of r
checkers as the table of P - 1 points lists up to r: take the ace point away and all
stand one pip nearer. Hence the pip counts of P points are those of P - 1 points, r times
a first piece of them, each with r added.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from bearoff.positions import check_size

Int64Array = NDArray[np.int64]

PLAY_PIPS = 6
"""Most pips that one checker play can be."""

ROLL_PIPS = 24
"""Most pips that a roll can be."""


@dataclass(frozen=True, eq=False)
class Levels:
    """Positions sorted by pip count, those of one count in the order of `bearoff.rank`.

    Attributes
    ----------
    order : ndarray of uint32, shape (positions,)
        Numbers of the positions, level after level.
    place : ndarray of uint32, shape (positions,)
        Where each position stands in `order`.
    starts : ndarray of int64, shape (levels + 1,)
        Level ``pips`` is ``order[starts[pips]:starts[pips + 1]]``.
    """

    order: NDArray[np.uint32]
    place: NDArray[np.uint32]
    starts: Int64Array

    def slots(self, pips: int) -> int:
        """Most positions from a level down to `pips` below it.

        As many slots hold all that the level needs, if a position takes the slot of its
        place modulo their number.
        """
        return widest(np.diff(self.starts), pips)


def pip_counts(points: int, checkers: int) -> NDArray[np.int16]:
    """Raw pip count of every position in the order of `bearoff.rank`, shape (positions,).

    Examples
    --------
    >>> pip_counts(2, 2)  # Off; ace, deuce; two aces, ace and deuce, two deuces.
    array([0, 1, 2, 2, 3, 4], dtype=int16)
    """
    points, checkers = check_size(points, checkers)
    pips = np.zeros(1, dtype=np.int16)
    for p in range(points):
        pips = np.concatenate([r + pips[: comb(r + p, p)] for r in range(checkers + 1)])
    return pips


def level_sizes(points: int, checkers: int) -> Int64Array:
    """Count the positions of each pip count from 0 up, without listing them.

    Examples
    --------
    >>> level_sizes(2, 2)
    array([1, 1, 2, 1, 1])
    """
    points, checkers = check_size(points, checkers)
    # sizes[r, pips] of up to r checkers; the recursion is that of `pip_counts`.
    sizes = np.zeros((checkers + 1, points * checkers + 1), dtype=np.int64)
    sizes[:, 0] = 1
    for _ in range(points):
        for r in range(checkers, -1, -1):
            sizes[r, r:] = sizes[r, : sizes.shape[1] - r]
            sizes[r, :r] = 0
        sizes = sizes.cumsum(axis=0)
    return np.asarray(sizes[-1])


def widest(sizes: Int64Array, pips: int) -> int:
    """Most positions that a level and the `pips` below it have together."""
    return int(np.convolve(sizes, np.ones(pips + 1, dtype=np.int64)).max())


def sort_by_pips(points: int, checkers: int) -> Levels:
    """Sort the positions of a table by pip count."""
    pips = pip_counts(points, checkers)
    order = np.argsort(pips, kind="stable").astype(np.uint32)
    place = np.empty_like(order)
    place[order] = np.arange(len(order), dtype=np.uint32)
    starts = np.concatenate([[0], np.cumsum(np.bincount(pips))])
    return Levels(order, place, starts)


def most_rolls(pips: int, checkers: int) -> int:
    """Bound the rolls that fewest-rolls play, or any play, can need.

    Two plays fall 3 pips or more unless they take two aces off with only aces left. Of
    the rolls before the last, those with only aces left take two pips and two checkers
    each, all others 3 pips or more.

    Examples
    --------
    >>> most_rolls(15, 15)  # Fifteen aces: eight rolls.
    9
    """
    return (pips + checkers // 2) // 3 + 2
