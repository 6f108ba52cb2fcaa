"""The protocol that every pair table follows, for money or at a score.

`bearoff.TwoSidedTable` reads stored planes of money games, with or without the Jacoby rule.
`bearoff.MatchTable` reads or solves games at one score. Callers use this protocol and need
not know which of the two they have.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.positions import Position, Race, sides
from bearoff.scores import CubeState
from bearoff.stakes import Cube, Stakes, Terms, Values

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


class PairTable(Protocol):
    """A table of pairs of positions, indexed by Benjamin-Ross position numbers."""

    @property
    def folder(self) -> Path | None:
        """Folder of the table; None if the table is solved in memory."""

    @property
    def points(self) -> int:
        """Number of points on which a side's checkers may stand."""

    @property
    def checkers(self) -> int:
        """Number of checkers per side up to which every pair is held."""

    @property
    def opponents(self) -> int:
        """Number of checkers up to which every opponent is held."""

    @property
    def start(self) -> int:
        """Number of checkers per side at the start; a gammon loser still has them all."""

    def holds(self, race: Race) -> bool:
        """Whether both sides of a race are in the table, on any number of points."""

    def plays_for(self, stakes: Stakes) -> bool:
        """Whether the values are of games for these stakes."""

    def terms(self, cube_value: int = 1, *, jacoby: bool = False) -> Terms:
        """Return the terms of the table's roller with the cube at a value.

        Parameters
        ----------
        cube_value : int
            Value of the cube, at a score.
        jacoby : bool
            Whether the Jacoby rule holds, for money; the table must have planes for it.
        """

    def number(self, side: Position) -> int:
        """Return the position number of a side given on any number of points.

        Raises
        ------
        PositionError
            If the side is not in the table.
        """

    def pairs(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Int64Array, Int64Array]:
        """Return the position numbers of both sides, broadcast against each other.

        Raises
        ------
        PositionError
            If the shapes do not broadcast, or a side is not in the table.
        """

    def values(
        self,
        x: Int64Array,
        y: Int64Array,
        cube: Cube,
        terms: Terms,
        *,
        gammons: bool = True,
    ) -> Values:
        """Value pairs before the roll; both sides have a checker on the board.

        Parameters
        ----------
        x, y : ndarray of int64
            Position numbers of rollers and opponents, of equal shape; `terms` says which
            player is on roll.
        cube : {"centred", "owned", "opponent"}
            Position of the cube from the roller's view.
        terms : Terms
            Stakes and cube value; the stakes are those of the table.
        gammons : bool
            Whether gammon chances are wanted, which take long at a score.

        Returns
        -------
        Values
            Values of the shape of `x`.
        """

    def win_probability(self, rollers: sides.Sides, opponents: sides.Sides) -> Float64Array:
        """Chance that the roller wins if both sides play for the win, without a cube."""

    def gammon_probability(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Float64Array, Float64Array]:
        """Chances that the roller wins and loses a gammon if both sides play for points."""

    def settled(
        self, x: Int64Array, y: Int64Array, state: CubeState, terms: Terms
    ) -> Float64Array:
        """Return the rollers' equities after the right cube decisions of both sides.

        Parameters
        ----------
        x, y, terms
            See `values`. Equities are in units of the cube value of `terms`, not of
            `state`.
        state : CubeState
            Cube value, and which of the first and the second player may double, as in the
            payoffs of the stakes. For money the cube value is 1.
        """

    def best_after(
        self, rollers: sides.Sides, opponents: sides.Sides, cube: Cube, terms: Terms
    ) -> Int64Array:
        """Return the position after the roller's best play of each roll.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Position numbers, broadcast against each other; both sides have a checker on the
            board.
        cube, terms
            See `values`.

        Returns
        -------
        ndarray of int64, shape (..., 21)
            Position numbers of the roller, with rolls in the order of `bearoff.ROLLS`.
            Among plays of equal value the lowest number is returned.
        """

    def rounding(self, terms: Terms) -> tuple[float, float, float]:
        """Return the largest errors of stored values; 0 for values solved in memory.

        The three errors are of the winning chance, of no double, and of double/take.
        """

    def estimate_seconds(self, cube_value: int = 1, cube: Cube = "centred") -> float:
        """Estimate the seconds to solve missing values; 0 if none is missing."""
