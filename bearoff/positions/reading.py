"""Functions that read a race from one or two texts, for all commands and file readers."""

import re

from bearoff.errors import ContactError, PositionError
from bearoff.positions.notation import (
    BOARD,
    ONE_SIDED,
    is_two_sided,
    parse_board,
    plain_counts,
    points_of,
)
from bearoff.positions.numbering import CHECKERS, POINTS
from bearoff.positions.position import Position, Race
from bearoff.positions.setup import Setup

_SIDE = re.compile(r'"[^"]*"|\[[^]]*\]|\([^)]*\)|[^\s;]+')
"""Regular expression for one of two positions in a text. A position is in quotes, in
brackets, or without spaces."""

_BOTH = "a position ID, an XGID, an OGID or a drawn board"
"""Names of the notations that describe both players, for error messages."""


def read_race(
    roller: str,
    opponent: str | None = None,
    points: int | None = None,
    checkers: int = CHECKERS,
) -> Race:
    """Read a race from one text or two texts with the positions of both players.

    Parameters
    ----------
    roller, opponent : str
        Position of each side in any notation. Without `opponent`, `roller` must have a
        notation of both sides, or two notations separated by spaces or a semicolon.
    points : int, optional
        Number of points. By default, the highest point with a checker, at least 6.
    checkers : int
        Total number of checkers per player, on the board and borne off.

    Raises
    ------
    PositionError, ScoreError
        If a text cannot be parsed, the opponent is missing, one of two texts has both
        sides, or a checker is beyond `points`. If the sides have contact, the error is a
        `ContactError`.

    Examples
    --------
    >>> str(read_race("[1,2,8]", "0,0,3").roller)
    '1,1,0,0,0,0,0,1'
    >>> str(read_race("[1, 2, 8]  0,0,3").opponent)
    '0,0,3,0,0,0,0,0'
    """
    if opponent is None or not opponent.strip():
        if is_two_sided(roller):
            return Race.parse(roller, points, checkers)
        return read_race(*_two_sides(roller, points, checkers), points, checkers)
    race = _race_of(roller, opponent, points, checkers)
    check_no_contact(race)
    return race if points or race.roller.points == POINTS else race.on_points()


def read_setup(roller: str, opponent: str | None = None) -> Setup:
    """Read the boards of both players from one or two texts, with or without contact.

    Parameters
    ----------
    roller, opponent : str
        Texts as in `read_race`. Only notations of both sides can contain checkers on the
        bar.

    Raises
    ------
    PositionError, ScoreError
        If a text cannot be parsed, the opponent is missing, or one of two texts has both
        sides.

    Examples
    --------
    >>> read_setup("4HPwATDgc/ABMA").roller[23], read_setup("[13]", "[13]").opponent[12]
    (2, 1)
    """
    if opponent is None or not opponent.strip():
        if is_two_sided(roller):
            return parse_board(roller)
        return read_setup(*_two_sides(roller, None, CHECKERS))
    return _race_of(roller, opponent, None, CHECKERS).setup


def _two_sides(text: str, points: int | None, checkers: int) -> tuple[str, str]:
    """Split a text with two positions into the texts of the two players."""
    sides = _SIDE.findall(text)
    if len(sides) == 2:
        one, other = (side.strip('"') for side in sides)
        return one, other
    if not ONE_SIDED.fullmatch(text):
        raise PositionError(
            f"cannot read {text[:60]!r} as both sides of a race; use {_BOTH}, or two sides "
            "such as 3,3,2,0,2,1 0,0,3"
        )
    Position.parse(text, _points(text, points), checkers)
    raise PositionError(
        f"the opponent's position is missing after {text!r}; only {_BOTH} describes both "
        "sides"
    )


def _race_of(roller: str, opponent: str, points: int | None, checkers: int) -> Race:
    """Read the positions of two players as a race, without checking for contact."""
    read = []
    for name, text in (("roller", roller), ("opponent", opponent)):
        counts = plain_counts(text)
        if counts is not None and (points is None or len(counts) == points):
            # Lists of counts have a faster parser, which matters for large files.
            read.append(Position(counts, checkers))
            continue
        if is_two_sided(text):
            raise PositionError(
                f"{text[:100]!r} describes both sides, but only the {name} is expected; "
                "use it alone, or pass the sides separately"
            )
        read.append(Position.parse(text, _points(text, points), checkers))
    size = max(side.points for side in read)
    if min(side.points for side in read) < size:
        read = [Position(s.counts + (0,) * (size - s.points), checkers) for s in read]
    return Race(*read)


def _points(text: str, points: int | None) -> int:
    return points_of(text) if points is None else points


def check_no_contact(race: Race) -> None:
    """Raise `ContactError` if the two players' checkers in a race have contact."""
    if race.roller.points <= BOARD // 2:
        return
    highest = race.roller.highest, race.opponent.highest
    if sum(highest) > BOARD:
        raise ContactError(
            "a race must have no contact, but the rearmost checkers are on points "
            f"{highest[0]} and {highest[1]}, whose sum exceeds {BOARD}"
        )
