"""Detection of races in which one player is certain to win, whatever the rolls."""

import numpy as np
from numpy.typing import NDArray

from bearoff.one_sided import one_sided_table
from bearoff.positions import POINTS, rank, unrank
from bearoff.stakes import Values

BoolArray = NDArray[np.bool_]
Int64Array = NDArray[np.int64]


def is_certain(found: Values, x: Int64Array, y: Int64Array, points: int) -> BoolArray:
    """Return whether a player is certain to win, from the values of a pair of positions.

    `points` is the number of points of the board. The result is False if a checker is
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
    """Return whether one player bears off first whatever the rolls.

    Requires that all checkers are in the home boards. The result is True if the maximum
    number of rolls of one player is at most the minimum number of rolls of the other
    player, who throws only doubles. A few pairs with a certain winner give False, because
    this fast test is not complete.
    """
    most = one_sided_table().most_rolls
    needs_x, needs_y = (-(-unrank(side).sum(axis=-1) // 4) for side in (x, y))
    return np.asarray((most[x] <= needs_y) | (most[y] < needs_x))
