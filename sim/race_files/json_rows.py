"""Rows of a JSON lines file of races, which are kept as their original text."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import IO, Any

import pyarrow as pa

from bearoff import BearoffError
from bearoff.checks import unique_keys
from bearoff.sim.race_files.sheet import RowFile, require_utf8

_SPACE = " \t\r\n"
"""Whitespace characters of JSON. Python's `str.strip` would remove more characters."""

_TOGETHER = 1000
"""Number of JSON lines that are written at once."""


@dataclass(frozen=True, eq=False)
class _JsonRows:
    """Original text of each line of a JSON lines file; empty for an invalid line."""

    names: tuple[str, ...]
    lines: list[str]

    def append(self, stream: IO[bytes], answers: "pa.Table") -> None:
        lines = iter(self.lines)
        for batch in answers.to_batches(max_chunksize=_TOGETHER):
            rows = []
            for row in batch.to_pylist():
                line, own = next(lines), json.dumps(row, ensure_ascii=False)
                bare = line[:-1].rstrip(_SPACE)
                comma = ", " if len(bare.lstrip(_SPACE)) > 1 else ""
                rows.append(f"{bare}{comma}{own[1:]}\n" if line else f"{own}\n")
            stream.write("".join(rows).encode("utf-8", errors="surrogateescape"))

    def table(self) -> "pa.Table":
        require_utf8("".join(self.lines))
        rows = [json.loads(line) if line else {} for line in self.lines]
        columns = [_column([row.get(name) for row in rows]) for name in self.names]
        return pa.Table.from_arrays(columns, list(self.names))


def read_json_lines(text: str, asked: Collection[str], digest: str) -> RowFile:
    """Parse text with one JSON object per line; record a problem for each invalid line."""
    names: dict[str, None] = {}
    values: list[dict[str, Any]] = []
    lines, problems = [], []
    for line in text.removeprefix("\ufeff").split("\n"):
        bare = line.strip(_SPACE)
        if not bare:
            continue
        row, wrong = _object(bare)
        names.update(dict.fromkeys(row))
        values.append({name: value for name, value in row.items() if name in asked})
        lines.append("" if wrong else bare)
        problems.append(wrong)
    columns = {n: [row.get(n) for row in values] for n in names if n in asked}
    body = _JsonRows(tuple(names), lines)
    return RowFile("jsonl", tuple(names), columns, problems, body, digest)


def _object(line: str) -> tuple[dict[str, Any], str]:
    """Parse a line of JSON; return an object and "", or else {} and an error message."""
    try:
        row = json.loads(line, object_pairs_hook=unique_keys, parse_constant=_no_number)
    except BearoffError as error:
        return {}, str(error)
    except (ValueError, RecursionError) as error:
        return {}, f"the line is not JSON: {error}"
    return (row, "") if isinstance(row, dict) else ({}, "the line is not a JSON object")


def _no_number(name: str) -> None:
    """Raise an error for NaN and infinities, which Python reads but JSON does not allow."""
    raise BearoffError(f"the line is not JSON: {name} is not a number; use null")


def _column(values: list[Any]) -> "pa.Array":
    """Convert values to an Arrow array, or to JSON if Arrow would change a value."""
    try:
        found = pa.array(values)
        if "struct<>" not in str(found.type) and found.to_pylist() == values:
            return found
    except (pa.ArrowException, OverflowError):
        pass
    texts = [
        v if v is None or isinstance(v, str) else json.dumps(v, ensure_ascii=False)
        for v in values
    ]
    return pa.array(texts, pa.string())
