"""Judge a decision: what was right, and what the choice cost."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from bearoff import Position, Race
from bearoff.analysis.formulas import Formula
from bearoff.analysis.review.decision import (
    SHOWN_PLAYS,
    Alternative,
    Decision,
    cube_alternatives,
)
from bearoff.analysis.review.file_says import file_says
from bearoff.answers import intervals
from bearoff.game import Board, format_play
from bearoff.game.records import MatchRecord, RecordedDecision

if TYPE_CHECKING:
    from bearoff.analysis.review.estimates import Estimates
    from bearoff.answers import Answer, Judge, Question
    from bearoff.sources import Source

SUSPICIOUS = 0.002
"""Equity that a play must lose by the fast model to be solved or rolled out."""

AS_GOOD = 0.02
"""Error of a play by the fast model that a rollout makes no smaller: twice its standard
error of 0.01."""

CLEAR = 0.1
"""What the other cube decision must lose by the fast model, so that it is left to it."""

_OTHER = {
    "no double": "double",
    "double": "no double",
    "take": "pass",
    "pass": "take",
}


RollOut = Callable[[Race, Position | None, tuple[str, ...]], "Source"]
"""Makes the source that values a race by games, and where its plays lead; behind the race
are the play, or else the cube decisions, whose costs are asked for."""


def is_clear(decision: RecordedDecision, quick: "Answer") -> bool:
    """Whether a choice is right beyond what the fast model may be wrong by."""
    if decision.kind == "play":
        if decision.after is None:
            # Nobody says what was played: the best must be surely the best.
            return all(one.cost > max(one.error, SUSPICIOUS) for one in quick.plays[1:])
        chosen = quick.played(decision.after)
        return chosen.cost < SUSPICIOUS and chosen.error <= AS_GOOD
    pair = ("no double", "double")
    best = min(pair, key=lambda name: quick.decided(name).cost)
    other = quick.decided(_OTHER[decision.decided or best])
    return other.cost > max(CLEAR, other.error)


def is_first(decision: RecordedDecision, quick: "Answer") -> bool:
    """Whether a play is the fast model's own choice; a cube decision counts as such."""
    return decision.after is None or quick.played(decision.after).cost == 0.0


def judged_of(
    match: MatchRecord, decision: RecordedDecision, answer: "Answer", formula: Formula
) -> Decision:
    """Compare a decision of a match with an answer to its race."""
    found = decision_of(answer, decision.decided, decision.after, formula)
    return _as_recorded(
        found,
        match,
        decision,
        lambda after: answer.played(Position(after.roller[:24])).name,
    )


def estimated(
    match: MatchRecord, decision: RecordedDecision, estimates: "Estimates", depth: int
) -> Decision:
    """Judge a decision of a match before the race, looking so many rolls ahead."""
    roll = decision.position.dice
    board = decision.moment.board

    def name_of(after: Board) -> str:
        assert roll is not None  # Of a play.
        return format_play(board, after, roll)

    return _as_recorded(estimates.of(decision, depth), match, decision, name_of)


def _as_recorded(
    found: Decision,
    match: MatchRecord,
    decision: RecordedDecision,
    name_of: Callable[[Board], str],
) -> Decision:
    """Say of a judged decision where it is from, and what its file says."""
    moment = decision.moment
    return replace(
        found,
        source=match.source,
        game=moment.game.number,
        line=moment.action.line,
        player=match.players[moment.action.player],
        file=file_says(decision, name_of),
        comment=moment.action.comment,
    )


def judge_question(
    question: "Question",
    judge: "Judge",
    formula: Formula,
    source: str,
    line: int,
    roll_out: RollOut | None = None,
) -> Decision:
    """Judge a position of a list, and what was played or decided in it, if it says so.

    Parameters
    ----------
    question : Question
        With dice it is about the play, else about the double, or about the take if that
        was decided.
    judge, formula
        As of `Reviewing`.
    source, line : str, int
        Where it is from.
    roll_out : callable, optional
        As of `Reviewing`.

    Raises
    ------
    BearoffError
        If there is no answer, or nothing to decide.
    """
    race, after = question.race, question.after()
    if roll_out is None or judge.holds(race):
        answer = judge.answer(race, played=after)
    else:
        quick = judge.answer(race, source=judge.model)
        cube = () if question.decided is None else (question.decided,)
        answer = rolled_out(judge, race, quick, roll_out, after, cube)
    found = decision_of(answer, question.decided, after, formula)
    return replace(found, source=source, line=line)


def decision_of(
    answer: "Answer",
    decided: str | None = None,
    played: Position | None = None,
    formula: Formula | None = None,
    most: int = SHOWN_PLAYS,
) -> Decision:
    """Return what an answer makes of a decision in its race.

    Parameters
    ----------
    answer : Answer
    decided : str, optional
        What was done with the cube. Without it the decision is how to play the dice or, if
        there are none, whether to double.
    played : Position, optional
        Where the play leads that was made.
    formula : Formula, optional
        What it says of a double or a take is told beside.
    most : int
        Plays that are kept, the best, and the one that was made.

    Raises
    ------
    BearoffError
        If there is nothing to decide.
    """
    race, spread = answer.race, intervals(answer.kind)
    if decided is None and race.dice is not None:
        made = None if played is None else answer.played(played)
        plays = tuple(
            Alternative(one.name, one.equity, one.cost, spread * one.error)
            for one in answer.plays
        )
        name = "" if made is None else made.name
        return Decision("play", race, plays, name, answer.kind).shortened(most)
    kind: Literal["double", "take"] = "double"
    if decided in ("take", "pass", "beaver"):
        kind = "take"
    answer.decided(decided or kind)  # Refuses what cannot be decided.
    found = cube_alternatives(kind, answer.values, spread=spread)
    says = "" if formula is None else formula_says(kind, race, formula)
    # Dice that were thrown afterwards are no part of it.
    return Decision(kind, replace(race, dice=None), found, decided or "", answer.kind, says)


def formula_says(kind: str, race: Race, formula: Formula) -> str:
    """Return what the formula decides; it knows money alone."""
    sides = [np.array([side.counts], np.int64) for side in (race.roller, race.opponent)]
    verdict = formula.decide(*sides)
    if kind == "take":
        return "take" if verdict.take[0] else "pass"
    doubles = (verdict.redouble if race.cube == "owned" else verdict.double)[0]
    return "double" if doubles else "no double"


def rolled_out(
    judge: "Judge",
    race: Race,
    quick: "Answer",
    roll_out: RollOut,
    after: Position | None,
    decided: tuple[str, ...],
) -> "Answer":
    """Answer by games what is asked, a play or the cube; the rest is the model's."""
    if judge.model.certain(judge.races([race]))[0]:
        return quick
    source = roll_out(race, after, decided)
    if race.dice is None:
        return judge.answer(race, source=source)
    return replace(quick, kind=source.kind, plays=judge.plays(race, source, after))
