"""Board features that may cause errors in answers, as numbers for a regression."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from bearoff import POINTS, Race
from bearoff.analysis.formulas.counting import features
from bearoff.app.serve.drills.kinds import DRILLS


def _counted(name: str) -> Callable[[Race], float]:
    """Return a function that counts a board feature for the roller."""
    feature = features.FEATURES[name]

    def count(race: Race) -> float:
        columns = features.columns_of(np.array([race.roller.counts]))
        return float(feature.count(columns, None, 0)[0])

    return count


def _low(race: Race) -> float:
    return float(sum(race.roller.counts[:2]))


def _lead(race: Race) -> float:
    return float(race.opponent.pips - race.roller.pips)


def _more_gaps(race: Race) -> float:
    gaps = _counted("gaps")
    return gaps(race) - gaps(race.exchanged())


def _length(race: Race) -> float:
    return race.roller.pips / 10


FEATURES: dict[str, dict[str, Callable[[Race], float]]] = {
    "pips": {
        "checkers": _counted("checkers"),
        "checkers outside home": _counted("outside"),
        "home points covered": _counted("covered"),
        "checkers of the tallest stack": _counted("tallest"),
    },
    "epc": {
        "gaps on the 4, 5 and 6 points": _counted("gaps"),
        "checkers of the tallest stack": _counted("tallest"),
        "checkers on ace and deuce": _low,
        "an odd checker": _counted("odd"),
    },
    "chance": {
        "pips of the lead": _lead,
        "gaps more than the opponent": _more_gaps,
        "tens of pips to go": _length,
    },
}
"""For each drill, the features of a position on which errors are regressed. Their names are
plural.
"""


@lru_cache(100_000)
def features_of(key: str) -> tuple[float, ...] | None:
    """Return the features of a question, in the order of `FEATURES`, or None.

    Examples
    --------
    >>> features_of("epc LwAAwC0AAAAAAA")
    (3.0, 3.0, 5.0, 0.0)
    """
    drill, rest = DRILLS.of(key)
    race = drill.race(rest)
    if race is None or drill.name not in FEATURES:
        return None
    race = race.on_points(max(race.roller.points, POINTS))
    return tuple(count(race) for count in FEATURES[drill.name].values())
