"""Answers to a file of races, and what they add up to."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from app.output import amount, note, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff import MatchEquities, Race
    from bearoff.answers import Source
    from sim.answers import Judged, Summary


def answer_many_races(
    source: str | None,
    target: str | None,
    error: float | None,
    match_equities: str | None,
    *,
    seed: int,
    workers: int | None,
    quiet: bool,
    json: bool,
    model: bool,
) -> None:
    """Answer a file of races and sum up."""
    from bearoff import BearoffError, match_equities as standard, read_match_equities
    from bearoff.answers import Judge
    from sim.answers import answer_file
    from sim.engine import progress_bar

    if source is None:
        raise BearoffError("--to needs --from, a file of races or -")
    target = target or "-"
    if json and target == "-":
        raise BearoffError("--json sums up on standard output; name a file with --to")
    if model and error is not None:
        raise BearoffError("--model asks for no rollouts, --error for some; leave one out")
    equities = None if match_equities is None else read_match_equities(match_equities)
    roll_out = None
    if error is not None:
        roll_out = _roll_out(error, equities, seed, workers)
    options: dict[str, str | float | None] = {
        "error": error,
        "model": model,
        "seed": seed,
        "match_equities": _digest(equities or standard()),
    }
    bars: list[Any] = []

    def on_rows(done: int, rows: int) -> None:
        if not bars:  # The file is read by now.
            bars.append(progress_bar("race", rows, show=not quiet, unit="races"))
        bars[0].update(done - bars[0].n)

    try:
        summary = answer_file(
            source,
            target,
            Judge(roll_out=roll_out, equities=equities),
            options,
            on_rows=on_rows,
        )
    finally:
        for bar in bars:
            bar.close()
    if json:
        say_json(asdict(summary))
    elif target == "-":
        note(_in_a_line(summary))
    else:
        _show(summary, target)


def _roll_out(
    error: float, equities: "MatchEquities | None", seed: int, workers: int | None
) -> "Callable[[Race], Source]":
    def source(race: "Race") -> "Source":
        from sim.answers import Rolled
        from sim.rollouts import Goal

        return Rolled(
            race,
            Goal(error, 1_000_000),
            seed=seed,
            equities=equities,
            workers=workers or "auto",
        )

    return source


def _digest(equities: "MatchEquities") -> str:
    from sim.storage import seal

    numbers = (equities.before, equities.post_crawford)
    return seal.digest(*(values.tobytes() for values in numbers))


def _in_a_line(summary: "Summary") -> str:
    said = f"{amount(summary.rows - summary.problems, 'races')} answered"
    if summary.problems:
        said += f"; {amount(summary.problems, 'rows')} not, first {summary.first_problem}"
    if summary.repeated:
        said += (
            f"; {amount(summary.repeated, 'rows')} answered again, what was stored of them "
            "being damaged or from other tables"
        )
    return said


def _show(summary: "Summary", target: str) -> None:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in summary.kinds.items())
    resumed = f" ({summary.resumed:,} of them before)" if summary.resumed else ""
    say(f"{_in_a_line(summary)}.")
    if kinds:
        say(f"{kinds}{resumed}, in {summary.seconds:.1f} s: {target}")
    rows = [
        (name, *_judged(judged))
        for name, judged in (("plays", summary.played), ("decisions", summary.decided))
        if judged.count
    ]
    if rows:
        say()
        say_table(("judged", "number", "mistakes", "cost", "cost of each"), rows)


def _judged(judged: "Judged") -> tuple[str, ...]:
    mean = judged.cost / judged.count
    return f"{judged.count:,}", f"{judged.mistakes:,}", f"{judged.cost:.3f}", f"{mean:.4f}"
