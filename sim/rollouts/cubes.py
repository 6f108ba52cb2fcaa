"""Cube decisions, and the owner and value of the cube, in the games of a rollout."""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bearoff.race_model import race_model
from bearoff.sim.rollouts.boards import RaceBoard
from bearoff.sim.rollouts.values import STATES, ValueModel

if TYPE_CHECKING:
    from bearoff.sim.rollouts.kernels import TurnPositions

BoolArray = NDArray[np.bool_]
Float32Array = NDArray[np.float32]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


class Cubes:
    """Cube owners and values in the unfinished games of a rollout.

    Each game has four cubes, one for each initial cube in `STATES`. Side 0 is the roller at
    the start, and side 1 the opponent. Values have shape (games, 4) and are from the
    viewpoint of the roller at the start.

    Parameters
    ----------
    values : ValueModel
        Tables and models of equities on which cube decisions are based.
    board : RaceBoard
        Race board, which assigns numbers to the positions of both sides.
    games : int
        Number of games.
    """

    def __init__(self, values: ValueModel, board: RaceBoard, games: int) -> None:
        self._values, self._board = values, board
        self._at = np.tile(values.states.starts, (games, 1))
        self._times = np.ones((games, len(STATES)))

    def turn(
        self,
        side: int,
        may_double: bool,
        rolls: "TurnPositions",
        alive: BoolArray,
        estimates: Float64Array,
    ) -> None:
        """Make the cube decisions of the side on roll, and subtract the luck of its rolls.

        Decisions use equities of the fast model and gammon probabilities. A passed double
        ends a game: the game is no longer alive, and its estimate is complete.
        """
        from bearoff.sim.rollouts import kernels

        model = self._values.model
        kernels.turn(
            kernels.Model(model.planes[0], slopes(), 1 / model.step),
            self._values.states.arrays,
            self._board.arrays,
            side,
            may_double,
            self._values.techniques.luck,
            rolls,
            kernels.Games(self._at, self._times, alive, estimates),
        )

    def exact(
        self,
        games: Int64Array,
        side: int,
        rollers: Int64Array,
        opponents: Int64Array,
        alive: BoolArray,
    ) -> Float64Array:
        """Return the exact values of games with `side` on roll; 0 for finished games."""
        table, terms = self._values.last_table, self._values.terms
        if table is None:
            raise ValueError("a table is required to look up the values of finished games")
        found = np.zeros((len(games), len(STATES)))
        numbers = np.where(alive, self._at[games], 0)
        for number, state in enumerate(self._values.states.states):
            at, starts = np.nonzero(numbers == number)
            if state is None or not len(at):
                continue
            found[at, starts] = table.settled(
                rollers[at], opponents[at], state, terms if side == 0 else terms.next()
            )
        return np.asarray((1 - 2 * side) * self._times[games] * found)

    def won(self, games: Int64Array, side: int, points: Int64Array) -> Float64Array:
        """Return the values of games in which a side has won 1, 2 or 3 points."""
        worth = self._values.states.won[self._at[games], side, points[:, None]]
        return np.asarray(self._times[games] * worth)

    def select(self, games: BoolArray) -> None:
        """Keep the selected games, and remove all others."""
        self._at, self._times = self._at[games], self._times[games]


@lru_cache(maxsize=1)
def slopes() -> Float32Array:
    """Return the change in the fast model's cubeless equity per bin of the roller's lead.

    The array has the shape of a plane of the model. A lead of one more bin means half a bin
    less for the roller and half a bin more for the opponent. The slope is a central
    difference.
    """
    plane = race_model().planes[0]
    found = np.ones_like(plane)
    found[1:-1, 1:-1] = (plane[:-2, 2:] - plane[2:, :-2]) / 2
    # The minimum of 1e-4 prevents a division by 0 where the equity hardly depends on the
    # lead.
    return np.asarray(np.maximum(found, 1e-4))
