"""Positions grouped by pip count, in the order in which a table is solved.

Every play lowers the pip count: by 1 to 6 for each move of a checker, and by at most 24 in
total. The positions with the same pip count form a *level*. They depend only on lower
levels and can be solved together.

The positions on P points are sorted by the number r of checkers on the board. Moving every
checker one pip turns a position of r checkers into a position of up to r checkers on P - 1
points. The pip counts are therefore those on P - 1 points plus r.
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
        Index in `order` of each position.
    starts : ndarray of int64, shape (levels + 1,)
        Positions with ``pips`` pips are ``order[starts[pips]:starts[pips + 1]]``.
    """

    order: NDArray[np.uint32]
    place: NDArray[np.uint32]
    starts: Int64Array

    def slots(self, pips: int) -> int:
        """Return the maximum number of positions in `pips + 1` successive pip counts.

        An array with this number of rows is enough for them: a position is stored in the
        row ``place`` modulo the number of rows, which no other of them shares.
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
    """Return the maximum number of positions in `pips + 1` successive pip counts."""
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

    Two moves lower the pip count by 3 or more, unless both bear off from the 1 point and
    all remaining checkers are on that point. Each roll before the last one therefore bears
    off two such checkers, or moves 3 pips or more.

    Examples
    --------
    >>> most_rolls(15, 15)  # Fifteen aces: eight rolls.
    9
    """
    return (pips + checkers // 2) // 3 + 2
