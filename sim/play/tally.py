"""Integer statistics of games without a cube, in rows that can be added exactly.

Each pair of positions has a row of `WIDTH` integers. Rows of the same pair from several
blocks of games can be added in any order. In games with a cube, only the first four columns
are the same; see `sim.cubeful.cube_tally`.

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
    """Return the mean and population variance of the length of games, in rolls.

    Arrays have the shape (n,). Where the number of games is 0, results are NaN. The length
    is the number of rolls of both sides together.

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
    """Return the mean and population variance, given a sum and a sum of squares.

    Parameters and results have the shape (n,). Where the number of games is 0, results are
    NaN.
    """
    with np.errstate(invalid="ignore"):
        mean = total / games
        variance = squared / games - mean**2
    return mean, np.maximum(variance, 0.0)
