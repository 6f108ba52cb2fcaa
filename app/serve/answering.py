"""Answers to requests about one race or many races, as they appear in the response."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from pydantic import ValidationError

from bearoff import CHECKERS, BearoffError, Score
from bearoff.analysis.review import ContactQuestion, Estimates, answer_contact
from bearoff.answers import (
    FIELDS,
    Answer,
    Answers,
    Judge,
    Question,
    answer_many,
    answer_rolls,
    plain,
)
from bearoff.app.race_answers.fields import as_json, contact_json, position_json
from bearoff.app.race_answers.wrong import what_is_wrong
from bearoff.app.serve.asking import question_of
from bearoff.app.serve.judges import ANSWERING, Judges, Lookup
from bearoff.app.serve.models import (
    AnswerOut,
    AskedIn,
    ContactOut,
    PositionOut,
    RaceIn,
    TableOut,
)
from bearoff.app.serve.problems import in_one_line
from bearoff.app.serve.work import current
from bearoff.positions import Setup, format_gnu_id, write_ogid
from bearoff.sources import PairTable, Source, TableSource

SCORES = 16
"""Maximum number of match scores in a group of races. The remaining time of the request is
checked before each group."""

LATE = (
    "the time limit of the request was reached before this race was answered; send fewer "
    "races, or fewer match scores at a time"
)
"""Error message for the races of a batch that were not answered in time."""


def answer_one(
    judges: Judges, found: Lookup, question: Question, asked: AskedIn
) -> AnswerOut:
    """Answer a question about a race; judge the given play or cube action, if any."""
    # Tables contain the values for money, so only values solved at a match score are
    # cached.
    at_score = question.race.score is not None and found.source.kind != "exact"
    cache = judges.cache if at_score else None
    key = asked.model_dump_json(exclude={"patience"})
    if cache is not None and (known := cache.get(key)) is not None:
        return AnswerOut.model_validate_json(known)
    race, decision, after = question.race, question.decided, question.after()

    def answered(judge: Judge, source: Source) -> AnswerOut:
        answer = judge.answer(race, market=asked.market, source=source)
        decided = None if decision is None else answer.decided(decision)
        played = None if after is None else answer.played(after)
        rolls = answer_rolls(judge, race, source) if asked.rolls else None
        return answer_out(as_json(answer, decided, played, rolls), answer, source)

    result = judges.answer(found, answered)
    if cache is not None and result.kind == "exact":
        cache.put(key, result.model_dump_json().encode())
    return result


def answer_out(row: dict[str, Any], answer: Answer, source: Source) -> AnswerOut:
    """Return the response for a race: its JSON `row`, its board and its two-sided table."""
    table = source.table if isinstance(source, TableSource) else None
    held = None if table is None or table.folder is None else size_of(table)
    return AnswerOut(**row, **_board(answer.race.setup), table=held)


def estimate_one(question: ContactQuestion, estimates: Estimates) -> ContactOut:
    """Estimate the equities and decisions in a position with contact."""
    answer = answer_contact(question, estimates)
    return ContactOut(**contact_json(answer), **_board(question.setup))


def read_position(question: Question | ContactQuestion) -> PositionOut:
    """Return a position as a board and in all notations."""
    setup = question.race.setup if isinstance(question, Question) else question.setup
    return PositionOut(**position_json(setup), **_board(setup))


def _board(setup: Setup) -> dict[str, Any]:
    board = [0] * 26
    for side, first, each in ((setup.roller, 0, 1), (setup.opponent, 25, -1)):
        for point, checkers in enumerate(side, start=1):
            if checkers:  # On each point, at most one side has checkers.
                board[first + each * point] = each * checkers
    return {
        "board": board,
        "off": [CHECKERS - sum(side) for side in (setup.roller, setup.opponent)],
        "gnu_id": format_gnu_id(setup),
        "ogid": write_ogid(setup),
    }


def size_of(table: PairTable) -> TableOut:
    return TableOut(points=table.points, checkers=table.checkers)


def answer_rows(judge: Judge, asked: list[Any]) -> list[dict[str, Any]]:
    """Evaluate many races; a race that cannot be evaluated gets an error message."""
    rows: list[dict[str, Any]] = [{}] * len(asked)
    # If no time may be spent on solving, races in which each side is a text are evaluated
    # together as arrays.
    at_once = judge.solving.patience == 0
    places = [place for place, one in enumerate(asked) if at_once and _is_plain(one)]
    mine, theirs, read = plain.read_plain(
        [asked[place]["roller"] for place in places],
        [asked[place]["opponent"] for place in places],
    )
    if read.all():
        found = _rows(plain.answer_plain(judge, mine, theirs))
        if len(places) == len(rows):
            return found
    else:
        found = _rows(plain.answer_plain(judge, mine[read], theirs[read]))
        places = np.array(places)[read].tolist()
    for place, row in zip(places, found, strict=True):
        rows[place] = row
    places, questions = [], []
    for place, one in enumerate(asked):
        if rows[place]:
            continue
        try:
            questions.append(question_of(RaceIn.model_validate(one)))
            places.append(place)
        except BearoffError as error:
            rows[place] = _problem(in_one_line(error))
        except ValidationError as error:
            rows[place] = _problem(what_is_wrong(error.errors(include_url=False), RaceIn))
    for chosen in _by_score(questions):
        if current.get().left < ANSWERING / 2:
            found = [_problem(LATE)] * len(chosen)
        else:
            found = _rows(answer_many(judge, [questions[each] for each in chosen]))
        for each, row in zip(chosen, found, strict=True):
            rows[places[each]] = row
    return rows


def _by_score(questions: list[Question]) -> Iterator[list[int]]:
    """Group the questions by match score; yield the indices of up to `SCORES` scores."""
    places: dict[Score | None, list[int]] = {}
    for place, question in enumerate(questions):
        places.setdefault(question.race.score, []).append(place)
    scores = list(places.values())
    for first in range(0, len(scores), SCORES):
        yield [place for score in scores[first : first + SCORES] for place in score]


def _is_plain(one: Any) -> bool:
    """Return whether a race in a batch consists of two texts, one per side."""
    if type(one) is not dict or len(one) != 2:
        return False
    return type(one.get("roller")) is type(one.get("opponent")) is str


def _rows(found: Answers) -> list[dict[str, Any]]:
    columns = [_column(found, name) for name in FIELDS]
    nothing = [None] * len(found.problem)
    rows = [
        dict(zip(_ROW, row, strict=True)) for row in zip(*columns, nothing, strict=True)
    ]
    for place, problem in enumerate(found.problem):
        if problem:
            rows[place] = _problem(problem)
    return rows


def _column(found: Answers, name: str) -> list[Any]:
    """Return one field of many answers as a list of JSON values."""
    if name == "best_play":
        return [play and str(play) for play in found.best_play]
    column = np.asarray(found.field(name))
    if name in ("kind", "action"):
        return [text or None for text in column.tolist()]
    if column.dtype == np.float64 and np.isnan(column).all():
        return [None] * len(column)
    listed: list[Any] = column.tolist()
    return listed


_ROW = (*FIELDS, "problem")


def _problem(sentence: str) -> dict[str, Any]:
    return dict.fromkeys(FIELDS) | {"problem": sentence}
