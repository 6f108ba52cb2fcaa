"""A row of a file as a question."""

from collections.abc import Mapping
from typing import Any

from bearoff.answers import Question, read_question


def question_of(row: Mapping[str, Any]) -> Question:
    """Read a row, whose empty cells are not said.

    Parameters
    ----------
    row : mapping of str
        See `bearoff.answers.question`.

    Raises
    ------
    BearoffError
        If it cannot be read; the message says why.
    """
    return read_question(
        {
            name: _number(value) if isinstance(value, float) else value
            for name, value in row.items()
        }
    )


def _number(value: float) -> float | None:
    """Return a number of a column that has gaps and so became one of floats."""
    return None if value != value else int(value) if value.is_integer() else value
