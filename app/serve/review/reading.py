"""Positions of a list, as they are pasted or dropped: one a line, or columns with names.

Not every text is a list. A heading with ``position`` or ``roller`` makes it one; without,
no more lines may be no position than are one, so that a few slips are named and a letter
is refused as a whole. A file that is named as a match is none, whatever its lines are.
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
"""A line's number, and its question or why it is none."""


_MATCHES = frozenset(SUFFIXES_READ) - {".txt"}
"""How the names of matches end, and of nothing else."""

_NAMES = {"position", "roller"}
"""Columns of which a heading has one."""


def is_of_match(name: str) -> bool:
    """Whether a file is named as a match, which is never read as a list.

    Examples
    --------
    >>> is_of_match("Final.MAT"), is_of_match("positions.txt")
    (True, False)
    """
    return PurePath(name).suffix.lower() in _MATCHES


def read_list(text: str, most: int) -> list[Read]:
    """Read a list.

    Parameters
    ----------
    text : str
        As `questions_of` reads it.
    most : int
        Lines that are judged; one more is read, so that a refusal costs little.

    Raises
    ------
    BearoffError
        If it is no list; the message goes on from what it is called.
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
    """Whether a position stands there that is no race, which is a line of a list too."""
    try:
        return find_setup(line) is not None
    except BearoffError:
        return False


def questions_of(text: str) -> Iterator[Read]:
    """Read the lines of a list.

    Parameters
    ----------
    text : str
        A position of both sides a line, in any notation; or a heading with the columns
        of ``bearoff race --from`` and rows of values.

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
    except csv.Error as error:  # A field of more than `csv.field_size_limit`.
        raise BearoffError(
            f"has columns and line {reader.line_num} cannot be read as one: {error}"
        ) from None


def _heading(text: str) -> tuple[list[str], str]:
    """Return what the first line names, if it is a heading, and what separates it."""
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    return [name.strip().lower() for name in first.split(delimiter)], delimiter
