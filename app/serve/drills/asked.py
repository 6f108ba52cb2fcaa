"""Data types of questions and marked answers, and the base class of drills."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from random import Random
from typing import Literal

from pydantic import BaseModel

from bearoff import BearoffError, Race
from bearoff.analysis.review import Alternative, Decision

Level = Literal["easy", "medium", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")

LARGEST = 1000
"""Largest number that can be an answer."""

TRIES = 30
"""Maximum number of draws to find a question that was never answered."""

UNJUDGED = 0.5
"""Difficulty of a question that cannot be compared with others."""


class Question(BaseModel):
    """A question, without its answer."""

    key: str
    """Identifier for marking; equal questions have equal keys."""
    id: str = ""
    """Identifier of this question at this time, which the answer must name; only one answer
    counts."""
    kind: str
    title: str
    text: str
    """The question as a sentence, to the player on roll or, for a take, to the player who
    is doubled."""
    form: Literal["number", "choice"]
    choices: list[str] = []
    """For a number, the right one among results of typical slips."""
    hints: int = 0
    """Number of hints available, one after the other."""
    unit: str = ""
    """Unit of a number: pips or %."""
    within: float | None = None
    """Largest error of a number that still counts as right."""
    xgid: str | None = None
    roller: list[int] | None = None
    """Checkers on the ace, deuce, ... of the roller."""
    opponent: list[int] | None = None
    cube: str | None = None
    cube_value: int = 1
    dice: list[int] | None = None
    of: Literal["double", "take", "play", ""] = ""
    """Decision that a position from the user's library is about; empty for other questions.
    """
    again: bool = False
    """Whether the question is repeated, after a wrong answer."""


class Line(BaseModel):
    """A step of a worked solution: description and calculation."""

    words: str
    arithmetic: str


class Marked(BaseModel):
    """An answer, marked and explained."""

    key: str
    kind: str
    given: str
    answer: str
    """The right answer."""
    right: bool
    error: float | None = None
    """For a number, the given minus the right one, in its unit."""
    cost: float | None = None
    """For a choice, the equity lost, in EMG."""
    method: str
    """Source of the right answer, and its error."""
    notes: list[str] = []
    """Sentences: how close the decision is, whether a rule errs, and what misleads it."""
    steps: list[Line]
    """Steps of the solution."""
    options: list[Alternative] = []
    """The choices, with the cost of each."""


class Drill(ABC):
    """A kind of question.

    Attributes
    ----------
    name, title : str
        Name in keys, and title on the page.
    text : str
        Sentence on the question and on how answers are marked.
    unit : str
        Unit of its answers if they are numbers: pips or %.
    """

    name: str
    title: str
    text: str
    unit: str = ""

    @abstractmethod
    def draw(self, rng: Random, level: Level) -> str:
        """Draw a question; return the part of its key after the name."""

    @abstractmethod
    def question(self, rest: str) -> Question:
        """Return the question of a key.

        Raises
        ------
        BearoffError
            If there is no such question.
        """

    @abstractmethod
    def mark(self, rest: str, given: str) -> Marked:
        """Mark an answer.

        Raises
        ------
        BearoffError
            If there is no such question, or the answer is not valid.
        """

    def race(self, rest: str) -> Race | None:
        """Return the race of a key, or None."""
        return None

    @abstractmethod
    def hints(self, rest: str) -> list[str]:
        """Return hints, each of which reveals more than the previous ones."""

    def difficulty(self, rest: str) -> float:
        """Return the difficulty of a question relative to its drill, from 0 to 1."""
        return UNJUDGED

    def again(self, rest: str, times: int) -> str:
        """Return the question that replaces one that was answered before.

        By default it is the same question. A drill may replace it by another, which is the
        same for all users.
        """
        return rest

    def candidates(
        self, rng: Random, level: Level | None, player: str | None
    ) -> Iterator[str]:
        """Yield candidate questions of a level, or of any level for None."""
        for _ in range(TRIES):
            of = rng.choice(LEVELS) if level is None else level
            yield self.draw(rng, of)

    def late(self, rest: str) -> Marked:
        """Explain a question that was not answered in time."""
        question = self.question(rest)
        given = "0" if question.form == "number" else question.choices[0]
        nothing = {"given": "", "right": False, "error": None, "cost": None}
        return self.mark(rest, given).model_copy(update=nothing)

    def key(self, rest: str) -> str:
        """Return the whole key."""
        return f"{self.name} {rest}"


def number_of(given: str, unit: str) -> float:
    """Parse a number as typed by users: with a comma, a percent sign or a unit.

    Negative numbers are not accepted, nor digits of other scripts.

    Examples
    --------
    >>> number_of(" 72,5 ", "pips"), number_of("31 %", "%")
    (72.5, 31.0)
    """
    text = given.strip().removesuffix(unit).strip().replace(",", ".")
    most = largest(unit)
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{0,9})?", text) or float(text) > most:
        raise BearoffError(
            f"the answer is a number of {unit} from 0 to {most}, such as 31 or 7.5, got "
            f"{given[:40]!r}"
        )
    return float(text)


def largest(unit: str) -> int:
    """Return the largest number that can be an answer."""
    return 100 if unit == "%" else LARGEST


def choice_of(given: str, choices: Iterable[str]) -> str:
    """Return the given choice, ignoring case and spacing."""
    said = " ".join(given.split()).lower()
    for choice in choices:
        if choice.lower() == said:
            return choice
    raise BearoffError(f"the answer is one of {', '.join(choices)}, got {given[:40]!r}")


def ranked(hardness: Iterable[tuple[float, int]]) -> tuple[int, ...]:
    """Return rows from the easiest to the hardest.

    Examples
    --------
    >>> ranked([(0.9, 0), (0.1, 1), (0.5, 2)])
    (1, 2, 0)
    """
    return tuple(row for _, row in sorted(hardness))


def third(rows: tuple[int, ...], level: Level) -> tuple[int, ...]:
    """Return the part of ranked rows for a level.

    Examples
    --------
    >>> third((1, 2, 0), "hard")
    (0,)
    """
    at = LEVELS.index(level)
    return rows[at * len(rows) // 3 : (at + 1) * len(rows) // 3]


def rank_of(row: int, rows: tuple[int, ...]) -> float:
    """Return the rank of a row, from 0 to 1.

    Examples
    --------
    >>> rank_of(2, (1, 2, 0))
    0.5
    """
    return rows.index(row) / max(len(rows) - 1, 1) if row in rows else UNJUDGED


def marked(
    key: str, given: str, one: Decision, method: str, notes: list[str], steps: list[Line]
) -> Marked:
    """Return the marked answer for the choice in a decision."""
    kind, _, _ = key.partition(" ")
    return Marked(
        key=key,
        kind=kind,
        given=given,
        answer=one.worded(one.right_choice),
        right=not one.is_seen,
        cost=one.cost,
        method=method,
        notes=notes,
        steps=steps,
        options=list(one.alternatives),
    )


def board_of(race: Race) -> dict[str, object]:
    """Return the fields of a question that describe its race."""
    return {
        "xgid": race.xgid,
        "roller": list(race.roller.counts),
        "opponent": list(race.opponent.counts),
        "cube": race.cube,
        "cube_value": race.cube_value,
        "dice": race.dice and list(race.dice),
    }
