"""Who bears off first, when neither side's play depends on the other's."""

import numpy as np
from numpy.typing import NDArray

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

_CHUNK = 2048
"""Pairs taken at a time, so that the rows of both sides stay in the processor's cache."""


def first_off_probability(
    exactly: Float64Array,
    opponent_exactly: Float64Array,
    rollers: Int64Array,
    opponents: Int64Array,
    opponent_at_least: Float64Array | None = None,
) -> Float64Array:
    r"""Convolve roll distributions: chance that the side on roll is off first.

    The roller is first if he needs ``n`` rolls and the opponent ``n`` or more,

    .. math:: P = \sum_n P(N_{roller} = n) \, P(N_{opponent} \ge n)

    Parameters
    ----------
    exactly, opponent_exactly : ndarray of float64, shape (positions, most rolls + 1)
        Roll distributions of the two players, one row a position.
    rollers, opponents : ndarray of int64, shape (n,)
        Rows of each pair; not checked.
    opponent_at_least : ndarray of float64, shaped as `opponent_exactly`, optional
        ``tail_sums(opponent_exactly)``, where it is at hand; summed here otherwise.

    Returns
    -------
    ndarray of float64, shape (n,)
    """
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
    """Return the chance of needing ``n`` rolls or more, from that of exactly ``n``.

    Examples
    --------
    >>> tail_sums(np.array([[0.0, 0.25, 0.75]]))
    array([[1.  , 1.  , 0.75]])
    """
    return np.ascontiguousarray(exactly[:, ::-1].cumsum(axis=1)[:, ::-1])
