r"""Exact cube actions: what doubling is worth and what mistakes cost.

The roller may double when the cube is centred or owned by the roller. With :math:`N` the
roller's equity without a double now, :math:`W` that once the opponent owns the cube, and
the cube at 1, a double is worth

.. math:: D = \min(2W, 1)

for the opponent takes if that costs less than passing. The roller doubles
if :math:`D \ge N`; where the two are equal doubling loses nothing, and the opponent may
still go wrong.

A roller is *too good to double* if :math:`N > 1`: playing on for the gammon is worth more
than cashing. It takes an opponent with all 15 checkers on the board, and by Jacoby's rule
a cube that has been turned.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bearoff import checks
from bearoff.cube.arguments import RollersCube, check_rollers_cube, numbers_of
from bearoff.cube.theory import take_points
from bearoff.errors import PositionError, TableError
from bearoff.positions import Race, sides
from bearoff.two_sided import TwoSidedTable

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CubeActions:
    """Cube actions of many pairs; every array has one entry a pair.

    Equities are the roller's, in points at a cube of 1; costs are points lost, 0 where
    the decision is right.

    Attributes
    ----------
    cube : {"centred", "owned"}
        Where the cube is, the same for all pairs.
    win_probability : ndarray of float64
        Cubeless chance of the roller, both sides playing for the win.
    no_double, double_take : ndarray of float64
        Equity if the roller does not double now, and after a double that is taken.
    no_double_error, double_take_error : float or ndarray of float64
        Most by which these differ from the exact values.
    jacoby : bool
        Whether gammons count only once the cube has been turned.
    gammons_won, gammons_lost : ndarray of float64, or 0 of a model without gammons
        Cubeless chances that the roller wins and loses a gammon, both sides playing for
        points.
    """

    cube: RollersCube
    win_probability: Float64Array
    no_double: Float64Array
    double_take: Float64Array
    no_double_error: float | Float64Array
    double_take_error: float | Float64Array
    jacoby: bool = False
    gammons_won: Float64Array | float = 0.0
    gammons_lost: Float64Array | float = 0.0
    PASS: ClassVar[float] = 1.0
    """Equity of a double that is passed."""

    @property
    def double(self) -> Float64Array:
        """Equity of doubling: the lesser of double/take and double/pass."""
        return np.asarray(np.minimum(self.double_take, self.PASS))

    @property
    def equity(self) -> Float64Array:
        """Equity of the right action."""
        return np.asarray(np.maximum(self.no_double, self.double))

    @property
    def doubles(self) -> BoolArray:
        """Whether doubling is right; so it is where it makes no difference."""
        return np.asarray(self._margin >= 0)

    @property
    def too_good(self) -> BoolArray:
        """Whether playing on for the gammon is worth more than cashing."""
        return np.asarray(self.no_double > self.PASS)

    @property
    def takes(self) -> BoolArray:
        """Whether the opponent should take, if doubled."""
        return np.asarray(self.double_take <= self.PASS)

    @property
    def missed_double(self) -> Float64Array:
        """What not doubling costs the roller where doubling is right."""
        return np.asarray(np.maximum(self._margin, 0.0))

    @property
    def wrong_double(self) -> Float64Array:
        """What doubling costs the roller where it is wrong."""
        return np.asarray(np.maximum(-self._margin, 0.0))

    @property
    def wrong_take(self) -> Float64Array:
        """What taking costs the opponent, once doubled, where passing is right."""
        return np.asarray(np.maximum(self.double_take - self.PASS, 0.0))

    @property
    def wrong_pass(self) -> Float64Array:
        """What passing costs the opponent, once doubled, where taking is right."""
        return np.asarray(np.maximum(self.PASS - self.double_take, 0.0))

    @property
    def error(self) -> Float64Array:
        """Most by which ``equity`` differs from the exact value."""
        return np.asarray(np.maximum(self.no_double_error, self._double_error))

    @property
    def double_too_close(self) -> BoolArray:
        """Whether the errors of the values leave open if doubling is right."""
        error = self.no_double_error + self._double_error
        return np.asarray(np.abs(self._margin) <= error)

    @property
    def take_too_close(self) -> BoolArray:
        """Whether the errors of the values leave open if taking is right."""
        return np.asarray(np.abs(self.double_take - self.PASS) <= self.double_take_error)

    @property
    def too_close(self) -> BoolArray:
        """Whether either decision that is made here is within the error of the values."""
        return np.asarray(self.double_too_close | (self.doubles & self.take_too_close))

    @property
    def _margin(self) -> Float64Array:
        return np.asarray(self.double - self.no_double)

    @property
    def _double_error(self) -> Float64Array:
        """Most by which ``double`` is wrong; a clear pass is worth 1 without error."""
        clear = self.double_take - self.double_take_error > self.PASS
        return np.where(clear, 0.0, self.double_take_error)


@dataclass(frozen=True)
class CubeAction:
    """Cube action of one pair; see `CubeActions` for what the numbers mean.

    Attributes
    ----------
    action : str
        ``no double``, ``too good to double``, ``double, take`` or ``double, pass``; of an
        owned cube ``redouble`` for ``double``.
    cube : {"centred", "owned"}
        Where the cube is.
    jacoby : bool
        Whether gammons count only once the cube has been turned.
    equity : float
        Of the right action.
    no_double, double_take, double_pass : float
        Equities of the three outcomes.
    missed_double, wrong_double, wrong_take, wrong_pass : float
        What each mistake would cost the one who makes it; 0 if it is none.
    error : float
        Most by which ``equity`` differs from the exact value.
    too_close : bool
        Whether the error leaves the action open; either choice then costs less than
        twice the sum of the errors.
    win_probability : float
        Cubeless chance of the roller.
    gammons_won, gammons_lost : float
        Cubeless chances that the roller wins and loses a gammon.
    dead_take_point, live_take_point : float
        Chance of winning that the opponent needs to take if the cube is never turned
        again, and if they could turn it at the perfect moment, with the gammons of this
        race. The true take point of a position lies about between; compare
        ``1 - win_probability``.
    """

    action: str
    cube: RollersCube
    jacoby: bool
    equity: float
    no_double: float
    double_take: float
    double_pass: float
    missed_double: float
    wrong_double: float
    wrong_take: float
    wrong_pass: float
    error: float
    too_close: bool
    win_probability: float
    gammons_won: float
    gammons_lost: float
    dead_take_point: float
    live_take_point: float


def cube_actions(
    table: TwoSidedTable,
    rollers: sides.Sides,
    opponents: sides.Sides,
    cube: RollersCube = "centred",
    *,
    jacoby: bool = False,
) -> CubeActions:
    """Cube actions of many pairs.

    Parameters
    ----------
    table : TwoSidedTable
        With all planes.
    rollers, opponents : array_like of int
        Position numbers, a checker on the board on both sides; broadcast against each
        other.
    cube : {"centred", "owned"}
        Where the cube is.
    jacoby : bool
        Whether gammons count only once the cube has been turned.

    Raises
    ------
    PositionError
        If a number is not in the table, or a side has borne off.
    TableError
        If a plane is not built or is damaged.
    BearoffError
        If `cube` is neither.
    """
    check_rollers_cube(cube)
    checks.instance(table, "table", TwoSidedTable, TableError)
    x, y = sides.pairs(rollers, opponents, table.points, table.checkers)
    for name, side in (("roller", x), ("opponent", y)):
        if not side.all():
            raise PositionError(
                f"a cube action needs a checker on the board on both sides, the {name} "
                "has borne off"
            )
    won, lost = table.gammon_probability(x, y)
    return CubeActions(
        cube=cube,
        win_probability=table.win_probability(x, y),
        no_double=table.no_double(x, y, cube, jacoby=jacoby),
        double_take=table.double_take(x, y),
        no_double_error=table.error(cube),
        double_take_error=2 * table.error("opponent"),
        jacoby=jacoby,
        gammons_won=won,
        gammons_lost=lost,
    )


def cube_action(
    table: TwoSidedTable,
    race: Race | tuple[int, int],
    cube: RollersCube = "centred",
    *,
    jacoby: bool = False,
) -> CubeAction:
    """Cube action of one pair.

    Parameters
    ----------
    table : TwoSidedTable
        With all planes.
    race : Race or (int, int)
        The pair, or the numbers of roller and opponent.
    cube, jacoby
        As for `cube_actions`.

    Raises
    ------
    PositionError, TableError, BearoffError
        As for `cube_actions`.

    Examples
    --------
    Two sides of four rolls each are a redouble and a take:

    >>> import bearoff
    >>> _ = bearoff.build_two_sided_table(8)
    >>> table = bearoff.two_sided_table(8)
    >>> four_rolls = bearoff.Position.parse("8,0,0,0,0,0")
    >>> answer = cube_action(table, bearoff.Race(four_rolls, four_rolls), "owned")
    >>> answer.action, round(answer.no_double, 3), round(answer.double_take, 3)
    ('redouble, take', 0.793, 0.917)
    """
    roller, opponent = numbers_of(table, race)
    all_of = cube_actions(table, roller, opponent, cube, jacoby=jacoby)
    double = "redouble" if cube == "owned" else "double"
    if not all_of.doubles:
        action = f"{'too good to' if all_of.too_good else 'no'} {double}"
    else:
        action = f"{double}, {'take' if all_of.takes else 'pass'}"
    dead, live = _take_points(table, roller, opponent, all_of)
    return CubeAction(
        action=action,
        cube=cube,
        jacoby=jacoby,
        equity=float(all_of.equity),
        no_double=float(all_of.no_double),
        double_take=float(all_of.double_take),
        double_pass=CubeActions.PASS,
        missed_double=float(all_of.missed_double),
        wrong_double=float(all_of.wrong_double),
        wrong_take=float(all_of.wrong_take),
        wrong_pass=float(all_of.wrong_pass),
        error=float(all_of.error),
        too_close=bool(all_of.too_close),
        win_probability=float(all_of.win_probability),
        gammons_won=float(all_of.gammons_won),
        gammons_lost=float(all_of.gammons_lost),
        dead_take_point=dead,
        live_take_point=live,
    )


def _take_points(
    table: TwoSidedTable, roller: int, opponent: int, actions: CubeActions
) -> tuple[float, float]:
    """Return the opponent's take points with a dead and a live cube."""
    won, lost = float(actions.gammons_won), float(actions.gammons_lost)
    # The chance to win of play for points, to which the chances of gammons belong.
    chance = (1 + float(table.equity(roller, opponent, None)) - won + lost) / 2
    wins = 1 + (lost / (1 - chance) if lost else 0.0)
    return take_points(wins, 1 + (won / chance if won else 0.0))
