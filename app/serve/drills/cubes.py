"""Drills on doubles and takes that occurred in games."""

import re
from abc import abstractmethod
from dataclasses import replace
from functools import cache
from random import Random
from typing import ClassVar

import numpy as np

from bearoff import BearoffError, Race
from bearoff.analysis.review import Decision, cube_alternatives
from bearoff.app.serve.drills.asked import (
    Drill,
    DrillQuestion,
    Level,
    Marked,
    SolutionLine,
    board_of,
    choice_of,
    marked,
    rank_of,
    ranked,
    third,
)
from bearoff.app.serve.drills.sample import (
    NEAR,
    Decisions,
    method_of,
    race_at,
    row_of,
    shipped_sample,
)
from bearoff.app.serve.drills.seeing import Asked, formula, gains, hints_of
from bearoff.app.serve.drills.solving import distance, formula_says, worked


class CubeDrill(Drill):
    """Drill on a cube decision with two choices.

    The first choice is not to double or to pass; the second is to double or to take.
    """

    ask: ClassVar[str]
    asked: ClassVar[Asked]

    @property
    def races(self) -> Decisions:
        """Cube decisions of the shipped sample that this drill asks about."""
        found: Decisions = getattr(shipped_sample(), self.asked)
        return found

    @abstractmethod
    def choices(self, race: Race) -> tuple[str, str]:
        """Return the two cube actions to choose from."""

    def draw(self, rng: Random, level: Level) -> str:
        """Draw a decision; the harder the level, the less a wrong choice costs."""
        races = self.races
        row = rng.choice(third(_order(self), level))
        where = "owned" if races.owned[row] else "centred"
        return f"{where} {race_at(races, row).position_id}"

    def race(self, rest: str) -> Race:
        """Parse the race from a question's key: the cube and the position ID."""
        where, _, position = rest.partition(" ")
        if where not in ("owned", "centred"):
            raise BearoffError(f"the drill {self.name} has no question {rest[:40]!r}")
        race = Race.parse(position)
        if where == "owned":
            return replace(race, cube="owned", cube_value=2)
        return race

    def question(self, rest: str) -> DrillQuestion:
        race = self.race(rest)
        self._row(race)
        return DrillQuestion(
            key=self.key(rest),
            kind=self.name,
            title=self.title,
            text=self.ask,
            form="choice",
            choices=list(self.choices(race)),
            hints=len(self.hints(rest)),
            **board_of(race),  # type: ignore[arg-type]
        )

    def mark(self, rest: str, given: str) -> Marked:
        """Mark the chosen cube action by the equities that the sample contains."""
        race = self.race(rest)
        given = choice_of(given, self.choices(race))
        row = self._row(race)
        found = cube_alternatives(self.asked, self.races.values, row)
        one = Decision(self.asked, race, found).choosing(given)
        notes = [distance(one, self.races, row), formula_says(one, self.races, row)]
        method = method_of(self.races, row)
        return marked(self.key(rest), given, one, method, notes, self.steps(race))

    def difficulty(self, rest: str) -> float:
        """Return a question's difficulty, which is higher if a wrong choice costs less."""
        return rank_of(self._row(self.race(rest)), _order(self))

    def hints(self, rest: str) -> list[str]:
        """Return hints: pip counts, the lead in the formula's count, and board features."""
        race = self.race(rest)
        sides = race.roller, race.opponent
        counts = formula().count.of(*(np.array([side.counts]) for side in sides))
        if self.asked == "take":  # The user answers for the opponent of the player on roll.
            sides, counts = sides[::-1], counts[::-1]
        return hints_of(*sides, formula().name, *(float(one[0]) for one in counts))

    def steps(self, race: Race) -> list[SolutionLine]:
        return worked(race, self.asked)

    def _row(self, race: Race) -> int:
        return row_of(self.races, race, race.cube == "owned")


@cache
def _order(drill: CubeDrill) -> tuple[int, ...]:
    every = np.abs(gains(drill.asked, drill.races)).tolist()
    return ranked((-cost, row) for row, cost in enumerate(every) if cost <= NEAR)


class Double(CubeDrill):
    """Drill on doubles and redoubles."""

    name, title = "double", "Double or not"
    text = "Double or roll? Harder where a wrong choice costs less."
    ask = "You are on roll, in money play without the Jacoby rule. Do you double?"
    asked = "double"

    def choices(self, race: Race) -> tuple[str, str]:
        double = "redouble" if race.cube == "owned" else "double"
        return f"no {double}", double


class Take(CubeDrill):
    """Drill on takes."""

    name, title = "take", "Take or pass"
    text = "Take or pass? Harder where a wrong choice costs less."
    ask = "The opponent is on roll and doubles, in money play. Do you take?"
    asked = "take"

    def choices(self, race: Race) -> tuple[str, str]:
        return "pass", "take"

    def steps(self, race: Race) -> list[SolutionLine]:
        """Return the formula's steps, worded for the player who is doubled."""
        steps = super().steps(race)
        return [
            SolutionLine(words=_exchanged(one.words), arithmetic=_exchanged(one.arithmetic))
            for one in steps
        ]


def _exchanged(words: str) -> str:
    """Rephrase a text addressed to the player on roll for the player who is doubled.

    Examples
    --------
    >>> _exchanged("your count minus the opponent's"), _exchanged("the opponent's pips")
    ("the opponent's count minus yours", 'your pips')
    """
    marked = re.sub(r"\byour\b", "\0", words)
    theirs = re.sub("the opponent's$", "yours", marked).replace("the opponent's", "your")
    return theirs.replace("\0", "the opponent's")
