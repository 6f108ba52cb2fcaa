"""Pip counts and EPC of many sides at once, from checkers by side (n, points)."""

import numpy as np
from numpy.typing import NDArray

from bearoff import POINTS, one_sided_table, rank

BOARD = 24
"""Points a checker may stand on."""

CountsArray = NDArray[np.integer]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


def pips(counts: CountsArray) -> Int64Array:
    """Raw pip count of each position, shape (n,).

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
    """Count both sides: the roller's count and lead, in pips, each of shape (n,).

    EPC as `side_epc` gives them.
    """

    def count(counts: CountsArray) -> Float64Array:
        if measure == "epc":
            return side_epc(counts)
        return pips(counts).astype(np.float64)

    ours = count(rollers)
    return ours, count(opponents) - ours


def side_epc(counts: CountsArray) -> Float64Array:
    """EPC of every side under fewest-rolls play, shape (n,).

    Exact with all checkers home, from the one-sided table; else estimated by
    `bearoff.bear_in.model`.
    """
    if counts[:, POINTS:].any():
        from bearoff.bear_in import bear_in

        return np.asarray(bear_in().epc(_fitted(counts, BOARD)))
    return np.asarray(one_sided_table().epc[rank(_fitted(counts, POINTS))])


def _fitted(counts: CountsArray, points: int) -> Int64Array:
    """Cut or fill up to so many points."""
    fitted = np.zeros((len(counts), points), dtype=np.int64)
    fitted[:, : counts.shape[1]] = counts[:, :points]
    return fitted
