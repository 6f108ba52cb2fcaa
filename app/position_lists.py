"""Parsing of texts that list backgammon positions, one per line or in named columns.

A text whose header has a column ``position`` or ``roller`` is a list. A text without such a
header is a list if at least half of its lines are positions; invalid lines are then
reported one by one. A file with the extension of a match format is never read as a list.
"""

import csv
import io
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePath

from bearoff import BearoffError
from bearoff.analysis.review import ContactQuestion
from bearoff.answers import Question
from bearoff.app.race_answers.contact import read_any
from bearoff.game.records import SUFFIXES_READ

Read = tuple[int, Question | ContactQuestion | str]
"""Number of a line in a list of positions, and the question about the line's position or an
error message."""


Listed = tuple[str, int, Question | ContactQuestion | str]
"""Name of a list of positions, number of a line, and the question about the line's position
or an error message."""

_MATCHES = frozenset(SUFFIXES_READ) - {".txt"}
"""File extensions that only formats of recorded matches use; ".txt" is not among them."""

_NAMES = {"position", "roller"}
"""Column names of which the header of a list of positions has at least one."""


def is_of_match(name: str) -> bool:
    """Return whether a file name has the extension of a format for recorded matches.

    Examples
    --------
    >>> is_of_match("Final.MAT"), is_of_match("positions.txt")
    (True, False)
    """
    return PurePath(name).suffix.lower() in _MATCHES


def read_list(text: str, most: int) -> list[Read]:
    """Parse a list of positions; stop after `most` + 1 positions."""
    found = list(islice(questions_of(text), most + 1))
    if not _NAMES & set(_heading(text)[0]):
        none = sum(isinstance(question, str) for _, question in found)
        if 2 * none > len(found):
            if len(found) == 1:
                raise BearoffError(f"the text is not a position: {found[0][1]}")
            raise BearoffError(
                f"the text is not a list of positions: {none} of its {len(found)} lines "
                "are not positions; write one position per line, or columns with a "
                "heading such as position,dice,played"
            )
    return found


def questions_of(text: str) -> Iterator[Read]:
    """Yield each line's number, with the question about its position or an error message.

    Examples
    --------
    >>> [(line, found.race.roller.pips) for line, found in questions_of("LwAAwC0AAAAAAA")]
    [(1, 10)]
    """
    for line, row in _rows(text):
        try:
            yield line, read_any(row)
        except BearoffError as error:
            yield line, " ".join(str(error).split())


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    names, delimiter = _heading(text)
    if not _NAMES & set(names):
        for line, position in enumerate(text.splitlines(), start=1):
            if position.strip():
                yield line, {"position": position.strip()}
        return
    if twice := [name for name in names if name and names.count(name) > 1]:
        raise BearoffError(f"the column {twice[0][:60]!r} occurs twice; remove one of them")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        next(reader)
        for row in reader:
            if row:
                yield reader.line_num, dict(zip(names, row, strict=False))
    # The csv module raises an error if, for example, a field is longer than
    # `csv.field_size_limit()`.
    except csv.Error as error:
        raise BearoffError(
            f"the text has columns, but line {reader.line_num} cannot be read as a row: "
            f"{error}"
        ) from None


def _heading(text: str) -> tuple[list[str], str]:
    """Return the column names in the first line, in lower case, and their delimiter."""
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    return [name.strip().lower() for name in first.split(delimiter)], delimiter
