"""Parsing of the question in a request."""

from typing import TYPE_CHECKING

from bearoff import Race
from bearoff.answers import Question, read_question

if TYPE_CHECKING:
    from bearoff.app.serve.models import RaceIn


def question_of(asked: "RaceIn") -> Question:
    """Return the question in a request.

    Raises
    ------
    BearoffError
        If a part is not valid, or the race is impossible.
    """
    return read_question(asked.model_dump(exclude_unset=True))


def race_of(asked: "RaceIn") -> Race:
    """Return the race in a request."""
    return question_of(asked).race
