"""Protocol of match values, which solvers and stored tables implement."""

from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.positions import sides
from bearoff.scores import AnyPayoffs, CubeState

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


TIE = 1e-12
"""Difference of chances that counts as a tie, at the limit of float64."""


class Cost(NamedTuple):
    """Cost of solving values: seconds, and bytes of temporary disk space."""

    seconds: float
    disk_bytes: int


class MatchValues(Protocol):
    """Values of pairs of positions with player 0 or 1 on roll.

    Implemented by `bearoff.match_solver.solver.MatchSolver` and by the classes in
    `bearoff.match_solver.stored`.
    """

    @property
    def payoffs(self) -> AnyPayoffs:
        """Payoffs, with player 0 as the first player."""

    @property
    def points(self) -> int:
        """Number of points of the board."""

    @property
    def start(self) -> int:
        """Number of checkers of each side at the start of the game."""

    @property
    def folder(self) -> Path | None:
        """Folder of the table; None if the race is solved in memory."""

    def held(self, player: int) -> int:
        """Return the number of checkers up to which every position is included."""

    @property
    def error(self) -> float:
        """Maximum error of a chance."""

    @property
    def nbytes(self) -> int:
        """Memory of the solved values in bytes; 0 for files."""

    def cost(self, state: CubeState) -> Cost:
        """Estimate the cost of solving the values of a cube state."""

    def slots(self, numbers: sides.Sides, player: int) -> Int64Array:
        """Return the position indices of Benjamin-Ross numbers, for one player."""

    def values(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Return match-winning chances with the right cube decisions."""

    def no_doubles(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Return match-winning chances without a double now."""

    def best_plays(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Int64Array:
        """Return position numbers after the best play of each roll, shape (pairs, 21)."""
