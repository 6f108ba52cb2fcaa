"""Evaluation of decisions: the right choice, and the cost of the player's choice."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from bearoff import BearoffError, Position, Race
from bearoff.analysis.formulas import Formula
from bearoff.analysis.review.contact import ContactQuestion, answer_contact
from bearoff.analysis.review.decision import (
    SHOWN_PLAYS,
    Alternative,
    Decision,
    cube_alternatives,
    without_double,
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
"""Cost of the player's play, according to the fast model, from which the race is also
solved or rolled out."""

AS_GOOD = 0.02
"""Error of the fast model, in EMG, up to which the model is considered as accurate as a
rollout."""

CLEAR = 0.1
"""Cost of the wrong cube action according to the fast model, in EMG, above which the race
need not be solved or rolled out."""

_OTHER = {
    "no double": "double",
    "double": "no double",
    "take": "pass",
    "pass": "take",
}


RollOut = Callable[[Race, Position | None, tuple[str, ...]], "Source"]
"""Function that returns a source of rollouts for the races after a decision. Its arguments
are the race, the position after the player's play, and the cube actions whose costs are
needed."""


def is_clear(decision: RecordedDecision, quick: "Answer") -> bool:
    """Return whether the best choice is certain, despite the error of the fast model."""
    if decision.kind == "play":
        if decision.after is None:
            # If the play made is unknown, the best play is certain only if all other plays
            # are clearly worse.
            return all(one.cost > max(one.error, SUSPICIOUS) for one in quick.plays[1:])
        chosen = quick.played(decision.after)
        return chosen.cost < SUSPICIOUS and chosen.error <= AS_GOOD
    pair = ("no double", "double")
    best = min(pair, key=lambda name: quick.decided(name).cost)
    other = quick.decided(_OTHER[decision.decided or best])
    return other.cost > max(CLEAR, other.error)


def is_first(decision: RecordedDecision, quick: "Answer") -> bool:
    """Return whether the fast model rates the player's play best; true for cube actions."""
    return decision.after is None or quick.played(decision.after).cost == 0.0


def judged_of(
    match: MatchRecord, decision: RecordedDecision, answer: "Answer", formula: Formula
) -> Decision:
    """Evaluate a recorded decision in a race, given the equities in `answer`."""
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
    """Evaluate a recorded decision during contact by a search a few rolls ahead."""
    roll = decision.position.dice
    board = decision.moment.board

    def name_of(after: Board) -> str:
        assert roll is not None  # Every checker-play decision has a roll.
        return format_play(board, after, roll)

    return _as_recorded(estimates.of(decision, depth), match, decision, name_of)


def _as_recorded(
    found: Decision,
    match: MatchRecord,
    decision: RecordedDecision,
    name_of: Callable[[Board], str],
) -> Decision:
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
    question: "Question | ContactQuestion",
    judge: "Judge",
    formula: Formula,
    source: str,
    line: int,
    roll_out: RollOut | None = None,
    estimates: "Estimates | None" = None,
) -> Decision:
    """Evaluate the play or cube action that was given with a position.

    Parameters
    ----------
    question : Question or ContactQuestion
        Question to judge. With dice, the question is about a play. Without dice, the
        question is about a double, or about the reply if one is given.
    judge, formula
        Source of equities, and formula whose cube action is recorded, as in `Reviewing`.
    source, line : str, int
        Name of the list of questions, and line number of the question.
    roll_out, estimates : callable, Estimates, optional
        Function that creates rollouts, and estimator of decisions during contact, as in
        `Reviewing`.

    Raises
    ------
    BearoffError
        If there is no answer, or the sides are in contact and there are no estimates.
    """
    if isinstance(question, ContactQuestion):
        if estimates is None:
            raise BearoffError("the position has contact, but only races can be judged")
        found = _of_contact(question, estimates)
        return replace(found, source=source, line=line)
    race, after = question.race, question.after()
    if roll_out is None or judge.holds(race):
        answer = judge.answer(race, played=after)
    else:
        quick = judge.answer(race, source=judge.model)
        cube = () if question.decided is None else (question.decided,)
        answer = rolled_out(judge, race, quick, roll_out, after, cube)
    found = decision_of(answer, question.decided, after, formula)
    return replace(found, source=source, line=line)


def _of_contact(question: ContactQuestion, estimates: "Estimates") -> Decision:
    answer = answer_contact(question, estimates)
    if answer.play is not None and question.decided is None:
        return answer.play.shortened()
    if answer.cube_decision is None:
        return without_double(question.before, answer.equity, answer.kind)
    return answer.cube_decision


def decision_of(
    answer: "Answer",
    decided: str | None = None,
    played: Position | None = None,
    formula: Formula | None = None,
    most: int = SHOWN_PLAYS,
) -> Decision:
    """Return a decision in a race with its alternatives, given the equities.

    Parameters
    ----------
    answer : Answer
    decided : str, optional
        The player's cube action. If None, the decision is how to play the dice or, without
        dice, whether to double. If the roller may not double, the decision has one
        alternative.
    played : Position, optional
        Position after the play that was made; None if unknown.
    formula : Formula, optional
        Formula whose cube action is recorded with the decision.
    most : int
        Number of best plays to include, besides the play that was made.

    Raises
    ------
    BearoffError
        If the rules do not allow the cube action.
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
    if decided is None and not answer.may_double:
        return without_double(race, answer.equity, answer.kind)
    kind: Literal["double", "take"] = "double"
    if decided in ("take", "pass", "beaver"):
        kind = "take"
    # The result is not used: `Answer.decided` raises an error for a cube action that is not
    # allowed.
    answer.decided(decided or kind)
    found = cube_alternatives(kind, answer.values, spread=spread)
    says = "" if formula is None else formula_says(kind, race, formula)
    # A cube decision comes before the roll, so the dice are removed.
    return Decision(kind, replace(race, dice=None), found, decided or "", answer.kind, says)


def formula_says(kind: str, race: Race, formula: Formula) -> str:
    """Return a formula's cube action in a race; formulas ignore the match score."""
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
    """Return a race's values by a rollout, or the fast model's values if certain."""
    if judge.model.certain(judge.races([race]))[0]:
        return quick
    source = roll_out(race, after, decided)
    if race.dice is None:
        return judge.answer(race, source=source)
    return replace(quick, kind=source.kind, plays=judge.plays(race, source, after))
