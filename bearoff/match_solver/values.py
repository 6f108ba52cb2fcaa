"""What a solver or a table in files must answer; see `bearoff.match_solver.table`."""

from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.positions import sides
from bearoff.scores import CubeState, MoneyPayoffs, Payoffs

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


TIE = 1e-12
"""Chances nearer than this are equal: float64 has no more to say."""


class Cost(NamedTuple):
    """Seconds that solving takes, and bytes of the disk meanwhile."""

    seconds: float
    disk_bytes: int


class MatchValues(Protocol):
    """What answers for pairs of slots, player 0 or 1 on roll.

    `bearoff.match_solver.solver.Solver`, and those of `bearoff.match_solver.stored`.
    """

    @property
    def payoffs(self) -> Payoffs | MoneyPayoffs:
        """What games are worth, player 0 being the first."""

    @property
    def points(self) -> int:
        """Points of the board that positions are numbered by."""

    @property
    def start(self) -> int:
        """Checkers that a side began with."""

    @property
    def folder(self) -> Path | None:
        """Where the table is; None if it is solved on the spot."""

    def held(self, player: int) -> int:
        """Checkers up to which every position of player 0 or 1 is held."""

    @property
    def error(self) -> float:
        """Largest error of a chance."""

    @property
    def nbytes(self) -> int:
        """Bytes of memory that what is solved takes; of files none."""

    def cost(self, state: CubeState) -> Cost:
        """What the values of a state of the cube will take."""

    def slots(self, numbers: sides.Sides, player: int) -> Int64Array:
        """Slots of the player's positions."""

    def values(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Chances, the cube used rightly."""

    def no_doubles(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Chances if the player does not double now."""

    def best_plays(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Int64Array:
        """Position numbers after the best play of each roll, shape (pairs, 21)."""
