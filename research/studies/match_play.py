"""What money's cube actions, and formulas for money, cost at scores."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from bearoff import (
    POINTS,
    Values,
    cube_actions,
    match_table,
    position_count,
    two_sided_table,
)

Int64Array = NDArray[np.int64]
Float64Array = NDArray[np.float64]

MOST_AWAY = 9
"""Points away of the largest score studied."""

WRONG = 0.05
"""EMG from which a mistake is counted."""

EXAMPLES = 3
"""Pairs drawn of a score for examples."""

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
class Example:
    """A pair in which money's advice is wrong by `WRONG` or more.

    Attributes
    ----------
    pair : tuple of int
        Numbers of roller and opponent.
    money, right : str
        What both sides do as for money, and what is right.
    costs : tuple of float
        EMG that money's advice loses the roller and the opponent.
    """

    pair: tuple[int, int]
    money: str
    right: str
    costs: tuple[float, float]


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
    examples : dict
        By points away up to `EXAMPLES`, drawn of all pairs in which a mistake costs
        `WRONG` or more, each as likely.
    """

    checkers: int
    pairs: int
    scores: dict[tuple[int, int], dict[str, Mistake]]
    examples: dict[tuple[int, int], list[Example]]


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
    scores, examples = {}, {}
    for done, away in enumerate(aways, start=1):
        table = match_table(checkers, away)
        for seen in {table.score.away: table, away[::-1]: table.exchanged()}.values():
            answer, at = cube_actions(seen, x, y), seen.score.away
            costs = _costs(answer, money)
            scores[at] = {kind: _mistake(cost, x, y) for kind, cost in costs.items()}
            worst = np.max(list(costs.values()), axis=0)
            examples[at] = [
                Example(
                    (int(x[pair]), int(y[pair])),
                    _words(money.doubles[pair], money.takes[pair]),
                    _words(answer.doubles[pair], answer.takes[pair]),
                    (
                        float(costs["wrong_double"][pair] + costs["missed_double"][pair]),
                        float(costs["wrong_take"][pair] + costs["wrong_pass"][pair]),
                    ),
                )
                for pair in _drawn(np.flatnonzero(worst >= WRONG), at)
            ]
        progress(done / len(aways))
    return MoneyAdvice(
        checkers, len(x), dict(sorted(scores.items())), dict(sorted(examples.items()))
    )


def _costs(answer: Values, money: Values) -> dict[str, Float64Array]:
    """Return what each kind of mistake costs in every pair, 0 where it is not made."""
    # Nobody takes or passes what is not doubled.
    made = {
        "wrong_double": money.doubles,
        "missed_double": ~money.doubles,
        "wrong_take": money.doubles & money.takes,
        "wrong_pass": money.doubles & ~money.takes,
    }
    return {kind: np.where(made[kind], getattr(answer, kind), 0.0) for kind in MISTAKES}


def _mistake(cost: Float64Array, x: Int64Array, y: Int64Array) -> Mistake:
    worst = int(cost.argmax())
    return Mistake(
        share=float((cost >= WRONG).mean()),
        mean=float(cost.mean()),
        worst=float(cost[worst]),
        pair=(int(x[worst]), int(y[worst])),
    )


def _drawn(wrong: Int64Array, away: tuple[int, int]) -> Int64Array:
    # A stream of its own: a score's examples do not depend on which others are studied.
    rng = np.random.default_rng((SEED, *away))
    return rng.choice(wrong, min(EXAMPLES, len(wrong)), replace=False)


def _words(double: bool, take: bool) -> str:
    return f"{'double' if double else 'no double'}, {'take' if take else 'pass'}"
