"""Rows of a CSV file of races, which are kept as their original text."""

import csv
import io
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO

import pyarrow as pa
from pyarrow import csv as arrow_csv

from bearoff.sim.race_files.sheet import RowFile, require_utf8

_DELIMITERS = ",;\t"

_BOM = "\ufeff"

_TOGETHER = 10_000
"""Number of CSV rows that are written at once."""


@dataclass(frozen=True, eq=False)
class _CsvRows:
    """Rows of a CSV file, with its delimiter and byte order mark."""

    bom: str
    lines: list[str]
    delimiter: str

    def append(self, stream: IO[bytes], answers: "pa.Table") -> None:
        mark = self.delimiter
        records = _records(self.lines, mark)
        names, heading = next(records)
        heading, end = _split_end(heading)
        end = end or "\n"
        stream.write(
            _encoded(f"{self.bom}{mark.join((heading, *answers.column_names))}{end}")
        )
        for batch in answers.to_batches(max_chunksize=_TOGETHER):
            rows = []
            for own in _written(batch, mark):
                fields, text = next(records)
                text, own_end = _split_end(text)
                missing = len(names) - len(fields)
                if missing < 0:
                    text = _narrowed(fields, len(names), mark)
                rows.append(f"{text}{missing * mark}{mark}{own}{own_end or end}")
            stream.write(_encoded("".join(rows)))

    def table(self) -> "pa.Table":
        require_utf8("".join(self.lines))
        records = _records(self.lines, self.delimiter)
        names = _names(next(records)[0])
        width = len(names)
        rows = [_fitted(fields, width, self.delimiter) for fields, _ in records]
        columns = zip(*rows, strict=True) if rows else width * [()]
        arrays = [pa.array(column, pa.string()) for column in columns]
        return pa.Table.from_arrays(arrays, names)


def read_csv(text: str, asked: Collection[str], digest: str) -> RowFile:
    """Parse CSV text with a header, delimited by commas, semicolons or tabs."""
    bom = _BOM if text.startswith(_BOM) else ""
    lines = io.StringIO(text[len(bom) :], newline="").readlines()
    delimiter = delimiter_of(text)
    records = _records(lines, delimiter)
    first, _ = next(records, ([], ""))
    names = _names(first)
    if not names:
        raise ValueError("the first line must be a heading with the names of the columns")
    places = {name: place for place, name in enumerate(names) if name in asked}
    for name in places:
        if names.count(name) > 1:
            raise ValueError(
                f"two of the columns have the name {name!r}; rename one of them"
            )
    columns: dict[str, list[str]] = {name: [] for name in places}
    problems = []
    for fields, _ in records:
        wrong = ""
        if len(fields) != len(names):
            wrong = (
                f"the row has {len(fields)} values, but the heading {len(names)}; put "
                "values with commas in quotes"
            )
            fields = _fitted(fields, len(names), delimiter)
        problems.append(wrong)
        for name, place in places.items():
            columns[name].append(fields[place])
    body = _CsvRows(bom, lines, delimiter)
    return RowFile("csv", tuple(names), dict(columns), problems, body, digest)


def delimiter_of(text: str) -> str:
    first = text.partition("\n")[0]
    return max(_DELIMITERS, key=first.count)


def _records(lines: list[str], delimiter: str) -> Iterator[tuple[list[str], str]]:
    """Yield the values and the original text of each CSV record, skipping empty lines."""
    # The csv module limits the length of a value. This limit is raised to the length of the
    # whole text.
    longest = csv.field_size_limit(sum(map(len, lines)) + 1)
    try:
        # If a quotation mark is never closed, the last value includes the empty line that
        # is added here.
        reader = csv.reader(chain(lines, ["\n"]), delimiter=delimiter)
        before = 0
        for number, fields in enumerate(reader):
            text = "".join(lines[before : reader.line_num])
            if fields and reader.line_num > len(lines):
                place = f"row {number}" if number else "the heading"
                raise ValueError(f"the quotation mark in {place} is never closed")
            before = reader.line_num
            if fields:
                yield fields, text
    finally:
        csv.field_size_limit(longest)


def _names(fields: list[str]) -> list[str]:
    return [name.strip() for name in fields]


def _fitted(fields: list[str], width: int, delimiter: str) -> list[str]:
    """Fit a CSV row to `width` columns: add empty values, or join all surplus values."""
    if len(fields) > width:
        return [*fields[: width - 1], delimiter.join(fields[width - 1 :])]
    return fields + (width - len(fields)) * [""]


def _narrowed(fields: list[str], width: int, delimiter: str) -> str:
    written = io.StringIO()
    fitted = _fitted(fields, width, delimiter)
    csv.writer(written, delimiter=delimiter, lineterminator="").writerow(fitted)
    return written.getvalue()


def _split_end(text: str) -> tuple[str, str]:
    bare = text.rstrip("\r\n")
    return bare, text[len(bare) :]


def _written(answers: "pa.RecordBatch", delimiter: str) -> list[str]:
    written = io.BytesIO()
    options = arrow_csv.WriteOptions(include_header=False, delimiter=delimiter)
    arrow_csv.write_csv(answers, written, options)
    return written.getvalue().decode().split("\n")[: answers.num_rows]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogateescape")
