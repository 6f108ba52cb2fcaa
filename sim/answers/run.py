"""Answer a file of races: piece by piece, kept until all are answered."""

import hashlib
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import bearoff
from bearoff.answers import NUMBERS, Answers, Judge, Question, answer_many
from bearoff.storage import atomic_path, write_atomic
from sim.answers.rows import question_of
from sim.answers.sheet import STREAM, Sheet, format_of, read_sheet, write_sheet
from sim.storage import RunError

VERSION = 1
"""Raised whenever answers change, which makes pieces that are kept stale."""

TOGETHER, ALONE = 20_000, 20
"""Rows of a piece where they are answered together, and where each is rolled out."""

_DIGITS = 7
"""Decimals of what is written."""


@dataclass(frozen=True)
class Judged:
    """What was played or decided, in sum.

    Attributes
    ----------
    count, mistakes : int
        How many, and how many of them cost something beyond their error.
    cost : float
        Of all together, in points at a cube of 1, or normalised at a score.
    """

    count: int
    mistakes: int
    cost: float


@dataclass(frozen=True)
class Summary:
    """What became of a file.

    Attributes
    ----------
    rows, problems : int
        Rows in all, and those without an answer.
    kinds : dict of str to int
        Answers by kind.
    played, decided : Judged
        What was judged.
    first_problem : str
        The first row's without an answer, with its number; empty if there is none.
    resumed : int
        Rows that an earlier call had answered.
    seconds : float
        This call took.
    """

    rows: int
    problems: int
    kinds: dict[str, int]
    played: Judged
    decided: Judged
    first_problem: str
    resumed: int
    seconds: float


def answer_file(
    source: str,
    target: str,
    judge: Judge,
    options: str,
    *,
    together: bool = True,
    on_rows: Callable[[int, int], object] = lambda done, rows: None,
) -> Summary:
    """Answer the races of a file, a row each; see `sim.answers.rows` for its columns.

    Parameters
    ----------
    source, target : str
        Files of CSV, JSON lines or Parquet by their endings; ``-`` for standard input and
        output, which is as the input.
    judge : Judge
        Who answers.
    options : str
        All that the answers depend on besides; pieces of other options are not resumed.
    together : bool
        Whether many rows take no longer than a few: not with rollouts.
    on_rows : callable
        Called with the rows done and the rows in all.

    Raises
    ------
    RunError
        If the source cannot be read, has a column that answers have, or pieces of
        another call are there.
    """
    started = time.monotonic()
    if target != STREAM:
        format_of(target)  # Before anything takes long.
    sheet = read_sheet(source)
    clash = [name for name in sheet.columns if name in OUTPUT]
    if clash:
        raise RunError(f"{source} has a column {clash[0]!r} already; rename it")
    if not {"position", "roller"} & sheet.columns.keys():
        raise RunError(
            f"{source} has neither a column 'position' nor 'roller' and 'opponent'; it has "
            f"{', '.join(map(repr, list(sheet.columns)[:10])) or 'none'}"
        )
    size = TOGETHER if together else ALONE
    pieces = _Pieces(target, sheet, options, size)
    on_rows(0, len(sheet))
    tables, resumed = [], 0
    for first in range(0, len(sheet), size):
        last = min(first + size, len(sheet))
        table = pieces.load(first)
        if table is None:
            table = answer_rows(sheet, range(first, last), judge)
            pieces.save(first, table)
        else:
            resumed += last - first
        tables.append(table)
        on_rows(last, len(sheet))
    answers = pa.concat_tables(tables) if tables else _empty()
    columns = {name: answers.column(name) for name in answers.column_names}
    write_sheet(target, sheet, columns, format_of(target, sheet.kind))
    pieces.clear()
    return _summary(answers, resumed, time.monotonic() - started)


def answer_rows(sheet: Sheet, rows: range, judge: Judge) -> pa.Table:
    """Answer some rows; return a table of `OUTPUT`."""
    problems = [sheet.problems[row] for row in rows]
    asked: list[Question] = []
    places = []
    for place, row in enumerate(rows):
        if problems[place]:
            continue
        try:
            asked.append(question_of(sheet.row(row)))
            places.append(place)
        except bearoff.BearoffError as error:
            problems[place] = str(error)
    answers = answer_many(judge, asked)
    for place, problem in zip(places, answers.problem, strict=True):
        problems[place] = problem
    at = np.array(places, dtype=np.int64)
    columns = {name: _spread(of(answers), at, len(rows)) for name, of in OUTPUT.items()}
    columns["problem"] = pa.array([problem or None for problem in problems], pa.string())
    return pa.table(columns)


def _spread(values: Any, at: "np.ndarray[Any, Any]", count: int) -> pa.Array:
    """Put values at their rows, null elsewhere and where they are NaN or empty."""
    if isinstance(values, list) or values.dtype.kind == "U":
        texts: list[str | None] = [None for _ in range(count)]
        for place, value in zip(at.tolist(), values, strict=True):
            texts[place] = str(value) if value is not None and value != "" else None
        return pa.array(texts, pa.string())
    if values.dtype.kind == "b":
        truths = np.zeros(count, dtype=bool)
        truths[at] = values
        known = np.zeros(count, dtype=bool)
        known[at] = True
        return pa.array(truths, mask=~known)
    numbers = np.full(count, np.nan)
    numbers[at] = np.round(values, _DIGITS)
    return pa.array(numbers, from_pandas=True)


OUTPUT: dict[str, Callable[[Answers], Any]] = {
    "kind": lambda answers: answers.kind,
    **{name: itemgetter(name) for name in NUMBERS[:6]},
    "action": lambda answers: answers.action,
    "too_close": lambda answers: answers.too_close,
    **{name: itemgetter(name) for name in NUMBERS[6:14]},
    "best_play": lambda answers: answers.best_play,
    **{name: itemgetter(name) for name in NUMBERS[14:] if name != "best_error"},
    "problem": lambda answers: answers.problem,
}
"""Columns of answers, and how each follows."""


def _empty() -> pa.Table:
    return pa.table({name: pa.array([], pa.string()) for name in OUTPUT})


class _Pieces:
    """Answers of a call that is not done, beside the file they are for."""

    def __init__(self, target: str, sheet: Sheet, options: str, size: int) -> None:
        self._folder = None
        if target == STREAM or len(sheet) <= size:
            return  # Nothing to resume, or done at once.
        self._folder = Path(f"{target}.pieces")
        asked = json.dumps([VERSION, options, size, sheet.columns], default=str)
        digest = hashlib.sha256(asked.encode()).hexdigest()
        note = self._folder / "asked.json"
        if self._folder.exists():
            if not note.is_file() or note.read_text(encoding="utf-8").strip() != digest:
                raise RunError(
                    f"{self._folder} holds answers to other rows or by other options, not "
                    "finished; delete it, or name another --to"
                )
            return
        self._folder.mkdir(parents=True)
        write_atomic(note, f"{digest}\n".encode())

    def load(self, first: int) -> pa.Table | None:
        """Return the piece that begins with a row, None if it is not answered."""
        path = self._path(first)
        if path is None or not path.is_file():
            return None
        try:
            table = parquet.read_table(path)
        except (pa.ArrowException, OSError):
            return None  # It is answered again.
        return table if table.column_names == list(OUTPUT) else None

    def save(self, first: int, table: pa.Table) -> None:
        path = self._path(first)
        if path is not None:
            with atomic_path(path) as fresh:
                parquet.write_table(table, fresh)

    def clear(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder)

    def _path(self, first: int) -> Path | None:
        return None if self._folder is None else self._folder / f"{first:010}.parquet"


def _summary(answers: pa.Table, resumed: int, seconds: float) -> Summary:
    problems = answers.column("problem").to_pylist()
    bad = [row for row, problem in enumerate(problems) if problem]
    kinds = answers.column("kind").value_counts().to_pylist()
    return Summary(
        rows=answers.num_rows,
        problems=len(bad),
        kinds={one["values"]: one["counts"] for one in kinds if one["values"]},
        played=_judged(answers, "played"),
        decided=_judged(answers, "decided"),
        first_problem=f"row {bad[0] + 1}: {problems[bad[0]]}" if bad else "",
        resumed=resumed,
        seconds=seconds,
    )


def _judged(answers: pa.Table, what: str) -> Judged:
    cost, error = (
        answers.column(f"{what}_{name}").to_numpy().astype(float)
        for name in ("cost", "error")
    )
    known = ~np.isnan(cost)
    mistakes = int((cost[known] > error[known]).sum())
    return Judged(int(known.sum()), mistakes, float(cost[known].sum()))
