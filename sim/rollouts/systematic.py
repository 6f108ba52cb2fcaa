"""Systematic errors of rollouts, due to imperfect plays and cube decisions.

Systematic errors were measured by comparing rollouts with exact values, separately for each
kind of race (`PLACES`). For some kinds, they also depend on the length of the race. The
program is ``python -m research.comparisons.systematic``, and its results are in
results/rollouts/systematic.md. For at least 98% of the measured races of each kind, the
rollout differs from the exact value by at most twice the systematic error. A few
differences are much larger, above all for races with one or two checkers left far behind.
In such races, too, the players' cube decisions are based on a model of typical races.
"""

from typing import NamedTuple

import numpy as np

import bearoff
from bearoff.bear_in import bear_in
from bearoff.sim.rollouts.boards import HOME_BOARD, board_of
from bearoff.sources import PairTable
from bearoff.stakes import Terms


class Systematic(NamedTuple):
    """Systematic errors of a rollout's win probability and equities.

    Attributes
    ----------
    win_probability : float
        Systematic error of the roller's win probability without a cube.
    no_double, double_take : float
        Systematic errors of the equities, in points at a cube value of 1, or in EMG at a
        score.
    """

    win_probability: float
    no_double: float
    double_take: float


EXACT = Systematic(0.0, 0.0, 0.0)

MEASURED_TABLE = 6
"""Number of checkers per side in the two-sided table at which games stopped when the
systematic errors were measured."""

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
    "few, beyond": {30: Systematic(0.0002, 0.0008, 0.0012)},
    "beyond": {38: Systematic(0.0029, 0.0082, 0.0134)},
}
"""Measured systematic errors of rollouts for money. The outer key is the kind of race, and
whether games stop at a two-sided table. The inner key is the smaller EPC of the two sides.
"""


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
    "few, beyond": {
        18: Systematic(0.0021, 0.0038, 0.0094),
        30: Systematic(0.0019, 0.0041, 0.0095),
        36: Systematic(0.0009, 0.0025, 0.0075),
        43: Systematic(0.0009, 0.0017, 0.0038),
    },
}
"""Measured systematic errors of rollouts at match scores, if the cube is not dead. For
kinds of races that are missing here, `MEASURED` is used. The errors for "few, beyond" were
measured when the players still minimised the mean number of rolls. They are larger than
those for money."""


def stored_error(table: PairTable | None, terms: Terms) -> Systematic:
    """Return the largest rounding errors of the equities in a two-sided table."""
    return EXACT if table is None else Systematic(*table.rounding(terms))


PLACES = ("home", "few, beyond", "beyond")
"""Kinds of races whose systematic errors were measured separately: all checkers are home; a
checker is outside home, but a race board contains both positions; and all other races."""


def place_of(race: bearoff.Race) -> str:
    """Return the kind of a race for systematic errors, one of `PLACES`."""
    sides = race.roller, race.opponent
    if max(side.highest for side in sides) <= bearoff.POINTS:
        return "home"
    return "few, beyond" if board_of(sides) != HOME_BOARD else "beyond"


def systematic_error(race: bearoff.Race, *, at_score: bool, into_table: bool) -> Systematic:
    """Return the systematic errors of a rollout of a race.

    Systematic errors are interpolated linearly between the EPCs for which they were
    measured, and are constant outside this range.
    """
    measured = MEASURED | AT_SCORES if at_score else MEASURED
    return _between(race, measured[key_of(place_of(race), into_table)])


def key_of(place: str, into_table: bool) -> str:
    """Return the key in `MEASURED` for a kind of race, and for games that stop at a table.

    For races with checkers outside home, both have the same key, because stopping at a
    two-sided table changes the errors by at most 0.0002.
    """
    return f"{place}, into a table" if into_table and place == "home" else place


def _between(race: bearoff.Race, measured: dict[int, Systematic]) -> Systematic:
    sides = race.roller, race.opponent
    epc = min(float(bear_in().epc(side.counts)) for side in sides)
    columns = np.array(list(measured.values())).T
    return Systematic(*(float(np.interp(epc, list(measured), c)) for c in columns))
