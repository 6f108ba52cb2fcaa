"""A request's question read, as the commands read theirs."""

from typing import TYPE_CHECKING

from bearoff import Race
from bearoff.answers import Question, read_question

if TYPE_CHECKING:
    from bearoff.app.serve.models import RaceIn


def question_of(asked: "RaceIn") -> Question:
    """Read what is asked.

    Raises
    ------
    BearoffError
        If a part cannot be read, or there can be no such race.
    """
    return read_question(asked.model_dump(exclude_unset=True))


def race_of(asked: "RaceIn") -> Race:
    """Read the race that is asked about; see `question_of`."""
    return question_of(asked).race
