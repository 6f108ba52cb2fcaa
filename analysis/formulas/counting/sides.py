"""Pip counts and EPCs of many sides, given arrays of checkers of shape (n, points)."""

import numpy as np
from numpy.typing import NDArray

from bearoff import POINTS, one_sided_table, rank

BOARD = 24
"""Number of points of a backgammon board."""

CountsArray = NDArray[np.integer]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


def pips(counts: CountsArray) -> Int64Array:
    """Return the pip count of each side, shape (n,).

    Examples
    --------
    >>> import numpy as np
    >>> pips(np.array([[0, 0, 0, 5, 5, 5], [2, 1, 0, 0, 0, 0]]))
    array([75,   4])
    """
    points = np.arange(1, counts.shape[-1] + 1, dtype=np.int64)
    total: Int64Array = counts.astype(np.int64) @ points
    return total


def count_and_lead(
    measure: str, rollers: CountsArray, opponents: CountsArray
) -> tuple[Float64Array, Float64Array]:
    """Return the roller's count, in pips or EPC, and the lead, as two arrays of shape (n,).

    The count ``epc`` is computed by `side_epc`.
    """

    def count(counts: CountsArray) -> Float64Array:
        if measure == "epc":
            return side_epc(counts)
        return pips(counts).astype(np.float64)

    ours = count(rollers)
    return ours, count(opponents) - ours


def side_epc(counts: CountsArray) -> Float64Array:
    """Return each side's EPC with fewest-rolls play, shape (n,).

    EPCs are exact if all checkers are home, and estimates by `bearoff.bear_in.model`
    otherwise.
    """
    if counts[:, POINTS:].any():
        from bearoff.bear_in import bear_in

        return np.asarray(bear_in().epc(_fitted(counts, BOARD)))
    return np.asarray(one_sided_table().epc[rank(_fitted(counts, POINTS))])


def _fitted(counts: CountsArray, points: int) -> Int64Array:
    fitted = np.zeros((len(counts), points), dtype=np.int64)
    fitted[:, : counts.shape[1]] = counts[:, :points]
    return fitted
