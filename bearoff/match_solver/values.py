"""Interface of match-winning chances, which the solver and stored tables implement."""

from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.positions import sides
from bearoff.scores import AnyPayoffs, CubeState

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


TIE = 1e-12
"""Difference between two match-winning chances below which they count as equal. It exceeds
the rounding errors of float64."""


class Cost(NamedTuple):
    """Cost of solving a race: time in seconds, and temporary disk space in bytes."""

    seconds: float
    disk_bytes: int


class MatchValues(Protocol):
    """Match-winning chances of pairs of positions, with player 0 or 1 on roll.

    `bearoff.match_solver.solver.MatchSolver` and the classes in
    `bearoff.match_solver.stored` implement this interface.
    """

    @property
    def payoffs(self) -> AnyPayoffs:
        """Payoffs of the two players for the points that a player wins or loses."""

    @property
    def points(self) -> int: ...

    @property
    def start(self) -> int:
        """Number of checkers of each player at the start of the game."""

    @property
    def folder(self) -> Path | None:
        """Folder of the table; None if the race is solved in memory."""

    def held(self, player: int) -> int:
        """Return the largest n such that no position of up to n checkers is missing."""

    @property
    def error(self) -> float:
        """Maximum error of a match-winning chance."""

    @property
    def nbytes(self) -> int:
        """Memory in bytes of the solved values; 0 if the values are in files."""

    def cost(self, state: CubeState) -> Cost:
        """Estimate the time and disk space to solve the values for a cube state."""

    def slots(self, numbers: sides.Sides, player: int) -> Int64Array:
        """Return indices of a player's positions; raise an error if one is missing."""

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
        """Return position numbers after the best play of each roll, shape (pairs, 21)."""
