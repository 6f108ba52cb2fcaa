"""The doubling window of a position: where doubling begins and taking ends.

A win probability alone does not decide a cube action. Against opponents of the same
chance one roller doubles and another waits, for it matters how much the next rolls may
change; so each edge of the window is itself a range. With the roller's position held
fixed and the opponent's going through the whole table, the exact edges come out.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.cube.actions import CubeActions
from bearoff.cube.arguments import RollersCube, check_rollers_cube, numbers_of
from bearoff.positions import position_count
from bearoff.two_sided import TwoSidedTable

Float64Array = NDArray[np.float64]


@dataclass(frozen=True)
class DoublingWindow:
    """Cubeless win probabilities of the roller at which the cube action turns.

    Attributes
    ----------
    first_double : float
        Lowest at which doubling is right, against some opponent.
    last_no_double : float
        Highest at which it is wrong, too good to double apart.
    first_pass : float
        Lowest at which some opponent passes.
    last_take : float
        Highest at which some opponent takes; ``1 - last_take`` is the least chance that
        is enough to take.
    first_too_good : float
        Lowest at which the roller is too good to double, against some opponent.
    """

    first_double: float
    last_no_double: float
    first_pass: float
    last_take: float
    first_too_good: float


def doubling_window(
    table: TwoSidedTable,
    roller: int,
    cube: RollersCube = "centred",
    *,
    jacoby: bool = False,
) -> DoublingWindow:
    """Find the window of a roller against every opponent in the table.

    Doubling counts as right where it is worth as much as waiting, to within the error of
    the table's values; of takes and passes only the clear ones count.

    Parameters
    ----------
    table : TwoSidedTable
        With all planes.
    roller : int
        Number of the position, with a checker on the board.
    cube : {"centred", "owned"}
        Where the cube is.
    jacoby : bool
        Whether gammons count only once the cube has been turned.

    Returns
    -------
    DoublingWindow
        An edge is not-a-number where no opponent decides so.

    Raises
    ------
    PositionError, TableError, BearoffError
        As for `bearoff.cube_actions`.

    Examples
    --------
    Checkers on the 5 and 2, the cube owned. By Jacoby's paradox the roller should not
    redouble at 67% against some opponents, and redoubles at 53% against another:

    >>> import bearoff
    >>> _ = bearoff.build_two_sided_table(5)
    >>> table = bearoff.two_sided_table(5)
    >>> number = bearoff.Position.parse("0,1,0,0,1,0").number
    >>> window = doubling_window(table, number, "owned")
    >>> round(window.first_double, 3), round(window.last_no_double, 3)
    (0.528, 0.671)
    """
    check_rollers_cube(cube)
    roller, _ = numbers_of(table, (roller, 1))
    opponents = np.arange(1, position_count(table.points, table.checkers))
    chance = table.win_probability(roller, opponents)
    taken = table.double_take(roller, opponents)
    error = 2 * table.error("opponent")
    equity = table.equity(roller, opponents, cube, jacoby=jacoby)
    excess = equity - np.minimum(taken, CubeActions.PASS)
    no_double = excess > error + table.error(cube)
    too_good = no_double & (equity > CubeActions.PASS + table.error(cube))
    passes, takes = taken > CubeActions.PASS + error, taken < CubeActions.PASS - error
    return DoublingWindow(
        first_double=_edge(chance[~no_double], np.min),
        last_no_double=_edge(chance[no_double & ~too_good], np.max),
        first_pass=_edge(chance[passes], np.min),
        last_take=_edge(chance[takes], np.max),
        first_too_good=_edge(chance[too_good], np.min),
    )


def _edge(chances: Float64Array, least_or_most: Callable[[Float64Array], float]) -> float:
    return float(least_or_most(chances)) if chances.size else float("nan")
