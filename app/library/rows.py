"""Matches and decisions as rows of the library's tables."""

import json
from collections.abc import Sequence
from dataclasses import asdict, astuple
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any

import numpy as np

from bearoff.analysis import formulas
from bearoff.analysis.formulas import WorkedFormula
from bearoff.analysis.formulas.counting import features
from bearoff.analysis.progress import formula_cost, stakes_of
from bearoff.analysis.review import Decision, DrawableSide, sides_of
from bearoff.app.library.records import packed, places_of
from bearoff.app.library.tables import COUNTED, FEATURES, decision_number
from bearoff.game.records import MatchRecord

POSITIONS = "positions"
"""Name of the format of a list of positions."""

_HOME = 6

_DIGITS = "0123456789ABCDEF"


@lru_cache
def recommended() -> WorkedFormula:
    """Return the recommended doubling formula, with which players are compared."""
    return formulas.get(formulas.RECOMMENDED)


def match_row(record: MatchRecord, digest: str, now: datetime) -> dict[str, Any]:
    """Return the columns of a match's database row, except the number of the match."""
    played = _day(record)
    last = record.games[-1] if record.games else None
    won = [0, 0] if last is None else list(last.won)
    if last is not None and last.winner is not None:
        won[last.winner] += last.points
        if record.length:  # Points beyond the match length do not count.
            won = [min(points, record.length) for points in won]
    return {
        "digest": digest,
        "source": record.source,
        "format": record.format,
        "player0": record.players[0],
        "player1": record.players[1],
        "length": record.length,
        "won0": won[0],
        "won1": won[1],
        "day": played or _today(now),
        "dated": played is not None,
        "event": record.event,
        "place": record.place,
        "comment": record.comment,
        "kept": now.isoformat(timespec="seconds"),
        "record": packed(record),
        "decisions": 0,
    }


def list_row(source: str, digest: str, now: datetime) -> dict[str, Any]:
    """Return the columns of the database row for a list of positions, except its number."""
    names = ("player0", "player1", "event", "place", "comment")
    return {
        "digest": digest,
        "source": source,
        "format": POSITIONS,
        "length": 0,
        "won0": 0,
        "won1": 0,
        "day": _today(now),
        "dated": False,
        "kept": now.isoformat(timespec="seconds"),
        "record": None,
        "decisions": 0,
    } | dict.fromkeys(names, "")


def _today(now: datetime) -> str:
    return now.astimezone().date().isoformat()


def _day(record: MatchRecord) -> str | None:
    """Return the date of a match in ISO format; None if the file has no readable date."""
    try:
        return date.fromisoformat(record.date[:10].replace(".", "-")).isoformat()
    except ValueError:
        return None


def placed(record: MatchRecord, judged: Sequence[Decision]) -> dict[int, Decision]:
    """Return decisions, keyed by their number in the match."""
    places: dict[tuple[object, ...], list[int]] = {}
    for place, one in places_of(record).items():
        moment = one.moment
        player = record.players[moment.action.player]
        key = moment.game.number, moment.action.line, one.kind, player
        places.setdefault(key, []).append(place)
    return {places[one.game, one.line, one.kind, one.player].pop(0): one for one in judged}


def comments(record: MatchRecord) -> dict[tuple[int, int], str]:
    """Return the comments on a file's actions, by game and line."""
    return {
        (game.number, action.line): text
        for game in record.games
        for action in game.actions
        if (text := action.comment)
    }


def decision_rows(
    one: Decision, match: int, place: int, day: str, players: tuple[str, str], comment: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a decision's two database rows: searchable columns, and other columns."""
    sides = [*sides_of(one.position)]
    pips = sides[0].pips
    if one.kind == "take":
        sides.reverse()
    opponent = next((name for name in players if name != one.player), one.player)
    number = decision_number(match, place)
    row = {
        "id": number,
        "match": match,
        "day": day,
        "player": one.player,
        "opponent": opponent if one.player else "",
        "kind": one.kind,
        "stakes": stakes_of(one.position),
        "pips": pips,
        "lead": sides[1].pips - sides[0].pips,
        "decided": one.decided,
        "cost": one.cost,
        "mistake": one.is_mistake,
        "formula_cost": formula_cost(one, recommended()) if one.in_race else None,
        "contact": not one.in_race,
        "counted": one.is_counted,
        "gammons": one.in_race and one.has_gammons,
        "home": "".join(_DIGITS[count] for count in sides[0].counts[:_HOME]),
    } | dict(zip(COUNTED, [*counted(sides[0]), *counted(sides[1])], strict=True))
    details = {
        "id": number,
        "game": one.game,
        "line": one.line,
        "xgid": one.position.xgid,
        "alternatives": json.dumps([astuple(each) for each in one.alternatives]),
        "error": one.error,
        "method": one.method,
        "formula": one.formula,
        "file": json.dumps(asdict(one.file)) if one.file else "",
        "comment": comment,
        "depth": one.depth,
        "worst": one.worst,
        "reason": one.reason,
    }
    return row, details


def counted(side: DrawableSide) -> list[int]:
    """Count the board features of one side, such as gaps, in the order of `FEATURES`.

    Examples
    --------
    >>> from bearoff import Position
    >>> found = dict(zip(FEATURES, counted(Position((1, 1, 0, 0, 0, 3, 0, 1)))))
    >>> found["crossovers"], found["gaps"], found["stack"], found["low"]
    (1, 2, 3, 2)
    """
    columns = features.columns_of(np.array([side.counts]))
    names = {"stack": "tallest"}
    return [
        int(sum(side.counts[:2]))
        if name == "low"
        else int(features.FEATURES[names.get(name, name)].count(columns, None, 0)[0])
        for name in FEATURES
    ]


def utc() -> datetime:
    return datetime.now(UTC)
