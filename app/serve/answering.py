"""Answers to one race and to many, with the keys of the JSON."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from pydantic import ValidationError

from app.answers.one import as_json
from app.market import window_json
from app.serve.asking import question_of
from app.serve.judges import Judges
from app.serve.models import RaceIn, ThresholdsOut
from app.serve.problems import in_one_line, what_is_wrong
from bearoff import PIPS_PER_ROLL, BearoffError, Race, match_thresholds
from bearoff.answers import (
    Answer,
    Answers,
    DoublingWindow,
    Question,
    answer_many,
    doubling_window,
    window_of,
)
from bearoff.bear_in import bear_in, widen
from sim.answers import OUTPUT

BOARD = 24
"""Points of the board."""


def answer_one(judges: Judges, question: Question, *, market: bool) -> dict[str, Any]:
    """Answer one race, and judge what was played or decided in it.

    Raises
    ------
    BearoffError
        If it cannot be answered.
    """
    answer = judges.answer(question.race, market=market)
    decided = None if question.decided is None else answer.decided(question.decided)
    played = None if question.played is None else answer.played(question.played)
    window = _window(judges, answer) if market else None
    return {
        **answer_json(judges, answer, decided, played),
        "window": window_json(window),
    }


def answer_json(judges: Judges, answer: Answer, *chosen: Any) -> dict[str, Any]:
    """Return an answer as `bearoff race --json` does, and what a page needs besides."""
    race = answer.race
    found = as_json(answer, *chosen)
    counts = widen([race.roller.counts, race.opponent.counts])
    stds = bear_in().std_rolls(counts).tolist()
    for name, std in zip(("roller", "opponent"), stds, strict=True):
        mean = found[name]["epc"] / PIPS_PER_ROLL
        found[name] |= {"mean_rolls": mean, "std_rolls": std}
    gnu_id = race.gnu_id
    return found | {
        "board": _board(counts),
        "off": [race.roller.off, race.opponent.off],
        "position_id": gnu_id.partition(":")[0],
        "gnu_id": gnu_id,
        "ogid": race.ogid,
        "table": _table(judges, answer),
        "window": None,
        "thresholds": _thresholds(answer),
    }


def _thresholds(answer: Answer) -> dict[str, float | None] | None:
    """Chances at which the action of a roller who may double changes at the score."""
    score = answer.race.score
    if score is None or answer.action is None:
        return None
    at = match_thresholds(score, answer.race.cube_value)
    return {name: getattr(at, name) for name in ThresholdsOut.model_fields}


def _board(counts: "np.ndarray[Any, np.dtype[np.int8]]") -> list[int]:
    """Both sides on the points as the roller counts them, the opponent's negative."""
    # Without contact no point holds checkers of both.
    return [0, *(counts[0] - counts[1][::-1]).tolist(), 0]


def _table(judges: Judges, answer: Answer) -> dict[str, int] | None:
    if answer.kind != "exact" or answer.race.score is not None:
        return None
    held = next(one.table for one in judges.money.tables if one.holds(answer.race))
    return {"points": held.points, "checkers": held.checkers}


def _window(judges: Judges, answer: Answer) -> DoublingWindow | None:
    """Chances at which the action of a roller who may double for money changes."""
    race = answer.race
    if race.score is not None or answer.action is None or race.cube == "opponent":
        return None
    for one in judges.money.tables:
        if one.holds(race):
            number = one.table.places.number(race.roller)
            return doubling_window(one.table, number, race.cube, jacoby=race.jacoby)
    return _window_by_model(answer.roller.epc, race)


def _window_by_model(epc: float, race: Race) -> DoublingWindow:
    """By the fast model, whose roller has this EPC, against all opponents."""
    from bearoff.race_model import race_model

    assert race.cube != "opponent"
    model = race_model()
    opponents = np.arange(49 / 6, model.largest_epc, 0.1)
    rollers = np.full(len(opponents), epc)
    return window_of(model.cube_actions(rollers, opponents, race.cube))


def answer_rows(judges: Judges, asked: list[Any]) -> list[dict[str, Any]]:
    """Answer many races; of one that cannot be answered, say why in its place."""
    rows: list[dict[str, Any]] = [{} for _ in asked]
    places, questions = [], []
    for place, one in enumerate(asked):
        try:
            questions.append(_question(one))
            places.append(place)
        except BearoffError as error:
            rows[place]["error"] = in_one_line(error)
        except ValidationError as error:
            rows[place]["error"] = what_is_wrong(error.errors(include_url=False)[0])
    found = answer_many(judges.money, questions)
    for place, row in zip(places, _rows(found), strict=True):
        rows[place] = row
    return rows


def _question(asked: Any) -> Question:
    one = RaceIn.model_validate(asked)
    if one.market:
        raise BearoffError("market losers are told of one race at a time; see /race")
    return question_of(one)


def _rows(found: Answers) -> Iterator[dict[str, Any]]:
    columns = {name: np.asarray(of(found)).tolist() for name, of in _COLUMNS.items()}
    columns["best_play"] = [play and str(play) for play in found.best_play]
    for name in ("kind", "action"):
        columns[name] = [text or None for text in columns[name]]
    for problem, *row in zip(found.problem, *columns.values(), strict=True):
        yield {"error": problem} if problem else dict(zip(columns, row, strict=True))


_COLUMNS = {name: of for name, of in OUTPUT.items() if name not in ("problem", "best_play")}
"""Of a file of answers; best plays are objects."""
