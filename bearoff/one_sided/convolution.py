"""Win probabilities by convolution, for players whose plays ignore the opponent."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import PositionError, TableError

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

_CHUNK = 2048
"""Number of pairs of positions that are processed together. Their distributions must fit
into the processor's cache."""


def first_off_probability(
    exactly: Float64Array,
    opponent_exactly: Float64Array,
    rollers: ArrayLike,
    opponents: ArrayLike,
    opponent_at_least: Float64Array | None = None,
) -> Float64Array:
    r"""Return the probability that the roller bears off first, by convolution.

    A roller who needs n rolls wins if the opponent needs at least n rolls. With the numbers
    of rolls :math:`N`, the win probability is

    .. math:: P = \sum_n P(N_{roller} = n) \, P(N_{opponent} \ge n)

    Parameters
    ----------
    exactly, opponent_exactly : ndarray of float64, shape (positions, most rolls + 1)
        Distributions of the number of rolls of both players, with one row per position.
    rollers, opponents : array_like of int, shape (n,)
        Row index in `exactly` of each roller's position, and row index in
        `opponent_exactly` of each opponent's position.
    opponent_at_least : ndarray of float64, shaped as `opponent_exactly`, optional
        Result of ``tail_sums(opponent_exactly)``, if it has already been computed.

    Returns
    -------
    ndarray of float64, shape (n,)
        The roller's win probability for each pair of positions.

    Raises
    ------
    PositionError
        If a row index is out of range, or `rollers` and `opponents` differ in length.
    TableError
        If an array does not contain probabilities, or the shape of `opponent_at_least`
        differs from that of `opponent_exactly`.
    """
    exactly = _chances(exactly, "exactly")
    opponent_exactly = _chances(opponent_exactly, "opponent_exactly")
    if opponent_at_least is not None:
        opponent_at_least = _chances(opponent_at_least, "opponent_at_least")
        if opponent_at_least.shape != opponent_exactly.shape:
            raise TableError(
                "opponent_at_least must have the same shape as opponent_exactly, "
                f"{opponent_exactly.shape}, got {opponent_at_least.shape}"
            )
    x, y = checks.broadcast(
        rollers=checks.numbers_below(rollers, len(exactly), "rows"),
        opponents=checks.numbers_below(opponents, len(opponent_exactly), "rows"),
    )
    if x.ndim != 1:
        raise PositionError(
            f"position numbers of pairs must have shape (n,), got {x.shape}"
        )
    return convolve(exactly, opponent_exactly, x, y, opponent_at_least)


def _chances(values: ArrayLike, name: str) -> Float64Array:
    array = checks.reals(values, name, error=TableError)
    if array.ndim != 2:
        raise TableError(
            f"{name} must have shape (positions, maximum number of rolls + 1), got "
            f"{array.shape}"
        )
    return array


def convolve(
    exactly: Float64Array,
    opponent_exactly: Float64Array,
    rollers: Int64Array,
    opponents: Int64Array,
    opponent_at_least: Float64Array | None = None,
) -> Float64Array:
    """Compute `first_off_probability` without checking the arguments."""
    width = min(exactly.shape[1], opponent_exactly.shape[1])
    wins = np.empty(len(rollers))
    for start in range(0, len(rollers), _CHUNK):
        part = slice(start, start + _CHUNK)
        first = exactly.take(rollers[part], axis=0)
        if opponent_at_least is None:
            second = tail_sums(opponent_exactly.take(opponents[part], axis=0))
        else:
            second = opponent_at_least.take(opponents[part], axis=0)
        np.einsum("ij,ij->i", first[:, :width], second[:, :width], out=wins[part])
    return np.minimum(wins, 1.0)


def tail_sums(exactly: Float64Array) -> Float64Array:
    """Convert probabilities of exactly ``n`` rolls to those of at least ``n`` rolls.

    Examples
    --------
    >>> tail_sums(np.array([[0.0, 0.25, 0.75]]))
    array([[1.  , 1.  , 0.75]])
    """
    return np.ascontiguousarray(exactly[:, ::-1].cumsum(axis=1)[:, ::-1])
