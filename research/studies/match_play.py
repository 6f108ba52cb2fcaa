"""Cost of following the cube action for money at match scores."""

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
"""Largest number of points that a player needs to win the match, at the scores studied."""

WRONG = 0.05
"""Minimum cost, in EMG, of a money action that counts as a mistake at a match score."""

EXAMPLES = 3
"""Number of random example pairs for each score."""

NEAR = (0.5, 0.95)
"""Minimum and maximum win probability of the pairs of positions that are used."""

MOST_PAIRS = 500_000
"""Maximum number of pairs of positions; a larger set is sampled at random."""

SEED = 1
"""Random seed for the sample of pairs of positions."""

MISTAKES = ("wrong_double", "missed_double", "wrong_take", "wrong_pass")


@dataclass(frozen=True)
class Mistake:
    """Cost of one type of mistake, made by using the money action at a match score.

    Attributes
    ----------
    share : float
        Proportion of pairs in which the mistake costs at least `WRONG`.
    mean : float
        Mean cost in EMG over all pairs.
    worst : float
        Largest cost in EMG.
    pair : tuple of int
        Position numbers of the pair with the largest cost.
    """

    share: float
    mean: float
    worst: float
    pair: tuple[int, int]


@dataclass(frozen=True)
class Example:
    """Pair of positions in which the money action is clearly wrong at a match score.

    Attributes
    ----------
    pair : tuple of int
        Position numbers of the roller and the opponent.
    money, right : str
        Actions of both sides for money, and the right actions at the score.
    costs : tuple of float
        Cost in EMG of the money actions, for the roller and for the opponent.
    """

    pair: tuple[int, int]
    money: str
    right: str
    costs: tuple[float, float]


@dataclass(frozen=True)
class MoneyAdvice:
    """Cost of doubling and taking as in a money game, at all match scores.

    Attributes
    ----------
    checkers : int
        Maximum number of checkers per side.
    pairs : int
        Number of pairs of positions in which the roller's winning chance is in the range
        `NEAR`.
    scores : dict
        Mistakes by the points that the roller and the opponent need, and by type of
        mistake.
    examples : dict
        Random examples of mistakes of at least `WRONG`, up to `EXAMPLES` for each match
        score.
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
    """Apply the cube action for money at all scores up to `most_away`, with a centred cube.

    Parameters
    ----------
    checkers : int
        Maximum number of checkers per side, 1 to 8. A two-sided table of this size with the
        cube must exist.
    most_away : int
        Maximum number of points that a player needs, at least 2.
    progress : callable
        Function called with the completed fraction of the scores, 0 to 1.

    Raises
    ------
    TableError
        If there is no two-sided table of this size, or `checkers` is too large.
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
    """Return the cost of each type of mistake in all pairs; 0 for right decisions."""
    # Without a double, there is nothing to take or pass.
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
    # Each score has its own random stream, so its examples do not depend on other scores.
    rng = np.random.default_rng((SEED, *away))
    return rng.choice(wrong, min(EXAMPLES, len(wrong)), replace=False)


def _words(double: bool, take: bool) -> str:
    return f"{'double' if double else 'no double'}, {'take' if take else 'pass'}"
