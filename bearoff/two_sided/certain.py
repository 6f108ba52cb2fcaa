"""Pairs with a certain winner, whose values are exact and not rounded."""

import numpy as np
from numpy.typing import NDArray

from bearoff.one_sided import one_sided_table
from bearoff.positions import POINTS, rank, unrank
from bearoff.stakes import Values

BoolArray = NDArray[np.bool_]
Int64Array = NDArray[np.int64]


def is_certain(found: Values, x: Int64Array, y: Int64Array, points: int) -> BoolArray:
    """Check whether a side is certain to win a single game, given the values of the pair.

    The pairs are numbered on `points` points. The result is false for pairs not all home.
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
    """Check whether the first side off is the same for all rolls, for sides all home.

    This is so if one side's largest number of rolls is at most the other's number of rolls
    with doubles only, four checkers a roll. Other pairs may be certain too, but this test
    is fast.
    """
    most = one_sided_table().most_rolls
    needs_x, needs_y = (-(-unrank(side).sum(axis=-1) // 4) for side in (x, y))
    return np.asarray((most[x] <= needs_y) | (most[y] < needs_x))
