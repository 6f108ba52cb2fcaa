"""Positions grouped by pip count, in the order in which a table is solved.

Every play lowers the pip count: by 1 to 6 for each move of a checker, and by at most 24 in
total. The positions with the same pip count form a *level*. They depend only on lower
levels and can be solved together.

Pip counts of positions on P points follow from pip counts on P - 1 points. Moving all r
checkers of a position by one pip gives a position of up to r checkers on P - 1 points, and
lowers the pip count by r. Positions on P points are therefore sorted by r.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from bearoff.positions import check_size

Int64Array = NDArray[np.int64]

PLAY_PIPS = 6
"""Maximum number of pips by which one die moves a checker."""

ROLL_PIPS = 24
"""Maximum number of pips that a roll moves in total: four sixes."""


@dataclass(frozen=True, eq=False)
class Levels:
    """Position numbers of a table sorted by pip count, in ascending order for equal pips.

    Attributes
    ----------
    order : ndarray of uint32, shape (positions,)
        Position numbers sorted by pip count.
    place : ndarray of uint32, shape (positions,)
        Index of each position number in `order`.
    starts : ndarray of int64, shape (levels + 1,)
        Positions with ``pips`` pips are ``order[starts[pips]:starts[pips + 1]]``.
    """

    order: NDArray[np.uint32]
    place: NDArray[np.uint32]
    starts: Int64Array

    def slots(self, pips: int) -> int:
        """Return the largest number of positions in any `pips + 1` successive pip counts.

        An array with this number of rows can store results of all these positions. A
        position has the row ``place`` modulo the number of rows, and no two of these
        positions have the same row.
        """
        return widest(np.diff(self.starts), pips)


def pip_counts(points: int, checkers: int) -> NDArray[np.int16]:
    """Return the pip count of every position, in the order of position numbers.

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
    """Return the number of positions of each pip count from 0 on, without listing them.

    Examples
    --------
    >>> level_sizes(2, 2)
    array([1, 1, 2, 1, 1])
    """
    points, checkers = check_size(points, checkers)
    # `sizes[r, pips]` is the number of positions with at most r checkers and this pip
    # count.
    sizes = np.zeros((checkers + 1, points * checkers + 1), dtype=np.int64)
    sizes[:, 0] = 1
    for _ in range(points):
        for r in range(checkers, -1, -1):
            sizes[r, r:] = sizes[r, : sizes.shape[1] - r]
            sizes[r, :r] = 0
        sizes = sizes.cumsum(axis=0)
    return np.asarray(sizes[-1])


def widest(sizes: Int64Array, pips: int) -> int:
    """Return the largest sum of `pips + 1` successive numbers of positions in `sizes`."""
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
    """Return an upper bound on the number of rolls to bear off, whatever the plays.

    Each roll before the last one lowers the pip count by 3 or more, with two exceptions. If
    all checkers are on the 1 point, a roll may bear off only two checkers. Once in a game,
    a 1 may move the last checker on the 2 point to the 1 point, and the other die may bear
    off a checker from the 1 point.

    Examples
    --------
    >>> most_rolls(15, 15)  # Fifteen aces: eight rolls.
    9
    """
    return (pips + checkers // 2) // 3 + 2
