"""Cost of money cube actions, and of money formulas, at scores."""

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
"""Maximum number of points away."""

WRONG = 0.05
"""Cost in EMG from which a decision counts as a mistake."""

EXAMPLES = 3
"""Number of pairs drawn per score as examples."""

NEAR = (0.5, 0.95)
"""Winning chances between which pairs are used, because the cube matters there."""

MOST_PAIRS = 500_000
"""Maximum number of pairs; more are sampled."""

SEED = 1
"""Random seed of the pairs."""

MISTAKES = ("wrong_double", "missed_double", "wrong_take", "wrong_pass")


@dataclass(frozen=True)
class Mistake:
    """Cost of one type of mistake of money decisions at a score.

    Attributes
    ----------
    share : float
        Share of the pairs in which it costs at least `WRONG`.
    mean : float
        Mean cost in EMG over all pairs.
    worst : float
        Maximum cost in EMG.
    pair : tuple of int
        Position numbers of the pair with the maximum cost.
    """

    share: float
    mean: float
    worst: float
    pair: tuple[int, int]


@dataclass(frozen=True)
class Example:
    """Pair in which the money decision costs at least `WRONG`.

    Attributes
    ----------
    pair : tuple of int
        Position numbers of roller and opponent.
    money, right : str
        Actions of both sides as for money, and the right actions.
    costs : tuple of float
        Cost in EMG of the money decisions for the roller and the opponent.
    """

    pair: tuple[int, int]
    money: str
    right: str
    costs: tuple[float, float]


@dataclass(frozen=True)
class MoneyAdvice:
    """Cost of doubling and taking as for money.

    Attributes
    ----------
    checkers : int
        Maximum number of checkers of a side.
    pairs : int
        Number of pairs, with equal weights, in which the roller's winning chance is
        within `NEAR`.
    scores : dict
        Mistakes by points away of roller and opponent, and by type: wrong and missed
        doubles, wrong takes and passes.
    examples : dict
        Up to `EXAMPLES` pairs by points away, drawn with equal weights from those with
        a mistake of at least `WRONG`.
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
    """Evaluate money cube actions with a centred cube, at all scores up to `most_away`.

    Parameters
    ----------
    checkers : int
        Maximum number of checkers of a side, 1 to 8, so that no gammon can be lost. The
        two-sided table must be built with the cube.
    most_away : int
        Maximum number of points away, 2 or more.
    progress : callable
        Function called with the completed share of the scores.

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
    """Return the cost of each type of mistake in every pair, 0 for right decisions."""
    # Without a double there is no take or pass.
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
    # A separate random stream makes a score's examples independent of the other scores.
    rng = np.random.default_rng((SEED, *away))
    return rng.choice(wrong, min(EXAMPLES, len(wrong)), replace=False)


def _words(double: bool, take: bool) -> str:
    return f"{'double' if double else 'no double'}, {'take' if take else 'pass'}"
