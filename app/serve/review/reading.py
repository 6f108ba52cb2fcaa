"""Reading of lists of positions, one per line or in named columns.

A text with a ``position`` or ``roller`` column in its heading is a list. Without such a
heading, at least half of the lines must be positions: a few bad lines are reported, but a
letter is refused as a whole. A file with the suffix of a match format is never read as a
list.
"""

import csv
import io
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePath

from bearoff import BearoffError
from bearoff.answers import Question
from bearoff.game.records import SUFFIXES_READ
from bearoff.positions import find_setup
from bearoff.sim.race_files import question_of

Read = tuple[int, Question | str]
"""Line number, and the question or the reason why there is none."""


_MATCHES = frozenset(SUFFIXES_READ) - {".txt"}
"""Suffixes of match formats that no other files have."""

_NAMES = {"position", "roller"}
"""Columns of which a heading must have at least one."""


def is_of_match(name: str) -> bool:
    """Whether a file has the suffix of a match format; it is then not read as a list.

    Examples
    --------
    >>> is_of_match("Final.MAT"), is_of_match("positions.txt")
    (True, False)
    """
    return PurePath(name).suffix.lower() in _MATCHES


def read_list(text: str, most: int) -> list[Read]:
    """Read a list of positions.

    Parameters
    ----------
    text : str
        Text in a format of `questions_of`.
    most : int
        Maximum number of lines to judge; one line more is read, to detect longer lists
        cheaply.

    Raises
    ------
    BearoffError
        If the text is not a list; the message continues a sentence that begins with its
        name.
    """
    found = list(islice(questions_of(text), most + 1))
    if not _NAMES & set(_heading(text)[0]):
        lines = text.splitlines()
        none = sum(
            isinstance(question, str) and not _is_board(lines[line - 1])
            for line, question in found
        )
        if 2 * none > len(found):
            if len(found) == 1:
                raise BearoffError(f"is not a position: {found[0][1]}")
            raise BearoffError(
                f"is not a list of positions: {none} of {len(found)} lines are not; "
                "write one position in each line, or columns with a heading such as "
                "position,dice,played"
            )
    return found


def _is_board(line: str) -> bool:
    """Whether a line contains a position with contact, which is also a line of a list."""
    try:
        return find_setup(line) is not None
    except BearoffError:
        return False


def questions_of(text: str) -> Iterator[Read]:
    """Yield the questions of a list's lines.

    Parameters
    ----------
    text : str
        One position of both sides per line, in any notation; or a heading with columns of
        ``bearoff race --from``, and rows of values.

    Examples
    --------
    >>> [(line, found.race.roller.pips) for line, found in questions_of("LwAAwC0AAAAAAA")]
    [(1, 10)]
    """
    for line, row in _rows(text):
        try:
            yield line, question_of(row)
        except BearoffError as error:
            yield line, " ".join(str(error).split())


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    names, delimiter = _heading(text)
    if not _NAMES & set(names):
        for line, position in enumerate(text.splitlines(), start=1):
            if position.strip():
                yield line, {"position": position.strip()}
        return
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        next(reader)
        for row in reader:
            if row:
                yield reader.line_num, dict(zip(names, row, strict=False))
    # An example is a field that is longer than `csv.field_size_limit()`.
    except csv.Error as error:
        raise BearoffError(
            f"has columns and line {reader.line_num} cannot be read as one: {error}"
        ) from None


def _heading(text: str) -> tuple[list[str], str]:
    """Return the names in the first line in lower case, and the delimiter."""
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    return [name.strip().lower() for name in first.split(delimiter)], delimiter
