"""Parsing of the question in an HTTP request."""

from typing import TYPE_CHECKING

from bearoff import Race
from bearoff.answers import Question, read_question
from bearoff.app.race_answers.contact import read_any

if TYPE_CHECKING:
    from bearoff.analysis.review import ContactQuestion
    from bearoff.app.serve.models import RaceIn


def question_of(asked: "RaceIn") -> Question:
    """Parse the question about a race in a request.

    Raises
    ------
    BearoffError
        If a field is invalid, or the race is impossible.
    """
    return read_question(asked.model_dump(exclude_unset=True))


def any_question_of(asked: "RaceIn") -> "Question | ContactQuestion":
    """Parse the question in a request, about a race or a position with contact.

    Raises
    ------
    BearoffError
        If a field is invalid, or the position is impossible.
    """
    return read_any(asked.model_dump(exclude_unset=True))


def race_of(asked: "RaceIn") -> Race:
    return question_of(asked).race
