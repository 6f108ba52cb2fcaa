"""Owner and value of the cube in the games of a rollout, and the sides' cube decisions."""

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
    """Owner and value of the cube in the unfinished games of a rollout.

    The same dice and plays serve four initial cubes, which `STATES` names. Arrays therefore
    have shape (games, 4). Side 0 rolls first, and side 1 is its opponent. Values of games
    are from the viewpoint of side 0.

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
        """Return exact values of games with `side` on roll; 0 where a game is finished."""
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
        """Return the values of games that `side` has won with 1, 2 or 3 points."""
        worth = self._values.states.won[self._at[games], side, points[:, None]]
        return np.asarray(self._times[games] * worth)

    def select(self, games: BoolArray) -> None:
        """Keep the selected games, and remove all others."""
        self._at, self._times = self._at[games], self._times[games]


@lru_cache(maxsize=1)
def slopes() -> Float32Array:
    """Return the fast model's change in cubeless equity per unit of the roller's lead.

    The fast model has a table of cubeless equities by both sides' EPC, in small steps
    (bins). The result has the shape of this table. If the roller's lead grows by one step,
    the roller's EPC falls by half a step, and the opponent's EPC rises by half a step.
    """
    plane = race_model().planes[0]
    found = np.ones_like(plane)
    found[1:-1, 1:-1] = (plane[:-2, 2:] - plane[2:, :-2]) / 2
    # Where the equity hardly depends on the lead, 1e-4 is used, because lead differences
    # are later divided by these numbers.
    return np.asarray(np.maximum(found, 1e-4))
