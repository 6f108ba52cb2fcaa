"""A request's race read, as the commands read theirs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.score_text import ScoreOptions, as_asked
from bearoff import PositionError, Race, parse_roll
from bearoff.positions import read_race

if TYPE_CHECKING:
    from app.serve.models import RaceIn


def race_of(asked: "RaceIn") -> Race:
    """Read the race that is asked about.

    Raises
    ------
    BearoffError
        If a text cannot be read, or there can be no such race.
    """
    race = _sides(asked)
    score = asked.score
    options = ScoreOptions(
        " ".join(map(str, score)) if isinstance(score, list) else score,
        asked.match,
        asked.crawford,
        asked.money,
        asked.cube,
        asked.cube_value,
        asked.jacoby,
    )
    if options != _NOTHING or race.score is not None:
        race = as_asked(race, options)
    if asked.dice is not None:
        race = replace(race, dice=_dice(asked.dice))
    return race


_NOTHING = ScoreOptions()


def _sides(asked: "RaceIn") -> Race:
    if asked.position is not None:
        if asked.roller is not None or asked.opponent is not None:
            raise PositionError(
                "a race is a position of both sides, or roller and opponent, got all"
            )
        return read_race(asked.position)
    if asked.roller is None:
        raise PositionError("a position is needed, such as an XGID, or roller and opponent")
    opponent = None if asked.opponent is None else _text(asked.opponent)
    return read_race(_text(asked.roller), opponent)


def _text(side: str | Sequence[int]) -> str:
    return side if isinstance(side, str) else ",".join(map(str, side))


def _dice(dice: str | Sequence[int]) -> tuple[int, int]:
    return parse_roll(dice if isinstance(dice, str) else "-".join(map(str, dice)))
