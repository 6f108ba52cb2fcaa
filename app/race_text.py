"""Parsing of races on the command line: two positions, or one text with both sides."""

from typing import TYPE_CHECKING

from bearoff.app.options import DEFAULT_CHECKERS

if TYPE_CHECKING:
    from bearoff import Race


def parse_race(
    roller: str,
    opponent: str | None = None,
    points: int | None = None,
    checkers: int = DEFAULT_CHECKERS,
) -> "Race":
    """Parse a race from the position of each side, or from a text with both sides.

    Examples
    --------
    >>> str(parse_race("[1,2,8]", "0,0,3").roller)
    '1,1,0,0,0,0,0,1'
    """
    from bearoff import PositionError
    from bearoff.positions import read_race

    if points is None:
        return read_race(roller, opponent, None, checkers)
    try:
        return read_race(roller, opponent, points, checkers)
    except PositionError as error:
        try:
            race = read_race(roller, opponent, None, checkers)
        except PositionError:
            raise error from None
        if max(race.roller.highest, race.opponent.highest) <= points:
            raise
        raise PositionError(
            f"{error}; use bearoff race for races with checkers on any point"
        ) from None
