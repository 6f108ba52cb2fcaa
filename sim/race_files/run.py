"""Answers to all races in a file; partial answers are stored until the file is complete."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import bearoff
from bearoff.answers import FIELDS, PARTS, Judge, OutOfPatience, Question, answer_many
from bearoff.errors import printable
from bearoff.sim.race_files.files import STREAM, Writer, format_of, read_sheet
from bearoff.sim.race_files.pieces import Pieces, claimed_pieces
from bearoff.sim.race_files.rows import question_of
from bearoff.sim.race_files.sheet import RowFile
from bearoff.sim.race_files.summary import AnswerSummary, summary_of
from bearoff.sim.race_files.waiting import SolvingTimer, Wait
from bearoff.sim.storage import RunError

VERSION = 3
"""Version of the answers. Partial answers of other versions are ignored."""

FIRST, MOST = 1, 20_000
"""Number of rows that are answered in the first step, and maximum number of rows in one
step."""

_PIECE_SECONDS = 4.0
"""Approximate interval in seconds at which partial answers are stored."""

_DIGITS = 12
"""Number of decimals to which answers are rounded."""


def answer_file(
    source: str,
    target: str,
    judge: Judge,
    options: Mapping[str, str | float | None],
    *,
    on_rows: Callable[[int, int], object] = lambda done, rows: None,
    on_wait: Callable[[Wait], object] = lambda wait: None,
) -> AnswerSummary:
    """Answer the questions about races in a file, one question per row.

    The time limit of `judge` applies to all rows together. After an interruption, partial
    answers remain stored for the next call. If answers go to standard output, all rows are
    written even then; unanswered rows have an error message.

    Parameters
    ----------
    source, target : str
        Paths of CSV, JSON lines or Parquet files, according to the extension; ``-`` for
        standard input and output, in the format of the input. A text without a header is a
        list of positions.
    judge : Judge
        Judge that answers the questions.
    options : mapping of str to str, float or None
        Settings that affect the answers, in addition to the rows and the tables. Partial
        answers that were stored with other settings are not used.
    on_rows : callable
        Function that is called with the number of answered rows and the number of all rows.
    on_wait : callable
        Function that is called with the expected solving time, before and during solving.

    Raises
    ------
    RunError
        If the source cannot be read, or contains a column with the name of an answer. If
        the target cannot be written, or another process is writing it. If partial answers
        to the target were stored with other options.
    """
    started = time.monotonic()
    if target != STREAM:
        _check_target(target)
    sheet = read_sheet(source, PARTS)
    _check_columns(source, sheet)
    writer = Writer(sheet, target)
    asked = {"version": VERSION, "rows": sheet.digest, **options}
    on_rows(0, len(sheet))
    with (
        nullcontext() if target == STREAM else claimed_pieces(Path(target), asked) as pieces
    ):
        work = _Work(sheet, judge, pieces, on_rows, on_wait)
        try:
            work.answer()
        except KeyboardInterrupt:
            if target == STREAM:
                writer.write(work.answers())
            raise
        answers, resumed = work.answers(), work.resumed
        writer.write(answers)
    repeated = 0 if pieces is None else pieces.refused
    return summary_of(answers, resumed, repeated, time.monotonic() - started)


def _check_target(target: str) -> None:
    """Raise an error if the output file cannot be created."""
    format_of(target)
    path = Path(target)
    if path.exists() and not path.is_file():
        raise RunError(f"{target} exists and is not a regular file; choose another name")
    if not path.parent.is_dir():
        raise RunError(
            f"the folder {path.parent} for {target} does not exist; create it first"
        )


def _check_columns(source: str, sheet: RowFile) -> None:
    source = "standard input" if source == STREAM else source
    clash = [name for name in sheet.names if name in OUTPUT]
    if clash:
        raise RunError(
            f"{source} already has a column {clash[0]!r}, which the answers would use; "
            "rename it"
        )
    if not {"position", "roller"} & set(sheet.names):
        shown = ", ".join(map(repr, sheet.names[:10]))
        raise RunError(
            f"{source} must have a column 'position', or columns 'roller' and 'opponent', "
            f"or be a list of positions; its columns are {shown or 'none'}"
        )


class _Work:
    """Answers to one file of races, while they are being computed.

    Rows whose answers are in tables come first, in the order of the file. Then races at
    match scores are solved in groups. Rollouts, and answers of the fast model, come last.
    """

    def __init__(
        self,
        sheet: RowFile,
        judge: Judge,
        pieces: Pieces | None,
        on_rows: Callable[[int, int], object],
        on_wait: Callable[[Wait], object],
    ) -> None:
        self._sheet, self._judge, self._pieces = sheet, judge, pieces
        self._on_rows, self._on_wait = on_rows, on_wait
        self._found: list[pa.Table] = []
        self._done, self._next, self._size = 0, 0, FIRST
        self.resumed = 0

    def answers(self) -> pa.Table:
        """Return the answers to all rows; an unanswered row has an error message."""
        found = pa.concat_tables(
            self._found or [answer_rows(self._sheet, range(0), self._judge)]
        )
        if self._done < len(self._sheet):
            missing = np.setdiff1d(np.arange(len(self._sheet)), found.column(ROW))
            told = pa.array([STOPPED] * len(missing), pa.string())
            left = pa.table({ROW: pa.array(missing, pa.int64()), "problem": told})
            found = pa.concat_tables([found, left], promote_options="default")
        return found.sort_by(ROW).drop_columns([ROW])

    def answer(self) -> None:
        """Answer all rows, and store partial answers at intervals."""
        rows = len(self._sheet)
        later: list[int] = []
        while self._next < rows:
            first = self._next
            if (table := self._load()) is None:
                began = time.monotonic()
                last = min(first + self._size, rows)
                if self._pieces is not None:
                    last = self._pieces.next_first(first, last)
                own = range(first, last)
                table = answer_rows(self._sheet, own, self._judge, [])
                self._size = next_size(self._size, time.monotonic() - began)
                self._keep(last, table)
            later += sorted({*range(first, self._next)}.difference(_rows_of(table)))
        while later and self._next < rows + len(later):
            if (table := self._load()) is None:
                break
        later = sorted(set(later).difference(*map(_rows_of, self._found)))
        self._solve(later)
        size = FIRST
        while later:
            began = time.monotonic()
            self._keep_rows(later[:size])
            del later[:size]
            size = next_size(size, time.monotonic() - began)

    def _solve(self, later: list[int]) -> None:
        """Solve and answer races within the time limit; remove their rows from `later`."""
        solving = self._judge.solving
        races = {row: question_of(self._sheet.row(row)).race for row in later}
        rows = [row for row in later if solving.solves(races[row])]
        groups = solving.groups([races[row] for row in rows])
        groups.sort(key=lambda group: group.seconds)
        told = solving.progress
        try:
            wait = SolvingTimer(groups, solving.patience, len(rows), self._on_wait)
            solving.progress = wait.update
            for group in groups:
                if not wait.begin(group):
                    break
                solving.solve(group)
                own = [rows[k] for k in group.rows]
                for first in range(0, len(own), MOST):
                    self._keep_rows(own[first : first + MOST])
                later[:] = sorted(set(later) - set(own))
        except OutOfPatience:
            pass
        finally:
            solving.progress = told

    def _load(self) -> pa.Table | None:
        """Return stored answers that begin at the next row; None if there are none."""
        if self._pieces is None:
            return None
        loaded = self._pieces.load(self._next, _identity(self._judge))
        if loaded is None:
            return None
        last, table = loaded
        self.resumed += table.num_rows
        self._take(last, table)
        return table

    def _keep_rows(self, rows: list[int]) -> None:
        """Answer some rows by tables, rollouts or the fast model, and store the answers."""
        table = answer_rows(self._sheet, rows, self._judge)
        self._keep(self._next + len(rows), table)

    def _keep(self, last: int, table: pa.Table) -> None:
        if self._pieces is not None:
            self._pieces.save(self._next, last, table, _identity(self._judge))
        self._take(last, table)

    def _take(self, last: int, table: pa.Table) -> None:
        self._next = last
        self._found.append(table)
        self._done += table.num_rows
        self._on_rows(self._done, len(self._sheet))


def _rows_of(table: pa.Table) -> list[int]:
    found: list[int] = table.column(ROW).to_pylist()
    return found


def next_size(size: int, seconds: float) -> int:
    """Return the number of rows to answer next, so that they take a few seconds.

    Examples
    --------
    >>> next_size(20, 0.01), next_size(20_000, 1.0), next_size(20, 40.0)
    (160, 20000, 2)
    """
    factor = min(_PIECE_SECONDS / max(seconds, 1e-3), 8.0)
    return max(1, min(int(size * factor), MOST))


def _identity(judge: Judge) -> list[list[int | str]]:
    """Return the digests of the two-sided tables that `judge` uses."""
    tables = [one.table for one in judge.tables]
    return sorted([t.points, t.checkers, *map(t.digest, t.planes)] for t in tables)


def answer_rows(
    sheet: RowFile, rows: Sequence[int], judge: Judge, left: list[int] | None = None
) -> pa.Table:
    """Answer the questions in given rows; return a table with row numbers and answers.

    Only existing tables are used, and no race at a match score is solved. If `left` is
    given, rows without an immediate answer are left out of the result, and added to `left`.
    """
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
    answers = answer_many(judge, asked, solve=False, left=left)
    for place, problem in zip(places, answers.problem, strict=True):
        problems[place] = problem
    at = np.array(places, dtype=np.int64)
    columns = {ROW: pa.array(rows, pa.int64())}
    columns |= {name: _spread(answers.field(name), at, len(rows)) for name in FIELDS}
    no_answer = pc.is_null(columns["kind"])
    for name in ("too_close", "cube_dead"):
        columns[name] = pc.if_else(no_answer, None, columns[name])
    told = [printable(problem) or None for problem in problems]
    columns["problem"] = pa.array(told, pa.string())
    answered = np.ones(len(rows), dtype=bool)
    answered[at[left or []]] = False
    return pa.table(columns).filter(pa.array(answered))


def _spread(values: Any, at: "np.ndarray[Any, Any]", count: int) -> pa.Array:
    """Return a column of length `count` with `values` at `at`, and null elsewhere."""
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
"""Names of the columns in the output file that contain answers."""

ROW = "row"
"""Name of the column with row numbers in partial answers."""

STOPPED = "not answered, because the command was interrupted"
"""Error message for rows that were not answered because of an interruption."""
