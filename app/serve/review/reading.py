"""Positions of a list, as they are pasted or dropped: one a line, or columns with names."""

import csv
import io
from collections.abc import Iterator

from bearoff import BearoffError
from bearoff.answers import Question
from sim.answers import question_of

Read = tuple[int, Question | str]
"""A line's number, and its question or why it is none."""


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
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    names = [name.strip().lower() for name in first.split(delimiter)]
    if not {"position", "roller"} & set(names):
        for line, position in enumerate(text.splitlines(), start=1):
            if position.strip():
                yield line, {"position": position.strip()}
        return
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    next(reader)
    for row in reader:
        if row:
            yield reader.line_num, dict(zip(names, row, strict=False))
