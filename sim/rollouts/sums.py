"""Exact integer sums over the games of a rollout, independent of the order of addition.

A *unit* is a set of games whose first rolls are balanced. Different units are independent,
but the games within a unit are not. For each unit and each of `COLUMNS`, the mean over the
games is computed, and a constant near the expected mean, the *centre*, is subtracted. The
sums of these means and of their products are stored as integers in units of 1 / `ONE`. Each
sum has two columns: one for the low bits and one for the high bits.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.rollouts.values import COLUMNS

Float64Array = NDArray[np.float64]
Sums = NDArray[np.int64]

ONE = 1 << 40
"""Integer that represents 1 point, or 1 squared point. A result of 2**22 squared points
still fits into 64 bits, and no cube value exceeds 2**10."""

_LOW_BITS = 30

_FIRST, _SECOND = np.triu_indices(len(COLUMNS))

_SUMS = len(COLUMNS) + len(_FIRST)

WIDTH = 2 + 2 * _SUMS
"""Number of columns in a row of sums. The first columns contain the numbers of games and of
units. The others contain the sums of all estimates and products of estimates: first the low
bits, then the high bits."""


def sums_of(estimates: Float64Array, centre: Float64Array, unit: int) -> Sums:
    """Sum the estimates of complete units of games; return a row of `WIDTH` integers."""
    means = estimates.reshape(-1, unit, len(COLUMNS)).mean(axis=1) - centre
    products = means[:, _FIRST] * means[:, _SECOND]
    columns = np.concatenate([means, products], axis=1)
    fixed = np.rint(columns * ONE).astype(np.int64)
    low, rest = fixed & (1 << _LOW_BITS) - 1, fixed >> _LOW_BITS
    return np.concatenate([[len(estimates), len(means)], low.sum(axis=0), rest.sum(axis=0)])


@dataclass(frozen=True, eq=False)
class Moments:
    """Means of a rollout's estimates, and the covariance matrix of the means.

    Attributes
    ----------
    games, units : int
        Number of games, and number of units. A unit is a set of games that is independent
        of all other units.
    means : ndarray of float64, shape (8,)
        Mean over all games of each quantity in `COLUMNS`.
    covariance : ndarray of float64, shape (8, 8)
        Covariance matrix of the means; NaN if there are fewer than two units.
    """

    games: int
    units: int
    means: Float64Array
    covariance: Float64Array

    @classmethod
    def of(cls, sums: Sums, centre: Float64Array) -> "Moments":
        """Compute means and covariances from the sums of at least one unit of games."""
        games, units = int(sums[0]), int(sums[1])
        size = len(COLUMNS)
        low, rest = sums[2:].reshape(2, _SUMS).tolist()
        means = [
            (b + (a << _LOW_BITS)) / (ONE * units) for b, a in zip(low, rest, strict=True)
        ]
        first = np.array(means[:size])
        second = np.empty((size, size))
        second[_FIRST, _SECOND] = second[_SECOND, _FIRST] = means[size:]
        variance = second - np.outer(first, first)
        # Rounding errors may make a variance of 0 slightly negative.
        np.fill_diagonal(variance, np.maximum(variance.diagonal(), 0.0))
        with np.errstate(invalid="ignore", divide="ignore"):
            covariance = variance / np.float64(units - 1)
        return cls(games, units, centre + first, covariance)

    def error(self, *weights: float) -> float:
        """Return the standard error of the sum of the means with given weights."""
        w = np.array(weights)
        return float(np.sqrt(max(w @ self.covariance @ w, 0.0)))
