"""What is counted of games with the cube: whole numbers, so that partial results add.

Points are in units of the initial cube here, so that they are whole; `points_moments`
gives them in points. A gammon counts two. A cube is turned `MOST_LEVEL` times at most: at
512 times its initial value it is dead. No sane player gets there, and the sum of the
squares of 2**40 games still fits a 64-bit number whatever the players are.
"""

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.play import tally
from bearoff.sim.storage import schema

MOST_LEVEL = 9
"""Doublings after which the cube is dead."""

LEVELS = MOST_LEVEL + 1

# The first four columns are those of plain races; see `sim.play.tally`.
DOUBLES = slice(4, 6)
PASSES = slice(6, 8)
RIVAL_POINTS, DIFFERENCE_SQUARED = 8, 9
# By how often the cube was turned: games, and those among them that are gammons.
WON, LOST, GAMMONS_WON, GAMMONS_LOST = (
    slice(first, first + LEVELS) for first in range(10, 10 + 4 * LEVELS, LEVELS)
)
WIDTH = 10 + 4 * LEVELS

COLUMNS = tuple(
    part.start for part in (DOUBLES, PASSES, WON, LOST, GAMMONS_WON, GAMMONS_LOST)
)
"""First column of each part, for `sim.cubeful.kernels.tally`."""

_VALUES = 2 ** np.arange(LEVELS, dtype=np.int64)

Float64Array = NDArray[np.float64]


def final_cubes(counts: tally.Counts) -> NDArray[np.int64]:
    """Games by final cube, shape (n, CUBE_BINS)."""
    return by_final_cube(counts, WON) + by_final_cube(counts, LOST)


def points_moments(counts: tally.Counts, value: int) -> tuple[Float64Array, Float64Array]:
    """Mean and population variance of the points that the roller wins in a game.

    Parameters
    ----------
    counts : ndarray of int64, shape (n, WIDTH)
    value : int
        Of the initial cube.

    Returns
    -------
    tuple of two ndarray of float64, shape (n,)

    Examples
    --------
    >>> row = np.zeros((1, WIDTH), dtype=np.int64)
    >>> row[0, tally.GAMES], row[0, WON.start + 1], row[0, LOST.start] = 2, 1, 1
    >>> [float(moment[0]) for moment in points_moments(row, value=1)]
    [0.5, 2.25]
    """
    games = counts[:, tally.GAMES]
    mean, variance = tally.moments(points(counts), points_squared(counts), games)
    return value * mean, value**2 * variance


def points(counts: tally.Counts) -> NDArray[np.int64]:
    """Points that the roller wins in all games, in initial cubes, shape (n,)."""
    won = counts[:, WON] + counts[:, GAMMONS_WON]
    lost = counts[:, LOST] + counts[:, GAMMONS_LOST]
    return np.asarray((won - lost) @ _VALUES)


def points_squared(counts: tally.Counts) -> NDArray[np.int64]:
    """Sum of the squares of the points of all games, as `points` counts them."""
    # A gammon's square is four times that of the cube.
    squares = counts[:, WON] + counts[:, LOST]
    squares = squares + 3 * (counts[:, GAMMONS_WON] + counts[:, GAMMONS_LOST])
    return np.asarray(squares @ _VALUES**2)


def match_moments(
    counts: tally.Counts, chances: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Mean and population variance of the chance to win the match after a game.

    Parameters
    ----------
    counts : ndarray of int64, shape (n, WIDTH)
    chances : ndarray of float64, shape (2, 2, LEVELS)
        After each end of the game; see `sim.cubeful.at_score`.

    Returns
    -------
    tuple of two ndarray of float64, shape (n,)
    """
    ends = np.stack(
        [
            counts[:, WON] - counts[:, GAMMONS_WON],
            counts[:, GAMMONS_WON],
            counts[:, LOST] - counts[:, GAMMONS_LOST],
            counts[:, GAMMONS_LOST],
        ],
        axis=1,
    ).reshape(len(counts), -1)
    games, flat = counts[:, tally.GAMES], chances.ravel()
    mean = ends @ flat / games
    return mean, np.maximum(ends @ flat**2 / games - mean**2, 0.0)


def by_final_cube(counts: tally.Counts, what: slice) -> NDArray[np.int64]:
    """Games of one of the last four kinds by final cube, shape (n, CUBE_BINS)."""
    levels = counts[:, what]
    cubes = levels[:, : schema.CUBE_BINS].copy()
    cubes[:, -1] += levels[:, schema.CUBE_BINS :].sum(axis=1)
    return cubes


def difference_moments(
    counts: tally.Counts, value: int
) -> tuple[Float64Array, Float64Array]:
    """Mean and population variance of the roller's points less the rival's, game by game.

    Parameters and results are those of `points_moments`.
    """
    apart = points(counts) - counts[:, RIVAL_POINTS]
    squared = counts[:, DIFFERENCE_SQUARED]
    mean, variance = tally.moments(apart, squared, counts[:, tally.GAMES])
    return value * mean, value**2 * variance
