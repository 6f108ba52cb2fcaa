"""Interface of match values, implemented by solvers and by stored tables."""

from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.positions import sides
from bearoff.scores import AnyPayoffs, CubeState

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


TIE = 1e-12
"""Difference between chances that counts as a tie; it exceeds the rounding errors of
float64."""


class Cost(NamedTuple):
    """Time in seconds, and temporary disk space in bytes, that solving needs."""

    seconds: float
    disk_bytes: int


class MatchValues(Protocol):
    """Match values of pairs of positions, with player 0 or 1 on roll.

    Implemented by `bearoff.match_solver.solver.MatchSolver` and by the classes in
    `bearoff.match_solver.stored`.
    """

    @property
    def payoffs(self) -> AnyPayoffs:
        """Payoffs, with player 0 as the first player."""

    @property
    def points(self) -> int: ...

    @property
    def start(self) -> int:
        """Number of checkers of each player at the start of the game."""

    @property
    def folder(self) -> Path | None:
        """Folder of the table; None if the race is solved in memory."""

    def held(self, player: int) -> int:
        """Return the largest number of checkers of which every position is included."""

    @property
    def error(self) -> float:
        """Maximum error of a chance."""

    @property
    def nbytes(self) -> int:
        """Memory of the solved values in bytes; 0 for files."""

    def cost(self, state: CubeState) -> Cost:
        """Estimate the cost of solving a cube state; 0 if it has been solved."""

    def slots(self, numbers: sides.Sides, player: int) -> Int64Array:
        """Return the indices of one player's position numbers; -1 for missing ones."""

    def values(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Return match-winning chances with perfect cube decisions."""

    def no_doubles(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Return match-winning chances if the roller does not double now."""

    def best_plays(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Int64Array:
        """Return position numbers after the best plays of all rolls, shape (pairs, 21)."""
