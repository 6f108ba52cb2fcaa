"""Detection of pairs of positions with a certain winner, whose values are exact."""

import numpy as np
from numpy.typing import NDArray

from bearoff.one_sided import one_sided_table
from bearoff.positions import POINTS, rank, unrank
from bearoff.stakes import Values

BoolArray = NDArray[np.bool_]
Int64Array = NDArray[np.int64]


def is_certain(found: Values, x: Int64Array, y: Int64Array, points: int) -> BoolArray:
    """Check whether a player is certain to win the game, given the values of the pair.

    `points` is the number of points of the board. The result is false if a checker is
    outside the home board.
    """
    certain = (found.win_probability >= 1) | (found.win_probability <= 0)
    certain &= (found.gammons_won == 0) & (found.gammons_lost == 0)
    if not certain.any():
        return certain
    places = np.flatnonzero(certain)
    sides = np.stack([unrank(side.reshape(-1)[places], points) for side in (x, y)])
    home = ~sides[..., POINTS:].any(axis=(0, 2))
    missing = max(POINTS - points, 0)
    numbers = (rank(np.pad(s[home, :POINTS], ((0, 0), (0, missing)))) for s in sides)
    certain.reshape(-1)[places] = False
    certain.reshape(-1)[places[home]] = surely_won(*numbers)
    return certain


def surely_won(x: Int64Array, y: Int64Array) -> BoolArray:
    """Check whether the same player bears off first whatever the rolls, in the home boards.

    The result is true if the maximum number of rolls of one player is at most the number of
    rolls that the other player needs with doubles only. A few pairs with a certain winner
    give false, because this test is fast rather than complete.
    """
    most = one_sided_table().most_rolls
    needs_x, needs_y = (-(-unrank(side).sum(axis=-1) // 4) for side in (x, y))
    return np.asarray((most[x] <= needs_y) | (most[y] < needs_x))
