"""Questions and marked answers of the trainer, and the base class of drills."""

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
"""Largest number that is accepted as an answer in pips."""

TRIES = 30
"""Maximum number of random draws to find a question that the user never answered."""

UNJUDGED = 0.5
"""Difficulty assumed for a question that cannot be ranked, on a scale from 0 to 1."""


class DrillQuestion(BaseModel):
    """Question of the trainer, without its answer."""

    key: str
    """Identifier of the question's content, used for marking; equal questions have equal
    keys."""
    id: str = ""
    """Identifier of this occurrence of the question, which is sent with the answer. Only
    the first answer to an identifier counts."""
    kind: str
    title: str
    text: str
    """Question as a sentence, addressed to the player on roll or, for a take, to the player
    who is doubled."""
    form: Literal["number", "choice"]
    choices: list[str] = []
    """Answers to choose from. For a numerical question, they are the correct number and the
    results of typical mistakes."""
    hints: int = 0
    """Number of available hints; each hint reveals more than the previous one."""
    unit: str = ""
    """Unit of a numerical answer: pips or %."""
    within: float | None = None
    """Largest error of a numerical answer that still counts as correct, in `unit`."""
    xgid: str | None = None
    roller: list[int] | None = None
    """Number of the roller's checkers on the ace, deuce, ... points."""
    opponent: list[int] | None = None
    cube: str | None = None
    cube_value: int = 1
    dice: list[int] | None = None
    of: Literal["double", "take", "play", ""] = ""
    """Kind of decision in a position from the user's library; empty for other questions."""
    again: bool = False
    """Whether the question is asked again because it is due for repetition."""


class SolutionLine(BaseModel):
    """Step of a worked solution: description and calculation."""

    words: str
    arithmetic: str


class Marked(BaseModel):
    """Answer to a question, with its mark and an explanation."""

    key: str
    kind: str
    given: str
    answer: str
    """Correct answer to the question."""
    right: bool
    error: float | None = None
    """For a numerical answer: the given number minus the correct number, in the unit of the
    question.
    """
    cost: float | None = None
    """For a choice: the equity lost by the given answer, in EMG."""
    method: str
    """Source of the correct answer, and its error."""
    notes: list[str] = []
    """Remarks: how close the decision is, and whether and why a rule of thumb is wrong in
    this position.
    """
    steps: list[SolutionLine]
    """Steps of the solution."""
    options: list[Alternative] = []
    """Choices of a decision, with their costs."""


class Drill(ABC):
    """Type of question in the trainer.

    Attributes
    ----------
    name, title : str
        Name of the drill, with which the keys of its questions begin, and its title on the
        page.
    text : str
        Sentence that describes the questions and says how answers are marked.
    unit : str
        Unit of numerical answers: pips or %.
    """

    name: str
    title: str
    text: str
    unit: str = ""

    @abstractmethod
    def draw(self, rng: Random, level: Level) -> str:
        """Draw a random question; return its key without the drill's name."""

    @abstractmethod
    def question(self, rest: str) -> DrillQuestion:
        """Return the question; `rest` is its key without the drill's name."""

    @abstractmethod
    def mark(self, rest: str, given: str) -> Marked:
        """Mark an answer to a question."""

    def race(self, rest: str) -> Race | None:
        """Return the race that a question is about; None if the question has no race."""
        return None

    @abstractmethod
    def hints(self, rest: str) -> list[str]:
        """Return hints, each of which reveals more than the previous one."""

    def difficulty(self, rest: str) -> float:
        """Return the difficulty of a question within its drill, from 0 to 1."""
        return UNJUDGED

    def again(self, rest: str, times: int) -> str:
        """Return the key of the question to ask after a number of earlier answers.

        By default, the same question is asked again. A drill may choose a similar question
        instead; the choice depends only on `rest` and on the number of answers, `times`.
        """
        return rest

    def candidates(
        self, rng: Random, level: Level | None, player: str | None
    ) -> Iterator[str]:
        """Yield keys of possible next questions; without `level`, of all difficulties."""
        for _ in range(TRIES):
            of = rng.choice(LEVELS) if level is None else level
            yield self.draw(rng, of)

    def late(self, rest: str) -> Marked:
        """Mark a question as wrong because time ran out, and explain its answer."""
        question = self.question(rest)
        given = "0" if question.form == "number" else question.choices[0]
        nothing = {"given": "", "right": False, "error": None, "cost": None}
        return self.mark(rest, given).model_copy(update=nothing)

    def key(self, rest: str) -> str:
        """Return the full key of a question: the drill's name and `rest`."""
        return f"{self.name} {rest}"


def number_of(given: str, unit: str) -> float:
    """Parse a number typed by a user, with a comma, a percent sign or a unit.

    Negative numbers and digits of other scripts are rejected.

    Examples
    --------
    >>> number_of(" 72,5 ", "pips"), number_of("31 %", "%")
    (72.5, 31.0)
    """
    text = given.strip().removesuffix(unit).strip().replace(",", ".")
    most = largest(unit)
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{0,9})?", text) or float(text) > most:
        raise BearoffError(
            f"the answer must be a number from 0 to {most} ({unit}), such as 31 or 7.5, "
            f"got {given[:40]!r}"
        )
    return float(text)


def largest(unit: str) -> int:
    """Return the largest number that is accepted as an answer in a given unit."""
    return 100 if unit == "%" else LARGEST


def choice_of(given: str, choices: Iterable[str]) -> str:
    """Return the choice that equals the given text, ignoring case and spaces."""
    said = " ".join(given.split()).lower()
    for choice in choices:
        if choice.lower() == said:
            return choice
    raise BearoffError(
        f"the answer must be one of {', '.join(choices)}, got {given[:40]!r}"
    )


def ranked(hardness: Iterable[tuple[float, int]]) -> tuple[int, ...]:
    """Return the row numbers of questions, sorted from the easiest to the hardest.

    Examples
    --------
    >>> ranked([(0.9, 0), (0.1, 1), (0.5, 2)])
    (1, 2, 0)
    """
    return tuple(row for _, row in sorted(hardness))


def third(rows: tuple[int, ...], level: Level) -> tuple[int, ...]:
    """Return the third of the questions at a level, from rows sorted by difficulty.

    Examples
    --------
    >>> third((1, 2, 0), "hard")
    (0,)
    """
    at = LEVELS.index(level)
    return rows[at * len(rows) // 3 : (at + 1) * len(rows) // 3]


def rank_of(row: int, rows: tuple[int, ...]) -> float:
    """Return the rank of a question among rows sorted by difficulty, scaled to 0 to 1.

    Examples
    --------
    >>> rank_of(2, (1, 2, 0))
    0.5
    """
    return rows.index(row) / max(len(rows) - 1, 1) if row in rows else UNJUDGED


def marked(
    key: str,
    given: str,
    one: Decision,
    method: str,
    notes: list[str],
    steps: list[SolutionLine],
) -> Marked:
    """Return the marked and explained answer to a question with choices."""
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
