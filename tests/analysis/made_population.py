"""Small population of random races with exact values."""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from bearoff.sim.populations import DecisionValues, Population, RaceDecisions
from bearoff.sim.populations.file import SCHEMA_VERSION
from tests.two_sided_tables import built

CHECKERS = 5
ROWS = 20_000


@cache
def made_population():
    """Return random races of one to five checkers a side, with values from the two-sided
    table.
    """
    import bearoff

    rng = np.random.default_rng(11)
    table, sides = built(CHECKERS), _sides()
    numbers = bearoff.rank(sides)
    picked = rng.integers(0, len(sides), (2 * ROWS, 2))
    _, first = np.unique(picked, axis=0, return_index=True)
    rollers, opponents = picked[np.sort(first)[:ROWS]].T
    x, y = numbers[rollers], numbers[opponents]
    epc = bearoff.one_sided_table().epc
    n = len(x)
    decisions = RaceDecisions(
        x.astype(np.int64),
        y.astype(np.int64),
        np.zeros(n, np.int8),
        rng.integers(1, 6, n),
        np.zeros(n, np.bool_),
        np.arange(n),
        np.zeros(n, np.int16),
    )
    values = DecisionValues(
        table.win_probability(x, y),
        table.no_double(x, y, "centred"),
        table.no_double(x, y, "owned"),
        table.double_take(x, y),
        np.full(n, 1e-5),
        np.zeros(n, np.int8),
    )
    about = {
        "name": "made",
        "seed": 11,
        "points": 6,
        "schema_version": SCHEMA_VERSION,
        "basis": {},
        "games": {"train": n, "validation": 0, "test": 0},
        "digest": decisions.digest(),
    }
    return Population(
        about, decisions, sides[rollers], sides[opponents], epc[x], epc[y], values
    )


def _sides():
    found = [
        np.bincount(points, minlength=7)[1:]
        for n in range(1, CHECKERS + 1)
        for points in combinations_with_replacement(range(1, 7), n)
    ]
    return np.array(found, dtype=np.int8)
