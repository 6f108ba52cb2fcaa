"""A row of a file as a question: a race, and what was played or decided in it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import bearoff
from bearoff.answers import Question
from bearoff.positions import read_race

COLUMNS = (
    "position",
    "roller",
    "opponent",
    "dice",
    "cube",
    "cube_value",
    "score",
    "match",
    "jacoby",
    "played",
    "decided",
)
"""Columns that are read; others stay as they are."""

_YES, _NO = ("true", "yes", "1"), ("false", "no", "0", "")


def question_of(row: Mapping[str, Any]) -> Question:
    """Read a row.

    Parameters
    ----------
    row : mapping of str
        ``position`` with a text of both sides, or ``roller`` and ``opponent``; and, where
        they are not empty and not said by the position, ``dice``, ``cube``,
        ``cube_value``, ``score`` (with ``match``, points won to so many points),
        ``jacoby``, and what was ``played`` or ``decided``.

    Raises
    ------
    BearoffError
        If it cannot be read; the message says why.
    """
    race = _race(row)
    changes: dict[str, Any] = {}
    if dice := _text(row, "dice"):
        changes["dice"] = bearoff.parse_roll(dice)
    if cube := _text(row, "cube"):
        changes["cube"] = cube
    if value := _text(row, "cube_value"):
        changes["cube_value"] = _whole(value, "cube_value")
    if score := _text(row, "score"):
        length = _text(row, "match")
        changes["score"] = bearoff.Score.parse(
            score, _whole(length, "match") if length else None
        )
    if jacoby := _text(row, "jacoby"):
        changes["jacoby"] = _truth(jacoby)
    if changes:
        race = replace(race, **changes)
    return Question(race, _text(row, "played") or None, _text(row, "decided") or None)


def _race(row: Mapping[str, Any]) -> bearoff.Race:
    position, roller = _text(row, "position"), _text(row, "roller")
    opponent = _text(row, "opponent")
    if position and roller:
        raise bearoff.PositionError(
            "a row has either a position of both sides, or roller and opponent, got both"
        )
    if not position and not roller:
        raise bearoff.PositionError("there is no position")
    return read_race(position or roller, opponent or None)


def _text(row: Mapping[str, Any], column: str) -> str:
    value = row.get(column)
    if type(value) is str:
        return value.strip()
    if value is None or value != value:
        return ""
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # Of a column of numbers that has gaps.
    raise bearoff.PositionError(f"{column} is text or a whole number, got {value!r}")


def _whole(text: str, column: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise bearoff.BearoffError(f"{column} is a whole number, got {text[:50]!r}")
    return int(text)


def _truth(text: str) -> bool:
    if text.lower() in _YES:
        return True
    if text.lower() in _NO:
        return False
    raise bearoff.BearoffError(f"jacoby is yes or no, got {text[:50]!r}")
