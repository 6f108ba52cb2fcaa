"""Lists without a heading: a line is a position of both sides, or the two of them."""

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
from bearoff.sim.race_files.sheet import Sheet, require_utf8

LONGEST_PASTED = 5000
"""Characters of a first line that may be a position."""


@dataclass(frozen=True, eq=False)
class _Listed:
    lines: list[str]

    def append(self, stream: IO[bytes], answers: "pa.Table") -> None:
        """Write CSV, for which a list has no place."""
        table = self.table()
        for name in answers.column_names:
            table = table.append_column(name, answers.column(name))
        write_table(stream, table, "csv")

    def table(self) -> "pa.Table":
        """Return the one column."""
        return pa.table({"position": self.lines})


LOOKED_AT = 10
"""Lines among which a list has a position."""

_MARKS = ",;\t"
"""Between columns."""


def is_list(text: str, asked: Collection[str]) -> bool:
    r"""Whether a text begins with a position, not with a heading.

    A first line that is neither, without separators, is a slip in a list if one of the
    next lines is a position.

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
    """Whether a position of both sides stands there, and nothing else."""
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
    """Whether more than a text of both sides stands there, marked off from it."""
    return any(mark in line for mark in _MARKS) and is_two_sided(line)


def read_list(text: str, digest: str) -> Sheet:
    """Read a list, whose one column is ``position``.

    Raises
    ------
    ValueError
        If it is not text in UTF-8.
    """
    require_utf8(text)
    lines = list(_lines(text))
    problems = [
        "a line of a list holds a position alone; columns need a heading with their names"
        if _has_columns(line)
        else ""
        for line in lines
    ]
    columns = {"position": lines}
    return Sheet("csv", tuple(columns), dict(columns), problems, _Listed(lines), digest)


def _lines(text: str) -> Iterator[str]:
    """Yield lines that are not empty."""
    for line in io.StringIO(text.removeprefix("\ufeff"), newline=None):
        if bare := line.strip():
            yield bare
