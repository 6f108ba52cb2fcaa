"""Races on the command line: two positions, or one text that carries both sides."""

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
            f"{error}; bearoff race answers those with checkers on any point"
        ) from None
