"""Answers to a file of races, and what they add up to."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from app.answers.asked import Asked
from app.answers.rolling import rolling_out
from app.output import amount, note, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff import MatchEquities
    from sim.answers import Judged, Summary


def answer_many_races(source: str | None, target: str | None, asked: Asked) -> None:
    """Answer a file of races and sum up.

    Raises
    ------
    BearoffError
        If options contradict each other, or the file cannot be answered.
    """
    from bearoff import BearoffError, match_equities as standard, read_match_equities
    from bearoff.answers import PARTS, Judge
    from sim.answers import answer_file
    from sim.engine import progress_bar

    if source is None:
        raise BearoffError("--to needs --from, a file of races or -")
    given = [name for name in PARTS if getattr(asked, name, None) not in (None, False)]
    if given:
        raise BearoffError(
            f"of a file, positions, dice, cube and score are columns; leave {given[0]} out"
        )
    target, error = target or "-", asked.error
    if asked.json and target == "-":
        raise BearoffError("--json sums up on standard output; name a file with --to")
    if asked.model and error is not None:
        raise BearoffError("--model asks for no rollouts, --error for some; leave one out")
    path = asked.match_equities
    equities = standard() if path is None else read_match_equities(path)
    roll_out = None
    if error is not None:
        roll_out = rolling_out(error, asked.seed, asked.workers, show=False)
    patience = 0.0 if asked.model else asked.patience
    options: dict[str, str | float | None] = {
        "error": error,
        "patience": patience,
        "seed": asked.seed,
        "match_equities": _digest(equities),
    }
    bars: list[Any] = []

    def on_rows(done: int, rows: int) -> None:
        if not bars:  # The file is read by now.
            bars.append(progress_bar("race", rows, show=not asked.quiet, unit="races"))
        bars[0].update(done - bars[0].n)

    try:
        summary = answer_file(
            source,
            target,
            Judge(roll_out=roll_out, equities=equities, patience=patience),
            options,
            on_rows=on_rows,
        )
    finally:
        for bar in bars:
            bar.close()
    if asked.json:
        say_json(asdict(summary))
    elif target == "-":
        note(_in_a_line(summary))
    else:
        _show(summary, target)


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
