"""Races on the command line: two positions, or one text that carries both sides."""

from typing import TYPE_CHECKING, Literal

from app.options import DEFAULT_CHECKERS

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
            f"{error}; bearoff rollout answers races with checkers on any point"
        ) from None


def cube_of(text: str) -> Literal["centred", "owned"]:
    """Return where a text that carries both sides puts the cube; else it is centred.

    Raises
    ------
    PositionError
        If it is of a match, or the opponent owns the cube.
    """
    from bearoff import PositionError

    race = _carried(text)
    if race is None:
        return "centred"
    if race.score is not None:
        raise PositionError(
            f"the XGID {text!r} is of a match to {race.score.length}; cube actions are for "
            "money play, with match length 0 or --cube"
        )
    if race.cube == "opponent":
        raise PositionError(
            f"the opponent owns the cube in {text!r}: the roller may not double; --cube "
            "puts it elsewhere"
        )
    return race.cube


def jacoby_of(text: str) -> bool:
    """Return whether a text that carries both sides asks for Jacoby's rule."""
    race = _carried(text)
    return race is not None and race.jacoby


def _carried(text: str) -> "Race | None":
    from bearoff import Race
    from bearoff.positions import is_two_sided

    return Race.parse(text) if is_two_sided(text) else None
