"""Drills on races of n rolls against m rolls, and on take points at match scores."""

import re
from collections.abc import Sequence
from functools import cache
from random import Random

import numpy as np

from bearoff import (
    BearoffError,
    Position,
    Race,
    Score,
    match_equities,
    match_thresholds,
)
from bearoff.analysis.review import Decision, cube_alternatives
from bearoff.analysis.scoring import n_rolls
from bearoff.app.output import amount
from bearoff.app.serve.drills.asked import (
    UNJUDGED,
    Drill,
    DrillQuestion,
    Level,
    Marked,
    SolutionLine,
    board_of,
    choice_of,
    number_of,
    rank_of,
    ranked,
    third,
)
from bearoff.app.serve.drills.slips import around
from bearoff.app.serve.drills.solving import how_clear
from bearoff.stakes import Terms, Values, is_mistake

MOST_ROLLS = 7
FARTHEST = 9
"""Maximum number of points that a player needs in a question on take points."""

FAR = 0.3
"""Maximum cost of a wrong cube action in questions on n-roll races, in points of equity."""

_WITHIN = 2.0
_ROUNDING = 1e-12
"""Difference below which two equities count as equal, in points of equity."""

_WHERE = {"centred": "in the centre", "owned": "on your side"}
_ROLLS = re.compile(r"(centred|owned) ([1-7]) ([1-7])")
_SCORE = re.compile(r"([2-9]) ([2-9]) cube ([12])")


class Endings(Drill):
    """Drill on cube decisions in races of n rolls against m rolls."""

    name, title = "n-rolls", "Last rolls"
    text = (
        "Cube decisions with all checkers on the ace points: a roll bears off two "
        "checkers, a double four. Harder where a wrong choice costs less."
    )

    def draw(self, rng: Random, level: Level) -> str:
        rests, order = _endings()
        return rests[rng.choice(third(order, level))]

    def difficulty(self, rest: str) -> float:
        """Return a question's difficulty, which is higher if a wrong choice costs less."""
        rests, order = _endings()
        return rank_of(rests.index(rest), order) if rest in rests else UNJUDGED

    def hints(self, rest: str) -> list[str]:
        """Return hints: rolls, win probability, and the equity after a double and take."""
        _, roller, opponent = _rolls(rest)
        taken = _decision(rest).alternatives[1]
        chance = float(n_rolls.roll_race(roller, opponent).win_probability)
        return [
            f"Without rolling doubles, you need {amount(roller, 'rolls')}, the opponent "
            f"{opponent}.",
            f"You win {100 * chance:.1f}%.",
            f"Your equity is {taken.equity:+.3f} after a double and a take.",
        ]

    def race(self, rest: str) -> Race:
        """Return the race of a question, with all checkers on the ace points."""
        return _race(rest)

    def question(self, rest: str) -> DrillQuestion:
        """Return the question that asks for the correct cube actions of both sides."""
        return DrillQuestion(
            key=self.key(rest),
            kind=self.name,
            title=self.title,
            text="You are on roll, in money play. What is correct for both sides?",
            form="choice",
            choices=[each.name for each in _decision(rest).alternatives],
            hints=len(self.hints(rest)),
            **board_of(self.race(rest)),  # type: ignore[arg-type]
        )

    def mark(self, rest: str, given: str) -> Marked:
        """Mark the chosen cube actions by their exact equities."""
        where, roller, opponent = _rolls(rest)
        one = _decision(rest)
        chosen = choice_of(given, [each.name for each in one.alternatives])
        lost = next(each.cost for each in one.alternatives if each.name == chosen)
        waits, taken = (each.equity for each in one.alternatives[:2])
        race = n_rolls.roll_race(roller, opponent)
        return Marked(
            key=self.key(rest),
            kind=self.name,
            given=chosen,
            answer=one.best,
            right=not is_mistake(lost or 0.0),
            cost=lost,
            method="exact",
            notes=[_nearest(one)],
            steps=[
                SolutionLine(
                    words="rolls you need without doubles", arithmetic=str(roller)
                ),
                SolutionLine(
                    words="rolls the opponent needs without doubles",
                    arithmetic=str(opponent),
                ),
                *_recursion(race),
                SolutionLine(
                    words=f"your equity without a double, with the cube {_WHERE[where]}",
                    arithmetic=f"{waits:+.4f}",
                ),
                SolutionLine(
                    words="your equity after a double and a take",
                    arithmetic=f"{taken:+.4f}",
                ),
                SolutionLine(
                    words="your equity after a double and a pass", arithmetic="+1"
                ),
            ],
            options=list(one.alternatives),
        )


def _rolls(rest: str) -> tuple[str, int, int]:
    found = _ROLLS.fullmatch(rest)
    if found is None:
        raise BearoffError(f"the drill n-rolls has no question {rest[:40]!r}")
    return found[1], int(found[2]), int(found[3])


def _race(rest: str) -> Race:
    where, roller, opponent = _rolls(rest)
    sides = (Position((2 * n, 0, 0, 0, 0, 0)) for n in (roller, opponent))
    value = 2 if where == "owned" else 1
    return Race(*sides, cube=where, cube_value=value)  # type: ignore[arg-type]


def _values(rests: Sequence[str]) -> Values:
    """Return the equities of n-roll races, exact except for rounding."""
    owned = [_rolls(rest)[0] == "owned" for rest in rests]
    races = [n_rolls.roll_race(*_rolls(rest)[1:]) for rest in rests]
    values = Values.empty(Terms(), np.array(owned, np.int8), tie=_ROUNDING)
    values.no_double[:] = [
        float(race.no_redouble if own else race.no_double)
        for race, own in zip(races, owned, strict=True)
    ]
    values.double_take[:] = [float(race.double_take) for race in races]
    values.no_double_error[:] = values.double_take_error[:] = 0.0
    return values


def _decision(rest: str) -> Decision:
    race = _race(rest)
    return Decision("double", race, cube_alternatives("double", _values([rest])))


def _nearest(one: Decision) -> str:
    """Return a sentence on how much worse the second-best choice of cube actions is."""
    others = [
        each for place, each in enumerate(one.alternatives) if place != one.right_index
    ]
    other = min(others, key=lambda each: each.cost or 0.0)
    best = one.alternatives[one.right_index].name
    return f"{how_clear(best, other.name, other.cost or 0.0)}."


@cache
def _endings() -> tuple[list[str], tuple[int, ...]]:
    """Return n-roll races in which the best action is unique but close, easiest first."""
    every = []
    for where in ("centred", "owned"):
        for roller in range(2, MOST_ROLLS + 1):
            for opponent in range(max(roller - 2, 1), min(roller + 2, MOST_ROLLS) + 1):
                every.append(f"{where} {roller} {opponent}")
    values = _values(every)
    margins = np.minimum(np.abs(values.double_gain), np.abs(values.take_gain)).tolist()
    found = [
        (rest, margin)
        for rest, margin in zip(every, margins, strict=True)
        if _ROUNDING < margin <= FAR
    ]
    order = ranked((-margin, place) for place, (_, margin) in enumerate(found))
    return [rest for rest, _ in found], order


def _recursion(race: n_rolls.RollRace) -> list[SolutionLine]:
    n, m = race.roller, race.opponent
    after = [
        f"{float(1 - n_rolls.roll_race(m, n - off).win_probability):.4f}"
        if n > off
        else "1"
        for off in (1, 2)
    ]
    return [
        SolutionLine(
            words="your chance of winning: 5/6 x that after an ordinary roll + 1/6 x that "
            "after doubles",
            arithmetic=f"5/6 x {after[0]} + 1/6 x {after[1]} = "
            f"{float(race.win_probability):.4f}",
        )
    ]


class TakePoints(Drill):
    """Drill on take points at a match score with a dead cube."""

    name, title, unit = "take-point", "Take points", "%"
    text = (
        "Winning chance needed to take at a match score with a dead cube, to within "
        "2%. Harder far from the end of the match, and with the cube at 2."
    )

    def draw(self, rng: Random, level: Level) -> str:
        rests, order = _scores()
        return rests[rng.choice(third(order, level))]

    def difficulty(self, rest: str) -> float:
        """Return a question's difficulty, which is higher far from the end of the match."""
        rests, order = _scores()
        return rank_of(rests.index(rest), order) if rest in rests else UNJUDGED

    def hints(self, rest: str) -> list[str]:
        """Return the doubled player's match-winning chances, one per hint."""
        passed, won, lost = _chances(rest)
        return [
            f"If you pass, you win {passed:.2f}% of the matches.",
            f"If you take and lose the game, you win {lost:.2f}% of the matches.",
            f"If you take and win the game, you win {won:.2f}% of the matches. The take "
            "point is risk / (risk + gain).",
        ]

    def question(self, rest: str) -> DrillQuestion:
        score, value = _score(rest)
        theirs, yours = score.away
        passed, won, lost = _chances(rest)
        truth = 100 * _needed(rest)
        # Four typical mistakes, in order: dividing risk by gain; taking the take point for
        # money; exchanging risk and gain; taking the match-winning chance after a pass.
        slips = [(passed - lost) / (won - passed) * 100, 25.0, 100 - truth, passed]
        likely = [slip for slip in slips if 5 < slip < 50]
        return DrillQuestion(
            key=self.key(rest),
            kind=self.name,
            title=self.title,
            text=f"You need {amount(yours, 'points')}, the opponent {theirs}. The opponent "
            f"doubles to {2 * value} before the last roll, so nobody will double again. "
            "What winning chance do you need to take, in percent?",
            form="number",
            unit=self.unit,
            within=_WITHIN,
            choices=around(truth, likely, _WITHIN, Random(rest), 100),
            hints=len(self.hints(rest)),
        )

    def mark(self, rest: str, given: str) -> Marked:
        """Mark a number by comparing it with the take point of the match equity table."""
        number = number_of(given, "%")
        needed = _needed(rest)
        passed, won, lost = _chances(rest)
        risk, gain = passed - lost, won - passed
        error = round(number - 100 * needed, 2)
        return Marked(
            key=self.key(rest),
            kind=self.name,
            given=f"{number:g}",
            answer=f"{100 * needed:.1f}",
            right=abs(error) <= _WITHIN,
            error=error,
            method=f"exact for {match_equities().name}",
            steps=[
                SolutionLine(
                    words="chance of winning the match if you pass",
                    arithmetic=f"{passed:.2f}%",
                ),
                SolutionLine(
                    words="the same if you take and win the game", arithmetic=f"{won:.2f}%"
                ),
                SolutionLine(
                    words="the same if you take and lose the game",
                    arithmetic=f"{lost:.2f}%",
                ),
                SolutionLine(
                    words="risk: chance after a pass minus chance after a loss",
                    arithmetic=f"{passed:.2f} - {lost:.2f} = {risk:.2f}",
                ),
                SolutionLine(
                    words="gain: chance after a win minus chance after a pass",
                    arithmetic=f"{won:.2f} - {passed:.2f} = {gain:.2f}",
                ),
                SolutionLine(
                    words="take point: risk / (risk + gain)",
                    arithmetic=f"{risk:.2f} / {risk + gain:.2f} = {100 * needed:.1f}%",
                ),
            ],
        )


def _score(rest: str) -> tuple[Score, int]:
    """Return the match score for the doubler, and the cube value before the double."""
    found = _SCORE.fullmatch(rest)
    if found is None:
        raise BearoffError(f"the drill take-point has no question {rest[:40]!r}")
    return Score((int(found[2]), int(found[1]))), int(found[3])


def _needed(rest: str) -> float:
    """Return the win probability that the doubled player needs to take."""
    needed = match_thresholds(*_score(rest)).take_point
    if needed is None:
        raise BearoffError(f"the drill take-point has no question {rest!r}")
    return needed


def _chances(rest: str) -> tuple[float, float, float]:
    """Return the doubled player's match-winning chances (%) after a pass, a win and a loss.

    The chances are rounded to hundredths of a percent, as displayed, so that the displayed
    differences are correct.
    """
    score, value = _score(rest)
    table = match_equities()
    after = (100 * (1 - table.after(score, n * value)) for n in (1, -2, 2))
    passed, won, lost = (round(chance, 2) for chance in after)
    return passed, won, lost


@cache
def _scores() -> tuple[list[str], tuple[int, ...]]:
    every = [
        f"{yours} {theirs} cube {value}"
        for value in (1, 2)
        for yours in range(2, FARTHEST + 1)
        for theirs in range(value + 1, FARTHEST + 1)
    ]
    rests = [rest for rest in every if match_thresholds(*_score(rest)).take_point]
    hard = []
    for row, rest in enumerate(rests):
        score, value = _score(rest)
        hard.append((float(sum(score.away) * value), row))
    return rests, ranked(hard)
