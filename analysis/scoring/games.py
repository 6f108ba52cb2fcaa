"""Gain a game of a perfect opponent from a player who follows a formula.

By dynamic programming over everything a race can come to, `bearoff.matchup.values`: so
it counts that wrong doubles change which positions arise, and with which cube.
"""

from collections.abc import Callable

import numpy as np

from bearoff import Position
from bearoff.analysis.formulas.rules import Formula
from bearoff.matchup import EquilibriumCube, RacePlayer, strategy_values

STARTS = (
    "0,0,0,5,5,5",
    "0,0,2,3,5,5",
    "2,2,2,3,3,3",
    "4,3,2,2,2,2",
)
"""Positions of a side when all its checkers are home; each meets itself."""

STARTS_TEXT = (
    "both sides on the same of four positions, either side beginning: checkers on ace to "
    f"six {'; '.join(STARTS)}"
)


def lost_per_game(
    formula: Formula,
    progress: Callable[[str, float], object] = lambda stage, done: None,
    starts: tuple[str, ...] = STARTS,
    workers: int | None = None,
) -> float:
    """Points a game that a perfect opponent gains, the mean over the starts.

    The cube is in the centre, money play; both sides move by the one-sided table, and
    either begins as often.
    """
    player, perfect = RacePlayer(formula), RacePlayer(EquilibriumCube())
    gains = []
    for place, start in enumerate(starts):
        number = Position.parse(start).number
        values = strategy_values(player, perfect, starts=[number, number], workers=workers)
        gains.append(float(values.gain(number, number)))
        progress(f"{formula.name}, by games", (place + 1) / len(starts))
    return float(np.mean(gains))
