"""Systematic errors of rollouts, due to imperfect plays and cube decisions.

The errors were measured against exact values by ``python -m
research.comparisons.systematic`` (results/rollouts/systematic.md), separately by the
starting region of a race and by its length. Of the races of each kind, 98% are within two
of these errors for money, and 95% are within 1.96 of them at scores. A few differences are
much larger than the others, above all in races with one or two checkers far behind, in
which the players decide on cubes by the fast model.
"""

from typing import NamedTuple

import numpy as np

import bearoff
from bearoff.bear_in import bear_in
from bearoff.sources import PairTable
from bearoff.stakes import Terms


class Systematic(NamedTuple):
    """Systematic errors of a rollout's win probability and equities.

    Attributes
    ----------
    win_probability : float
        Systematic error of the win probability without a cube.
    no_double, double_take : float
        Systematic errors of the equities, in points at a cube value of 1, or in EMG at a
        score.
    """

    win_probability: float
    no_double: float
    double_take: float


EXACT = Systematic(0.0, 0.0, 0.0)

MEASURED_TABLE = 6
"""Number of checkers per side in the table with which the systematic errors were
measured."""

_Measured = dict[str, dict[int, Systematic]]

MEASURED: _Measured = {
    "home": {
        14: Systematic(0.0004, 0.0008, 0.0002),
        24: Systematic(0.0003, 0.0037, 0.0045),
        31: Systematic(0.0002, 0.0009, 0.0024),
        39: Systematic(0.0002, 0.0011, 0.0015),
        48: Systematic(0.0001, 0.0005, 0.0010),
    },
    "home, into a table": {
        14: Systematic(0.0001, 0.0001, 0.0001),
        24: Systematic(0.0001, 0.0003, 0.0002),
        31: Systematic(0.0001, 0.0009, 0.0028),
        39: Systematic(0.0001, 0.0010, 0.0011),
        48: Systematic(0.0001, 0.0004, 0.0006),
    },
    "beyond": {
        14: Systematic(0.0031, 0.0064, 0.0010),
        24: Systematic(0.0032, 0.0066, 0.0113),
        32: Systematic(0.0030, 0.0061, 0.0130),
        39: Systematic(0.0018, 0.0045, 0.0113),
        48: Systematic(0.0017, 0.0055, 0.0094),
    },
    "beyond, into a table": {
        14: Systematic(0.0031, 0.0064, 0.0010),
        24: Systematic(0.0031, 0.0066, 0.0115),
        32: Systematic(0.0031, 0.0062, 0.0129),
        39: Systematic(0.0018, 0.0046, 0.0113),
        48: Systematic(0.0017, 0.0054, 0.0092),
    },
}
"""Measured systematic errors for money, by the starting region, by whether games stop at a
table, and by the EPC of the side with fewer pips."""


AT_SCORES: _Measured = {
    "home": {
        20: Systematic(0.00003, 0.0014, 0.0006),
        32: Systematic(0.0001, 0.0008, 0.0022),
        44: Systematic(0.0001, 0.0009, 0.0014),
    },
    "home, into a table": {
        34: Systematic(0.00002, 0.0008, 0.0008),
        44: Systematic(0.00002, 0.0004, 0.0004),
    },
    "beyond": {
        18: Systematic(0.0021, 0.0038, 0.0094),
        30: Systematic(0.0019, 0.0041, 0.0095),
        36: Systematic(0.0009, 0.0025, 0.0075),
        43: Systematic(0.0009, 0.0017, 0.0038),
    },
}
"""Measured systematic errors at match scores where a double can still gain, with the same
keys."""


def stored_error(table: PairTable | None, terms: Terms) -> Systematic:
    """Return the largest rounding errors of the equities in a two-sided table."""
    return EXACT if table is None else Systematic(*table.rounding(terms))


def systematic_error(race: bearoff.Race, *, at_score: bool, into_table: bool) -> Systematic:
    """Return the systematic errors of a rollout of a race.

    The errors are interpolated linearly between the EPCs for which they were measured, and
    are constant outside this range.
    """
    measured = AT_SCORES if at_score else MEASURED
    where = "home" if _is_home(race) else "beyond"
    if into_table and f"{where}, into a table" in measured:
        where = f"{where}, into a table"
    return _between(race, measured[where])


def _is_home(race: bearoff.Race) -> bool:
    return max(race.roller.highest, race.opponent.highest) <= bearoff.POINTS


def _between(race: bearoff.Race, measured: dict[int, Systematic]) -> Systematic:
    sides = race.roller, race.opponent
    epc = min(float(bear_in().epc(side.counts)) for side in sides)
    columns = np.array(list(measured.values())).T
    return Systematic(*(float(np.interp(epc, list(measured), c)) for c in columns))
