"""What a question and a marked answer are, as the page and other programs see them."""

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
"""Of a number that is an answer."""

TRIES = 30
"""Questions drawn to find one that was never answered."""

UNJUDGED = 0.5
"""Difficulty of a question that no other can be compared with."""


class Question(BaseModel):
    """A question, without its answer."""

    key: str
    """What it is marked by; the same question has the same key."""
    id: str = ""
    """What its answer has to name: this question, asked this time; counted once."""
    kind: str
    title: str
    text: str
    """The question in a sentence, to who is on roll or, of a take, to who is doubled."""
    form: Literal["number", "choice"]
    choices: list[str] = []
    """Of a number: the right one among some that slips would give."""
    hints: int = 0
    """How many can be asked for, one after the other."""
    unit: str = ""
    """Of a number: pips or %."""
    within: float | None = None
    """Of a number: how far off is still right."""
    xgid: str | None = None
    roller: list[int] | None = None
    """Checkers on the ace, deuce, ... of the side on roll."""
    opponent: list[int] | None = None
    cube: str | None = None
    cube_value: int = 1
    dice: list[int] | None = None
    of: Literal["double", "take", "play", ""] = ""
    """What one's own position is about; empty of what is shipped."""
    again: bool = False
    """Whether it was answered wrongly before and is asked again."""


class Line(BaseModel):
    """A step of a worked solution: what is done, and the numbers."""

    words: str
    arithmetic: str


class Marked(BaseModel):
    """An answer, marked and explained."""

    key: str
    kind: str
    given: str
    answer: str
    """The right one."""
    right: bool
    error: float | None = None
    """Of a number: given less right, in its unit."""
    cost: float | None = None
    """Of a choice: what it loses, EMG."""
    method: str
    """What the right answer is from, and how sure it is."""
    notes: list[str] = []
    """Sentences: first how near it is, then whether a rule errs and what misleads it."""
    steps: list[Line]
    """How it is worked out."""
    options: list[Alternative] = []
    """What could have been chosen, and what each choice costs."""


class Drill(ABC):
    """One kind of question.

    Attributes
    ----------
    name, title : str
        What it is called in keys, and on the page.
    text : str
        What is asked and what is right, in a sentence.
    unit : str
        Of its answers if they are numbers: pips or %.
    """

    name: str
    title: str
    text: str
    unit: str = ""

    @abstractmethod
    def draw(self, rng: Random, level: Level) -> str:
        """Draw a question; return what stands behind the name in its key."""

    @abstractmethod
    def question(self, rest: str) -> Question:
        """Return the question of a key.

        Raises
        ------
        BearoffError
            If there is none.
        """

    @abstractmethod
    def mark(self, rest: str, given: str) -> Marked:
        """Mark an answer.

        Raises
        ------
        BearoffError
            If there is no such question, or the answer cannot be read.
        """

    def race(self, rest: str) -> Race | None:
        """Return the race that a key is about, if it is about one."""
        return None

    @abstractmethod
    def hints(self, rest: str) -> list[str]:
        """Return sentences that help, each one more than those before."""

    def difficulty(self, rest: str) -> float:
        """Return how hard a question is among those of its drill, 0 to 1."""
        return UNJUDGED

    def again(self, rest: str, times: int) -> str:
        """Return what is asked in place of a question that was answered before.

        The same unless a drill has a reason; drawn the same whoever asks.
        """
        return rest

    def candidates(
        self, rng: Random, level: Level | None, player: str | None
    ) -> Iterator[str]:
        """Yield questions that might be asked; of any level where it is None."""
        for _ in range(TRIES):
            of = rng.choice(LEVELS) if level is None else level
            yield self.draw(rng, of)

    def late(self, rest: str) -> Marked:
        """Explain a question that was not answered in its time."""
        question = self.question(rest)
        given = "0" if question.form == "number" else question.choices[0]
        nothing = {"given": "", "right": False, "error": None, "cost": None}
        return self.mark(rest, given).model_copy(update=nothing)

    def key(self, rest: str) -> str:
        """Return the whole key."""
        return f"{self.name} {rest}"


def number_of(given: str, unit: str) -> float:
    """Read a number as people type it: with a comma, a sign of percent or a unit.

    No count and no chance is below 0; digits are those of our own script.

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
    """Return the largest number that is an answer."""
    return 100 if unit == "%" else LARGEST


def choice_of(given: str, choices: Iterable[str]) -> str:
    """Return which of the choices was given, however it is spaced and capitalised."""
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
    """Return the part of ranked rows that a level asks.

    Examples
    --------
    >>> third((1, 2, 0), "hard")
    (0,)
    """
    at = LEVELS.index(level)
    return rows[at * len(rows) // 3 : (at + 1) * len(rows) // 3]


def rank_of(row: int, rows: tuple[int, ...]) -> float:
    """Return how far up the ranks a row is, 0 to 1.

    Examples
    --------
    >>> rank_of(2, (1, 2, 0))
    0.5
    """
    return rows.index(row) / max(len(rows) - 1, 1) if row in rows else UNJUDGED


def marked(
    key: str, given: str, one: Decision, method: str, notes: list[str], steps: list[Line]
) -> Marked:
    """Return what a decision says of a choice, explained."""
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
    """Return the fields of a question that say its race."""
    return {
        "xgid": race.xgid,
        "roller": list(race.roller.counts),
        "opponent": list(race.opponent.counts),
        "cube": race.cube,
        "cube_value": race.cube_value,
        "dice": race.dice and list(race.dice),
    }
