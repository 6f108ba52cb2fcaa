"""Judge the races of a match: what was right, and what each choice cost."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analysis.formulas import WorkedFormula
from analysis.review.judged import Judged
from analysis.scoring import explanation
from bearoff import BearoffError, Race
from game.records import Decided, MatchRecord, RaceDecision, race_decisions

if TYPE_CHECKING:
    from bearoff.answers import Answer, Choice, Judge

SHOWN_PLAYS = 5
"""Plays of a roll that are listed, and the one that was chosen."""

SUSPICIOUS = 0.002
"""What a play must lose by the fast model, for money, to be rolled out."""

CLEAR = 0.1
"""What the other cube decision must lose by the fast model, so that it is left to it."""

STANDARD_ERRORS = 2.0
"""Of a rollout: within so many nearly all means of games lie."""


_OTHER: dict[Decided, Decided] = {
    "no double": "double",
    "double": "no double",
    "take": "pass",
    "pass": "take",
}


@dataclass(frozen=True)
class Review:
    """Races of a match, judged.

    Attributes
    ----------
    judged : list of Judged
        Every decision that could be judged, in order.
    problems : list of str
        A sentence for each game that breaks off, and each decision without an answer.
    """

    judged: list[Judged]
    problems: list[str]


def review(
    match: MatchRecord,
    judge: "Judge",
    formula: WorkedFormula,
    on_decision: Callable[[], object] = lambda: None,
) -> Review:
    """Judge every decision of a match once contact is over.

    Parameters
    ----------
    match : MatchRecord
        As read from a file.
    judge : Judge
        Whoever answers: by tables, rollouts or the fast model.
    formula : WorkedFormula
        What it says of doubles and takes is told beside.
    on_decision : callable
        Called after each decision.

    Returns
    -------
    Review
    """
    decisions, problems = race_decisions(match)
    judged: list[Judged] = []
    answered: tuple[Race, Answer] | None = None
    for decision in decisions:
        try:
            if answered is None or answered[0] != decision.race:
                answered = decision.race, _answer(decision, judge)
            judged.append(_judged(match, decision, answered[1], formula))
        except BearoffError as error:
            action = decision.moment.action
            problems.append(f"{match.source}, line {action.line}, no answer: {error}")
        on_decision()
    return Review(judged, problems)


def _answer(decision: RaceDecision, judge: "Judge") -> "Answer":
    """Answer a decision; what the fast model finds no fault with is left to it."""
    from bearoff.answers import Judge

    race = decision.race
    if (decision.kind == "play" or race.score is None) and not judge.holds(race):
        quick = Judge(()).answer(replace(race, score=None))
        if _is_clear(decision, quick):
            return quick
    return judge.answer(race)


def _is_clear(decision: RaceDecision, quick: "Answer") -> bool:
    """Whether a choice is right beyond what the fast model may be wrong by."""
    if decision.kind == "play":
        assert decision.after is not None
        return quick.played(decision.after).cost < SUSPICIOUS
    assert decision.decided is not None
    return quick.decided(_OTHER[decision.decided]).cost > CLEAR


def _judged(
    match: MatchRecord, decision: RaceDecision, answer: "Answer", formula: WorkedFormula
) -> Judged:
    moment, race = decision.moment, decision.race
    says = ""
    if decision.kind == "play":
        assert decision.after is not None
        choice: Choice = answer.played(decision.after)
        name, best = choice.name, answer.plays[0].name
        equities = tuple(_plays(answer, choice))
    else:
        assert decision.decided is not None
        choice = answer.decided(decision.decided)
        name, best = decision.decided, _right(decision.decided, answer)
        equities = tuple(_cubes(answer))
        says = _formula_says(decision.kind, race, formula)
    spread = STANDARD_ERRORS if answer.kind == "rollout" else 1.0
    return Judged(
        source=match.source,
        game=moment.game.number,
        line=moment.action.line,
        player=match.players[moment.action.player],
        kind=decision.kind,
        race=race,
        decided=name,
        best=best,
        equities=equities,
        cost=choice.cost,
        error=spread * choice.error,
        method=answer.kind,
        formula=says,
    )


def _right(decided: Decided, answer: "Answer") -> str:
    """Return the right decision: the one of two that costs nothing."""
    pair = sorted((decided, _OTHER[decided]), key=list(_OTHER).index)
    return min(pair, key=lambda name: answer.decided(name).cost)


def _cubes(answer: "Answer") -> Iterator[tuple[str, float]]:
    choices = (answer.no_double, answer.take, answer.pass_)
    for name, choice in zip(
        ("no double", "double, take", "double, pass"), choices, strict=True
    ):
        assert choice is not None
        yield name, choice.equity


def _plays(answer: "Answer", chosen: "Choice") -> Iterator[tuple[str, float]]:
    best: Sequence[Choice] = answer.plays[:SHOWN_PLAYS]
    for choice in best if chosen in best else [*best, chosen]:
        yield choice.name, choice.equity


def _formula_says(kind: str, race: Race, formula: WorkedFormula) -> str:
    """Return what the formula decides; it knows money alone."""
    verdict = explanation.explain(formula, replace(race, score=None)).verdict
    if kind == "take":
        return "take" if verdict.take else "pass"
    doubles = verdict.redouble if race.cube == "owned" else verdict.double
    return "double" if doubles else "no double"
