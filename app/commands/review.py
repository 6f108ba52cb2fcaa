"""`bearoff review`: the races of matches judged, decision by decision."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.formulas import formula_named, formulas_by_name
from app.options import FormulaBeside, Json, Quiet
from app.output import note, say, say_json, say_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.formulas import WorkedFormula
    from analysis.review import Judged, Total
    from bearoff.answers import Judge

SUFFIXES = (".mat", ".sgf", ".txt")
"""Files of a folder that are read."""

PATIENCE = 1.0
"""Seconds for solving a race at a score, which serves the later races of its game."""

WORST = 10
"""Mistakes that are listed."""


def review(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="MATCH...",
            help="Matches as .mat, .sgf or eXtreme Gammon's text, or folders of them.",
            show_default=False,
        ),
    ],
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write review.html, review.csv, review.parquet and mistakes.apkg there.",
            show_default=False,
        ),
    ] = None,
    formula: FormulaBeside = "ladder",
    error: Annotated[
        float,
        typer.Option(
            metavar="POINTS",
            min=0.0001,
            max=1.0,
            help="Standard error of rollouts, where nothing exact holds the race.",
        ),
    ] = 0.01,
    model: Annotated[
        bool,
        typer.Option(
            "--model", help="No rollouts: the fast model where nothing exact is at hand."
        ),
    ] = False,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Judge the races of matches: what each choice cost.

    Finds where contact ends, and judges every double, take and play from there on:
    exactly where a table holds the race or it can be solved at the score, else by
    rollouts. A mistake costs more than its error.

    \b
    bearoff review match.mat
    bearoff review matches/ --to review
    """
    from analysis.review import Review, review as judge_match
    from bearoff import BearoffError
    from game.records import race_decisions, read_match
    from sim.engine import progress_bar

    chosen = formula_named(formula, formulas_by_name(None))
    judge = _judge(error, model=model)
    whole = Review([], [])
    paths = _matches(files)
    matches = []
    for path in paths:
        try:
            matches.append(read_match(path))
        except BearoffError as problem:
            if len(paths) == 1:
                raise
            whole.problems.append(str(problem))
    total = sum(len(race_decisions(match)[0]) for match in matches)
    with progress_bar("review", total, show=not quiet, unit="decisions") as bar:
        for match in matches:
            found = judge_match(match, judge, chosen, bar.update)
            whole.judged.extend(found.judged)
            whole.problems.extend(found.problems)
    if to is not None:
        _write(to, whole.judged, whole.problems, title=f"Races of {paths[0].stem}")
    if json:
        say_json(_as_json(whole.judged, whole.problems))
    else:
        _show(whole.judged, whole.problems, chosen)


def _matches(files: "Sequence[Path]") -> list[Path]:
    """Return the files, and those of the folders."""
    from game.records import RecordError

    found: list[Path] = []
    for path in files:
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES)
            if not inside:
                raise RecordError(f"{path} holds no match: no {', '.join(SUFFIXES)}")
            found += inside
        else:
            found.append(path)
    return found


def _judge(error: float, *, model: bool) -> "Judge":
    from bearoff.answers import Judge
    from sim.answers import Rolled
    from sim.rollouts import Goal

    if model:
        return Judge(patience=PATIENCE)
    return Judge(
        roll_out=lambda race: Rolled(race, Goal(error, 1_000_000)), patience=PATIENCE
    )


def _write(
    folder: Path, judged: "Sequence[Judged]", problems: "Sequence[str]", title: str
) -> None:
    from analysis.output import writing_to
    from analysis.review import card_of, review_page, write_cards, write_rows
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


def _totals(judged: "Sequence[Judged]") -> "list[Total]":
    from analysis.review import totals

    return sorted(
        totals(judged, lambda one: (one.player, one.kind, one.length)),
        key=lambda total: total.name,
    )


def _as_json(judged: "Sequence[Judged]", problems: "Sequence[str]") -> dict[str, object]:
    from dataclasses import asdict

    from analysis.review import as_row

    return {
        "decisions": [as_row(one) for one in judged],
        "totals": [asdict(total) for total in _totals(judged)],
        "problems": list(problems),
    }


def _show(
    judged: "Sequence[Judged]", problems: "Sequence[str]", formula: "WorkedFormula"
) -> None:
    for problem in problems:
        note(problem)
    if not judged:
        say("No decision in a race was found.")
        return
    head = ["player", "<kind", "<race", "decisions", "mistakes", "lost", "formula wrong"]
    rows = [
        [
            *total.name,
            f"{total.decisions:,}",
            f"{total.mistakes:,}",
            f"{total.lost:.4f}",
            f"{total.formula_differs:,}" if total.name[1] != "play" else "",
        ]
        for total in _totals(judged)
    ]
    say_table(head, rows)
    mistakes = sorted(
        (one for one in judged if one.is_mistake), key=lambda one: -one.points
    )
    say()
    if not mistakes:
        say("No decision cost more than its error.")
        return
    say("The costliest:")
    say_table(
        ["where", "<player", "<chosen", "<right", "lost", "<unit"],
        [
            [
                f"game {one.game}, line {one.line}",
                one.player,
                one.decided,
                one.best,
                f"{one.points:.4f}",
                one.unit,
            ]
            for one in mistakes[:WORST]
        ],
    )
    say(f"The formula is {formula.name}; it knows no score.")
