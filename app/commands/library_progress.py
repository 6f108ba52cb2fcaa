"""`bearoff library progress`: ratings over time, mean errors in races, and luck."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from bearoff.app.options import Json
from bearoff.app.output import amount, say, say_json, say_table
from bearoff.app.progress import waits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bearoff.analysis.progress import (
        ClusteredMean,
        DecisionGroup,
        LuckSum,
        Progress,
        RatingCourse,
    )


@waits("computing statistics of the races")
def progress(
    player: Annotated[
        str,
        typer.Argument(
            metavar="[PLAYER]",
            help="Name of the player. Default: you (see bearoff library names), otherwise "
            "the player with the most decisions.",
            show_default=False,
        ),
    ] = "",
    since: Annotated[
        str, typer.Option(metavar="DAY", help="First day of play.", show_default=False)
    ] = "",
    until: Annotated[
        str, typer.Option(metavar="DAY", help="Last day of play.", show_default=False)
    ] = "",
    json: Json = False,
) -> None:
    """Show a player's rating (PR), and mean costs in races, over time.

    Ratings are shown for whole matches and for races alone. Mean costs of decisions in
    races are shown over time, by kind of decision, and by stakes, length and features of
    the race. They are compared with the mean costs of the opponents and of the recommended
    formula. Confidence intervals treat the decisions of a match as one cluster. Tests for
    patterns in the errors are corrected for the number of tests.

    \b
    bearoff library progress --since 2025
    """
    from bearoff.app.library.library import open_library

    found = open_library().progress(player, since, until)
    if json:
        say_json(asdict(found))
    else:
        _show(found)


def _show(found: "Progress") -> None:
    from bearoff.analysis.formulas import RECOMMENDED

    say(f"{found.player}: rating (PR), with 95% intervals")
    _say_ratings(found.ratings)
    if not found.whole.errors.decisions:
        say("There are no decisions in races.")
        return
    say()
    say("Mean error per decision in races, in EMG")
    _say_groups([found.whole, *found.groups])
    say()
    say("Mean error per decision in races over time, in EMG")
    _say_groups(found.course)
    if found.opponents:
        say()
        say("Mean error of the opponents in races of the same matches, in EMG")
        _say_groups(found.opponents)
        say(
            f"Mean error of {found.player} minus that of all opponents: "
            f"{_mean(found.beside_opponents)}"
        )
    if found.formula.decisions:
        say()
        say(f"Cube decisions by the formula {RECOMMENDED}: {_mean(found.formula)}")
        say(
            f"Mean error of {found.player} minus that of the formula: "
            f"{_mean(found.beside_formula)}"
        )
    if apart := found.formula_with_gammons.decisions:
        said = amount(apart, "decisions")
        say(
            "In races with gammons, which the formula ignores: "
            f"{_mean(found.formula_with_gammons)} in {said}"
        )
    if found.luck:
        say()
        say("Luck in races played to the end: total points, or mean match-winning chances")
        _say_luck(found.luck)
    say()
    _say_findings(found)


def _say_ratings(ratings: "Sequence[RatingCourse]") -> None:
    rows = [
        (one.of, since, rating)
        for one in ratings
        for since, rating in [
            ("", one.rating),
            *((block.since, block.rating) for block in one.course if len(one.course) > 1),
        ]
    ]
    say_table(
        ["PR of", "<since", "matches", "counted", "PR", "from", "to"],
        [
            [
                of,
                since or "all",
                f"{rating.matches:,}",
                f"{rating.decisions:,}",
                f"{rating.value:.1f}",
                *_interval(rating, digits=1),
            ]
            for of, since, rating in rows
        ],
    )


def _say_groups(groups: "Sequence[DecisionGroup]") -> None:
    say_table(
        ["by", "<", "made", "matches", "wrong", "error", "from", "to"],
        [
            [
                one.by,
                one.name,
                f"{one.errors.decisions:,}",
                f"{one.errors.matches:,}",
                f"{one.mistakes:,}",
                f"{one.errors.value:.4f}",
                *_interval(one.errors),
            ]
            for one in groups
        ],
    )


def _interval(one: "ClusteredMean", digits: int = 4) -> tuple[str, str]:
    """Format both ends of a loss's confidence interval; show a negative lower end as 0."""
    if one.low is None or one.high is None:
        return "", ""
    return f"{max(one.low, 0.0):.{digits}f}", f"{one.high:.{digits}f}"


def _mean(one: "ClusteredMean") -> str:
    if one.low is None or one.high is None:
        return f"{one.value:+z.4f}"
    return f"{one.value:+z.4f} ({one.low:+z.4f} to {one.high:+z.4f})"


def _say_luck(luck: "Sequence[LuckSum]") -> None:
    names = ("result", "start", "lost", "their_lost", "luck", "fair")
    say_table(
        ["unit", "races", "result", "worth", "own errors", "theirs", "luck", "without"],
        [
            [one.unit, f"{one.races:,}"]
            + [
                _luck(
                    one,
                    getattr(one, name) * (-1 if name == "lost" else 1),
                    change=name in ("lost", "their_lost", "luck"),
                )
                for name in names
            ]
            for one in luck
        ],
    )


def _luck(one: "LuckSum", value: float, *, change: bool) -> str:
    """Format a total in points, or a mean match-winning chance per race or its change."""
    if one.unit == "points":
        return f"{value:+z.3f}"
    mean = 100 * value / one.races
    return f"{mean:+z.1f}%" if change else f"{mean:.1f}%"


def _say_findings(found: "Progress") -> None:
    from bearoff.analysis.progress import FEWEST

    if not found.tests:
        say(
            f"Patterns in the errors are tested only if there are at least {FEWEST} "
            "matches."
        )
        return
    if not found.findings:
        say(
            f"None of the {found.tests} tests found a statistically significant "
            "pattern in the errors."
        )
        return
    say(
        "Statistically significant patterns in the errors, corrected for "
        f"{found.tests} tests:"
    )
    for one in found.findings:
        say(f"- {one.text} (p = {one.probability:.2g}, {one.matches:,} matches)")
