"""Functions behind the tools of the Model Context Protocol; they return JSON values."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from bearoff import BearoffError
from bearoff.analysis import formulas
from bearoff.analysis.review import (
    CONTACT,
    MEASURED,
    Decision,
    Estimates,
    Reviewing,
    answer_contact,
    decision_json,
    totals,
)
from bearoff.analysis.scoring import explanation
from bearoff.answers import Judge, Question, read_question
from bearoff.app import reviews
from bearoff.app.formulas import explanation_as_json, formula_named, formulas_by_name
from bearoff.app.library.exporting import row_of
from bearoff.app.library.library import open_library
from bearoff.app.library.searching import SORTS
from bearoff.app.library.wanted import Wanted
from bearoff.app.race_answers.contact import read_any
from bearoff.app.race_answers.fields import as_json, contact_json
from bearoff.checks import choice
from bearoff.game.records import match_decisions, parse_match, race_decisions

PATIENCE = 1.0
"""Time limit in seconds for solving a race at a match score."""

MOST_DECISIONS = 2000
"""Maximum number of decisions in a review by the MCP server."""

MOST_FOUND = 200
"""Maximum number of decisions that a search returns."""


def answer(parts: dict[str, Any], *, market: bool = False) -> dict[str, Any]:
    """Return the answer to a question about a position, as ``bearoff race --json`` does."""
    question = read_any(_said(parts))
    if not isinstance(question, Question):
        return contact_json(answer_contact(question, Estimates()))
    judge, race = Judge(patience=PATIENCE), question.race
    after = question.after()
    found = judge.answer(race, market=market, played=after)
    decided = None if question.decided is None else found.decided(question.decided)
    played = None if after is None else found.played(after)
    return as_json(found, decided, played)


def formula(parts: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the steps in which a doubling formula is applied to a race."""
    race = read_question(_said(parts)).race.on_points()
    chosen = formula_named(name, formulas_by_name(None))
    return explanation_as_json(race, explanation.explain(chosen, race))


def review(
    text: str, name: str, *, races_only: bool = False, deep: bool = False
) -> dict[str, Any]:
    """Judge a match by tables, the fast model and a search, without storing the result."""
    record = parse_match(text, name)
    decisions, _ = (race_decisions if races_only else match_decisions)(record)
    if len(decisions) > MOST_DECISIONS:
        raise BearoffError(
            f"a review here is limited to {MOST_DECISIONS:,} decisions, got "
            f"{len(decisions):,}; use bearoff review for more"
        )
    reviewing = Reviewing(
        [record],
        reviews.review_judge(),
        formulas.get(formulas.RECOMMENDED),
        estimates=None if races_only else Estimates(deep=deep),
    )
    for _ in reviewing.run():
        pass
    found = reviewing.review()
    summed = totals(found.judged, lambda one: (one.player, one.kind, _phase(one)))
    races = [one for one in found.judged if one.in_race]
    return {
        "solving_seconds": reviews.PATIENCE,
        "decisions": [
            decision_json(one) for one in sorted(found.judged, key=lambda one: -one.cost)
        ],
        "totals": [
            {
                "player": one.name[0],
                "kind": one.name[1],
                "phase": one.name[2],
                "decisions": one.decisions,
                "mistakes": one.mistakes,
                "lost": one.lost,
            }
            for one in summed
        ],
        "players": _by_player(found.judged),
        "races": _by_player(races),
        "estimates": asdict(MEASURED),
        "problems": found.problems,
    }


def _phase(one: Decision) -> str:
    return "race" if one.in_race else CONTACT


def _by_player(judged: Sequence[Decision]) -> list[dict[str, Any]]:
    """Return the totals of each player, with the performance rating (PR)."""
    return [
        {
            "player": one.name[0],
            "decisions": one.decisions,
            "mistakes": one.mistakes,
            "lost": one.lost,
            "counted": one.counted,
            "rating": one.rating,
        }
        for one in totals(judged, lambda one: (one.player,))
    ]


def library_search(wanted: Wanted, sort: str, most: int) -> dict[str, Any]:
    """Return decisions found in the user's library."""
    choice(sort, "sort", tuple(SORTS))
    if not 1 <= most <= MOST_FOUND:
        raise BearoffError(
            f"the maximum number of results must be from 1 to {MOST_FOUND}, got {most}"
        )
    found, count = open_library().find(wanted, sort, most)
    return {"found": count, "decisions": [row_of(one, {}) for one in found]}


def _said(parts: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parts.items() if value not in (None, "")}
