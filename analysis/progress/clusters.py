r"""Means over a player's decisions, with confidence intervals clustered by match.

Let match :math:`g` have :math:`n_g` decisions, with a total cost of :math:`L_g`. The mean
cost per decision is then :math:`r = \sum L_g / \sum n_g`. Match :math:`g` contributes
:math:`u_g = (L_g - r n_g) / \sum n_g` to the error of the mean. For
:math:`G` matches, the squared standard error is

.. math:: s^2 = \frac{G}{G - 1} \sum_g u_g^2

The confidence interval uses Student's distribution of :math:`G - 1` degrees of freedom. For
a difference of two means, the contributions of a match to both means are subtracted.
Effects of the match that are common to both means then cancel.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]

LEVEL = 0.95
"""Confidence level of the intervals of means."""

BLOCKS, A_BLOCK = 12, 40
"""Maximum number of blocks into which a player's matches are split, and number of decisions
needed for each block."""


@dataclass(frozen=True)
class ClusteredMean:
    """Mean with a confidence interval clustered by match.

    Attributes
    ----------
    value : float
    low, high : float or None
        Ends of the 95% interval; None if there are fewer than two matches.
    decisions, matches : int
        Numbers of decisions and matches from which the mean is computed.
    probability : float
        Two-sided p-value of the hypothesis that the mean is 0; 1 without an interval.
    """

    value: float
    low: float | None
    high: float | None
    decisions: int
    matches: int
    probability: float = 1.0


def mean(matches: ArrayLike, values: ArrayLike) -> ClusteredMean:
    """Return the mean of values, with a confidence interval clustered by match.

    Parameters
    ----------
    matches : array_like of int, shape (n,)
        Number of the match to which each value belongs, a small nonnegative integer.
    values : array_like of float, shape (n,)

    Examples
    --------
    >>> found = mean([1, 1, 2, 3], [0.0, 0.2, 0.1, 0.3])
    >>> round(found.value, 3), found.decisions, found.matches
    (0.15, 4, 3)
    """
    return ratio(*_sums(matches, values))


def ratio(sums: ArrayLike, counts: ArrayLike) -> ClusteredMean:
    """Return the mean of values, given the sum and the number of values in each match.

    Parameters
    ----------
    sums : array_like of float, shape (m,)
        Sum of the values in each match.
    counts : array_like of int, shape (m,)
        Number of values in each match.

    Examples
    --------
    >>> found = ratio([0.2, 0.1, 0.3], [2, 1, 1])
    >>> round(found.value, 3), found.decisions, found.matches
    (0.15, 4, 3)
    """
    parts, numbers, value = _parts(sums, counts)
    return _mean(value, parts, numbers > 0, int(numbers.sum()))


def difference(
    first: tuple[ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike]
) -> ClusteredMean:
    """Return the difference of two means, with a confidence interval clustered by match."""
    ours, theirs = _parts(*_sums(*first)), _parts(*_sums(*second))
    size = max(len(ours[0]), len(theirs[0]))
    parts, there = np.zeros(size), np.zeros(size, dtype=bool)
    for sign, (part, counts, _) in ((1.0, ours), (-1.0, theirs)):
        parts[: len(part)] += sign * part
        there[: len(counts)] |= counts > 0
    fewest = min(int(ours[1].sum()), int(theirs[1].sum()))
    return _mean(ours[2] - theirs[2], parts, there, fewest)


def _sums(matches: ArrayLike, values: ArrayLike) -> tuple[Float64Array, NDArray[np.int64]]:
    """Return the sum and the number of values in each match."""
    numbers = np.asarray(matches, dtype=np.int64)
    lost = np.asarray(values, dtype=np.float64)
    sums = np.asarray(np.bincount(numbers, weights=lost), dtype=np.float64)
    return sums, np.bincount(numbers)


def _parts(
    sums: ArrayLike, counts: ArrayLike
) -> tuple[Float64Array, NDArray[np.int64], float]:
    """Return each match's part of the mean's error, its number of values, and the mean."""
    lost = np.asarray(sums, dtype=np.float64)
    numbers = np.asarray(counts, dtype=np.int64)
    total = int(numbers.sum())
    if not total:
        return np.zeros(0), numbers, 0.0
    value = float(lost.sum()) / total
    return (lost - value * numbers) / total, numbers, value


def _mean(
    value: float, parts: Float64Array, there: BoolArray, decisions: int
) -> ClusteredMean:
    groups = int(there.sum())
    if groups < 2 or not decisions:
        return ClusteredMean(value, None, None, decisions, groups)
    squares = np.square(parts[there]).sum()
    error = float(np.sqrt(groups / (groups - 1) * squares))
    half = float(stats.t.ppf((1 + LEVEL) / 2, groups - 1)) * error
    return ClusteredMean(
        value, value - half, value + half, decisions, groups, tail(value, error, groups)
    )


def blocks(counts: Sequence[int]) -> list[slice]:
    """Split consecutive matches into blocks with similar numbers of decisions.

    Parameters
    ----------
    counts : sequence of int
        Number of decisions in each match, in chronological order.

    Returns
    -------
    list of slice
        Range of matches in each block.

    Examples
    --------
    >>> [(span.start, span.stop) for span in blocks([30, 20, 10, 40])]
    [(0, 2), (2, 4)]
    """
    total = sum(counts)
    most = min(BLOCKS, max(total // A_BLOCK, 1))
    begins, done, begun = [0], 0, 0
    for match, count in enumerate(counts):
        if (done - begun) * most >= total and len(begins) < most:
            begins.append(match)
            begun = done
        done += count
    return [slice(*ends) for ends in pairwise([*begins, len(counts)])] if total else []


def tail(value: float, error: float, groups: int) -> float:
    """Return the two-sided p-value of an estimate, if the true value is 0."""
    if error == 0:
        return float(value == 0)
    return float(2 * stats.t.sf(abs(value) / error, groups - 1))


def regress(
    costs: Float64Array, features: Float64Array, matches: NDArray[np.int64]
) -> tuple[Float64Array, Float64Array]:
    """Regress costs on features by least squares, with errors clustered by match.

    Parameters
    ----------
    costs : ndarray of float64, shape (n,)
    features : ndarray of float64, shape (n, k)
        Features of the decisions, which must be linearly independent of each other and of a
        constant.
    matches : ndarray of int64, shape (n,)

    Returns
    -------
    coefficients, errors : ndarray of float64, shape (k,)
        Change in cost for one more occurrence of each feature, and its standard error.
    """
    n, k = features.shape
    design = np.column_stack([np.ones(n), features - features.mean(axis=0)])
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ costs
    rest = costs - design @ coefficients
    _, places = np.unique(matches, return_inverse=True)
    groups = int(places.max()) + 1
    scores = np.column_stack(
        [np.bincount(places, weights=one) for one in (design * rest[:, None]).T]
    )
    few = groups / (groups - 1) * (n - 1) / (n - k - 1)
    spread = few * inverse @ (scores.T @ scores) @ inverse
    return coefficients[1:], np.sqrt(np.diag(spread))[1:]
