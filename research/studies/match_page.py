"""Pages about match play: take points, money decisions and formulas at all scores."""

from pathlib import Path

from bearoff import (
    MatchEquities,
    MatchThresholds,
    Score,
    match_equities,
    match_thresholds,
)
from bearoff.analysis.output import markdown_page, markdown_table, write_text
from bearoff.analysis.sheets import LENGTHS, long_window
from bearoff.positions import Position
from research.studies.match_play import (
    EXAMPLES,
    MISTAKES,
    MOST_AWAY,
    MOST_PAIRS,
    NEAR,
    WRONG,
    MoneyAdvice,
)


def write_match_study(study: MoneyAdvice, folder: str | Path) -> list[Path]:
    """Write the pages of take points and of money decisions to a folder."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return [
        write_text(take_point_page(), folder / "take-points.md"),
        write_text(money_advice_page(study), folder / "money-advice.md"),
    ]


def take_point_page(
    equities: MatchEquities | None = None, most_away: int = MOST_AWAY
) -> str:
    """Return take points, doubling points and gammon values of all scores as Markdown."""
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
        f"Match equities: {table.name}; from `python -m research.match`. Rows: points "
        "that the roller, who may double, needs; columns: points that the opponent needs. "
        "Take points are the percentage of games that the opponent wins, doubling points "
        "the percentage that the roller wins.",
        "*Last roll*: nobody turns the cube again. *Live*: the cube is always turned at "
        "the best moment, and redoubles that cost nothing are made at once. Races lie "
        "between, longer ones closer to live. For money: take points 25% and 20%, "
        "doubling point 50%. A *gammon value* is the additional value of a gammon "
        "compared with a single win, as a share of the difference between winning and "
        "losing; 50% for money. Empty: the roller has no use for the cube.",
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
    parts += _long_races(table, away)
    post = [(a, match_thresholds(Score((a, 1), "post-crawford"), 1, table)) for a in away]
    parts += [
        "## After the Crawford game",
        "Rows: points that the roller needs; the opponent needs one. The roller doubles "
        "at once. If the roller needs an even number of points, the opponent has a *free "
        "drop*: a pass costs almost nothing, because the roller then needs the same "
        "number of doubled games. If the number is odd, a take costs almost nothing.",
        markdown_table(
            ["roller", "take point", "gammon value"],
            [
                [f"{a}-away", _percent(at.take_point), _percent(at.gammon_value)]
                for a, at in post
            ],
        ),
    ]
    return markdown_page(parts)


def _long_races(table: MatchEquities, away: range) -> list[str]:
    """Return the doubling windows of long races, by winning chance and by lead."""
    parts = [
        "## Long races",
        "For each effective pip count (EPC) of the roller, the tables show the chances "
        "to win between which a double is right and the opponent takes, with a centred "
        "cube at 1, and then the leads of the roller at these chances, in pips of EPC. "
        "Sides are typical positions of the [fast "
        "model](../../docs/rollouts.md#the-fast-model), solved at each score. At 2-away "
        "2-away even the trailing side loses nothing by doubling, because the opponent "
        "doubles next.",
    ]
    head = ["roller", *(f"{b}-away" for b in away)]
    # Scores are processed one by one, because only few solved ones stay in memory.
    found = {
        (a, b): [long_window(Score((a, b)), epc, table) for epc in LENGTHS]
        for a in away
        for b in away
    }
    for place, epc in enumerate(LENGTHS):
        chances, leads = [], []
        for a in away:
            windows = [found[a, b][place] for b in away]
            name = f"{a}-away"
            chances.append(
                [name, *(f"{w.double:.0%}–{w.cash:.0%}".replace("%", "") for w in windows)]
            )
            leads.append(
                [name, *(f"{w.double_lead:.1f} to {w.take_lead:.1f}" for w in windows)]
            )
        parts += [
            f"### {epc:.0f} pips",
            markdown_table(head, chances),
            markdown_table(head, leads),
        ]
    return parts


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
    """Return the cost of money cube actions at every score as Markdown."""
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
    drawn = f"all {study.pairs:,} pairs"
    if study.pairs == MOST_PAIRS:
        drawn = f"{study.pairs:,} of the pairs, drawn at random with equal probabilities,"
    head = [
        "roller, opponent", *(NAMES[kind] for kind in MISTAKES),
        "roller loses", "opponent loses", "worst", "roller", "opponent", "costs",
    ]  # fmt: skip
    parts = [
        "# Following advice for money at a score",
        "Cost of doubling, taking and passing at a score as for money, with a centred "
        "cube. Exact values, from `python -m research.match --checkers "
        f"{study.checkers}`. The races are {drawn} of up to {study.checkers} checkers a "
        f"side in which the roller wins {NEAR[0]:.0%} to {NEAR[1]:.0%} of games.",
        "The first four columns: how often this action for money is wrong at the score by "
        f"{WRONG} EMG or more. Then the mean loss from following the advice for money, in "
        "EMG, and its costliest action, with positions as checkers on the points 1 to 6.",
        markdown_table(head, rows),
        "## Examples",
        f"Up to {EXAMPLES} pairs a score, drawn at random from those in which an action "
        f"for money is wrong by {WRONG} EMG or more. The second part of an action is the "
        "reply to a double, even to a wrong one; the opponent's loss counts only after "
        "doubles by the advice for money. Scores without such a pair are left out.",
        _examples(study),
    ]
    return markdown_page(parts)


def _examples(study: MoneyAdvice) -> str:
    rows = [
        [
            f"{a}-away {b}-away",
            *map(_counts, one.pair),
            one.money,
            one.right,
            *(f"{cost:.3f}" if cost else "" for cost in one.costs),
        ]
        for (a, b), drawn in study.examples.items()
        for one in drawn
    ]
    head = ["roller, opponent", "roller", "opponent", "as for money", "right here"]
    return markdown_table([*head, "roller loses", "opponent loses"], rows)


def _counts(number: int) -> str:
    return ",".join(map(str, Position.from_number(number).counts))
