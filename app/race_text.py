"""Races on the command line: two positions, or one text that carries both sides."""

import re
from typing import TYPE_CHECKING, Literal

from app.options import DEFAULT_CHECKERS, DEFAULT_POINTS

if TYPE_CHECKING:
    from bearoff import Position, Race

BOARD = 24
"""Points of a whole side of the board."""


def parse_race(
    roller: str,
    opponent: str | None = None,
    points: int | None = None,
    checkers: int = DEFAULT_CHECKERS,
) -> "Race":
    """Read both sides of a race.

    Parameters
    ----------
    roller, opponent : str
        A position of each side in any notation; or a position ID or XGID of both, and
        no opponent.
    points : int, optional
        Points of the table the race is for. By default each side has as many as its
        notation speaks of, and the race those up to the rearmost checker, at least 6.
    checkers : int
        Checkers of a side.

    Raises
    ------
    PositionError
        If a text cannot be read, the opponent is missing, or a checker stands beyond
        the table; of a race that needs more points than were given the message names
        the command that answers it.

    Examples
    --------
    >>> str(parse_race("[1,2,8]", "0,0,3").roller)
    '1,1,0,0,0,0,0,1'
    """
    from bearoff import PositionError

    if points is None:
        return on_points_in_use(_read(roller, opponent, None, checkers))
    try:
        return _read(roller, opponent, points, checkers)
    except PositionError as error:
        try:
            race = _read(roller, opponent, None, checkers)
        except PositionError:
            raise error from None
        if max(race.roller.highest, race.opponent.highest) <= points:
            raise
        raise PositionError(
            f"{error}; bearoff rollout answers races with checkers on any point"
        ) from None


def on_points_in_use(race: "Race") -> "Race":
    """Leave out the points above home where no side has a checker on them."""
    points = max(race.roller.highest, race.opponent.highest, DEFAULT_POINTS)
    return _race(race.roller, race.opponent, points)


def cube_of(text: str) -> Literal["centred", "owned"]:
    """Return where an XGID puts the cube; centred in any other notation.

    Raises
    ------
    PositionError
        If the XGID is of a match, or the opponent owns the cube.
    """
    from bearoff import PositionError
    from bearoff.positions import Xgid

    if ":" not in text:
        return "centred"
    xgid = Xgid.parse(text.strip())
    if xgid.match_length:
        raise PositionError(
            f"the XGID {text!r} is of a match to {xgid.match_length}; cube actions are for "
            "money play, with match length 0 or --cube"
        )
    if xgid.cube_owner == -xgid.turn:
        raise PositionError(
            f"the opponent owns the cube in {text!r}: the roller may not double; --cube "
            "puts it elsewhere"
        )
    return "owned" if xgid.cube_owner else "centred"


def jacoby_of(text: str) -> bool:
    """Return whether an XGID asks for Jacoby's rule; not in any other notation."""
    from bearoff.positions import Xgid

    if ":" not in text:
        return False
    xgid = Xgid.parse(text.strip())
    return not xgid.match_length and xgid.jacoby


def _read(roller: str, opponent: str | None, points: int | None, checkers: int) -> "Race":
    from bearoff import Position, PositionError, Race
    from bearoff.positions import is_two_sided

    if opponent is None:
        if is_two_sided(roller):
            return Race.parse(roller, BOARD if points is None else points, checkers)
        Position.parse(roller, _points_of(roller, points), checkers)
        raise PositionError(
            f"the opponent's position must follow {roller!r}; only a position ID or an "
            "XGID carries both sides"
        )
    mine, theirs = (
        Position.parse(text, _points_of(text, points), checkers)
        for text in (roller, opponent)
    )
    return _race(mine, theirs)


def _points_of(text: str, points: int | None) -> int:
    """Return the points that were given, or those a notation of one side speaks of."""
    from bearoff.positions import is_two_sided

    if points is not None:
        return points
    text = text.strip()
    if text.startswith("[") or is_two_sided(text):
        return BOARD
    numbers = len(re.findall(r"\d+", text)) - text.startswith("(")
    return DEFAULT_POINTS if numbers <= 1 else min(numbers, BOARD)


def _race(roller: "Position", opponent: "Position", points: int | None = None) -> "Race":
    """Put both sides on equally many points: so many, or those of the larger one."""
    from bearoff import Position, Race

    size = points or max(roller.points, opponent.points)
    return Race(
        *(
            Position((side.counts + (0,) * size)[:size], side.checkers)
            for side in (roller, opponent)
        )
    )
