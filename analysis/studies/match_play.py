"""What a score changes: take points at all scores, and what money's cube actions cost."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.output import markdown_page, markdown_table, write_text
from bearoff import (
    POINTS,
    CubeActions,
    MatchEquities,
    MatchTable,
    MatchThresholds,
    Score,
    cube_actions,
    match_actions,
    match_equities,
    match_table,
    match_thresholds,
    position_count,
    two_sided_table,
)
from bearoff.positions import unrank_one

BoolArray = NDArray[np.bool_]
Int64Array = NDArray[np.int64]
Float64Array = NDArray[np.float64]

MOST_AWAY = 9
"""Points away of the largest score studied."""

WRONG = 0.05
"""EMG from which a mistake is counted."""

NEAR = (0.5, 0.95)
"""Chances to win the game, between which pairs are counted: where cubes are turned."""

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
    *,
    progress: Callable[[float], None] = lambda done: None,
) -> MoneyAdvice:
    """Follow money's cube actions with a centred cube at all scores to `most_away`.

    Parameters
    ----------
    checkers : int
        Most checkers of a side, 1 to 8; gammons play no part. The two-sided table of so
        many must be built with the cube.
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
    x, y = x[near], y[near]
    money = cube_actions(two_sided_table(checkers), x, y)
    aways = list(combinations_with_replacement(range(2, most_away + 1), 2))
    scores = {}
    for done, away in enumerate(aways, start=1):
        table = match_table(checkers, away)
        for seen in {table.score.away: table, away[::-1]: table.exchanged()}.values():
            scores[seen.score.away] = _mistakes(seen, money, x, y)
        progress(done / len(aways))
    return MoneyAdvice(checkers, len(x), dict(sorted(scores.items())))


def _mistakes(
    table: MatchTable, money: CubeActions, x: Int64Array, y: Int64Array
) -> dict[str, Mistake]:
    answer = match_actions(table, x, y)
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


def write_match_study(study: MoneyAdvice, folder: str | Path) -> list[Path]:
    """Write the page of take points and that of money's advice into a folder."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return [
        write_text(take_point_page(), folder / "take-points.md"),
        write_text(money_advice_page(study), folder / "money-advice.md"),
    ]


def take_point_page(
    equities: MatchEquities | None = None, most_away: int = MOST_AWAY
) -> str:
    """Set take points, doubling points and gammon values of all scores as Markdown."""
    table = match_equities() if equities is None else equities
    away = range(2, most_away + 1)
    sections = [
        ("Take points in the last roll", "take_point", 1),
        ("Take points of a live cube", "live_take_point", 1),
        ("Doubling points in the last roll", "double", 1),
        ("Take points of a redouble to 4 in the last roll", "take_point", 2),
        ("Take points of a redouble to 4, live", "live_take_point", 2),
        ("Gammon values, cube at 1", "gammon_value", 1),
        ("Gammon values, cube at 2", "gammon_value", 2),
    ]
    parts = [
        "# Take points at all scores",
        f"Match equities: {table.name}; from `bearoff study match`. A row is the points "
        "that the roller needs, who may double, a column those of the opponent. Percent of "
        "games won: by the opponent in take points, by the roller in doubling points.",
        "*Last roll*: nobody turns the cube again. *Live*: the cube is always turned at "
        "the best moment, redoubles that cost nothing at once. Races lie between, the "
        "nearer to live the longer they are. Money: take points 25% and 20%, doubling "
        "point 50%. A *gammon value* is what a gammon adds to a win, as a share of what "
        "winning instead of losing is worth; 50% for money. Empty: the roller has no use "
        "for the cube.",
    ]
    for title, name, cube in sections:
        rows = [
            [
                f"{a}-away",
                *(_cell(match_thresholds(Score((a, b)), cube, table), name) for b in away),
            ]
            for a in away
        ]
        head = ["roller", *(f"{b}-away" for b in away)]
        parts += [f"## {title}", markdown_table(head, rows)]
    post = [(a, match_thresholds(Score((a, 1), "post-crawford"), 1, table)) for a in away]
    parts += [
        "## After Crawford's game",
        "The roller needs as many points as the row says, the opponent one. The roller "
        "doubles at once. At an even number the opponent has a *free drop*: a pass costs "
        "next to nothing, since the roller needs as many doubled games from there. At an "
        "odd number a take costs next to nothing.",
        markdown_table(
            ["roller", "take point", "gammon value"],
            [
                [f"{a}-away", _percent(at.take_point), _percent(at.gammon_value)]
                for a, at in post
            ],
        ),
    ]
    return markdown_page(parts)


def _cell(at: MatchThresholds, name: str) -> str:
    never = at.double in (None, 1.0)
    return "" if never and "gammon" not in name else _percent(getattr(at, name))


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}".removesuffix("%")


NAMES = {
    "wrong_double": "double",
    "missed_double": "no double",
    "wrong_take": "take",
    "wrong_pass": "pass",
}


def money_advice_page(study: MoneyAdvice) -> str:
    """Set what money's cube actions cost at every score as Markdown."""
    rows = []
    for (a, b), mistakes in study.scores.items():
        worst = max(MISTAKES, key=lambda kind: mistakes[kind].worst)
        x, y = mistakes[worst].pair
        rows.append(
            [
                f"{a}-away {b}-away",
                *(f"{mistakes[kind].share:.1%}" for kind in MISTAKES),
                f"{mistakes['wrong_double'].mean + mistakes['missed_double'].mean:.4f}",
                f"{mistakes['wrong_take'].mean + mistakes['wrong_pass'].mean:.4f}",
                NAMES[worst],
                _counts(x),
                _counts(y),
                f"{mistakes[worst].worst:.3f}",
            ]
        )
    head = [
        "roller, opponent", *(NAMES[kind] for kind in MISTAKES),
        "roller loses", "opponent loses", "worst", "roller", "opponent", "costs",
    ]  # fmt: skip
    parts = [
        "# Money's advice at a score",
        "What it costs to double, take and pass as for money, the cube centred; exact "
        f"values, from `bearoff study match --checkers {study.checkers}`. All "
        f"{study.pairs:,} pairs of up to {study.checkers} checkers a side in which the "
        f"roller wins {NEAR[0]:.0%} to {NEAR[1]:.0%} of games, each as likely.",
        f"The first four columns: how often that action of money's is wrong by {WRONG} EMG "
        "or more. Then what following money's advice loses on average, in EMG; and its "
        "costliest action, on ace to six.",
        markdown_table(head, rows),
    ]
    return markdown_page(parts)


def _counts(number: int) -> str:
    return ",".join(map(str, unrank_one(number, POINTS)))
