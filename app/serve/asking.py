"""Parse the question of a request, as commands do."""

from typing import TYPE_CHECKING

from bearoff import Race
from bearoff.answers import Question, read_question

if TYPE_CHECKING:
    from bearoff.app.serve.models import RaceIn


def question_of(asked: "RaceIn") -> Question:
    """Return the question of a request.

    Raises
    ------
    BearoffError
        If a part is not valid, or the race is impossible.
    """
    return read_question(asked.model_dump(exclude_unset=True))


def race_of(asked: "RaceIn") -> Race:
    """Return the race of a request; see `question_of`."""
    return question_of(asked).race
