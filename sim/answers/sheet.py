"""Files of rows: CSV, JSON lines and Parquet read into columns, and written from them."""

import csv
import io
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

import pyarrow as pa
from pyarrow import csv as arrow_csv, parquet

from bearoff.runtime import memory_available
from bearoff.storage import atomic_path
from sim.storage import RunError, parquet_input, require_file

Format = Literal["csv", "jsonl", "parquet"]

STREAM = "-"
"""Standard input or output in place of a file."""

ROW_BYTES = 2000
"""Memory that a row takes, at most, while it is answered."""

_FORMATS: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
}


@dataclass(frozen=True, eq=False)
class Sheet:
    """Rows in columns.

    Attributes
    ----------
    columns : dict of str to list
        A value a row, None where it has none.
    problems : list of str
        Why a row could not be read; empty where it could.
    kind : {"csv", "jsonl", "parquet"}
        What it was read from.
    """

    columns: dict[str, list[Any]]
    problems: list[str]
    kind: Format

    def __len__(self) -> int:
        return len(self.problems)

    def row(self, index: int) -> dict[str, Any]:
        """Return the values of a row."""
        return {name: values[index] for name, values in self.columns.items()}


def format_of(path: str, otherwise: Format | None = None) -> Format:
    """Return the format that a path's ending names.

    Raises
    ------
    RunError
        If it names none.
    """
    found = _FORMATS.get(Path(path).suffix.lower(), otherwise)
    if found is None:
        raise RunError(
            f"answers are read and written as .csv, .jsonl or .parquet, got {path!r}"
        )
    return found


def read_sheet(path: str) -> Sheet:
    """Read a file, or standard input.

    Raises
    ------
    RunError
        If it cannot be read as a whole; a bad row is a problem of its own.
    """
    try:
        if path == STREAM:
            return _read(sys.stdin.buffer.read(), None)
        kind = format_of(path)
        require_file(path)
        if kind == "parquet":
            with parquet_input.open_parquet(
                *parquet_input.local(path), ROW_BYTES
            ) as opened:
                return _of_table(opened.read())
        size = Path(path).stat().st_size
        if 20 * size > memory_available():
            raise RunError(f"{path} has {size:,} bytes, for which there is no memory")
        return _read(Path(path).read_bytes(), kind)
    except (pa.ArrowException, OSError, ValueError, csv.Error) as error:
        if isinstance(error, RunError):
            raise
        reason = parquet_input.in_one_line(error)
        raise RunError(f"cannot read {path}: {reason}") from error


def _read(data: bytes, kind: Format | None) -> Sheet:
    if kind is None and data[:4] == b"PAR1":
        return _of_table(parquet.read_table(pa.BufferReader(data)))
    text = data.decode("utf-8-sig", errors="replace")
    if kind == "jsonl" or (kind is None and text.lstrip()[:1] == "{"):
        return _of_lines(text)
    return _of_csv(text)


def _of_table(table: pa.Table) -> Sheet:
    columns = {name: table.column(name).to_pylist() for name in table.column_names}
    return Sheet(columns, table.num_rows * [""], "parquet")


def _of_csv(text: str) -> Sheet:
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    names = [name.strip() for name in next(rows, [])]
    if not names:
        raise ValueError("it has no heading, which names the columns")
    if len(set(names)) < len(names):
        raise ValueError("two of its columns have the same name")
    kept: list[list[str]] = []
    problems = []
    for row in rows:
        if not row:
            continue
        problems.append(
            ""
            if len(row) == len(names)
            else f"the row has {len(row)} values, the heading {len(names)}; quote commas"
        )
        kept.append((row + len(names) * [""])[: len(names)])
    values = zip(*kept, strict=True) if kept else ((),) * len(names)
    return Sheet(dict(zip(names, map(list, values), strict=True)), problems, "csv")


def _of_lines(text: str) -> Sheet:
    rows: list[dict[str, Any]] = []
    problems = []
    for line in text.splitlines():
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            wrong = "" if isinstance(row, dict) else "the line is no JSON object"
        except (ValueError, RecursionError) as error:
            row, wrong = {}, f"the line is no JSON: {error}"
        rows.append(row if isinstance(row, dict) else {})
        problems.append(wrong)
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return Sheet(columns, problems, "jsonl")


def write_sheet(
    path: str, sheet: Sheet, answers: Mapping[str, "pa.Array"], kind: Format
) -> None:
    """Write the rows and their answers; a file appears whole or not at all.

    Raises
    ------
    OSError
        If it cannot be written; then there is what there was.
    """
    columns = {name: _column(values) for name, values in sheet.columns.items()}
    table = pa.table({**columns, **answers})
    if path == STREAM:
        _write(sys.stdout.buffer, table, kind)
        sys.stdout.buffer.flush()
        return
    with atomic_path(Path(path)) as fresh, fresh.open("wb") as stream:
        _write(stream, table, kind)


def _column(values: list[Any]) -> "pa.Array":
    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError):
        # Of several types: each as JSON has it.
        texts = [v if v is None or isinstance(v, str) else json.dumps(v) for v in values]
        return pa.array(texts, pa.string())


def _write(stream: IO[bytes], table: "pa.Table", kind: Format) -> None:
    if kind == "parquet":
        parquet.write_table(table, stream, compression="zstd")
    elif kind == "csv":
        arrow_csv.write_csv(table, stream)
    else:
        for batch in table.to_batches(max_chunksize=1000):
            lines = (json.dumps(row, ensure_ascii=False) for row in batch.to_pylist())
            stream.write("".join(f"{line}\n" for line in lines).encode())
