r"""The perfect hash: every way to place at most N checkers on P points has a number.

Write a position as the nondecreasing list of its checkers' points, 0 for a checker
that is off, and sort the lists lexicographically. The place of a list in that order,
counted from 0, is the number of the position (Benjamin and Ross, *Enumerating
Backgammon Positions: The Perfect Hash*).

With :math:`R_i` the checkers on point ``i`` or higher, Benjamin and Ross's sum becomes

.. math:: \text{number} = \sum_{i=1}^{P} \binom{R_i + P - i}{P - i + 1}

in which the number of checkers does not appear: the positions of at most ``n``
checkers are the first :math:`\binom{n + P}{P}` numbers of every larger table. A play
lowers some :math:`R_i` and raises none, so every play lowers the number; that is what
lets dynamic programming run once up the order.
"""

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import PositionError

POINTS = 6
CHECKERS = 15

Int64Array = NDArray[np.int64]


def position_count(points: int = POINTS, checkers: int = CHECKERS) -> int:
    """Count the positions of at most `checkers` checkers on `points` points.

    Examples
    --------
    >>> position_count()
    54264
    >>> position_count(points=12)
    17383860
    """
    points, checkers = check_size(points, checkers)
    return comb(points + checkers, points)


def check_size(points: int, checkers: int) -> tuple[int, int]:
    """Return 1 to 24 points and 1 to 15 checkers, else raise `PositionError`."""
    points = checks.integer(points, "points", 1, 24, PositionError)
    return points, checks.integer(checkers, "checkers", 1, CHECKERS, PositionError)


@lru_cache(maxsize=64)
def rank_terms(points: int, checkers: int) -> Int64Array:
    """Tabulate the terms of the sum in the module's head.

    Returns
    -------
    ndarray of int64, shape (points + 1, checkers + 1), read-only
        ``terms[i, r]`` is C(r + P - i, P - i + 1), the part of the number that ``r``
        checkers on point ``i`` or higher make; row 0 is not used.
    """
    points, checkers = check_size(points, checkers)
    terms = np.zeros((points + 1, checkers + 1), dtype=np.int64)
    for i in range(1, points + 1):
        for r in range(checkers + 1):
            terms[i, r] = comb(r + points - i, points - i + 1)
    terms.setflags(write=False)
    return terms


def rank_one(counts: tuple[int, ...]) -> int:
    """Number one position given as a tuple of checkers on the ace, deuce, ...

    The scalar twin of `rank`, without its checks.

    Examples
    --------
    >>> rank_one((3, 3, 2, 0, 2, 1))
    8887
    """
    points = len(counts)
    number = remaining = 0
    for i in range(points, 0, -1):
        remaining += counts[i - 1]
        number += comb(remaining + points - i, points - i + 1)
    return number


def unrank_one(number: int, points: int = POINTS) -> tuple[int, ...]:
    """Return the checkers on the ace, deuce, ... of the position with this number.

    The scalar twin of `unrank`; any number from 0 is some position of enough checkers.

    Examples
    --------
    >>> unrank_one(8887)
    (3, 3, 2, 0, 2, 1)
    """
    at_or_above = []
    rest = number
    for i in range(1, points + 1):
        r = 0
        while comb(r + 1 + points - i, points - i + 1) <= rest:
            r += 1
        rest -= comb(r + points - i, points - i + 1)
        at_or_above.append(r)
    at_or_above.append(0)
    return tuple(at_or_above[i] - at_or_above[i + 1] for i in range(points))


def rank_counts(counts: ArrayLike, checkers: int = CHECKERS) -> Int64Array:
    """Do what `bearoff.positions.sides.rank` does, of counts alone."""
    array = checks.integers(counts, "counts")
    if array.ndim == 0:
        raise PositionError(
            "counts must be an array (..., points), got the single number "
            f"{array}; a position's number needs no ranking"
        )
    points = array.shape[-1]
    check_size(points, checkers)  # Before the cached terms, whose key takes 6.0 for 6.
    if array.shape == (1, points):  # One is sooner numbered by itself.
        one = tuple(array[0].tolist())
        if min(one) >= 0 and sum(one) <= checkers:
            return np.array([rank_one(one)], dtype=np.int64)
    terms = rank_terms(points, checkers)
    # The total may not be trusted before every count is found to be small: huge counts
    # could wrap around to an innocent sum.
    if array.size and (array.min() < 0 or array.max() > checkers):
        bad = array[(array < 0) | (array > checkers)].flat[0]
        raise PositionError(f"a point holds 0 to {checkers} checkers, got {bad}")
    numbers = np.zeros(array.shape[:-1], dtype=np.int64)
    at_or_above = np.zeros_like(numbers)
    for i in range(points, 0, -1):
        at_or_above += array[..., i - 1].astype(np.int64, copy=False)
        # More checkers than the terms know are refused just below.
        numbers += terms[i][np.minimum(at_or_above, checkers)]
    if array.size and at_or_above.max() > checkers:
        raise PositionError(
            f"a position has at most {checkers} checkers, got {at_or_above.max()}"
        )
    return numbers


def unrank(
    numbers: ArrayLike, points: int = POINTS, checkers: int = CHECKERS
) -> NDArray[np.int8]:
    """Return the positions that have these numbers; the inverse of `rank`.

    Parameters
    ----------
    numbers : array_like of int, shape (...)
        Numbers from 0 to ``position_count(points, checkers) - 1``.
    points, checkers : int
        Size of the table, 1 to 24 points and 1 to 15 checkers.

    Returns
    -------
    ndarray of int8, shape (..., points)
        Checkers on the ace, deuce, ... of each position.

    Raises
    ------
    PositionError
        If a number is no whole number or lies outside the table.

    Examples
    --------
    >>> unrank(8887)
    array([3, 3, 2, 0, 2, 1], dtype=int8)
    """
    rest = checks.numbers_below(numbers, position_count(points, checkers)).copy()
    terms = rank_terms(points, checkers)
    at_or_above = np.zeros((*rest.shape, points + 1), dtype=np.int8)
    for i in range(1, points + 1):
        r = np.searchsorted(terms[i], rest, side="right") - 1
        rest -= terms[i].take(r)
        at_or_above[..., i - 1] = r
    return at_or_above[..., :-1] - at_or_above[..., 1:]
