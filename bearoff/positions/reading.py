"""Read a race from one text or from two: the reader of every command and every file."""

from bearoff.errors import PositionError
from bearoff.positions.notation import is_two_sided, points_of
from bearoff.positions.numbering import CHECKERS
from bearoff.positions.position import Position, Race


def read_race(
    roller: str,
    opponent: str | None = None,
    points: int | None = None,
    checkers: int = CHECKERS,
) -> Race:
    """Read both sides of a race.

    Parameters
    ----------
    roller, opponent : str
        A position of each side in any notation of one side; or a text that carries both,
        and no opponent.
    points : int, optional
        Points of the table the race is for. By default those up to the rearmost checker,
        at least 6.
    checkers : int
        Checkers of a side.

    Raises
    ------
    PositionError, ScoreError
        If a text cannot be read, the opponent is missing, either of two texts carries both
        sides, or a checker stands beyond the table.

    Examples
    --------
    >>> str(read_race("[1,2,8]", "0,0,3").roller)
    '1,1,0,0,0,0,0,1'
    """
    if opponent is None or not opponent.strip():
        if is_two_sided(roller):
            return Race.parse(roller, points, checkers)
        Position.parse(roller, points or points_of(roller), checkers)
        raise PositionError(
            f"the opponent's position must follow {roller!r}; only a position ID, an XGID, "
            "an OGID or a drawn board carries both sides"
        )
    sides = []
    for name, text in (("roller", roller), ("opponent", opponent)):
        if is_two_sided(text):
            raise PositionError(
                f"{text[:100]!r} already holds both sides, and stands where the {name} "
                "alone is meant; give it alone, or both sides one by one"
            )
        sides.append(Position.parse(text, points or points_of(text), checkers))
    size = max(side.points for side in sides)
    race = Race(*(Position(s.counts + (0,) * (size - s.points), checkers) for s in sides))
    return race if points else race.on_points()
