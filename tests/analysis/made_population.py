"""Small population of random races with exact values."""

from functools import cache

import numpy as np

import bearoff
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
    rng, table = np.random.default_rng(11), built(CHECKERS)
    picked = rng.integers(1, bearoff.position_count(6, CHECKERS), (2 * ROWS, 2))
    _, first = np.unique(picked, axis=0, return_index=True)
    x, y = sides = picked[np.sort(first)[:ROWS]].T
    n = len(x)
    decisions = RaceDecisions(
        x,
        y,
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
    counts, epcs = bearoff.unrank(sides, 6), bearoff.one_sided_table().epc[sides]
    return Population(about, decisions, *counts, *epcs, values)
