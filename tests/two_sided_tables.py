"""Small two-sided tables for tests, and a query of all their planes."""

from functools import cache

import numpy as np

import bearoff
from oracles.reference import all_positions
from oracles.two_sided_reference import ONE, Values, exact

PLANES = ("cubeless", "opponent", "owned", "centred")
GAMMON_PLANES = ("points", "gammons_won", "gammons_lost")
FULL_PLANES = ("cubeless", *GAMMON_PLANES, *PLANES[1:], "jacoby")


@cache
def built(checkers, points=6, start=15):
    bearoff.build_two_sided_table(checkers, points=points, start=start)
    return bearoff.two_sided_table(checkers, points, start=start)


def stored(table, plane, x, y):
    """Return the value of a pair of positions in a plane of a two-sided table."""
    if plane == "cubeless":
        return np.asarray(2 * table.win_probability(x, y) - 1)
    if plane == "points":
        return table.equity(x, y, None)
    if plane == "jacoby":
        return table.equity(x, y, jacoby=True)
    if plane.startswith("gammons"):
        return table.gammon_probability(x, y)[plane == "gammons_lost"]
    return table.equity(x, y, plane)  # type: ignore[arg-type]


def bound(table, plane):
    """Return the stated error of the result of `stored`."""
    return table.error(plane) * (2 if plane == "cubeless" else 1)


def exact_planes(start):
    """Return all pairs of sides of up to two checkers, and their exact values by name."""
    sides = all_positions(6, 2)[1:]
    numbers = np.arange(1, len(sides) + 1)
    right = [[exact(x, y, start)[:-2] for y in sides] for x in sides]
    planes = np.moveaxis(np.array(right, dtype=object) / ONE, -1, 0).astype(float)
    return (numbers[:, None], numbers), dict(zip(Values._fields, planes, strict=False))


def number(*counts):
    """Return the number of the position with these checkers on the ace, deuce, ..."""
    return int(bearoff.rank([*counts, *[0] * (6 - len(counts))]))
