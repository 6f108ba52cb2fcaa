"""How far rollouts are off because their players err, which no number of games shows.

Root mean square differences from exact values, measured by ``python -m
verify.systematic`` (results/rollouts/systematic.md): of races that begin at home, and
beyond. Errors are larger in short races, where every play and double counts; which
smaller table games stop in matters little beside that.
"""

from typing import NamedTuple

import numpy as np

import bearoff
from bearoff.bear_in import bear_in


class Systematic(NamedTuple):
    """Root mean square error of a rollout's players.

    Attributes
    ----------
    win_probability : float
        Of the chance to win without a cube.
    no_double, double_take : float
        Of the equities, in points at a cube of 1.
    """

    win_probability: float
    no_double: float
    double_take: float


EXACT = Systematic(0.0, 0.0, 0.0)

MEASURED = {
    "home": {
        20: Systematic(0.0001, 0.0017, 0.0041),
        32: Systematic(0.0002, 0.0007, 0.0019),
        51: Systematic(0.0001, 0.0005, 0.0008),
    },
    "beyond": {
        31: Systematic(0.0021, 0.0039, 0.0076),
        37: Systematic(0.0015, 0.0028, 0.0071),
        43: Systematic(0.0005, 0.0013, 0.0024),
    },
}
"""By where the races begin and the EPC of the shorter side, in pips."""


def systematic_error(race: bearoff.Race) -> Systematic:
    """Return the error to expect of a race that is rolled out.

    Between the EPCs that were measured on a straight line, and constant beyond.
    """
    sides = race.roller, race.opponent
    home = all(side.highest <= bearoff.POINTS for side in sides)
    measured = MEASURED["home" if home else "beyond"]
    epc = min(float(bear_in().epc(side.counts)) for side in sides)
    columns = np.array(list(measured.values())).T
    return Systematic(*(float(np.interp(epc, list(measured), c)) for c in columns))
