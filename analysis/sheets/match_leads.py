"""Doubling windows of long races at a match score, as leads in effective pip count (EPC).

Each side is represented only by its EPC, as in `bearoff.race_model` for money play. Typical
races are solved for every cube value in a match, from the highest value, at which the cube
is dead, down. The results are the smallest lead at which the roller doubles, and the
largest at which the opponent takes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff import (
    PIPS_PER_ROLL,
    CubeThresholds,
    MatchEquities,
    Score,
    match_equities,
    match_thresholds,
)
from bearoff.race_model import BINS_PER_ROLL, typical_races
from bearoff.stakes import Match, RollersCube

Float64Array = NDArray[np.float64]

LENGTHS = (30.0, 60.0, 90.0)
"""EPCs of the roller for which doubling windows are listed, in pips."""

_LONGEST = LENGTHS[-1] + 40.0
"""Maximum EPC of the opponent in long races, in pips."""

_SAME = 1e-6
"""Difference up to which two single-precision values are considered equal."""


@dataclass(frozen=True)
class LongWindow:
    """Doubling window of a long race at a match score.

    Attributes
    ----------
    double_lead, take_lead : float
        Smallest lead to double and largest lead to take, in pips of EPC. If a double risks
        nothing, `double_lead` is about minus the roller's EPC.
    double, cash : float
        The roller's game-winning chances at `double_lead` and at `take_lead`.
    """

    double_lead: float
    take_lead: float
    double: float
    cash: float


def long_window(
    score: Score,
    epc: float,
    equities: MatchEquities | None = None,
    cube_value: int = 1,
    cube: RollersCube = "centred",
) -> LongWindow:
    """Return the doubling window of a typical long race at a match score.

    Parameters
    ----------
    score : Score
        Match score from the roller's viewpoint; both sides need at least 2 points.
    epc : float
        Roller's EPC in pips, at most the last of `LENGTHS`.
    equities : MatchEquities or None
        Match equity table; by default Kazaross-XG2.
    cube_value : int
        Cube value before a double, less than the number of points that the roller needs.
    cube : {"centred", "owned"}
        Owner of the cube.

    Examples
    --------
    At a score far from the end of the match, the doubling window is almost the same as for
    money. With an EPC of 90 pips, the roller doubles from a lead of about 6 pips, and the
    opponent takes up to about 10 pips.

    >>> window = long_window(Score((25, 25)), 90.0)
    >>> round(window.double_lead, 1), round(window.take_lead, 1)
    (5.7, 9.7)
    """
    table = match_equities() if equities is None else equities
    place = epc / PIPS_PER_ROLL * BINS_PER_ROLL
    below = int(place)
    rows = [_window_of(table, score, below + step, cube_value, cube) for step in (0, 1)]
    lead, share = np.array(rows), place - below
    window = (1 - share) * lead[0] + share * lead[1]
    return LongWindow(*(float(value) for value in window))


def asked_of_chance(
    score: Score, cube_value: int = 1, cube: RollersCube = "centred"
) -> tuple[float, float]:
    """Return the doubling and take points of long races, as winning chances of the roller.

    Each probability lies between its values for the last roll and for a live cube, at the
    same relative distance as in Janowski's thresholds for money.

    Examples
    --------
    >>> [round(chance, 3) for chance in asked_of_chance(Score((25, 25)))]
    [0.697, 0.786]
    >>> [round(chance, 3) for chance in asked_of_chance(Score((3, 5)))]
    [0.677, 0.784]
    """
    at = match_thresholds(score, cube_value)
    money, live = CubeThresholds.janowski(), CubeThresholds.janowski(1)
    dead = CubeThresholds.janowski(0)
    assert at.cash is not None
    assert at.live_cash is not None
    share = (money.cash - dead.cash) / (live.cash - dead.cash)
    cash = at.cash + share * (at.live_cash - at.cash)
    if not at.double or not at.live_double:
        return 0.0, cash
    turned = (money.double, dead.double, live.double)
    if cube == "owned":
        turned = (money.redouble, dead.redouble, live.redouble)
    share = (turned[0] - turned[1]) / (turned[2] - turned[1])
    return at.double + share * (at.live_double - at.double), cash


def _window_of(
    table: MatchEquities, score: Score, row: int, cube_value: int, cube: RollersCube
) -> tuple[float, ...]:
    """Return the doubling window for one EPC of the roller."""
    races = typical_races(Match(score, table), _LONGEST)
    even = typical_races(Match(Score((1, 1)), table), _LONGEST)
    planes = (
        races.planes(cube_value, cube, 0),
        races.planes(2 * cube_value, "opponent", 0),
        even.planes(1, "centred", 0),
    )
    waits, turned, won = (one.value[row].astype(np.float64) for one in planes)
    cash = 2 * table.after(score, cube_value) - 1
    # The first entry of each array is left out, because this entry is for an opponent who
    # has already borne off all checkers.
    places = [
        1 + _crossing(values[1:] - _SAME)
        for values in (waits - np.minimum(turned, cash), cash + 2 * _SAME - turned)
    ]
    chance = (won + 1) / 2
    return (
        *((place - row) * PIPS_PER_ROLL / BINS_PER_ROLL for place in places),
        *(float(np.interp(place, np.arange(len(chance)), chance)) for place in places),
    )


def _crossing(values: Float64Array) -> float:
    above = np.flatnonzero(values > 0)
    if not above.size:
        return 0.0
    last = int(above[-1])
    before, here = values[last - 1], values[last]
    return float(last + min(1.0, here / max(before - here, _SAME)))
