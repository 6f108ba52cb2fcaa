"""Answer a file of races: piece by piece, kept until all are answered."""

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import bearoff
from bearoff.answers import FIELDS, PARTS, Judge, Question, answer_many
from bearoff.errors import printable
from sim.answers.files import STREAM, Writer, format_of, read_sheet
from sim.answers.pieces import Pieces, claimed
from sim.answers.rows import question_of
from sim.answers.sheet import Sheet
from sim.storage import RunError

VERSION = 2
"""Raised whenever answers change, which makes pieces that are kept stale."""

FIRST, MOST = 1, 20_000
"""Rows of the first piece, and of any; the next is of so many more or fewer as it takes."""

_PIECE_SECONDS = 4.0
"""Which a piece should take: so long nothing is told, and so much is lost at most."""

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
    repeated : int
        Rows whose stored answers were damaged, or from other tables, and that were
        answered again.
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
    repeated: int
    seconds: float


def answer_file(
    source: str,
    target: str,
    judge: Judge,
    options: Mapping[str, str | float | None],
    *,
    on_rows: Callable[[int, int], object] = lambda done, rows: None,
) -> Summary:
    """Answer the races of a file, a row each; see `sim.answers.rows` for its columns.

    Parameters
    ----------
    source, target : str
        Files of CSV, JSON lines or Parquet by their endings; ``-`` for standard input and
        output, which is as the input. A text without a heading is a list of positions.
    judge : Judge
        Who answers.
    options : mapping of str to str, float or None
        All that the answers depend on besides rows and tables, by names that a refusal
        may show; answers under way by other options are not resumed.
    on_rows : callable
        Called with the rows done and the rows in all.

    Raises
    ------
    RunError
        If the source cannot be read or has a column that answers have, the target cannot
        be written, another process is at it, or answers to other rows or by other options
        are under way there.
    """
    started = time.monotonic()
    if target != STREAM:
        _check_target(target)  # Before anything takes long.
    sheet = read_sheet(source, PARTS)
    _check_columns(source, sheet)
    writer = Writer(sheet, target)
    asked = {"version": VERSION, "rows": sheet.digest, **options}
    on_rows(0, len(sheet))
    with nullcontext() if target == STREAM else claimed(Path(target), asked) as pieces:
        tables, resumed = _answered(sheet, judge, pieces, on_rows)
        answers = pa.concat_tables(tables or [answer_rows(sheet, range(0), judge)])
        writer.write(answers)
    repeated = 0 if pieces is None else pieces.refused
    return _summary(answers, resumed, repeated, time.monotonic() - started)


def _check_target(target: str) -> None:
    """Refuse what no file can be written to, or put in the place of."""
    format_of(target)
    path = Path(target)
    if path.exists() and not path.is_file():
        raise RunError(f"{target} is there and is no file; name another target")
    if not path.parent.is_dir():
        raise RunError(f"there is no folder {path.parent} for {target}; make it")


def _check_columns(source: str, sheet: Sheet) -> None:
    source = "standard input" if source == STREAM else source
    clash = [name for name in sheet.names if name in OUTPUT]
    if clash:
        raise RunError(f"{source} has a column {clash[0]!r} already; rename it")
    if not {"position", "roller"} & set(sheet.names):
        shown = ", ".join(map(repr, sheet.names[:10]))
        raise RunError(
            f"{source} has neither a column 'position' nor 'roller' and 'opponent', and no "
            f"list of positions; it has {shown or 'none'}"
        )


def _answered(
    sheet: Sheet, judge: Judge, pieces: Pieces | None, on_rows: Callable[[int, int], object]
) -> tuple[list[pa.Table], int]:
    """Answer all rows, piece by piece; return the answers and how many were there."""
    found: list[pa.Table] = []
    first, resumed, size = 0, 0, FIRST
    while first < len(sheet):
        table = None if pieces is None else pieces.load(first, _identity(judge))
        if table is not None:
            resumed += table.num_rows
        else:
            began = time.monotonic()
            last = min(first + size, len(sheet))
            if pieces is not None:
                last = pieces.next_first(first, last)
            table = answer_rows(sheet, range(first, last), judge)
            if pieces is not None:
                pieces.save(first, table, _identity(judge))
            size = next_size(size, time.monotonic() - began)
        found.append(table)
        first += table.num_rows
        on_rows(first, len(sheet))
    return found, resumed


def next_size(size: int, seconds: float) -> int:
    """Return the rows of the piece that follows one of `size` rows in `seconds`.

    Examples
    --------
    >>> next_size(20, 0.01), next_size(20_000, 1.0), next_size(20, 40.0)
    (160, 20000, 2)
    """
    factor = min(_PIECE_SECONDS / max(seconds, 1e-3), 8.0)
    return max(1, min(int(size * factor), MOST))


def _identity(judge: Judge) -> list[list[int | str]]:
    """Name the tables that answers may come from, by what they hold."""
    tables = [one.table for one in judge.tables]
    return sorted([t.points, t.checkers, *map(t.digest, t.planes)] for t in tables)


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
    columns = {name: _spread(answers.field(name), at, len(rows)) for name in FIELDS}
    told = [printable(problem) or None for problem in problems]
    columns["problem"] = pa.array(told, pa.string())
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


OUTPUT = (*FIELDS, "problem")
"""Columns of answers."""


def _summary(answers: pa.Table, resumed: int, repeated: int, seconds: float) -> Summary:
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
        repeated=repeated,
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
