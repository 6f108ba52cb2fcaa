"""What money's cube actions, and formulas for money, cost at scores."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from bearoff import (
    POINTS,
    CubeActions,
    MatchActions,
    cube_actions,
    match_actions,
    match_table,
    position_count,
    two_sided_table,
)

BoolArray = NDArray[np.bool_]
Int64Array = NDArray[np.int64]
Float64Array = NDArray[np.float64]

MOST_AWAY = 9
"""Points away of the largest score studied."""

WRONG = 0.05
"""EMG from which a mistake is counted."""

NEAR = (0.5, 0.95)
"""Chances to win the game, between which pairs are counted: where cubes are turned."""

MOST_PAIRS = 500_000
"""Pairs drawn where there are more."""

SEED = 1
"""Of the draws."""

MISTAKES = ("wrong_double", "missed_double", "wrong_take", "wrong_pass")


@dataclass(frozen=True)
class Mistake:
    """What one kind of mistake of money's advice comes to at a score.

    Attributes
    ----------
    share : float
        Of the pairs, in which it costs `WRONG` or more.
    mean : float
        EMG that it costs, over all pairs.
    worst : float
        Most that it costs.
    pair : tuple of int
        Numbers of roller and opponent where it costs that.
    """

    share: float
    mean: float
    worst: float
    pair: tuple[int, int]


@dataclass(frozen=True)
class MoneyAdvice:
    """What it costs to turn and take the cube as for money.

    Attributes
    ----------
    checkers : int
        Most checkers of a side.
    pairs : int
        Pairs, all as likely, in which the roller wins `NEAR` of the games.
    scores : dict
        Mistakes by points away of roller and opponent, and by kind: double and miss a
        double wrongly, take and pass wrongly.
    """

    checkers: int
    pairs: int
    scores: dict[tuple[int, int], dict[str, Mistake]]


def study_match_play(
    checkers: int = 6,
    most_away: int = MOST_AWAY,
    progress: Callable[[float], None] = lambda done: None,
) -> MoneyAdvice:
    """Follow money's cube actions with a centred cube at all scores to `most_away`.

    Parameters
    ----------
    checkers : int
        Most checkers of a side, 1 to 8, so that no gammon can be lost. The two-sided table
        of so many must be built with the cube.
    most_away : int
        Points away, 2 or more.
    progress : callable
        Called with the share of scores that are done.

    Raises
    ------
    TableError
        If there is no two-sided table of so many checkers, or they are too many.
    """
    numbers = np.arange(1, position_count(POINTS, checkers))
    x, y = (part.ravel() for part in np.meshgrid(numbers, numbers))
    chance = match_table(checkers, (1, 1)).win_probability(x, y)
    near = (chance >= NEAR[0]) & (chance <= NEAR[1])
    rng = np.random.default_rng(SEED)
    pairs = np.flatnonzero(near)
    if len(pairs) > MOST_PAIRS:
        pairs = rng.choice(pairs, MOST_PAIRS, replace=False)
    x, y = x[pairs], y[pairs]
    money = cube_actions(two_sided_table(checkers), x, y)
    aways = list(combinations_with_replacement(range(2, most_away + 1), 2))
    scores = {}
    for done, away in enumerate(aways, start=1):
        table = match_table(checkers, away)
        for seen in {table.score.away: table, away[::-1]: table.exchanged()}.values():
            answer = match_actions(seen, x, y)
            scores[seen.score.away] = _mistakes(answer, money, x, y)
        progress(done / len(aways))
    return MoneyAdvice(checkers, len(x), dict(sorted(scores.items())))


def _mistakes(
    answer: MatchActions, money: CubeActions, x: Int64Array, y: Int64Array
) -> dict[str, Mistake]:
    # Nobody takes or passes what is not doubled.
    made = {
        "wrong_double": money.doubles,
        "missed_double": ~money.doubles,
        "wrong_take": money.doubles & money.takes,
        "wrong_pass": money.doubles & ~money.takes,
    }
    return {
        kind: _mistake(made[kind], answer.emg(getattr(answer, kind)), x, y)
        for kind in MISTAKES
    }


def _mistake(made: BoolArray, cost: Float64Array, x: Int64Array, y: Int64Array) -> Mistake:
    cost = np.where(made, cost, 0.0)
    worst = int(cost.argmax())
    return Mistake(
        share=float((cost >= WRONG).mean()),
        mean=float(cost.mean()),
        worst=float(cost[worst]),
        pair=(int(x[worst]), int(y[worst])),
    )
