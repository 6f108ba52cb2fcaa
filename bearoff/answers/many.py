"""Answers to many races as arrays; races are evaluated together where possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.answers.answer import (
    CHOICE,
    NUMBERS,
    OF_VALUES,
    Choice,
    intervals,
    kinds_of,
    why_not_judged,
)
from bearoff.answers.judge import Judge, check_in_play
from bearoff.answers.question import Question
from bearoff.answers.solving import OutOfPatience
from bearoff.errors import BearoffError
from bearoff.plays import Play
from bearoff.positions import Position, Race
from bearoff.rolls import ROLLS
from bearoff.sources import Kind, Races, Source, play_values, plays_of
from bearoff.stakes import Terms, Values

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

_PLACES = {roll: place for place, roll in enumerate(ROLLS)}


@dataclass(frozen=True, eq=False)
class Answers:
    """Answers to many races, one array entry per race; the fields are those of `Answer`.

    Attributes
    ----------
    numbers : dict of str to ndarray of float64
        Arrays of the numeric fields, by their names in `NUMBERS`. An element is NaN if the
        field does not apply or the race has no answer. ``chance_per_equity`` is the
        match-winning chance per unit of equity.
    kind : ndarray of str
        How the values were found: ``exact``, ``model`` or ``rollout``; empty if the race
        has no answer.
    action : ndarray of str
        Right cube action; empty if the roller may not double.
    too_close : ndarray of bool
        Whether the equities' errors are too large to determine the right cube action.
    cube_dead : ndarray of bool
        Whether neither player can gain by a double, now or later.
    best_play : list of Play or None
        Best play of each race's roll; None without dice.
    problem : list of str
        Reason why a race has no answer; empty for races with an answer.
    """

    numbers: dict[str, Float64Array]
    kind: NDArray[np.str_]
    action: NDArray[np.str_]
    too_close: BoolArray
    cube_dead: BoolArray
    best_play: list[Play | None]
    problem: list[str]

    @classmethod
    def empty(cls, count: int) -> Answers:
        """Return `count` empty answers, in which all numbers are NaN."""
        return cls(
            dict(zip(NUMBERS, np.full((len(NUMBERS), count), np.nan), strict=True)),
            np.full(count, "", dtype="U7"),
            np.full(count, "", dtype="U24"),
            np.zeros(count, dtype=bool),
            np.zeros(count, dtype=bool),
            [None] * count,
            [""] * count,
        )

    def put(self, rows: Int64Array, values: Values, kind: Kind) -> None:
        """Fill the fields that follow from the races' equities, in the given rows."""
        for name in OF_VALUES:
            self[name][rows] = getattr(values, name)
        unit = values.terms.unit
        self["chance_per_equity"][rows] = np.nan if unit is None else unit
        self.kind[rows], self.action[rows] = kinds_of(kind, values), values.action
        for owner in np.unique(values.owners).tolist():
            at = rows[values.owners == owner]
            self.cube_dead[at] = values.terms.cube_dead(owner)
        self.too_close[rows] = values.widened(intervals(kind)).too_close

    def refuse(self, row: int, problem: str) -> None:
        """Clear the answer of a row, and store the reason why there is no answer."""
        for numbers in self.numbers.values():
            numbers[row] = np.nan
        self.kind[row] = self.action[row] = ""
        self.too_close[row], self.best_play[row] = False, None
        self.problem[row] = problem

    def __getitem__(self, name: str) -> Float64Array:
        """Return a numeric field by its name in `NUMBERS`."""
        return self.numbers[name]

    def field(self, name: str) -> NDArray[Any] | list[Play | None]:
        """Return a field by its name in `FIELDS`."""
        return self[name] if name in self.numbers else getattr(self, name)


def answer_many(
    judge: Judge,
    questions: Sequence[Question | Race],
    *,
    solve: bool = True,
    left: list[int] | None = None,
) -> Answers:
    """Answer many races; for a race that cannot be answered, state the reason.

    Parameters
    ----------
    judge : Judge
        Judge that evaluates the races. Its time limit applies to all races together, and
        small races are solved first.
    questions : sequence of Question or Race
    solve : bool
        Whether to solve races at match scores. If false, only tables are used.
    left : list of int, optional
        List to which the indices of questions are added that must be answered one by one.
        If the list is given, these questions have no answer in the result.

    Examples
    --------
    >>> import bearoff
    >>> race = bearoff.Race.parse("LwAAwC0AAAAAAA")
    >>> judge = Judge(())
    >>> found = answer_many(judge, [race, Question(race, decided="take")])
    >>> found.action.tolist(), found["decided_cost"].round(2).tolist()
    (['double, pass', 'double, pass'], [nan, 0.06])
    """
    asked = [one if isinstance(one, Question) else Question(one) for one in questions]
    build = _Build(asked, judge)
    alone = build.shared(range(len(questions)))
    if left is not None:
        left += alone
        return build.answers
    if solve:
        build.solved(alone)
    build.rest(alone)
    return build.answers


class _Build:
    """Builder of an `Answers` object, which answers the races in groups."""

    def __init__(self, questions: Sequence[Question], judge: Judge) -> None:
        self._questions, self._judge = questions, judge
        self.answers = Answers.empty(len(questions))

    def shared(self, rows: Iterable[int]) -> list[int]:
        """Answer the races that can share a call; return the indices of all other races."""
        left = []
        # Sources and stakes are compared by identity, because hashing stakes is slower.
        groups: dict[tuple[int, int], tuple[Source, Terms, list[int]]] = {}
        for row in rows:
            race = self._questions[row].race
            try:
                check_in_play(race)
                terms = self._judge.terms(race)
            except BearoffError as error:
                self.answers.problem[row] = str(error)
                continue
            source = self._judge.shared_source(race)
            if source is None:
                left.append(row)
            else:
                key = id(source), id(terms)
                groups.setdefault(key, (source, terms, []))[2].append(row)
        for source, _, together in groups.values():
            self.together(source, np.array(together))
        return left

    def solved(self, left: list[int]) -> None:
        """Answer the races that can be solved in time; remove their indices from `left`."""
        solving = self._judge.solving
        rows = [row for row in left if solving.solves(self._questions[row].race)]
        with suppress(OutOfPatience):
            for group in solving.groups([self._questions[row].race for row in rows]):
                solving.solve(group)
                own = [rows[k] for k in group.rows]
                self.shared(own)
                left[:] = sorted(set(left) - set(own))

    def rest(self, rows: list[int]) -> None:
        """Answer the races without exact values, by rollouts or by the fast model."""
        modelled: dict[int, tuple[Terms, list[int]]] = {}
        for row in rows:
            race = self._questions[row].race
            try:
                source = self._judge.otherwise(race)
                if source is not self._judge.model:
                    self.one(row, source)
                    continue
                terms = self._judge.terms(race)
                modelled.setdefault(id(terms), (terms, []))[1].append(row)
            except BearoffError as error:
                self.answers.problem[row] = str(error)
        for _, together in modelled.values():
            self.together(self._judge.model, np.array(together))

    def together(self, source: Source, rows: Int64Array) -> None:
        """Evaluate races with equal stakes and equal cube values in one call."""
        questions = [self._questions[row] for row in rows]
        races = self._judge.races([question.race for question in questions])
        values = source.values(races)
        self.answers.put(rows, values, source.kind)
        dice = np.array([_PLACES[q.race.dice] if q.race.dice else -1 for q in questions])
        thrown = np.flatnonzero(dice >= 0)
        if len(thrown):
            self._play(source, rows[thrown], races.select(thrown), dice[thrown])
        for place, question in enumerate(questions):
            if question.decided is not None and not self.answers.problem[rows[place]]:
                self._decided(int(rows[place]), values, place, question.decided)

    def _decided(self, row: int, values: Values, place: int, decided: str) -> None:
        if problem := why_not_judged(decided, values, place):
            self.answers.refuse(row, problem)
            return
        for name, number in zip(CHOICE, values.decisions(place)[decided], strict=True):
            self.answers[f"decided_{name}"][row] = number

    def _play(
        self, source: Source, rows: Int64Array, races: Races, dice: Int64Array
    ) -> None:
        answers = self.answers
        of, sides = plays_of(races.rollers, dice)
        valued = play_values(source, races, of, sides)
        best = valued.best
        answers["best_equity"][rows] = valued.equities[best]
        answers["best_error"][rows] = valued.errors[best]
        if any(self._questions[row].played is not None for row in rows):
            numbers = valued.equities, *valued.cost_and_error()
        firsts = valued.firsts
        behind = np.append(firsts[1:], len(of))
        for place, row in enumerate(rows.tolist()):
            question = self._questions[row]
            race = question.race
            assert race.dice is not None
            points = race.roller.points
            after = tuple(sides[best[place], :points].tolist())
            answers.best_play[row] = Play.between(race.roller, race.dice, after)
            if question.played is None:
                continue
            part = slice(firsts[place], behind[place])
            try:
                wanted = _after(question.played, race)
                there = np.flatnonzero((sides[part, :points] == wanted).all(axis=1))
                if not len(there):
                    # If the play is illegal, `Question.after` raises an error that states
                    # the reason.
                    wanted = question.after()
                    raise BearoffError(f"no legal play of the dice leads to {wanted}")
            except BearoffError as error:
                answers.refuse(row, str(error))
                continue
            chosen = firsts[place] + there[0]
            for name, of_plays in zip(CHOICE, numbers, strict=True):
                answers[f"played_{name}"][row] = of_plays[chosen]

    def one(self, row: int, source: Source) -> None:
        """Answer the question of one row separately."""
        answers, question = self.answers, self._questions[row]
        played = question.after()
        answer = self._judge.answer(question.race, played=played, source=source)
        answers.put(np.array([row]), answer.values, answer.kind)
        chosen: dict[str, Choice] = {}
        if answer.plays:
            best = answer.plays[0]
            answers.best_play[row] = best.play
            answers["best_equity"][row] = best.equity
            answers["best_error"][row] = best.equity_error
        if played is not None:
            chosen["played"] = answer.played(played)
        if question.decided is not None:
            chosen["decided"] = answer.decided(question.decided)
        for what, choice in chosen.items():
            for name in CHOICE:
                answers[f"{what}_{name}"][row] = getattr(choice, name)


def _after(played: str | Play | Position, race: Race) -> tuple[int, ...]:
    """Return the number of checkers on each point of the race's board after a play."""
    if isinstance(played, str):
        return Play.reached(played, race.roller)
    after = played.after if isinstance(played, Play) else played
    points = race.roller.points
    return (after.counts + (0,) * points)[:points]
