"""Cube actions at a score, and what mistakes cost in chances to win the match."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import ScoreError
from bearoff.match.table import MatchTable
from bearoff.positions import sides

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
StrArray = NDArray[np.str_]
RollersCube = Literal["centred", "owned"]


@dataclass(frozen=True, eq=False)
class MatchActions:
    """Cube actions of many pairs at a score; every array has one entry a pair.

    Chances are the roller's to win the match, costs are chances lost, 0 where the
    decision is right. `emg` turns either into normalised equities.

    Attributes
    ----------
    cube : {"centred", "owned"}
        Where the cube is, the same for all pairs.
    no_double, double_take, double_pass : ndarray of float64
        Chances if the roller does not double now, and after a double that is taken or
        passed.
    win_probability : ndarray of float64
        Cubeless chance to win the game.
    unit : float
        Half of what a single game decides at this cube: a cost of so much is an EMG of 1.
    error : float
        Most by which a chance is wrong; what differs by no more counts as equal.
    """

    cube: RollersCube
    no_double: Float64Array
    double_take: Float64Array
    double_pass: Float64Array
    win_probability: Float64Array
    unit: float
    error: float

    @property
    def double(self) -> Float64Array:
        """Chance once the roller doubles, the opponent doing what is right."""
        return np.asarray(np.minimum(self.double_take, self.double_pass))

    @property
    def value(self) -> Float64Array:
        """Chance after the right action."""
        return np.asarray(np.maximum(self.no_double, self.double))

    @property
    def doubles(self) -> BoolArray:
        """Whether doubling is right; so it is where it makes no difference."""
        return np.asarray(self.double >= self.no_double - self.error)

    @property
    def takes(self) -> BoolArray:
        """Whether the opponent should take, if doubled."""
        return np.asarray(self.double_take <= self.double_pass + self.error)

    @property
    def too_good(self) -> BoolArray:
        """Whether playing on, for a gammon, is worth more than cashing."""
        return np.asarray(self.no_double > self.double_pass + self.error)

    @property
    def missed_double(self) -> Float64Array:
        """What not doubling costs the roller where doubling is right."""
        return self._cost(self.double - self.no_double)

    @property
    def wrong_double(self) -> Float64Array:
        """What doubling costs the roller where it is wrong."""
        return self._cost(self.no_double - self.double)

    @property
    def wrong_take(self) -> Float64Array:
        """What taking costs the opponent, once doubled, where passing is right."""
        return self._cost(self.double_take - self.double_pass)

    @property
    def wrong_pass(self) -> Float64Array:
        """What passing costs the opponent, once doubled, where taking is right."""
        return self._cost(self.double_pass - self.double_take)

    @property
    def names(self) -> StrArray:
        """The actions in words, such as ``double, take`` or ``no redouble``."""
        double = "redouble" if self.cube == "owned" else "double"
        yes = np.where(self.takes, f"{double}, take", f"{double}, pass")
        no = np.where(self.too_good, f"too good to {double}", f"no {double}")
        return np.asarray(np.where(self.doubles, yes, no))

    def emg(self, cost: ArrayLike) -> Float64Array:
        """Turn costs in chances to win the match into normalised equities lost."""
        return np.asarray(checks.reals(cost, "a cost") / self.unit)

    def _cost(self, difference: Float64Array) -> Float64Array:
        return np.asarray(np.where(difference > self.error, difference, 0.0))


def match_actions(
    table: MatchTable,
    rollers: sides.Sides,
    opponents: sides.Sides,
    cube_value: int = 1,
    cube: RollersCube = "centred",
) -> MatchActions:
    """Cube actions of many pairs at a score.

    Parameters
    ----------
    table : MatchTable
        Of the score; see `match_table` and, for one race, `match_race`.
    rollers, opponents : array_like of int
        Position numbers, a checker on the board on both sides.
    cube_value : int
        What the cube shows before a double.
    cube : {"centred", "owned"}
        Where the cube is.

    Raises
    ------
    PositionError, ScoreError, BearoffError
        As for `MatchTable.double_take`.

    Examples
    --------
    Two checkers each on the deuce and on the three: at 4-away 4-away a double, but not for
    who leads 2-away 4-away, since the opponent would redouble at once.

    >>> import bearoff
    >>> pair = 2 * [bearoff.Position.parse("0,2,2,0,0,0").number]
    >>> for away in (4, 4), (2, 4):
    ...     answer = match_actions(bearoff.match_table(4, away), *pair)
    ...     print(answer.names, answer.wrong_double.round(3))
    double, take 0.0
    no double 0.057
    """
    checks.instance(table, "table", MatchTable, ScoreError)
    checks.choice(cube, "the cube of a roller who may double", get_args(RollersCube))
    pair = rollers, opponents
    double_take = table.double_take(*pair, cube_value, cube)
    after = table.equities.after
    won, lost = (after(table.score, points) for points in (cube_value, -cube_value))
    return MatchActions(
        cube,
        table.no_double(*pair, cube_value, cube),
        double_take,
        table.double_pass(*pair, cube_value, cube),
        table.win_probability(*pair),
        (won - lost) / 2,
        table.error,
    )
