"""Many races at once: the same answers as arrays, table and model asked side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bearoff.answers.answer import Answer
from bearoff.answers.judge import Judge, action_names, check_in_play
from bearoff.answers.market import first_best
from bearoff.answers.question import Question
from bearoff.answers.races import Races, plays_of
from bearoff.answers.values import (
    BoolArray,
    Float64Array,
    Int64Array,
    Source,
    Values,
    empty_values,
    equities_after,
)
from bearoff.errors import BearoffError
from bearoff.plays import Play
from bearoff.positions import Position, Race
from bearoff.rolls import ROLLS

_PLACES = {roll: place for place, roll in enumerate(ROLLS)}


@dataclass(frozen=True, eq=False)
class Answers:
    """Answers to many races, an entry each; see `Answer`.

    Attributes
    ----------
    kinds : ndarray of str
        ``exact``, ``model`` or ``rollout``; empty where there is a problem.
    values : Values
        NaN where there is a problem.
    units : ndarray of float64
        At a score, the chance to win the match that an equity of 1 is worth; else NaN.
    best : list of Play or None
        Best plays, where there are dice.
    best_equity, best_error : ndarray of float64
        Of these; NaN without dice.
    played_equity, played_cost, played_error : ndarray of float64
        Of what was played; NaN where nothing was.
    decided_equity, decided_cost, decided_error : ndarray of float64
        Of what was decided; NaN where nothing was.
    problems : list of str
        Why there is no answer; empty where there is one.
    """

    kinds: NDArray[np.str_]
    values: Values
    units: Float64Array
    best: list[Play | None]
    best_equity: Float64Array
    best_error: Float64Array
    played_equity: Float64Array
    played_cost: Float64Array
    played_error: Float64Array
    decided_equity: Float64Array
    decided_cost: Float64Array
    decided_error: Float64Array
    problems: list[str] = field(kw_only=True)
    _doubles: NDArray[np.str_] = field(repr=False, kw_only=True)

    @property
    def actions(self) -> NDArray[np.str_]:
        """Right cube actions; empty where the roller may not double."""
        names = action_names(self.values, self._doubles)
        return np.where(self.values.may_double, names, "")

    @property
    def too_close(self) -> BoolArray:
        """Where errors leave the action open."""
        factor = np.where(self.kinds == "rollout", 2.0, 1.0)
        return np.asarray(self.values.may_double & self.values.widened(factor).too_close)


def answer_many(judge: Judge, questions: Sequence[Question]) -> Answers:
    """Answer many races; of those that cannot be answered, say why and go on.

    Parameters
    ----------
    judge : Judge
        Races that a table holds are looked up together, and so are those that the fast
        model values; those at a score and those that are rolled out come one by one.
    questions : sequence of Question

    Examples
    --------
    >>> import bearoff
    >>> race = bearoff.Race.parse("LwAAwC0AAAAAAA")
    >>> judge = Judge(())
    >>> found = answer_many(judge, [Question(race), Question(race, decided="take")])
    >>> found.actions.tolist(), found.decided_cost.round(2).tolist()
    (['double, pass', 'double, pass'], [nan, 0.03])
    """
    build = _Build(questions)
    alone = []
    groups: dict[int, tuple[Source, list[int]]] = {}
    for row, question in enumerate(questions):
        try:
            check_in_play(question.race)
        except BearoffError as error:
            build.problems[row] = str(error)
            continue
        source = judge.shared_source(question.race)
        if source is None:
            alone.append(row)
        else:
            groups.setdefault(id(source), (source, []))[1].append(row)
    for source, rows in groups.values():
        build.together(source, np.array(rows))
    for row in alone:
        try:
            question = questions[row]
            build.one(row, judge.answer(question.race, played=question.after()))
        except BearoffError as error:
            build.problems[row] = str(error)
    return build.answers


class _Build:
    """Answers under way."""

    def __init__(self, questions: Sequence[Question]) -> None:
        count = len(questions)
        self._questions = questions
        self.problems = count * [""]
        best: list[Play | None] = [None for _ in questions]
        unit, *unknown = np.full((9, count), np.nan)
        doubles = ["redouble" if q.race.cube == "owned" else "double" for q in questions]
        self.answers = Answers(
            np.full(count, "", dtype="U7"),
            empty_values(count),
            unit,
            best,
            *unknown,
            problems=self.problems,
            _doubles=np.array(doubles, dtype="U8"),
        )

    def together(self, source: Source, rows: Int64Array) -> None:
        """Ask one source for all these races."""
        answers, questions = self.answers, [self._questions[row] for row in rows]
        races = Races.of([question.race for question in questions])
        values = source.values(races)
        answers.values.put(rows, values)
        answers.kinds[rows] = source.kind
        for place, question in enumerate(questions):
            if question.decided is not None:
                self._decided(int(rows[place]), values, place, question.decided)
        dice = np.array([_PLACES[q.race.dice] if q.race.dice else -1 for q in questions])
        thrown = np.flatnonzero(dice >= 0)
        if len(thrown):
            self._play(source, rows[thrown], races.select(thrown), dice[thrown])

    def _decided(self, row: int, values: Values, place: int, decided: str) -> None:
        if not values.may_double[place]:
            self.problems[row] = (
                f"there is no {decided} to judge: the roller may not turn the cube"
            )
            return
        equity, cost, error = values.decision(decided, place)
        self.answers.decided_equity[row] = equity
        self.answers.decided_cost[row] = cost
        self.answers.decided_error[row] = error

    def _play(
        self, source: Source, rows: Int64Array, races: Races, dice: Int64Array
    ) -> None:
        answers = self.answers
        of, sides = plays_of(races.rollers, dice)
        equities, errors = equities_after(source, races, of, sides)
        best = first_best(of, equities)
        answers.best_equity[rows], answers.best_error[rows] = equities[best], errors[best]
        firsts = np.flatnonzero(np.diff(of, prepend=-1))
        behind = np.append(firsts[1:], len(of))
        for place, row in enumerate(rows.tolist()):
            question = self._questions[row]
            race = question.race
            assert race.dice is not None
            points = race.roller.points
            after = tuple(sides[best[place], :points].tolist())
            answers.best[row] = Play.between(race.roller, race.dice, after)
            if question.played is None:
                continue
            part = slice(firsts[place], behind[place])
            try:
                wanted = _after(question.played, race)
                there = np.flatnonzero((sides[part, :points] == wanted).all(axis=1))
                if not len(there):
                    wanted = question.after()  # Says why it is no play.
                    raise BearoffError(f"no play of the dice leads to {wanted}")
            except BearoffError as error:
                self.problems[row] = str(error)
                continue
            chosen = firsts[place] + there[0]
            answers.played_equity[row] = equities[chosen]
            answers.played_cost[row] = equities[best[place]] - equities[chosen]
            same = chosen == best[place]
            answers.played_error[row] = (
                0.0 if same else errors[chosen] + errors[best[place]]
            )

    def one(self, row: int, answer: Answer) -> None:
        """Put in the answer to a race that was asked alone."""
        answers, question = self.answers, self._questions[row]
        answers.kinds[row] = answer.kind
        answers.values.put(np.array([row]), answer.values)
        if answer.unit is not None:
            answers.units[row] = answer.unit
        if answer.plays:
            answers.best[row] = answer.plays[0].play
            answers.best_equity[row] = answer.plays[0].equity
            answers.best_error[row] = answer.error
        if question.played is not None:
            played = answer.played(question.played)
            answers.played_equity[row] = played.equity
            answers.played_cost[row] = played.cost
            answers.played_error[row] = played.error
        if question.decided is not None:
            decided = answer.decided(question.decided)
            answers.decided_equity[row] = decided.equity
            answers.decided_cost[row] = decided.cost
            answers.decided_error[row] = decided.error


def _after(played: str | Play | Position, race: Race) -> tuple[int, ...]:
    """Return the checkers after a play, on the points of the race."""
    if isinstance(played, str):
        return Play.reached(played, race.roller)
    after = played.after if isinstance(played, Play) else played
    points = race.roller.points
    return (after.counts + (0,) * points)[:points]
