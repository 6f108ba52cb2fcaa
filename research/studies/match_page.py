"""Pages on match play: take points, and the cost of playing as in a money game."""

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
    """Write two pages: take points, and the cost of money decisions at match scores."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return [
        write_text(take_point_page(), folder / "take-points.md"),
        write_text(money_advice_page(study), folder / "money-advice.md"),
    ]


def take_point_page(
    equities: MatchEquities | None = None, most_away: int = MOST_AWAY
) -> str:
    """Return a page with take points, doubling points and gammon values at all scores."""
    table = match_equities() if equities is None else equities
    away = range(2, most_away + 1)
    sections = [
        ("Take points in the last roll", "take_point", 1),
        ("Take points of a live cube", "live_take_point", 1),
        ("Doubling points in the last roll", "double", 1),
        ("Take points of a redouble to 4 in the last roll", "take_point", 2),
        ("Take points of a redouble to 4, live cube", "live_take_point", 2),
        ("Gammon values, cube at 1", "gammon_value", 1),
        ("Gammon values, cube at 2", "gammon_value", 2),
    ]
    parts = [
        "# Take points at all scores",
        "`python -m research.match` computes these tables with the match equity table "
        f"{table.name}. Each row is for the number of points that the roller needs, and "
        "the roller may double. Each column is for the number of points that the "
        "opponent needs. A take point is a winning chance of the opponent, and a "
        "doubling point is a winning chance of the roller, both in percent. A cell is "
        "empty if the roller has no use for the cube.",
        "- *In the last roll*, nobody turns the cube again. For money, the take point is "
        "then 25%, and the doubling point is 50%.\n"
        "- *A live cube* is always turned at the best moment, and redoubles that cost "
        "nothing are made at once. For money, the take point of a live cube is 20%.\n"
        "- The take point of a race lies between the take point in the last roll and the "
        "take point with a live cube. The longer the race, the closer its take point is "
        "to that with a live cube.\n"
        "- *A gammon value* is the additional value of a gammon compared with a single "
        "win, in percent of the difference between winning and losing. For money, the "
        "gammon value is 50%.",
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
        "Each row is for the number of points that the roller needs; the opponent needs "
        "one point. The roller doubles at once. If the roller needs an even number of "
        "points, the opponent has a *free drop*: a pass costs almost nothing, because "
        "the roller then still needs the same number of doubled games. If the roller "
        "needs an odd number of points, a take costs almost nothing. Take points and "
        "gammon values are in percent.",
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
    """Return a section about cube decisions in long races."""
    parts = [
        "## Long races",
        "There are two tables for each effective pip count (EPC) of the roller, for a "
        "centred cube at 1. The first table shows two winning chances of the roller in "
        "percent: the lowest at which a double is right, and the highest at which a take "
        "is right. The second table shows the roller's leads at these two winning "
        "chances, in pips of EPC. The numbers are for typical positions, according to "
        "the [fast model](../../docs/rollouts.md#the-fast-model) solved at each score. "
        "At 2-away 2-away, even the side that trails in the race loses nothing by "
        "doubling, because the opponent would double next.",
    ]
    head = ["roller", *(f"{b}-away" for b in away)]
    # Memory holds the tables of only a few match scores, so scores are processed in turn.
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
    """Return a page on the cost of money cube actions at all scores."""
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
        drawn = f"{study.pairs:,} pairs, drawn at random with equal probabilities,"
    head = [
        "roller, opponent", *(NAMES[kind] for kind in MISTAKES),
        "roller loses", "opponent loses", "costliest action", "roller's position",
        "opponent's position", "cost",
    ]  # fmt: skip
    parts = [
        "# Following advice for money at a score",
        f"`python -m research.match --checkers {study.checkers}` computes how much equity "
        "players lose if they double, take and pass as for money at a match score, with "
        f"a centred cube. All values are exact. The races are {drawn} of positions with "
        f"up to {study.checkers} checkers a side, in which the roller wins {NEAR[0]:.0%} "
        f"to {NEAR[1]:.0%} of the games.",
        "The columns *double*, *no double*, *take* and *pass* show how often this action "
        f"is right for money, but loses {WRONG} EMG or more at the score. The next two "
        "columns show the mean losses of the two players in EMG. The last four columns "
        "show the costliest action for money, the positions in which it occurs, and its "
        "cost in EMG. A position is written as the numbers of checkers on the points 1 "
        "to 6.",
        markdown_table(head, rows),
        "## Examples",
        f"For each score, up to {EXAMPLES} pairs are drawn at random from the pairs in "
        f"which following the advice for money loses {WRONG} EMG or more at the score. In "
        "an action such as *no double, take*, the second part is the reply to a double, "
        "even if the double is wrong. The opponent, who only takes or passes, can lose "
        "equity only if the advice for money is to double. The table leaves out the "
        "scores at which following the advice for money never loses so much.",
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
    head = ["roller, opponent", "roller's position", "opponent's position"]
    head += ["right for money", "right at the score", "roller loses", "opponent loses"]
    return markdown_table(head, rows)


def _counts(number: int) -> str:
    return ",".join(map(str, Position.from_number(number).counts))
