"""Answers to one race and to many, with the keys of the JSON."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from pydantic import ValidationError

from app.answers.fields import as_json, race_json
from app.serve.asking import question_of
from app.serve.judges import Judges
from app.serve.models import AskedIn, RaceIn
from app.serve.problems import in_one_line, what_is_wrong
from bearoff import BearoffError, Race, TwoSidedTable
from bearoff.answers import (
    FIELDS,
    Answer,
    Answers,
    Judge,
    Question,
    answer_many,
    answer_rolls,
)
from bearoff.bear_in import widen
from bearoff.sources import Source, Table


def answer_one(judges: Judges, question: Question, asked: AskedIn) -> dict[str, Any]:
    """Answer one race, and judge what was played or decided in it.

    Raises
    ------
    BearoffError
        If it cannot be answered.
    """
    race, decision, after = question.race, question.decided, question.after()

    def answered(judge: Judge, source: Source) -> dict[str, Any]:
        answer = judge.answer(race, market=asked.market, source=source)
        decided = None if decision is None else answer.decided(decision)
        played = None if after is None else answer.played(after)
        rolls = answer_rolls(judge, race, source) if asked.rolls else None
        found = as_json(answer, decided, played, rolls)
        return with_position(found, answer, source)

    return judges.ask(race, answered, asked.patience)


def with_position(found: dict[str, Any], answer: Answer, source: Source) -> dict[str, Any]:
    """Add to an answer what a page needs besides."""
    table = source.table if isinstance(source, Table) else None
    held = table if isinstance(table, TwoSidedTable) else None
    return found | _board(answer.race) | {"table": held and table_json(held)}


def read_position(race: Race) -> dict[str, Any]:
    """Return a race as a board and in all notations."""
    return race_json(race) | _board(race)


def _board(race: Race) -> dict[str, Any]:
    counts = widen([race.roller.counts, race.opponent.counts])
    return {
        # Without contact no point holds checkers of both.
        "board": [0, *(counts[0] - counts[1][::-1]).tolist(), 0],
        "off": [race.roller.off, race.opponent.off],
        "gnu_id": race.gnu_id,
        "ogid": race.ogid,
    }


def table_json(table: TwoSidedTable) -> dict[str, int]:
    """Return the size of a table."""
    return {"points": table.points, "checkers": table.checkers}


def answer_rows(judge: Judge, asked: list[Any]) -> list[dict[str, Any]]:
    """Answer many races; of one that cannot be answered, say why in its place."""
    rows: list[dict[str, Any]] = [{} for _ in asked]
    places, questions = [], []
    for place, one in enumerate(asked):
        try:
            questions.append(question_of(RaceIn.model_validate(one)))
            places.append(place)
        except BearoffError as error:
            rows[place] = _problem(in_one_line(error))
        except ValidationError as error:
            rows[place] = _problem(what_is_wrong(error.errors(include_url=False)[0]))
    found = answer_many(judge, questions)
    for place, row in zip(places, _rows(found), strict=True):
        rows[place] = row
    return rows


def _rows(found: Answers) -> Iterator[dict[str, Any]]:
    columns = {name: np.asarray(found.field(name)).tolist() for name in FIELDS}
    columns["best_play"] = [play and str(play) for play in found.best_play]
    for name in ("kind", "action"):
        columns[name] = [text or None for text in columns[name]]
    for problem, *row in zip(found.problem, *columns.values(), strict=True):
        yield _problem(problem) if problem else dict(zip(_ROW, (*row, None), strict=True))


_ROW = (*FIELDS, "problem")


def _problem(sentence: str) -> dict[str, Any]:
    return dict.fromkeys(FIELDS) | {"problem": sentence}
