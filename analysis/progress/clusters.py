r"""Means over decisions, with confidence intervals clustered by match.

With :math:`L_g` lost in :math:`n_g` decisions of match :math:`g`, the mean is :math:`r =
\sum L_g / \sum n_g`. Match :math:`g` contributes :math:`u_g = (L_g - r n_g) / \sum n_g` to
the error, and

.. math:: s^2 = \frac{G}{G - 1} \sum_g u_g^2

with Student's distribution of :math:`G - 1` degrees of freedom. For a difference of two
means, the contributions are subtracted match by match, so that common effects cancel.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]

LEVEL = 0.95
"""Confidence level of the intervals."""


@dataclass(frozen=True)
class ClusteredMean:
    """Mean with a confidence interval clustered by match.

    Attributes
    ----------
    value : float
    low, high : float or None
        Ends of the 95% interval; None for fewer than two matches.
    decisions, matches : int
        Numbers of decisions and matches that the mean is based on.
    probability : float
        Two-sided p-value for a true mean of 0; 1 if there is no interval.
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
        Match number of each value; small integers from 0.
    values : array_like of float, shape (n,)

    Examples
    --------
    >>> found = mean([1, 1, 2, 3], [0.0, 0.2, 0.1, 0.3])
    >>> round(found.value, 3), found.decisions, found.matches
    (0.15, 4, 3)
    """
    parts, counts, value = _parts(matches, values)
    return _mean(value, parts, counts > 0, int(counts.sum()))


def difference(
    first: tuple[ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike]
) -> ClusteredMean:
    """Return the difference of two means, with a confidence interval clustered by match."""
    ours, theirs = _parts(*first), _parts(*second)
    size = max(len(ours[0]), len(theirs[0]))
    parts, there = np.zeros(size), np.zeros(size, dtype=bool)
    for sign, (part, counts, _) in ((1.0, ours), (-1.0, theirs)):
        parts[: len(part)] += sign * part
        there[: len(counts)] |= counts > 0
    fewest = min(int(ours[1].sum()), int(theirs[1].sum()))
    return _mean(ours[2] - theirs[2], parts, there, fewest)


def _parts(
    matches: ArrayLike, values: ArrayLike
) -> tuple[Float64Array, NDArray[np.int64], float]:
    """Return each match's contribution to the error, its count, and the overall mean."""
    numbers = np.asarray(matches, dtype=np.int64)
    lost = np.asarray(values, dtype=np.float64)
    counts = np.bincount(numbers)
    if not len(lost):
        return np.zeros(0), counts, 0.0
    value = float(lost.mean())
    sums = np.bincount(numbers, weights=lost)
    return (sums - value * counts) / len(lost), counts, value


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


def tail(value: float, error: float, groups: int) -> float:
    """Return the two-sided p-value of an estimate if the true value is 0."""
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
        Features, which must be linearly independent of each other and of a constant.
    matches : ndarray of int64, shape (n,)

    Returns
    -------
    coefficients, errors : ndarray of float64, shape (k,)
        Effect of one more occurrence of each feature, and its standard error.
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
