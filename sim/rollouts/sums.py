"""What is added up of the games of a rollout: whole numbers, so that partial sums add.

A *unit* is as many games as share the first rolls out evenly among them; units are
independent of each other, games within one are not. Each unit gives the mean estimate of
its games for each of `COLUMNS`, less a *centre* that is the same for all units of a
race. Sums of these and of their products, in fixed point, are a row of int64: each sum
takes two columns, one for the low bits and one for the rest, and is exact.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.rollouts.values import COLUMNS

Float64Array = NDArray[np.float64]
Sums = NDArray[np.int64]

ONE = 1 << 40
"""A point, or the square of one, in fixed point: a square of 2**22 points still fits, and
no cube goes above 2**10."""

_LOW_BITS = 30

_FIRST, _SECOND = np.triu_indices(len(COLUMNS))

_SUMS = len(COLUMNS) + len(_FIRST)

WIDTH = 2 + 2 * _SUMS
"""Columns: games, units, then for each column and each two of them the low bits and the
rest of the sum, first of the means and then of their products."""


def sums_of(estimates: Float64Array, centre: Float64Array, unit: int) -> Sums:
    """Add up the estimates of whole units.

    Parameters
    ----------
    estimates : ndarray of float64, shape (games, 8)
        Of each game, for each of `COLUMNS`.
    centre : ndarray of float64, shape (8,)
        About their means, so that little is lost to fixed point.
    unit : int
        Games of a unit; divides the games.

    Returns
    -------
    ndarray of int64, shape (WIDTH,)
    """
    means = estimates.reshape(-1, unit, len(COLUMNS)).mean(axis=1) - centre
    products = means[:, _FIRST] * means[:, _SECOND]
    columns = np.concatenate([means, products], axis=1)
    fixed = np.rint(columns * ONE).astype(np.int64)
    low, rest = fixed & (1 << _LOW_BITS) - 1, fixed >> _LOW_BITS
    return np.concatenate([[len(estimates), len(means)], low.sum(axis=0), rest.sum(axis=0)])


@dataclass(frozen=True, eq=False)
class Moments:
    """Means of a rollout's estimates and how sure they are.

    Attributes
    ----------
    games, units : int
        How many were played.
    means : ndarray of float64, shape (8,)
        Equity of each of `COLUMNS`.
    covariance : ndarray of float64, shape (8, 8)
        Of the means; not-a-number with fewer than two units.
    """

    games: int
    units: int
    means: Float64Array
    covariance: Float64Array

    @classmethod
    def of(cls, sums: Sums, centre: Float64Array) -> "Moments":
        """Take sums apart; ``sums[1]`` is 1 or more."""
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
        # Fixed point may leave a trace of less than nothing where there is no spread.
        np.fill_diagonal(variance, np.maximum(variance.diagonal(), 0.0))
        with np.errstate(invalid="ignore", divide="ignore"):
            covariance = variance / np.float64(units - 1)
        return cls(games, units, centre + first, covariance)

    def error(self, *weights: float) -> float:
        """Standard error of a weighted sum of the means."""
        w = np.array(weights)
        return float(np.sqrt(max(w @ self.covariance @ w, 0.0)))
