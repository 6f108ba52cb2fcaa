"""Lists of races without a header, with the positions of both sides in each line."""

import io
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import IO

import pyarrow as pa

from bearoff import BearoffError
from bearoff.positions import find_setup, is_two_sided, read_race
from bearoff.sim.race_files.conversion import write_table
from bearoff.sim.race_files.csv_rows import delimiter_of
from bearoff.sim.race_files.sheet import RowFile, require_utf8

LONGEST_PASTED = 5000
"""Maximum length, in characters, of a line that can count as a position."""


@dataclass(frozen=True, eq=False)
class _Listed:
    lines: list[str]

    def append(self, stream: IO[bytes], answers: "pa.Table") -> None:
        """Write positions and answers as CSV, because a list has no columns for answers."""
        table = self.table()
        for name in answers.column_names:
            table = table.append_column(name, answers.column(name))
        write_table(stream, table, "csv")

    def table(self) -> "pa.Table":
        return pa.table({"position": self.lines})


LOOKED_AT = 10
"""Number of lines at the start of a file that are searched for a position."""

_MARKS = ",;\t"
"""Possible delimiters between columns."""


def is_list(text: str, asked: Collection[str]) -> bool:
    r"""Return whether a text is a list of positions without a header.

    If the first line contains no delimiter, a text is also a list if any of the next lines
    is a position. The first line may then be an invalid entry of the list.

    Examples
    --------
    >>> is_list("8887 8887", ["roller"]), is_list("roller,opponent", ["roller"])
    (True, False)
    >>> is_list("pips", ["roller"]), is_list("8887 888x\n8887 8887", ["roller"])
    (False, True)
    """
    lines = list(islice(_lines(text), LOOKED_AT))
    first = next(iter(lines), "")
    names = {name.strip().strip('"') for name in first.split(delimiter_of(first))}
    if names & set(asked) or _has_columns(first):
        return False
    alone = not any(mark in first for mark in _MARKS)
    return any(map(_is_position, lines if alone else lines[:1]))


def _is_position(line: str) -> bool:
    """Return whether a line consists of a two-sided position only."""
    if len(line) > LONGEST_PASTED or _has_columns(line):
        return False
    try:
        if find_setup(line) is not None:
            return True
        read_race(line)
    except BearoffError:
        return False
    return True


def _has_columns(line: str) -> bool:
    return any(mark in line for mark in _MARKS) and is_two_sided(line)


def read_list(text: str, digest: str) -> RowFile:
    """Parse a text with a two-sided position in each line."""
    require_utf8(text)
    lines = list(_lines(text))
    problems = [
        "a line of a list may contain only a position; for columns, add a heading with "
        "their names"
        if _has_columns(line)
        else ""
        for line in lines
    ]
    columns = {"position": lines}
    return RowFile("csv", tuple(columns), dict(columns), problems, _Listed(lines), digest)


def _lines(text: str) -> Iterator[str]:
    for line in io.StringIO(text.removeprefix("\ufeff"), newline=None):
        if bare := line.strip():
            yield bare
