"""Systematic errors of rollouts, due to imperfect plays and cube decisions.

They are measured against exact values by ``python -m research.comparisons.systematic``
(results/rollouts/systematic.md), by kind of race (`PLACES`) and, at home, by its length. At
least 98% of the races of each kind that set the errors are within two of them. A few
differences are much larger than the others, above all with a checker or two left far
behind, where players double, take and pass by a model of typical races.
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
    "few, beyond": {30: Systematic(0.0002, 0.0008, 0.0012)},
    "beyond": {38: Systematic(0.0029, 0.0082, 0.0134)},
}
"""Measured systematic errors for money play, by kind of race, by whether games stop at a
table, and by the smaller EPC of the two sides."""


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
"""Measured systematic errors at match scores with a live cube. For other kinds of races,
`MEASURED` is used. The errors for races on a board with few checkers outside home were
measured with an earlier version of the players, which minimised the mean number of rolls.
They are larger than the errors for money."""


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

    The errors are interpolated linearly between the EPCs for which they were measured, and
    are constant outside this range.
    """
    measured = MEASURED | AT_SCORES if at_score else MEASURED
    return _between(race, measured[key_of(place_of(race), into_table)])


def key_of(place: str, into_table: bool) -> str:
    """Return the key of the measured errors of a kind of race, with or without a table.

    Beyond home, a table changes the errors by at most 0.0002.
    """
    return f"{place}, into a table" if into_table and place == "home" else place


def _between(race: bearoff.Race, measured: dict[int, Systematic]) -> Systematic:
    sides = race.roller, race.opponent
    epc = min(float(bear_in().epc(side.counts)) for side in sides)
    columns = np.array(list(measured.values())).T
    return Systematic(*(float(np.interp(epc, list(measured), c)) for c in columns))
