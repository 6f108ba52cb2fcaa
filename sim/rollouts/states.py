"""States of the cube (owner and value) in a rollout, and the values of their games.

Equities are from the viewpoint of the side that rolls first, at the initial cube value: in
points for money, and in EMG at a match score. EMG is linear in the match-winning chance, so
the mean of equities corresponds to the mean of the chances.

Cube decisions are based on tables of equities by both sides' EPC. For money, these are the
tables of the fast model. At a match score, a table is solved for every state of the cube.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bearoff.race_model import RaceModel, typical_races
from bearoff.scores import CubeState
from bearoff.stakes import CubeOwner, Terms
from bearoff.two_sided import codings

if TYPE_CHECKING:
    from bearoff.sim.rollouts.kernels import StateArrays

Float32Array = NDArray[np.float32]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

MOST_POINTS = 3
"""Maximum number of points won in a game, in multiples of the cube value: 3 for a
backgammon."""


class CubeStates:
    """All states of the cube that can follow the given initial states, each with a number.

    State 0 is a game without a cube, in which the winner wins 1 point.

    Parameters
    ----------
    terms : Terms
        Stakes and cube value from the viewpoint of the roller at the start.
    starts : sequence of CubeState or None
        Initial states of the cube; None for a game without a cube.
    model : RaceModel
        Fast model, whose equities are used for money.
    longest_epc : float
        Largest EPC that a side may have in the race, in pips.

    Attributes
    ----------
    states : list of CubeState or None
        States of the cube, from the viewpoint of the side that rolls first.
    starts : ndarray of int64
        Indices of the initial states in `states`.
    doubled : ndarray of int64, shape (states, 2)
        Index of the state of the cube after a side doubles and its opponent takes; -1 if
        the side may not double, or gains nothing by doubling.
    won : ndarray of float64, shape (states, 2, 4)
        Value of a game for each state of the cube, each side as winner, and the number of
        points that it wins at a cube value of 1. The index 0 for unfinished games has the
        value of 1 point.
    """

    def __init__(
        self,
        terms: Terms,
        starts: Sequence[CubeState | None],
        model: RaceModel,
        longest_epc: float,
    ) -> None:
        self._terms, self._model, self._longest_epc = terms, model, longest_epc
        self.states = list(dict.fromkeys([None, *starts]))
        for state in self.states:  # including the states that are added here
            self.states += [one for one in self._turned(state) if one not in self.states]
        number = {state: k for k, state in enumerate(self.states)}
        self.starts: Int64Array = np.array([number[state] for state in starts])
        self.doubled: Int64Array = np.array(
            [
                [-1 if one is None else number[one] for one in self._turned(state)]
                for state in self.states
            ]
        )
        self.won = np.array([self._won(state) for state in self.states])

    def is_live(self, number: int) -> bool:
        """Return whether a side may double in this state and can gain by doubling."""
        return bool(self.doubled[number].max() >= 0)

    def typical(self, number: int, roller_epc: float, opponent_epc: float) -> float:
        """Return the fast model's equity of the roller for a state of the cube."""
        planes, plane_of = self._planes
        if self.is_live(number):
            plane = planes[plane_of[number, 0]]
            return float(self._model.read(plane, roller_epc, opponent_epc))
        won, lost = self.won[number, :, 1].tolist()
        cubeless = float(self._model.equity(roller_epc, opponent_epc, None))
        return float((won + lost) / 2 + (won - lost) / 2 * cubeless)

    @cached_property
    def arrays(self) -> "StateArrays":
        """Values of games in all states of the cube, as arrays for compiled code."""
        from bearoff.sim.rollouts.kernels import StateArrays

        own = np.array([1.0, -1.0])[:, None] * self.won[:, :, 1:]
        won, lost = self.won[:, :, 1].T
        return StateArrays(
            *self._planes,
            (won + lost) / 2,
            (won - lost) / 2,
            self.doubled,
            np.ascontiguousarray(own[:, :, 0]),
            np.diff(own, axis=2),
            self._terms.stakes.payoffs.scale[0],
        )

    @cached_property
    def _planes(self) -> tuple[Float32Array, Int64Array]:
        """Tables of equities by both sides' EPC, and the table index of each state."""
        places = np.full((len(self.states), 2), -1, dtype=np.int64)
        stakes = self._terms.stakes
        planes: list[Float32Array] = []
        for number, state in enumerate(self.states):
            if state is None or not self.is_live(number):
                continue
            for side, terms in enumerate((self._terms, self._terms.next())):
                mine, theirs = state.may(side), state.may(1 - side)
                cube = CubeOwner(int(mine) - int(theirs)).cube
                if stakes.score is None:
                    places[number, side] = codings.PLANES.index(cube)
                    continue
                places[number, side] = len(planes)
                races = typical_races(stakes, self._longest_epc)
                value = races.planes(state.value, cube, side).value.astype(np.float64)
                planes.append(terms.equity((value + 1) / 2).astype(np.float32))
        if stakes.score is None:
            return self._model.planes, places
        found = np.array(planes or np.empty((0, 1, 1)), dtype=np.float32)
        # This array is read-only like the fast model's tables, so that numba does not
        # compile the kernels a second time.
        found.flags.writeable = False
        return found, places

    def _turned(self, state: CubeState | None) -> list[CubeState | None]:
        """Return the state after a double of each side; None if impossible."""
        if state is None:
            return [None, None]
        return [self._terms.stakes.payoffs.turned(state, side) for side in (0, 1)]

    def _won(self, state: CubeState | None) -> Float64Array:
        counts = np.maximum(np.arange(MOST_POINTS + 1), 1)
        if state is None:
            return np.array([np.ones(len(counts)), -np.ones(len(counts))])
        if self._terms.stakes.payoffs.gammon(state) == 1:
            counts = np.ones_like(counts)
        # `worth` counts no more points than the winner needs to win the match.
        counts = counts * max(state.value // self._terms.cube_value, 1)
        return np.array([self._terms.worth(counts), self._terms.worth(-counts)])
