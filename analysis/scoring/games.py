"""Points per game that a formula loses in games against a perfect opponent.

`bearoff.matchup.values` computes the points by dynamic programming over all positions that
can occur. The result therefore includes the effect of wrong doubles on later positions.
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
"""Positions from which games start; both sides have the same position."""

STARTS_TEXT = (
    "both sides start with the same one of four positions, and each side moves first once: "
    f"checkers on points 1 to 6 {'; '.join(STARTS)}"
)


def lost_per_game(
    formula: Formula,
    progress: Callable[[str, float], object] = lambda stage, done: None,
    starts: tuple[str, ...] = STARTS,
    workers: int | None = None,
) -> float:
    """Return the mean points per game that a formula loses to a perfect opponent.

    Games are played for money and start with a centred cube. Both sides choose plays with
    the one-sided table, and each side starts half of the games.
    """
    player, perfect = RacePlayer(formula), RacePlayer(EquilibriumCube())
    gains = []
    for place, start in enumerate(starts):
        number = Position.parse(start).number
        values = strategy_values(player, perfect, starts=[number, number], workers=workers)
        gains.append(float(values.gain(number, number)))
        progress(f"{formula.name}, by games", (place + 1) / len(starts))
    return float(np.mean(gains))
