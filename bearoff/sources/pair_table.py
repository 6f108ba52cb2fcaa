"""What every table of pairs answers, for money or at a score: a stated protocol.

`bearoff.TwoSidedTable` reads stored planes of games for money, by either rule of gammons;
`bearoff.MatchTable` reads or solves what is played for one thing. What they share is here,
so that no caller asks which of the two it has.
"""

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
    """A table of pairs of positions, named by their Benjamin-Ross numbers."""

    @property
    def folder(self) -> Path | None:
        """Where the table is; None if it is solved on the spot."""

    @property
    def points(self) -> int:
        """Points on which a side's checkers stand."""

    @property
    def checkers(self) -> int:
        """Checkers a side up to which every pair is held."""

    @property
    def opponents(self) -> int:
        """Checkers up to which every opponent is held."""

    @property
    def start(self) -> int:
        """Checkers that a side began with: who still has all of them loses a gammon."""

    def holds(self, race: Race) -> bool:
        """Whether the table holds a race's sides, whatever its points are."""

    def plays_for(self, stakes: Stakes) -> bool:
        """Whether its values are of games for these stakes."""

    def terms(self, cube_value: int = 1, *, jacoby: bool = False) -> Terms:
        """Return the terms of its roller, the cube showing so much.

        Parameters
        ----------
        cube_value : int
            At a score.
        jacoby : bool
            For money, if the table knows the rule as well as play without it.
        """

    def number(self, side: Position) -> int:
        """Return the number of a side, on however many points it was given.

        Raises
        ------
        PositionError
            If no such side is in the table.
        """

    def pairs(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Int64Array, Int64Array]:
        """Return the numbers of both sides, broadcast against each other.

        Raises
        ------
        PositionError
            If they cannot be paired, or are none of the table's.
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
        """Value pairs before the roll, a checker on the board on both sides.

        Parameters
        ----------
        x, y : ndarray of int64
            Numbers of rollers and opponents, of one shape; `terms` says which player
            rolls.
        cube : {"centred", "owned", "opponent"}
            Where it is from the roller's side.
        terms : Terms
            What they are played for, of the table's stakes.
        gammons : bool
            Whether chances of gammons are asked for, which at a score take long.

        Returns
        -------
        Values
            Of that shape.
        """

    def win_probability(self, rollers: sides.Sides, opponents: sides.Sides) -> Float64Array:
        """Chance that the roller wins, both sides playing for the win without a cube."""

    def gammon_probability(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Float64Array, Float64Array]:
        """Chances that the roller wins a gammon, and loses one, both playing for points."""

    def settled(
        self, x: Int64Array, y: Int64Array, state: CubeState, terms: Terms
    ) -> Float64Array:
        """Return the equities of rollers, both sides using the cube rightly.

        Parameters
        ----------
        x, y, terms
            As for `values`. Equities are of the cube that the terms show, whatever that of
            the state is.
        state : CubeState
            As the payoffs of the stakes have it, for the first player and the second. For
            money that is a cube of 1, whatever it shows.
        """

    def best_after(
        self, rollers: sides.Sides, opponents: sides.Sides, cube: Cube, terms: Terms
    ) -> Int64Array:
        """Where the roller's best play of each roll leads to.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Numbers, broadcast against each other, a checker on the board on both sides.
        cube, terms
            As for `values`.

        Returns
        -------
        ndarray of int64, shape (..., 21)
            Numbers of the roller, rolls in the order of `bearoff.ROLLS`. Of plays that are
            worth the same, the one that leads to the lowest number.
        """

    def rounding(self, terms: Terms) -> tuple[float, float, float]:
        """Return the largest errors of stored values; 0 of what is solved on the spot.

        Of the chance to win, of the equity of not doubling, and of a double that is taken.
        """

    def estimate_seconds(self, cube_value: int = 1, cube: Cube = "centred") -> float:
        """Estimate how long values with the cube there take that are not at hand."""
