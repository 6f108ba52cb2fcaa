"""The cubes of games under way, and what points are worth: what a rollout plays for."""

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.stakes import Cube
from sim.rollouts import choices as home_board
from sim.rollouts.at_score import MatchValues
from sim.rollouts.values import STATES, ValueModel

if TYPE_CHECKING:
    from sim.rollouts.kernels import Rolls

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

_EXCHANGED: dict[Cube, Cube] = {
    "centred": "centred", "owned": "opponent", "opponent": "owned",
}  # fmt: skip

_OWNERS = (2, 0, 1, -1)
"""Owner of the cube in each state, as `sim.rollouts.kernels` names them."""


class Cubes(Protocol):
    """Cubes of games under way, one for each of `STATES`.

    Sides are 0, the roller at the start, and 1. Values are those of the roller at the
    start, shape (games, 4).
    """

    @property
    def asked(self) -> BoolArray:
        """Whether each of `STATES` is played for."""

    def turn(
        self,
        side: int,
        may_double: bool,
        rolls: "Rolls",
        alive: BoolArray,
        estimates: Float64Array,
    ) -> None:
        """Turn the cubes of the side on roll, and take the luck of its rolls.

        Games that are passed are no longer alive, and their estimates are complete.
        """

    def exact(
        self,
        games: Int64Array,
        side: int,
        rollers: Int64Array,
        opponents: Int64Array,
        alive: BoolArray,
    ) -> Float64Array:
        """Look up what games are worth with `side` on roll; 0 where they are over."""

    def won(self, games: Int64Array, side: int, points: Int64Array) -> Float64Array:
        """Return what games are worth that a side has won with so many points."""

    def select(self, games: BoolArray) -> None:
        """Go on with these games alone."""


class MoneyCubes:
    """Cubes of money games; values are in points at a cube of 1."""

    def __init__(self, values: ValueModel, games: int) -> None:
        self._values = values
        self._owners = np.tile(np.array(_OWNERS, dtype=np.int8), (games, 1))
        self._stakes = np.ones((games, len(STATES)))

    @property
    def asked(self) -> BoolArray:
        """All are."""
        return np.ones(len(STATES), dtype=np.bool_)

    def turn(
        self,
        side: int,
        may_double: bool,
        rolls: "Rolls",
        alive: BoolArray,
        estimates: Float64Array,
    ) -> None:
        """Turn the cubes by the values of the fast model and the chance of a gammon."""
        from sim.rollouts import kernels

        values = self._values
        kernels.turn(
            kernels.Model(values.model.planes, home_board.slopes(), 1 / values.model.step),
            1 - 2 * side,
            may_double,
            values.terms.stakes.jacoby,
            values.techniques.luck,
            rolls,
            kernels.Games(self._owners, self._stakes, alive, estimates),
        )

    def exact(
        self,
        games: Int64Array,
        side: int,
        rollers: Int64Array,
        opponents: Int64Array,
        alive: BoolArray,
    ) -> Float64Array:
        """Look equities up in the two-sided table."""
        table, sign = self._values.table, 1 - 2 * side
        if table is None:
            raise ValueError("games are settled by a table, and there is none")
        equities = np.zeros((len(games), len(STATES)))
        owners = self._owners[games] * sign
        cubes: tuple[tuple[int, Any], ...] = (
            (1, "owned"),
            (0, "centred"),
            (-1, "opponent"),
        )
        for owner, cube in cubes:
            at, states = np.nonzero((owners == owner) & alive)
            jacoby = self._values.terms.stakes.jacoby and cube == "centred"
            equities[at, states] = table.equity(
                rollers[at], opponents[at], cube, jacoby=jacoby
            )
        return np.asarray(sign * self._stakes[games] * equities)

    def won(self, games: Int64Array, side: int, points: Int64Array) -> Float64Array:
        """Count the points, without a cube one."""
        counted = np.repeat(points[:, None], len(STATES), axis=1)
        counted[:, 0] = 1
        if self._values.terms.stakes.jacoby:
            counted[self._owners[games] == 0] = 1
        return np.asarray((1 - 2 * side) * self._stakes[games] * counted)

    def select(self, games: BoolArray) -> None:
        """Go on with these games alone."""
        self._owners, self._stakes = self._owners[games], self._stakes[games]


class MatchCubes:
    """Cubes of games at a score; a `sim.rollouts.cubes.Cubes`, values in EMG."""

    def __init__(self, values: MatchValues, games: int) -> None:
        self._values = values
        self._solved = values.solved
        self._at = np.tile(np.array(self._solved.starts, dtype=np.int64), (games, 1))

    @property
    def asked(self) -> BoolArray:
        """Those that can be at the score."""
        return np.array([start is not None for start in self._values.starts])

    def turn(
        self,
        side: int,
        may_double: bool,
        rolls: "Rolls",
        alive: BoolArray,
        estimates: Float64Array,
    ) -> None:
        """Turn the cubes by the values of typical races and the chance of a gammon."""
        from sim.rollouts import kernels, match_kernels

        values = self._values
        match_kernels.turn(
            kernels.Model(values.model.planes, home_board.slopes(), 1 / values.model.step),
            values.solved_arrays,
            side,
            may_double,
            values.techniques.luck,
            rolls,
            (self._at, alive, estimates),
        )

    def exact(
        self,
        games: Int64Array,
        side: int,
        rollers: Int64Array,
        opponents: Int64Array,
        alive: BoolArray,
    ) -> Float64Array:
        """Look chances up in the table of the score."""
        values, table = self._values, self._values.match_table
        if table is None:
            raise ValueError("games are settled by a table, and there is none")
        found = np.zeros((len(games), len(STATES)))
        nodes = np.where(alive, self._at[games], -1)
        for place in np.unique(nodes[nodes >= 0]).tolist():
            value, cube = self._solved.nodes[place]
            if cube is None:
                continue
            at, states = np.nonzero(nodes == place)
            pair = rollers[at], opponents[at], value
            if side == 0:
                chances = table.value(*pair, cube)
            else:
                chances = 1 - self._values.theirs.value(*pair, _EXCHANGED[cube])
            found[at, states] = values.terms.equity(chances)
        return found

    def won(self, games: Int64Array, side: int, points: Int64Array) -> Float64Array:
        """Look up what the points won come to at the score."""
        return np.asarray(self._solved.won[self._at[games], side, points[:, None]])

    def select(self, games: BoolArray) -> None:
        """Go on with these games alone."""
        self._at = self._at[games]
