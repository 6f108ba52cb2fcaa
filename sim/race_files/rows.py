"""Conversion of a row of a file to a question about a race."""

from collections.abc import Mapping
from typing import Any

from bearoff.answers import Question, read_question


def question_of(row: Mapping[str, Any]) -> Question:
    """Convert a row of a file to a question about a race, ignoring empty cells.

    Parameters
    ----------
    row : mapping of str
        Values of the row by name of the column; see `bearoff.answers.question`.

    Raises
    ------
    BearoffError
        If the row is not valid. The message says why.
    """
    return read_question(
        {
            name: _number(value) if isinstance(value, float) else value
            for name, value in row.items()
        }
    )


def _number(value: float) -> float | None:
    """Convert NaN to None, and a float that is a whole number to int."""
    return None if value != value else int(value) if value.is_integer() else value
