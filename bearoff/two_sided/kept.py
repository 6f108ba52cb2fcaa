"""Equities of all rollers that do not double, against a few opponents at once.

`TwoSidedTable.no_double` answers for any pairs; this for all positions a hundred times
as fast, by the kernel that solves the tables.
"""

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import Successors
from bearoff.rolls import THROWS

Float64Array = NDArray[np.float64]

_ONE = 1 << 22
"""An equity of 1, as the kernel counts; a sum of 36 throws fits 32 bits even doubled."""


def kept_by_all(plays: Successors, faced: Float64Array) -> Float64Array:
    """Return what every position is worth if its side rolls, and plays its best.

    Parameters
    ----------
    plays : Successors
        Of all positions.
    faced : ndarray of float64, shape (opponents, positions)
        Equity of each opponent, on roll next, against every position, -2 to 2.

    Returns
    -------
    ndarray of float64, shape (opponents, positions)
        From the side of the positions, before they roll; within 1.2e-7 of the mean over
        the throws. That of position 0 is 1: it has won.

    Examples
    --------
    Against an opponent who is off next turn, up to two checkers on ace and deuce are all
    certain to win but two deuces, which stay with ten throws of 36:

    >>> from bearoff.plays import successors
    >>> lost = np.array([[-1.0, 1.0, 1.0, 1.0, 1.0, 1.0]])  # But to number 0.
    >>> kept_by_all(successors(2, 2), lost).round(4)
    array([[1.    , 1.    , 1.    , 1.    , 1.    , 0.4444]])
    """
    from bearoff.two_sided import kernels

    found = np.empty(faced.shape)
    width = kernels.WIDTH
    values = np.zeros((faced.shape[1], width), dtype=np.int32)
    sums = np.zeros_like(values)
    for start in range(0, len(faced), width):
        part = faced[start : start + width]
        values[:, : len(part)] = np.rint(part.T * _ONE)
        kernels.sum_minima(values, plays.numbers, plays.offsets, sums)
        found[start : start + width] = -sums[:, : len(part)].T / (THROWS * _ONE)
    found[:, 0] = 1.0
    return found
