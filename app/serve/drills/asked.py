"""What a question and a marked answer are, as the page and other programs see them."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from random import Random
from typing import Literal

from pydantic import BaseModel

from bearoff import BearoffError, Race

Level = Literal["easy", "medium", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")

LARGEST = 1000
"""Of a number that is an answer."""


class Question(BaseModel):
    """A question, without its answer."""

    key: str
    """What it is asked for and marked by; the same question has the same key."""
    kind: str
    title: str
    text: str
    """The question in a sentence, to who is on roll or, of a take, to who is doubled."""
    form: Literal["number", "choice"]
    choices: list[str] = []
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
    again: bool = False
    """Whether it was answered wrongly before and is asked again."""


class Line(BaseModel):
    """A step of a worked solution: what is done, and the numbers."""

    words: str
    arithmetic: str


class Option(BaseModel):
    """What could have been chosen, and what it costs."""

    name: str
    equity: float
    cost: float


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
    steps: list[Line]
    """How it is worked out."""
    options: list[Option] = []


class Drill(ABC):
    """One kind of question.

    Attributes
    ----------
    name, title : str
        What it is called in keys, and on the page.
    text : str
        What is asked and what is right, in a sentence.
    """

    name: str
    title: str
    text: str

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
    largest = 100 if unit == "%" else LARGEST
    text = given.strip().removesuffix(unit).strip().replace(",", ".")
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{0,9})?", text) or float(text) > largest:
        raise BearoffError(
            f"the answer is a number of {unit} from 0 to {largest}, such as 31 or 7.5, "
            f"got {given[:40]!r}"
        )
    return float(text)


def choice_of(given: str, choices: Iterable[str]) -> str:
    """Return which of the choices was given, however it is spaced and capitalised."""
    said = " ".join(given.split()).lower()
    for choice in choices:
        if choice.lower() == said:
            return choice
    raise BearoffError(f"the answer is one of {', '.join(choices)}, got {given[:40]!r}")


def thirds(hardness: Iterable[tuple[float, int]], level: Level) -> list[int]:
    """Return the third of the rows that a level asks, by their hardness.

    Examples
    --------
    >>> thirds([(0.9, 0), (0.1, 1), (0.5, 2)], "hard")
    [0]
    """
    rows = [row for _, row in sorted(hardness)]
    at = LEVELS.index(level)
    return rows[at * len(rows) // 3 : (at + 1) * len(rows) // 3]


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
