"""Board features that may cause errors in answers, as numbers for a regression."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from bearoff import POINTS, Race
from bearoff.analysis.formulas.counting import features
from bearoff.app.serve.drills.kinds import DRILLS


def _counted(name: str) -> Callable[[Race], float]:
    """Return a function that counts a named board feature of the roller."""
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
        "checker": _counted("checkers"),
        "checker outside home": _counted("outside"),
        "home point covered": _counted("covered"),
        "checker on the tallest stack": _counted("tallest"),
    },
    "epc": {
        "gap on the 4, 5 and 6 points": _counted("gaps"),
        "checker on the tallest stack": _counted("tallest"),
        "checker on the ace and deuce points": _low,
        "odd checker": _counted("odd"),
    },
    "chance": {
        "pip of lead": _lead,
        "gap more than the opponent has": _more_gaps,
        "ten pips of your pip count": _length,
    },
}
"""For each drill with numerical answers, functions that count board features of a race. The
name of a feature, after the word "each", is part of a sentence on the user's bias."""


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
