"""Integer statistics of games with the cube, in rows that can be added exactly.

Points won are stored in units of the initial cube value, so that they are integers;
`points_moments` converts them. A gammon counts twice the cube value. After `MOST_LEVEL`
doubles, at 512 times its initial value, the cube is dead. Sums of squared points over 2**40
games therefore fit into 64 bits.
"""

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.play import tally
from bearoff.sim.storage import schema

MOST_LEVEL = 9
"""Maximum number of doubles in a game."""

LEVELS = MOST_LEVEL + 1

# Columns 0 to 3 mean the same as for games without a cube; see `sim.play.tally`.
DOUBLES = slice(4, 6)
PASSES = slice(6, 8)
RIVAL_POINTS, DIFFERENCE_SQUARED = 8, 9
# From column 10 on, games won, games lost, gammons won and gammons lost have one column for
# each number of doubles.
WON, LOST, GAMMONS_WON, GAMMONS_LOST = (
    slice(first, first + LEVELS) for first in range(10, 10 + 4 * LEVELS, LEVELS)
)
WIDTH = 10 + 4 * LEVELS

COLUMNS = tuple(
    part.start for part in (DOUBLES, PASSES, WON, LOST, GAMMONS_WON, GAMMONS_LOST)
)
"""Index of the first column of doubles, passes, wins, losses, gammons won and gammons lost,
in this order, in the statistics of games."""

_VALUES = 2 ** np.arange(LEVELS, dtype=np.int64)

Float64Array = NDArray[np.float64]


def final_cubes(counts: tally.Counts) -> NDArray[np.int64]:
    """Return the number of games by final cube value, shape (n, CUBE_BINS)."""
    return by_final_cube(counts, WON) + by_final_cube(counts, LOST)


def points_moments(counts: tally.Counts, value: int) -> tuple[Float64Array, Float64Array]:
    """Return the mean and population variance of the roller's points per game.

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
    """Return the roller's net points over all games, in units of the initial cube value."""
    won = counts[:, WON] + counts[:, GAMMONS_WON]
    lost = counts[:, LOST] + counts[:, GAMMONS_LOST]
    return np.asarray((won - lost) @ _VALUES)


def points_squared(counts: tally.Counts) -> NDArray[np.int64]:
    """Return the sum of squared points of all games, at an initial cube value of 1."""
    # A gammon wins twice the points of a single game, so its squared points are four times
    # as many. Gammons are already counted once among the games won and lost.
    squares = counts[:, WON] + counts[:, LOST]
    squares = squares + 3 * (counts[:, GAMMONS_WON] + counts[:, GAMMONS_LOST])
    return np.asarray(squares @ _VALUES**2)


def match_moments(
    counts: tally.Counts, chances: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Return the mean and variance of the roller's match-winning chance after a game."""
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
    """Return the number of games of one kind, such as games won, by final cube value."""
    levels = counts[:, what]
    cubes = levels[:, : schema.CUBE_BINS].copy()
    cubes[:, -1] += levels[:, schema.CUBE_BINS :].sum(axis=1)
    return cubes


def difference_moments(
    counts: tally.Counts, value: int
) -> tuple[Float64Array, Float64Array]:
    """Return mean and variance of the points that the roller gains over a rival strategy.

    Parameters and results have the same form as those of `points_moments`.
    """
    apart = points(counts) - counts[:, RIVAL_POINTS]
    squared = counts[:, DIFFERENCE_SQUARED]
    mean, variance = tally.moments(apart, squared, counts[:, tally.GAMES])
    return value * mean, value**2 * variance
