"""Statistics of the races of a pair, as integers, so that partial results add up.

A row is an int64 array of `WIDTH` columns. Rows of several blocks of a pair can be added in
any order. Other kinds of runs have other columns, but share the first four.

A gammon is a game whose loser has all 15 checkers on the board at the end.
"""

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.storage import schema

GAMES, WINS, LENGTH, LENGTH_SQUARED, GAMMONS_WON, GAMMONS_LOST = range(6)
ROLLER_AHEAD = slice(6, 6 + schema.ROLLS_AHEAD_BINS)
OPPONENT_AHEAD = slice(6 + schema.ROLLS_AHEAD_BINS, 6 + 2 * schema.ROLLS_AHEAD_BINS)
WIDTH = 6 + 2 * schema.ROLLS_AHEAD_BINS

Counts = NDArray[np.int64]


def length_moments(counts: Counts) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean and population variance of the game length, in rolls of both sides.

    Parameters
    ----------
    counts : ndarray of int64, shape (n, width)
        Statistics of any kind of games; all share the first four columns.

    Returns
    -------
    tuple of two ndarray of float64, shape (n,)
        NaN without games.

    Examples
    --------
    >>> row = np.zeros((1, WIDTH), dtype=np.int64)
    >>> row[0, :4] = 2, 1, 5, 13  # lengths 2 and 3
    >>> [float(moment[0]) for moment in length_moments(row)]
    [2.5, 0.25]
    """
    return moments(counts[:, LENGTH], counts[:, LENGTH_SQUARED], counts[:, GAMES])


def moments(
    total: Counts, squared: Counts, games: Counts
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean and population variance from a sum and a sum of squares.

    Parameters and results have the shape (n,); results are NaN without games.
    """
    with np.errstate(invalid="ignore"):
        mean = total / games
        variance = squared / games - mean**2
    return mean, np.maximum(variance, 0.0)
