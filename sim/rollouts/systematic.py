"""How far rollouts are off because their players err, which no number of games shows.

Measured beside exact values by ``python -m research.comparisons.systematic``
(results/rollouts/systematic.md), of races that begin at home, and beyond. Errors are
larger in short races, where every play and double counts. For money they are root mean
squares, and which smaller table games stop in matters little; at scores, where a few
differences are many times the others, half the width that 95% of them lie in over 1.96.
"""

from typing import NamedTuple

import numpy as np

import bearoff
from bearoff.bear_in import bear_in
from bearoff.sources import PairTable
from bearoff.stakes import Terms


class Systematic(NamedTuple):
    """Errors of a rollout's players, as of one standard deviation.

    Attributes
    ----------
    win_probability : float
        Of the chance to win without a cube.
    no_double, double_take : float
        Of the equities, in points at a cube of 1, at a score in EMG.
    """

    win_probability: float
    no_double: float
    double_take: float


EXACT = Systematic(0.0, 0.0, 0.0)

_Measured = dict[str, dict[int, Systematic]]

MEASURED: _Measured = {
    "home": {
        20: Systematic(0.0001, 0.0017, 0.0041),
        # What 95% of people's races and odd ones lie in, beside the table of ten checkers.
        34: Systematic(0.0002, 0.0017, 0.0041),
        40: Systematic(0.0001, 0.0008, 0.0017),
        51: Systematic(0.0001, 0.0005, 0.0012),
    },
    "beyond": {
        18: Systematic(0.0023, 0.0038, 0.0092),
        31: Systematic(0.0021, 0.0039, 0.0076),
        37: Systematic(0.0015, 0.0028, 0.0071),
        43: Systematic(0.0005, 0.0013, 0.0024),
    },
}
"""By where the races begin and the EPC of the shorter side, in pips."""


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
"""The same at scores, while the cube is alive; of games at home by where they stop."""


def stored_error(table: PairTable | None, terms: Terms) -> Systematic:
    """Return the largest errors of a table's values, where they are rounded."""
    return EXACT if table is None else Systematic(*table.rounding(terms))


def systematic_error(race: bearoff.Race, *, at_score: bool, into_table: bool) -> Systematic:
    """Return the error to expect of a race that is rolled out, for money or at a score.

    Between the EPCs that were measured on a straight line, and constant beyond.
    """
    where = "home" if _is_home(race) else "beyond"
    if at_score and where == "home" and into_table:
        where = "home, into a table"
    return _between(race, (AT_SCORES if at_score else MEASURED)[where])


def _is_home(race: bearoff.Race) -> bool:
    return max(race.roller.highest, race.opponent.highest) <= bearoff.POINTS


def _between(race: bearoff.Race, measured: dict[int, Systematic]) -> Systematic:
    sides = race.roller, race.opponent
    epc = min(float(bear_in().epc(side.counts)) for side in sides)
    columns = np.array(list(measured.values())).T
    return Systematic(*(float(np.interp(epc, list(measured), c)) for c in columns))
