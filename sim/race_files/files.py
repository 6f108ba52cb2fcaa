"""Reading and writing of files of races, whose format follows from the file extension."""

import csv
import hashlib
import sys
from collections.abc import Collection
from pathlib import Path
from typing import IO

import pyarrow as pa

from bearoff.runtime import memory_available
from bearoff.sim.race_files.conversion import converted, write_table
from bearoff.sim.race_files.csv_rows import read_csv
from bearoff.sim.race_files.json_rows import read_json_lines
from bearoff.sim.race_files.listed import is_list, read_list
from bearoff.sim.race_files.parquet_rows import read_parquet
from bearoff.sim.race_files.sheet import Format, RowFile
from bearoff.sim.storage import RunError, parquet_input, require_file
from bearoff.storage import atomic_path

STREAM = "-"
"""File name that means standard input or standard output."""

_FORMATS: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
}


def format_of(path: str, otherwise: Format | None = None) -> Format:
    found = _FORMATS.get(Path(path).suffix.lower(), otherwise)
    if found is None:
        raise RunError(f"the file must end in .csv, .jsonl or .parquet, got {path!r}")
    return found


def read_sheet(path: str, asked: Collection[str]) -> RowFile:
    """Read a file of races, or standard input."""
    try:
        if path == STREAM:
            if sys.stdin is None:
                raise ValueError("standard input is closed")
            return _read(sys.stdin.buffer.read(), None, asked)
        kind = format_of(path)
        require_file(path)
        if kind == "parquet":
            with Path(path).open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            return read_parquet(path, asked, digest)
        size = Path(path).stat().st_size
        if 20 * size > memory_available():
            raise RunError(
                f"{path} has {size:,} bytes, which do not fit into the free memory"
            )
        return _read(Path(path).read_bytes(), kind, asked)
    except (pa.ArrowException, OSError, ValueError, csv.Error) as error:
        if isinstance(error, RunError):
            raise
        name = "standard input" if path == STREAM else path
        reason = parquet_input.in_one_line(error)
        raise RunError(f"cannot read {name}: {reason}") from error


def _read(data: bytes, kind: Format | None, asked: Collection[str]) -> RowFile:
    digest = hashlib.sha256(data).hexdigest()
    if kind is None and data[:4] == b"PAR1":
        return read_parquet(data, asked, digest)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ValueError("the encoding is UTF-16; save the file as UTF-8")
    # Bytes that are not UTF-8, such as Latin-1 letters, appear unchanged in the output
    # file.
    text = data.decode("utf-8", errors="surrogateescape")
    if kind == "jsonl" or (kind is None and text.lstrip("\ufeff \t\r\n")[:1] == "{"):
        return read_json_lines(text, asked, digest)
    if is_list(text, asked):
        return read_list(text, digest)
    return read_csv(text, asked, digest)


class Writer:
    """Output file to which the original rows and their answers are written.

    Parameters
    ----------
    sheet : RowFile
    path : str
        Path of the output file, whose extension determines the format. Standard output uses
        the input's format.

    Raises
    ------
    RunError
        If a column cannot be converted to the output format. No row has been answered then.
    """

    def __init__(self, sheet: RowFile, path: str) -> None:
        self._sheet, self._path = sheet, path
        self._kind = format_of(path, sheet.kind if path == STREAM else None)
        self._table = None
        if self._kind != sheet.kind:
            self._table = converted(sheet, self._kind)

    def write(self, answers: "pa.Table") -> None:
        """Write the rows with their answers; the file appears only when it is complete."""
        if self._path == STREAM:
            self._write(sys.stdout.buffer, answers)
            sys.stdout.buffer.flush()
            return
        with atomic_path(Path(self._path)) as fresh, fresh.open("wb") as stream:
            self._write(stream, answers)

    def _write(self, stream: IO[bytes], answers: "pa.Table") -> None:
        if self._table is None:
            self._sheet.body.append(stream, answers)
            return
        table = self._table
        for name in answers.column_names:
            table = table.append_column(name, answers.column(name))
        write_table(stream, table, self._kind)
