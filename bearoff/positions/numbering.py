r"""Perfect hash: a number for each position of at most N checkers on P points.

A position can be written as the nondecreasing list of its checkers' points, with 0 for a
checker that is off. The position number is the index of this list in the lexicographical
order of all such lists (Benjamin and Ross, *Enumerating Backgammon Positions: The Perfect
Hash*).

If :math:`R_i` is the number of checkers on point ``i`` or higher, the sum of Benjamin and
Ross becomes

.. math:: \text{number} = \sum_{i=1}^{P} \binom{R_i + P - i}{P - i + 1}

The total number of checkers does not occur in this sum. The positions of at most ``n``
checkers are therefore the first :math:`\binom{n + P}{P}` positions of every larger table. A
play lowers some :math:`R_i` and raises none. It therefore lowers the position number, and
dynamic programming needs only one pass in ascending order.
"""

from __future__ import annotations

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
    """Return the number of positions of at most `checkers` checkers on `points` points.

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
    """Check the numbers of points (1 to 24) and checkers (1 to 15), and return them."""
    points = checks.integer(points, "points", 1, 24, PositionError)
    return points, checks.integer(checkers, "checkers", 1, CHECKERS, PositionError)


@lru_cache(maxsize=64)
def rank_terms(points: int, checkers: int) -> Int64Array:
    """Return the binomial coefficients from which position numbers are computed.

    Returns
    -------
    ndarray of int64, shape (points + 1, checkers + 1), read-only
        On a board of P points, ``terms[i, r]`` is the binomial coefficient C(r + P - i, P -
        i + 1). A position number is the sum of these terms over the points ``i``, where
        ``r`` is the number of checkers on point ``i`` or higher. Row 0 is unused.
    """
    points, checkers = check_size(points, checkers)
    terms = np.zeros((points + 1, checkers + 1), dtype=np.int64)
    for i in range(1, points + 1):
        for r in range(checkers + 1):
            terms[i, r] = comb(r + points - i, points - i + 1)
    terms.setflags(write=False)
    return terms


def rank_one(counts: tuple[int, ...]) -> int:
    """Return the number of one position, given its checkers on the 1 point, 2 point, ...

    The numbers of checkers are not checked. For arrays of positions, use `rank`.

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
    """Return the checkers on the 1 point, 2 point, ... for a position number.

    The position may have any number of checkers. For arrays of position numbers, use
    `unrank`.

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
    """Return the position numbers of checker counts; see `positions.sides.rank`."""
    array = checks.integers(counts, "counts")
    if array.ndim == 0:
        raise PositionError(
            "counts must be an array of shape (..., points), got the single number "
            f"{array}; position numbers need no `rank`"
        )
    points = array.shape[-1]
    # The cached function does not distinguish 6.0 from 6, so types are checked before it is
    # called.
    check_size(points, checkers)
    if array.shape == (1, points):  # A single position is faster without arrays.
        one = tuple(array[0].tolist())
        if min(one) >= 0 and sum(one) <= checkers:
            return np.array([rank_one(one)], dtype=np.int64)
    terms = rank_terms(points, checkers)
    # Counts are checked before their total, because the sum of huge counts could overflow.
    if array.size and (array.min() < 0 or array.max() > checkers):
        bad = array[(array < 0) | (array > checkers)].flat[0]
        raise PositionError(
            f"the number of checkers on a point must be from 0 to {checkers}, got {bad}"
        )
    numbers = np.zeros(array.shape[:-1], dtype=np.int64)
    at_or_above = np.zeros_like(numbers)
    for i in range(points, 0, -1):
        at_or_above += array[..., i - 1].astype(np.int64, copy=False)
        # Clipping the index avoids an index error for rows with too many checkers, which
        # raise a clearer error below.
        numbers += terms[i][np.minimum(at_or_above, checkers)]
    if array.size and at_or_above.max() > checkers:
        raise PositionError(
            f"a position may have at most {checkers} checkers, got {at_or_above.max()}"
        )
    return numbers


def unrank(
    numbers: ArrayLike, points: int = POINTS, checkers: int = CHECKERS
) -> NDArray[np.int8]:
    """Return the checkers on each point for given position numbers; the inverse of `rank`.

    Parameters
    ----------
    numbers : array_like of int, shape (...)
        Position numbers from 0 to ``position_count(points, checkers) - 1``.
    points, checkers : int
        Number of points, 1 to 24, and maximum number of checkers, 1 to 15.

    Returns
    -------
    ndarray of int8, shape (..., points)
        Number of checkers on the 1 point, 2 point, ... of each position.

    Raises
    ------
    PositionError
        If a position number is not an integer, or is out of range.

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
