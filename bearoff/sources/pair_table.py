"""Protocol of tables with values of pairs of positions, for money or at a match score.

`bearoff.TwoSidedTable` reads stored values of money games, with or without the Jacoby rule.
`bearoff.MatchTable` reads or solves games at one match score. Code that uses this protocol
works with both tables.
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
    """Protocol of tables with values of pairs of positions, given by position number."""

    @property
    def folder(self) -> Path | None:
        """Folder of the table; None if the table is solved in memory."""

    @property
    def points(self) -> int:
        """Number of points of the board."""

    @property
    def checkers(self) -> int:
        """Largest number of checkers for which all pairs of positions are in the table."""

    @property
    def opponents(self) -> int:
        """Largest number of checkers for which all opposing positions are in the table."""

    @property
    def start(self) -> int:
        """Number of checkers of each player at the start of the game."""

    def holds(self, race: Race) -> bool:
        """Return whether the table contains both positions of a race, on any board size."""

    def plays_for(self, stakes: Stakes) -> bool:
        """Return whether the values of the table are for the given stakes."""

    def terms(self, cube_value: int = 1, *, jacoby: bool = False) -> Terms:
        """Return the table's stakes at a cube value, with its first player on roll.

        Parameters
        ----------
        cube_value : int
            Value of the cube; used only at a match score.
        jacoby : bool
            Whether the Jacoby rule applies, in money play. The table must contain values
            for the rule.
        """

    def number(self, side: Position) -> int:
        """Return this table's number of a position, which may be on a board of any size.

        Raises
        ------
        PositionError
            If the position is not in the table.
        """

    def pairs(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Int64Array, Int64Array]:
        """Return the position numbers of rollers and opponents, as arrays of equal shape.

        Raises
        ------
        PositionError
            If the shapes cannot be broadcast, or a side is not in the table.
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
        """Return values before the roll; both players must have a checker on the board.

        Parameters
        ----------
        x, y : ndarray of int64
            Position numbers of rollers and opponents, in arrays of equal shape. `terms`
            states whether the first or the second player of the match is the roller.
        cube : {"centred", "owned", "opponent"}
            Owner of the cube from the roller's viewpoint.
        terms : Terms
            Stakes and cube value. The stakes must be those of the table.
        gammons : bool
            Whether to compute gammon chances, which takes long at a match score.

        Returns
        -------
        Values
            Values whose arrays have the shape of `x`.
        """

    def win_probability(self, rollers: sides.Sides, opponents: sides.Sides) -> Float64Array:
        """Return the roller's win probability without a cube, if both sides play to win."""

    def gammon_probability(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Float64Array, Float64Array]:
        """Return the chances that the roller wins, and loses, a gammon without a cube."""

    def settled(
        self, x: Int64Array, y: Int64Array, state: CubeState, terms: Terms
    ) -> Float64Array:
        """Return the rollers' equities after the right cube decisions of both players.

        Parameters
        ----------
        x, y, terms
            See `values`. Equities are in points divided by the cube value of `terms`, not
            by that of `state`.
        state : CubeState
            Cube value, and whether the first and the second player may double, as in the
            payoffs of the stakes. For money, the cube value is 1.
        """

    def best_after(
        self, rollers: sides.Sides, opponents: sides.Sides, cube: Cube, terms: Terms
    ) -> Int64Array:
        """Return the roller's position number after the best play of each of the 21 rolls.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Position numbers of sides with a checker on the board, in arrays of
            compatible shapes.
        cube, terms
            See `values`.

        Returns
        -------
        ndarray of int64, shape (..., 21)
            The roller's position numbers, with the rolls in the order of `bearoff.ROLLS`.
            Among equally good plays, the lowest position number is chosen.
        """

    def rounding(self, terms: Terms) -> tuple[float, float, float]:
        """Return the maximum errors of stored values; 0 for values solved in memory.

        The three errors are those of the win probability, of no double, and of double/take.
        """

    def estimate_seconds(self, cube_value: int = 1, cube: Cube = "centred") -> float:
        """Estimate the seconds to solve the values for a cube; 0 if already solved."""
