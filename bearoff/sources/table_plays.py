"""The best play of every roll against a given opponent, by where the cube is.

Fewest-rolls play depends on neither the opponent nor the cube. Against a given opponent the
best play may be another, and the owner of the cube may prefer another again: owning it
rewards a position that will be clearly better or clearly worse in a roll's time, facing
it rewards one that stays just short of being doubled out.
"""

from dataclasses import dataclass

import numpy as np

from bearoff import checks
from bearoff.errors import TableError
from bearoff.plays import Play, legal_plays
from bearoff.positions import Position, Race
from bearoff.rolls import check_roll
from bearoff.sources.exact import numbers_of
from bearoff.stakes import CUBES, Cube
from bearoff.two_sided import TwoSidedTable


@dataclass(frozen=True)
class ValuedPlay:
    """A legal play and what it is worth against a given opponent.

    Attributes
    ----------
    play : Play
        How the roll is moved.
    equity : float
        The roller's after the play, in points at a cube of 1.
    cost : float
        How much less that is than after the best play.
    """

    play: Play
    equity: float
    cost: float


def value_plays(
    table: TwoSidedTable,
    race: Race | tuple[int, int],
    roll: tuple[int, int],
    cube: Cube | None,
    *,
    jacoby: bool = False,
) -> list[ValuedPlay]:
    """Value every legal play of a roll, the best first.

    Parameters
    ----------
    table : TwoSidedTable
        With the plane of the cube that the opponent then faces, and the cubeless one.
    race : Race or (int, int)
        The pair, or the numbers of roller and opponent.
    roll : tuple of int
        Two numbers from 1 to 6, in either order.
    cube : {"centred", "owned", "opponent"} or None
        Where the cube is from the roller's side; None without a cube.
    jacoby : bool
        Whether gammons count only once the cube has been turned.

    Returns
    -------
    list of ValuedPlay
        Equities within the error of the plane that the opponent faces. Of plays that
        are equal in the table, the one that leads to the lowest number first.

    Raises
    ------
    PositionError
        If the table does not hold the race, or it is over.
    RollError
        If `roll` is no roll.
    TableError
        If a plane is not built or is damaged.
    BearoffError
        If `cube` is none of these.

    Examples
    --------
    Playing to the ace wins a few more games, but with the cube in the centre it costs
    a fifth of a point:

    >>> import bearoff
    >>> _ = bearoff.build_two_sided_table(5)
    >>> table = bearoff.two_sided_table(5)
    >>> race = bearoff.Race(
    ...     bearoff.Position.parse("0,1,2,2,0,0"), bearoff.Position.parse("2,0,0,1,0,1")
    ... )
    >>> for cube in (None, "centred"):
    ...     for valued in value_plays(table, race, (6, 1), cube)[:2]:
    ...         print(f"{valued.play!s:10} {valued.equity:.3f} {valued.cost:.3f}")
    4/off 2/1  -0.223 0.000
    4/off 3/2  -0.227 0.004
    4/off 3/2  -0.179 0.000
    4/off 2/1  -0.402 0.223
    """
    checks.instance(table, "table", TwoSidedTable, TableError)
    checks.choice(cube, "cube", (*CUBES, None))
    roll = check_roll(roll)
    roller, opponent = numbers_of(table, race)
    plays = legal_plays(Position.from_number(roller, table.points, table.checkers), roll)
    plays.sort(key=lambda play: play.after.number)
    numbers = np.array([play.after.number for play in plays], dtype=np.int64)
    equities = table.values_after(numbers, opponent, cube, jacoby=jacoby)
    best = equities.max()
    valued = [
        ValuedPlay(play, float(equity), float(best - equity))
        for play, equity in zip(plays, equities, strict=True)
    ]
    return sorted(valued, key=lambda one: one.cost)
