"""Exact chances to win the match with the cube, solved in float64 on the spot."""

from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import PositionError, ScoreError
from bearoff.match import kernels
from bearoff.match.equities import MatchEquities
from bearoff.match.sides import Side
from bearoff.match.solver import Plane, Solver
from bearoff.positions import POINTS, position_count
from bearoff.rolls import ROLLS
from bearoff.score import Score, check_cube_value

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Cube = Literal["centred", "owned", "opponent"]

CUBES: tuple[Cube, ...] = get_args(Cube)
"""Where the cube may be, from the roller's side."""

TIE = 1e-12
"""Chances nearer than this are equal: float64 has no more to say."""


@dataclass(frozen=True, eq=False)
class MatchTable:
    """What pairs of positions are worth at a score, with perfect play and cube.

    Chances to win the match, float64, from the roller's view before the roll, gammons
    counted. A plane is solved when it is first asked for, in some tenths of a second for
    six checkers a side. Methods take Benjamin-Ross numbers as arrays, broadcast against
    each other. Number 0 has borne off: a roller of 0 has won, an opponent of 0 too.

    Attributes
    ----------
    score : Score
        Points away of the roller and the opponent, and the kind of game.
    equities : MatchEquities
        The match equity table, as the roller has it.
    """

    score: Score
    equities: MatchEquities
    _solver: Solver = field(repr=False)
    _roller_is_a: bool = field(default=True, repr=False)

    @property
    def checkers(self) -> int:
        """Checkers a side of which every pair is held."""
        held = min(
            int(np.argmin(np.append(side.slots, -1) >= 0))
            for side in (self._solver.a, self._solver.b)
        )
        checkers = 0
        while position_count(POINTS, checkers + 1) <= held:
            checkers += 1
        return checkers

    def exchanged(self) -> "MatchTable":
        """Return the same table for the other player on roll; nothing is solved anew."""
        return MatchTable(
            self.score.exchanged(),
            self.equities.exchanged(),
            self._solver,
            not self._roller_is_a,
        )

    def value(
        self,
        rollers: ArrayLike,
        opponents: ArrayLike,
        cube_value: int = 1,
        cube: Cube = "centred",
    ) -> Float64Array:
        """Chance to win the match, the cube used rightly by both sides.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Position numbers.
        cube_value : int
            What the cube shows, a power of two.
        cube : {"centred", "owned", "opponent"}
            Who may double: both, the roller, the opponent.

        Returns
        -------
        ndarray of float64

        Raises
        ------
        PositionError
            If a number is not in the table.
        ScoreError
            If no cube can be so, or the match equity table is too short.
        BearoffError
            If `cube` is none of these.
        """
        x, y = self._pairs(rollers, opponents)
        return self._at(self._solver.plane(*self._key(cube_value, cube)), x, y)

    def no_double(
        self,
        rollers: ArrayLike,
        opponents: ArrayLike,
        cube_value: int = 1,
        cube: Cube = "centred",
    ) -> Float64Array:
        """Chance if the roller does not double now, and plays perfectly from then on.

        Parameters and errors as for `value`, a checker on the board on both sides.
        """
        x, y = self._pairs(rollers, opponents, in_play=True)
        roller, theirs = self._after(self._solver.plane(*self._key(cube_value, cube)))
        out = np.empty(x.size)
        kernels.no_doubles(
            theirs, roller.offsets, roller.successors, x.ravel(), y.ravel(), out
        )
        return out.reshape(x.shape)

    def double_take(
        self,
        rollers: ArrayLike,
        opponents: ArrayLike,
        cube_value: int = 1,
        cube: Cube = "centred",
    ) -> Float64Array:
        """Chance if the roller doubles now from `cube_value` and the opponent takes.

        Parameters and errors as for `no_double`; it is an error, too, if the roller may
        not double: the cube is the opponent's, or the game is Crawford's.
        """
        self._check_may_double(cube)
        self._key(cube_value, cube)
        self._pairs(rollers, opponents, in_play=True)
        return self.value(rollers, opponents, 2 * cube_value, "opponent")

    def double_pass(
        self,
        rollers: ArrayLike,
        opponents: ArrayLike,
        cube_value: int = 1,
        cube: Cube = "centred",
    ) -> Float64Array:
        """Chance if the roller doubles now and the opponent passes, the same everywhere.

        Parameters and errors as for `double_take`.
        """
        self._check_may_double(cube)
        self._key(cube_value, cube)
        x, _ = self._pairs(rollers, opponents, in_play=True)
        return np.full(x.shape, self.equities.after(self.score, cube_value))

    def best_after(
        self,
        rollers: ArrayLike,
        opponents: ArrayLike,
        cube_value: int = 1,
        cube: Cube = "centred",
    ) -> Int64Array:
        """Where the roller's best play of each roll leads to.

        Parameters and errors as for `no_double`.

        Returns
        -------
        ndarray of int64, shape (..., 21)
            The roller's position numbers, rolls in the order of `bearoff.ROLLS`. Of plays
            within 1e-12 of each other, about the one that leads to the lowest number.
        """
        x, y = self._pairs(rollers, opponents, in_play=True)
        roller, theirs = self._after(self._solver.plane(*self._key(cube_value, cube)))
        out = np.empty((x.size, len(ROLLS)), dtype=np.int64)
        kernels.best_plays(
            theirs, roller.offsets, roller.successors, x.ravel(), y.ravel(), TIE, out
        )
        return roller.numbers[out].reshape((*x.shape, len(ROLLS)))

    def win_probability(self, rollers: ArrayLike, opponents: ArrayLike) -> Float64Array:
        """Chance to win the game where nothing else counts, without a cube."""
        x, y = self._pairs(rollers, opponents)
        return self._at(self._solver.decided(), x, y)

    def _at(self, plane: Plane, x: Int64Array, y: Int64Array) -> Float64Array:
        values = plane.a if self._roller_is_a else plane.b
        return np.asarray(values[x // kernels.LANES, y, x % kernels.LANES])

    def _after(self, plane: Plane) -> tuple[Side, Float64Array]:
        """Return the roller's positions, and the values that it leaves the opponent."""
        if self._roller_is_a:
            return self._solver.a, plane.b
        return self._solver.b, plane.a

    def estimate_seconds(self, cube_value: int = 1, cube: Cube = "centred") -> float:
        """Estimate how long the values with the cube there will take; 0 once solved."""
        return self._solver.seconds(*self._key(cube_value, cube))

    def _key(self, cube_value: int, cube: Cube) -> tuple[int, bool, bool]:
        """Return the cube, and whether A and B may turn it."""
        value = check_cube_value(cube_value)
        checks.choice(cube, "cube", CUBES)
        if not self.score.has_cube and (value, cube) != (1, "centred"):
            raise ScoreError(
                f"the cube stays centred at 1 in Crawford's game, got {cube} at {value}"
            )
        roller, opponent = cube != "opponent", cube != "owned"
        return (value, roller, opponent) if self._roller_is_a else (value, opponent, roller)

    def _check_may_double(self, cube: Cube) -> None:
        checks.choice(cube, "cube", CUBES)
        if not self.score.has_cube:
            raise ScoreError("nobody may double in Crawford's game; ask for the value")
        if cube == "opponent":
            raise ScoreError(
                "the roller cannot double a cube that the opponent owns; ask for 'centred' "
                "or 'owned'"
            )

    def _pairs(
        self, rollers: ArrayLike, opponents: ArrayLike, in_play: bool = False
    ) -> tuple[Int64Array, Int64Array]:
        """Return slots of both sides, each in the order of that side."""
        mine, theirs = self._solver.a, self._solver.b
        if not self._roller_is_a:
            mine, theirs = theirs, mine
        x, y = checks.broadcast(
            rollers=_slots(rollers, mine), opponents=_slots(opponents, theirs)
        )
        if in_play and x.size and not (x.min() and y.min()):
            raise PositionError("a side has borne off, its number is 0; ask for the value")
        return x, y


def _slots(numbers: ArrayLike, side: Side) -> Int64Array:
    found = side.slots[checks.numbers_below(numbers, len(side.slots))]
    if found.size and found.min() < 0:
        missing = np.asarray(numbers)[found < 0].flat[0]
        raise PositionError(f"position {missing} cannot come up in this race")
    return np.asarray(found)
