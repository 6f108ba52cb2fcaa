r"""Means of decisions with intervals that know that those of one match belong together.

With :math:`L_g` lost in :math:`n_g` decisions of match :math:`g`, the mean is
:math:`r = \sum L_g / \sum n_g`. The part of a match in its error is
:math:`u_g = (L_g - r n_g) / \sum n_g`, and

.. math:: s^2 = \frac{G}{G - 1} \sum_g u_g^2

with Student's distribution of :math:`G - 1` degrees of freedom. Of a difference of two
means the parts are subtracted match by match, so that what both share cancels.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Float64Array = NDArray[np.float64]

LEVEL = 0.95
"""Of intervals."""


@dataclass(frozen=True)
class Mean:
    """A mean with its interval.

    Attributes
    ----------
    value : float
    low, high : float or None
        95% interval; None of fewer than two matches.
    decisions, matches : int
        How many it rests on.
    probability : float
        Of as much by chance if the true mean is 0, either way; 1 if there is no interval.
    """

    value: float
    low: float | None
    high: float | None
    decisions: int
    matches: int
    probability: float = 1.0


def mean(values: Iterable[tuple[int, float]]) -> Mean:
    """Return the mean of values, each with the number of its match.

    Examples
    --------
    >>> found = mean([(1, 0.0), (1, 0.2), (2, 0.1), (3, 0.3)])
    >>> round(found.value, 3), found.decisions, found.matches
    (0.15, 4, 3)
    """
    matches, parts, value, count = _parts(values)
    return _mean(value, dict(zip(matches.tolist(), parts.tolist(), strict=True)), count)


def difference(
    first: Iterable[tuple[int, float]], second: Iterable[tuple[int, float]]
) -> Mean:
    """Return the mean of the first less that of the second."""
    total: dict[int, float] = {}
    values, counts = [], []
    for sign, given in ((1.0, first), (-1.0, second)):
        matches, parts, value, count = _parts(given)
        values.append(value)
        counts.append(count)
        for match, part in zip(matches.tolist(), parts.tolist(), strict=True):
            total[match] = total.get(match, 0.0) + sign * part
    return _mean(values[0] - values[1], total, min(counts))


def _parts(
    values: Iterable[tuple[int, float]],
) -> tuple[NDArray[np.int64], Float64Array, float, int]:
    """Return the matches, the part of each in the error, the mean and the count."""
    pairs = list(values)
    numbers = np.array([match for match, _ in pairs], dtype=np.int64)
    lost = np.array([value for _, value in pairs], dtype=np.float64)
    matches, places = np.unique(numbers, return_inverse=True)
    if not pairs:
        return matches, np.zeros(0), 0.0, 0
    sums = np.bincount(places, weights=lost)
    counts = np.bincount(places)
    value = float(lost.mean())
    return matches, (sums - value * counts) / len(pairs), value, len(pairs)


def _mean(value: float, parts: dict[int, float], decisions: int) -> Mean:
    groups = len(parts)
    if groups < 2 or not decisions:
        return Mean(value, None, None, decisions, groups)
    squares = np.square(np.array(list(parts.values()))).sum()
    error = float(np.sqrt(groups / (groups - 1) * squares))
    half = float(stats.t.ppf((1 + LEVEL) / 2, groups - 1)) * error
    return Mean(
        value, value - half, value + half, decisions, groups, tail(value, error, groups)
    )


def tail(value: float, error: float, groups: int) -> float:
    """Return the chance of a value as far from 0, either way, if the truth is 0."""
    if error == 0:
        return float(value == 0)
    return float(2 * stats.t.sf(abs(value) / error, groups - 1))


def regress(
    costs: Float64Array, features: Float64Array, matches: NDArray[np.int64]
) -> tuple[Float64Array, Float64Array]:
    """Regress costs on features by least squares, errors summed by match.

    Parameters
    ----------
    costs : ndarray of float64, shape (n,)
    features : ndarray of float64, shape (n, k)
        Linearly independent with a constant.
    matches : ndarray of int64, shape (n,)

    Returns
    -------
    coefficients, errors : ndarray of float64, shape (k,)
        What one more of a feature adds, and the standard error of it.
    """
    n, k = features.shape
    design = np.column_stack([np.ones(n), features - features.mean(axis=0)])
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ costs
    rest = costs - design @ coefficients
    _, places = np.unique(matches, return_inverse=True)
    groups = int(places.max()) + 1
    scores = np.zeros((groups, k + 1))
    np.add.at(scores, places, design * rest[:, None])
    few = groups / (groups - 1) * (n - 1) / (n - k - 1)
    spread = few * inverse @ (scores.T @ scores) @ inverse
    return coefficients[1:], np.sqrt(np.diag(spread))[1:]
