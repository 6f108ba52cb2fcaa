"""Output of a review: tables, JSON, and the files that the option `--to` writes."""

from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from bearoff.app.output import WIDTH, note, say, say_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bearoff.analysis.formulas import WorkedFormula
    from bearoff.analysis.review import Decision

WORST = 10
"""Maximum number of mistakes that a review prints."""

_NAME = attrgetter("name")


def show_review(
    judged: "Sequence[Decision]",
    problems: "Sequence[str]",
    formula: "WorkedFormula",
    none: str,
    *,
    rolled_out: bool,
    whole: bool,
) -> None:
    for problem in problems:
        note(problem)
    if not judged:  # The problems printed above name the decisions without an answer.
        say(f"{none[:1].upper()}{none[1:]}.")
        return
    from bearoff.analysis.review import UNIT, totals

    made = _made(judged)
    if len(made) < len(judged):
        _show_positions([one for one in judged if not one.decided])
    if not made:
        return
    say(f"Costs are in {UNIT}: 1 is the value of the cube.")
    say(
        "A mistake is a decision that costs more than the error of its cost, and is not "
        "shown as 0."
    )
    head = ["player", "<kind", "<race", "decisions", "mistakes", "lost", "formula wrong"]
    rows = [
        [
            *total.name,
            f"{total.decisions:,}",
            f"{total.mistakes:,}",
            f"{total.lost:.4f}",
            "" if total.formula_differs is None else f"{total.formula_differs:,}",
        ]
        for total in sorted(totals(made, _kind), key=_NAME)
    ]
    say_table(head, rows)
    say()
    _show_players(made, whole=whole)
    mistakes = sorted((one for one in judged if one.is_mistake), key=lambda one: -one.cost)
    say()
    if not mistakes:
        unsure = _unsure(judged, rolled_out=rolled_out)
        say(
            "There are no mistakes: no decision cost more than the error of its "
            f"cost.{unsure}"
        )
        return
    say("The costliest:")
    say_table(
        ["where", "<player", "<chosen", "<best", f"cost, {UNIT}", *["<how"] * whole],
        [
            [
                *(_where(one, judged), one.player, one.done, one.best),
                f"{one.cost:.{one.digits}f}",
                *[_how(one)] * whole,
            ]
            for one in mistakes[:WORST]
        ],
    )
    say(f"The formula is {formula.name}; it ignores the score.")


def _show_positions(judged: "Sequence[Decision]") -> None:
    """Print the best choice in each position for which its list states no decision."""
    from bearoff.analysis.review import UNIT

    say(f"Positions for which the list states no decision; equities are in {UNIT}:")
    said = any(one.file is not None for one in judged)
    say_table(
        ["<position", "<best", "equity", "<how", *["<by the file", "equity"] * said],
        [
            [
                one.position.xgid.removeprefix("XGID="),
                one.best,
                f"{one.equity:.{one.digits}f}",
                _how(one),
                *_of_file(one) * said,
            ]
            for one in judged
        ],
    )
    say()


def _show_players(made: "Sequence[Decision]", *, whole: bool) -> None:
    """Print the totals of each player in each match: in races, and overall."""
    from textwrap import fill

    from bearoff.analysis.review import RATING, UNIT, totals

    say_table(
        [
            *("match", "<player", "in races" if whole else "decisions", "mistakes"),
            *(f"lost, {UNIT}", "a decision"),
        ],
        [
            [
                *total.name,
                f"{total.decisions:,}",
                f"{total.mistakes:,}",
                f"{total.lost:.4f}",
                f"{total.lost / total.decisions:.4f}",
            ]
            for total in totals(_of_races(made), _match)
        ],
    )
    if not whole:
        return
    say()
    say_table(
        [
            *("match", "<player", "all, estimates", "mistakes"),
            *(f"lost, {UNIT}", "count for PR", "PR"),
        ],
        [
            [
                *total.name,
                f"{total.decisions:,}",
                f"{total.mistakes:,}",
                f"{total.lost:.4f}",
                f"{total.counted:,}",
                "" if total.rating is None else f"{total.rating:.1f}",
            ]
            for total in totals(made, _match)
        ],
    )
    say(fill(RATING, WIDTH))


def _unsure(judged: "Sequence[Decision]", *, rolled_out: bool) -> str:
    """Return a note on the costliest decision, if its cost is too uncertain for a mistake.

    If `rolled_out` is false, the review made no rollouts, and the note recommends to omit
    the option `--model`.
    """
    from bearoff.stakes import is_mistake

    one = max(judged, key=lambda one: one.cost, default=None)
    if one is None or not is_mistake(one.cost):
        return ""
    told = f"\nThe costliest decision, {_where(one, judged)}, may cost {one.cost:.4f}"
    look = one.method == "model" and not rolled_out
    closer = "\nOmit --model for a rollout of this decision." if look else ""
    return f"{told}; its error is {one.error:.4f}.{closer}"


def review_json(
    judged: "Sequence[Decision]", problems: "Sequence[str]"
) -> dict[str, object]:
    from dataclasses import asdict

    from bearoff.analysis.review import MEASURED, UNIT, decision_json, totals
    from bearoff.app.reviews import PATIENCE

    made = _made(judged)
    return {
        "unit": UNIT,
        "solving_seconds": PATIENCE,
        "decisions": [decision_json(one) for one in judged],
        "totals": [asdict(one) for one in sorted(totals(made, _kind), key=_NAME)],
        "players": [asdict(one) for one in totals(made, _match)],
        "races": [asdict(one) for one in totals(_of_races(made), _match)],
        "estimates": asdict(MEASURED),
        "problems": list(problems),
    }


def write_review(
    folder: Path, judged: "Sequence[Decision]", problems: "Sequence[str]", title: str
) -> None:
    from bearoff.analysis.output import writing_to
    from bearoff.analysis.review import card_of, review_page, write_cards, write_rows
    from bearoff.storage import write_atomic

    with writing_to(folder):
        page = review_page(judged, problems, title)
        write_atomic(folder / "review.html", page.encode())
        for suffix in (".csv", ".parquet"):
            write_rows(folder / f"review{suffix}", judged)
        mistakes = [one for one in judged if one.is_mistake]
        cards = write_cards(folder / "mistakes.apkg", map(card_of, mistakes), title)
    note(
        f"{folder}: review.html, review.csv, review.parquet, mistakes.apkg ({cards} cards)"
    )


def line_of(one: "Decision") -> str:
    """Format a mistake as one line."""
    from bearoff.analysis.review import UNIT

    where = ", ".join(filter(None, (_place(one), one.player)))
    return f"{one.cost:.{one.digits}f} {UNIT}  {where}: {one.done}; best: {one.best}"


def _where(one: "Decision", judged: "Sequence[Decision]") -> str:
    """Return the location of a decision, with the file name if there are several files."""
    file = f"{one.source}, " if len({each.source for each in judged}) > 1 else ""
    return f"{file}{_place(one)}"


def _place(one: "Decision") -> str:
    """Return the game and line of a decision, or only the line of a position in a list."""
    return f"game {one.game}, line {one.line}" if one.game else f"line {one.line}"


def _kind(one: "Decision") -> tuple[str, ...]:
    return one.player, one.kind, one.length


def _match(one: "Decision") -> tuple[str, ...]:
    return one.source, one.player


def _made(judged: "Sequence[Decision]") -> "list[Decision]":
    """Return the decisions for which the player's choice is known."""
    return [one for one in judged if one.decided]


def _of_races(judged: "Sequence[Decision]") -> "list[Decision]":
    return [one for one in judged if one.in_race]


def _of_file(one: "Decision") -> list[str]:
    return ["", ""] if one.file is None else [one.file.best, f"{one.file.equity:.4f}"]


def _how(one: "Decision") -> str:
    """Return how a decision was judged; before the races, always by an estimate."""
    return one.method if one.in_race else "estimate"
