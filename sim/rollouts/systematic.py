"""Systematic errors of rollouts due to imperfect play, which more games do not reduce.

They are measured against exact values by ``python -m research.comparisons.systematic``
(results/rollouts/systematic.md), for races that begin at home and for others. They are
larger in short races, where each play and double matters more. For money they are root mean
squares, and depend little on the table at which games stop. At scores a few differences are
much larger than the others, so the error is half the width of the 95% interval, divided by
1.96.
"""

from typing import NamedTuple

import numpy as np

import bearoff
from bearoff.bear_in import bear_in
from bearoff.sources import PairTable
from bearoff.stakes import Terms


class Systematic(NamedTuple):
    """Systematic errors of a rollout, as standard deviations.

    Attributes
    ----------
    win_probability : float
        Error of the win probability without a cube.
    no_double, double_take : float
        Errors of the equities, in points at a cube of 1, or in EMG at a score.
    """

    win_probability: float
    no_double: float
    double_take: float


EXACT = Systematic(0.0, 0.0, 0.0)

_Measured = dict[str, dict[int, Systematic]]

MEASURED: _Measured = {
    "home": {
        20: Systematic(0.0001, 0.0017, 0.0041),
        # errors that cover 95% of real and unusual races, for the table of ten checkers
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
"""Errors for money by start region and by the EPC of the shorter side, in pips."""


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
"""Errors at scores with a live cube; for races at home also by whether games stop at a
table."""


def stored_error(table: PairTable | None, terms: Terms) -> Systematic:
    """Return the largest rounding errors of a table's values."""
    return EXACT if table is None else Systematic(*table.rounding(terms))


def systematic_error(race: bearoff.Race, *, at_score: bool, into_table: bool) -> Systematic:
    """Return the systematic error of a race's rollout.

    It is interpolated linearly between the measured EPCs, and constant outside their range.
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
