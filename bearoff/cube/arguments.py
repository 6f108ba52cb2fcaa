"""Arguments of cube answers: where the cube is, and the numbers of a race."""

from typing import Literal, get_args

from bearoff import checks
from bearoff.errors import PositionError, TableError
from bearoff.positions import Race, position_count
from bearoff.two_sided import TwoSidedTable

RollersCube = Literal["centred", "owned"]


def check_rollers_cube(cube: str) -> None:
    """Raise `BearoffError` unless the roller may turn the cube."""
    checks.choice(cube, "the cube of a roller who may double", get_args(RollersCube))


def numbers_of(table: TwoSidedTable, race: Race | tuple[int, int]) -> tuple[int, int]:
    """Return the numbers of roller and opponent, a checker of both on the board.

    Raises
    ------
    PositionError
        If the table does not hold the race, or it is over.
    """
    checks.instance(table, "table", TwoSidedTable, TableError)
    if isinstance(race, Race):
        for name in ("roller", "opponent"):
            if not getattr(race, name).on_board:
                raise PositionError(
                    f"the {name} has 0 checkers on the board, there is no race"
                )
        return table.places.number(race.roller), table.places.number(race.opponent)
    if not isinstance(race, (tuple, list)) or len(race) != 2:
        raise PositionError(f"a race is a Race or two position numbers, got {race!r}")
    last = position_count(table.points, table.checkers) - 1
    roller, opponent = (
        checks.integer(number, "a position number", 0, last, PositionError)
        for number in race
    )
    if 0 in (roller, opponent):
        raise PositionError(
            f"a race needs a checker on the board on both sides, got {race}"
        )
    return roller, opponent
