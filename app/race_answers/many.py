"""Evaluation of all races in a file, with a progress display and a summary."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bearoff.app.interruption import interruptible
from bearoff.app.output import BAD_INPUT, amount, duration, note, say, say_json, say_table
from bearoff.app.progress import LONG
from bearoff.app.race_answers.asked import Asked
from bearoff.app.race_answers.rolling import rolling_out

if TYPE_CHECKING:
    from bearoff import MatchEquities
    from bearoff.sim.race_files import AnswerSummary, JudgedTotal, Wait

FILE_PATIENCE = 15.0
"""Time limit in seconds for solving all races of a file."""


def answer_many_races(source: str | None, target: str | None, asked: Asked) -> None:
    """Evaluate all races in a file and print a summary.

    Raises
    ------
    typer.Exit
        If a row of the file cannot be answered. The error is raised after the answers to
        all other rows have been written.
    """
    from bearoff import BearoffError, match_equities as standard, read_match_equities
    from bearoff.answers import PARTS, Judge
    from bearoff.sim.race_files import answer_file

    if source is None:
        raise BearoffError("--to requires --from")
    given = [name for name in PARTS if getattr(asked, name, None) not in (None, False)]
    if given:
        raise BearoffError(
            "with --from, the positions, dice, cube and score are read from columns "
            f"of the file; omit {given[0]}"
        )
    target, error = target or "-", asked.error
    if target != "-" and source != "-" and Path(target).resolve() == Path(source).resolve():
        raise BearoffError(
            f"--to {target} would overwrite the input file of --from; choose another name"
        )
    if asked.json and target == "-":
        raise BearoffError(
            "--json prints a summary to standard output; specify a file with --to"
        )
    if asked.model and error is not None:
        raise BearoffError(
            "--model (no rollouts) cannot be combined with --error (precision of rollouts)"
        )
    path = asked.match_equities
    equities = standard() if path is None else read_match_equities(path)
    roll_out = None
    if error is not None:
        roll_out = rolling_out(error, asked.seed, asked.workers, show=False)
    patience = asked.waits(FILE_PATIENCE)
    options: dict[str, str | float | None] = {
        "error": error,
        "patience": patience,
        "seed": asked.seed,
        "match_equities": _digest(equities),
    }
    stored = "the races answered so far are written"
    if target != "-":
        stored = (
            f"finished answers are stored in {target}.pieces; run the same command again "
            "to continue"
        )
    with _Shown(show=not asked.quiet) as shown, interruptible(stored):
        summary = answer_file(
            source,
            target,
            Judge(roll_out=roll_out, equities=equities, patience=patience),
            options,
            on_rows=shown.rows,
            on_wait=shown.wait,
        )
    if asked.json:
        say_json(asdict(summary))
        if summary.problems:
            note(_in_a_line(summary))
    elif target == "-":
        note(_in_a_line(summary))
    else:
        _show(summary, target)
    if summary.problems:
        raise typer.Exit(BAD_INPUT)


_BAR = "{{l_bar}}{{bar}}| {{n_fmt}}/{{total_fmt}} [{}]"
_LINE = "{{desc}}: {{n_fmt}} of {{total_fmt}}{{unit}}, {}"
"""Formats in which tqdm shows progress and the remaining time: `_BAR` is for a terminal,
`_LINE` for all other outputs."""


class _Shown:
    """Progress display for a file of races: rows done, and remaining time for solving."""

    def __init__(self, *, show: bool) -> None:
        self._show, self._told = show, False
        self._bar: Any = None

    def __enter__(self) -> "_Shown":
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def rows(self, done: int, rows: int) -> None:
        from bearoff.sim.engine import progress_bar

        if self._bar is None:
            self._bar = progress_bar("race", rows, show=self._show, unit="races")
        if done == rows and self._told:
            self._left("nothing left")
        self._bar.update(done - self._bar.n)

    def wait(self, wait: "Wait") -> None:
        """Announce the estimated time for solving races, then show the remaining time."""
        if not self._show:
            return
        if not self._told and (wait.left_out or wait.seconds >= LONG):
            self._told = True
            said = []
            if wait.races:
                said.append(
                    f"solving {amount(wait.races, 'races')}: about "
                    f"{duration(wait.seconds)} on this machine"
                )
            if wait.left_out:
                said.append(
                    f"{amount(wait.left_out, 'races')} would take too long to solve; a "
                    "longer --patience solves more races"
                )
            self._bar.clear()
            note("; ".join(said))
        if self._told:
            self._left(f"about {duration(wait.left)} left")
            self._bar.update(0)

    def _left(self, text: str) -> None:
        self._bar.bar_format = (_BAR if sys.stderr.isatty() else _LINE).format(text)


def _digest(equities: "MatchEquities") -> str:
    from bearoff.storage import sealing

    numbers = (equities.before, equities.post_crawford)
    return sealing.digest(*(values.tobytes() for values in numbers))


def _in_a_line(summary: "AnswerSummary") -> str:
    said = f"{amount(summary.rows - summary.problems, 'races')} answered"
    if summary.problems:
        said += (
            f"; {amount(summary.problems, 'rows')} have errors, the first: "
            f"{summary.first_problem}"
        )
    if summary.repeated:
        said += (
            f"; {amount(summary.repeated, 'rows')} answered again, because their "
            "stored answers were damaged or came from other tables"
        )
    return said


def _show(summary: "AnswerSummary", target: str) -> None:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in summary.kinds.items())
    resumed = f" ({summary.resumed:,} of them in an earlier run)" if summary.resumed else ""
    say(f"{_in_a_line(summary)}.")
    if kinds:
        say(f"{kinds}{resumed}, in {summary.seconds:.1f} s: {target}")
    rows = [
        (name, *_judged(judged))
        for name, judged in (("plays", summary.played), ("decisions", summary.decided))
        if judged.count
    ]
    if rows:
        from bearoff.analysis.review import UNIT

        say()
        heads = ("judged", "number", "mistakes", f"cost, {UNIT}", "of each")
        say_table(heads, rows)


def _judged(judged: "JudgedTotal") -> tuple[str, ...]:
    mean = judged.cost / judged.count
    return f"{judged.count:,}", f"{judged.mistakes:,}", f"{judged.cost:.3f}", f"{mean:.4f}"
