"""Cubeful values for money or at a match score, read from a table or solved in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import checks, html
from bearoff.errors import PositionError, ScoreError
from bearoff.match_solver.gammons import SolvedGammons
from bearoff.match_solver.values import TIE, MatchValues
from bearoff.positions import Position, Race, sides
from bearoff.rolls import ROLLS
from bearoff.scores import (
    CubeState,
    MatchEquities,
    MoneyPayoffs,
    Payoffs,
    Score,
    check_cube_value,
)
from bearoff.stakes import (
    PASS,
    Cube,
    CubeOwner,
    Match,
    Money,
    Stakes,
    Terms,
    Values,
    cube_named,
)

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MatchTable:
    """Cubeful values of pairs of positions with perfect play, for money or at a score.

    Values are float64, from the roller's viewpoint before the roll, and include gammons. At
    a match score, values are match-winning chances. For money, values are equities in
    points divided by the cube value. A race that is not in a cached table is solved at
    first use. Solving takes some tenths of a second with six checkers per player, and
    minutes with 15. Methods take Benjamin-Ross position numbers as arrays of compatible
    shapes, the value of the cube (a power of two) and the owner of the cube: "centred",
    "owned" (by the roller) or "opponent". Position number 0 has no checkers. If both
    players' position numbers are 0, the roller has won.

    All methods raise `PositionError` for a position number that is not in the table,
    `ScoreError` for an impossible cube, and `TableError` for a damaged table.

    Attributes
    ----------
    stakes : Money or Match
        Stakes from the roller's viewpoint.
    """

    stakes: Stakes
    _values: MatchValues = field(repr=False)
    _player: int = field(default=0, repr=False)
    _shared: SolvedGammons | None = field(default=None, repr=False)

    def _repr_html_(self) -> str:
        return html.facts(
            {
                "table for": "money" if isinstance(self.stakes, Money) else self.score,
                "folder": self.folder or "none: races are solved in memory",
                "largest error": f"{self.error:.1e}",
            }
        )

    @property
    def score(self) -> Score:
        """Match score from the roller's viewpoint.

        Raises `ScoreError` for money.
        """
        return self._match.score

    @property
    def equities(self) -> MatchEquities:
        """Match equity table of the roller. Raises `ScoreError` for money play."""
        return self._match.equities

    @property
    def error(self) -> float:
        """Maximum error of a match-winning chance: 1e-12 in float64, else up to 5e-6."""
        return self._values.error * self._span

    @property
    def folder(self) -> Path | None:
        """Folder of the stored table; None if the values are not in the cache."""
        return self._values.folder

    @property
    def nbytes(self) -> int:
        """Memory in bytes of the values that have been solved so far."""
        return self._values.nbytes

    @property
    def points(self) -> int:
        """Number of points of the board; more than six if a checker is outside home."""
        return self._values.points

    @property
    def start(self) -> int:
        """Number of checkers of each player at the start of the game."""
        return self._values.start

    @property
    def checkers(self) -> int:
        """Largest n for which the table has all pairs of positions of up to n checkers."""
        return min(self._values.held(player) for player in (0, 1))

    @property
    def opponents(self) -> int:
        """Largest n for which the table has all opponent positions of up to n checkers."""
        return self._values.held(1 - self._player)

    def exchanged(self) -> MatchTable:
        """Return the table from the opponent's viewpoint, without solving it again."""
        return MatchTable(
            self.stakes.exchanged(), self._values, 1 - self._player, self._gammons
        )

    def holds(self, race: Race) -> bool:
        """Return whether both positions of a race are in the table."""
        try:
            self._pairs(self.number(race.roller), self.number(race.opponent))
        except PositionError:
            return False
        return True

    def plays_for(self, stakes: Stakes) -> bool:
        """Return whether the table's values hold for the given stakes of the roller."""
        mine, theirs = self.stakes, stakes
        if isinstance(mine, Money) or isinstance(theirs, Money):
            # Stored values do not depend on beavers or on the cube limit, which affect only
            # the present decision.
            same = mine.score is theirs.score and mine.jacoby == theirs.jacoby
            return same and (not theirs.has_cube or mine.payoffs == theirs.payoffs)
        same = (mine.score.away, mine.score.game) == (theirs.score.away, theirs.score.game)
        return same and mine.equities == theirs.equities

    def terms(self, cube_value: int = 1, *, jacoby: bool = False) -> Terms:
        """Return the roller's stakes at a cube value; `jacoby` has no effect."""
        return Terms(self.stakes, 1 if self.stakes.score is None else cube_value)

    def number(self, side: Position) -> int:
        """Return this table's number of a position, which may be on a board of any size.

        Raises
        ------
        PositionError
            If a checker is on a point beyond the table's board.
        """
        return int(sides.numbers(side, self.points))

    def pairs(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Int64Array, Int64Array]:
        """Return position numbers as arrays of equal shape, without checking them."""
        x, y = sides.pairs(rollers, opponents, self.points)
        return x.astype(np.int64), y.astype(np.int64)

    def values(
        self,
        x: Int64Array,
        y: Int64Array,
        cube: Cube,
        terms: Terms,
        *,
        gammons: bool = True,
    ) -> Values:
        """Return values of pairs before the roll; see `bearoff.sources.PairTable.values`.

        A race that has not been solved is solved first, with all races that can follow from
        it.
        """
        seen, value = self.exchanged() if terms.turned else self, terms.cube_value
        error = self._tie(terms)
        owners = np.full(x.shape, CubeOwner.of(cube), dtype=np.int8)
        found = Values.empty(terms, owners, error)
        found.win_probability[...] = seen.win_probability(x, y)
        # Only values that were solved as integers have noticeable rounding errors.
        rounded = self._values.error > TIE
        found.no_double_error[...] = error * rounded
        found.win_probability_error[...] = self._values.error * rounded
        if not (terms.stakes.has_cube or self.stakes.score):
            dead = MoneyPayoffs().state(1, False, False)
            found.no_double[...] = seen.settled(x, y, dead, Terms(self.stakes))
            if terms.stakes.jacoby and cube == "centred":  # gammons do not count
                found.no_double[...] = 2 * found.win_probability - 1
        elif cube == "opponent" or not self.stakes.has_cube:
            found.no_double[...] = terms.equity(seen.value(x, y, value, cube))
        else:
            found.no_double[...] = terms.equity(seen.no_double(x, y, value, cube))
            found.double_take[...] = terms.equity(seen.double_take(x, y, value, cube))
            found.double_take_error[...] = error * rounded
        if gammons:
            found.gammons_won[...], found.gammons_lost[...] = seen.gammon_probability(x, y)
        return found

    def settled(
        self, x: Int64Array, y: Int64Array, state: CubeState, terms: Terms
    ) -> Float64Array:
        """Return equities after the right cube actions; see `bearoff.sources.PairTable`."""
        seen = self.exchanged() if terms.turned else self
        # `state` tells for the solver's first and second player whether the player may
        # double. Both are exchanged if the roller is the solver's second player.
        if self._player == 1:
            state = CubeState(state.value, state.second_may, state.first_may)
        a, b, shape = seen._pairs(x, y)
        found = seen._values.values(state, seen._player, a, b)
        return terms.equity(self._worth(found)).reshape(shape)

    def value(
        self,
        rollers: sides.Sides,
        opponents: sides.Sides,
        cube_value: int = 1,
        cube: Cube = "centred",
    ) -> Float64Array:
        """Return match-winning chances with perfect cube actions of both players."""
        state = self._state(cube_value, cube)
        x, y, shape = self._pairs(rollers, opponents)
        return self._worth(self._values.values(state, self._player, x, y)).reshape(shape)

    def no_double(
        self,
        rollers: sides.Sides,
        opponents: sides.Sides,
        cube_value: int = 1,
        cube: Cube = "centred",
    ) -> Float64Array:
        """Return match-winning chances without a double now, with perfect play afterwards.

        Both players must have a checker on the board.
        """
        state = self._state(cube_value, cube)
        x, y, shape = self._pairs(rollers, opponents, in_play=True)
        found = self._values.no_doubles(state, self._player, x, y)
        return self._worth(found).reshape(shape)

    def double_take(
        self,
        rollers: sides.Sides,
        opponents: sides.Sides,
        cube_value: int = 1,
        cube: Cube = "centred",
    ) -> Float64Array:
        """Return match-winning chances after a double from `cube_value` that is taken.

        The parameters are those of `no_double`. Raises `ScoreError` if the roller may not
        double, because the opponent owns the cube or the game is the Crawford game.
        """
        self._check_may_double(cube_value, cube)
        state = self._state(2 * cube_value, "opponent")
        x, y, shape = self._pairs(rollers, opponents, in_play=True)
        found = self._values.values(state, self._player, x, y)
        times, more = self._values.payoffs.scale
        return self._worth(times * found + more).reshape(shape)

    def double_pass(
        self,
        rollers: sides.Sides,
        opponents: sides.Sides,
        cube_value: int = 1,
        cube: Cube = "centred",
    ) -> Float64Array:
        """Return match-winning chances after a passed double, the same for all pairs.

        The parameters and the errors are those of `double_take`.
        """
        self._check_may_double(cube_value, cube)
        _, _, shape = self._pairs(rollers, opponents, in_play=True)
        if isinstance(self.stakes, Money):
            return np.full(shape, PASS)
        return np.full(shape, self.equities.after(self.score, cube_value))

    def best_after(
        self,
        rollers: sides.Sides,
        opponents: sides.Sides,
        cube: Cube = "centred",
        terms: Terms | None = None,
    ) -> Int64Array:
        """Return the position after the best play of each roll, without a double now.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Position numbers of the roller and of the opponent.
        cube : {"centred", "owned", "opponent"}
            Owner of the cube from the roller's viewpoint.
        terms : Terms, optional
            Value of the cube, and stakes of the player on roll. By default, 1 and the
            stakes of the table's roller.

        Returns
        -------
        ndarray of int64, shape (..., 21)
            The roller's position number after each roll, in the order of `bearoff.ROLLS`.
            Among plays whose values differ by at most `error`, the position with the lowest
            number is usually chosen.
        """
        terms = terms or self.terms()
        seen = self.exchanged() if terms.turned else self
        state = seen._state(terms.cube_value, cube)
        x, y, shape = seen._pairs(rollers, opponents, in_play=True)
        best = seen._values.best_plays(state, seen._player, x, y)
        return best.reshape((*shape, len(ROLLS)))

    def win_probability(self, rollers: sides.Sides, opponents: sides.Sides) -> Float64Array:
        """Return the roller's win probabilities without a cube if both maximise wins."""
        x, y, shape = self._pairs(rollers, opponents)
        decided = self._values.payoffs.decided
        return self._values.values(decided, self._player, x, y).reshape(shape)

    def gammon_probability(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Float64Array, Float64Array]:
        """Return the probabilities that the roller wins, and loses, a gammon.

        The chances are those of a game without a cube in which both players maximise
        points, as in `TwoSidedTable.gammon_probability`. Both players must have a checker
        on the board. Only a player with `CHECKERS` checkers on the board can lose a gammon.

        Returns
        -------
        won, lost : ndarray of float64
            Probabilities of winning and of losing a gammon. They are NaN if solving would
            take too long, for example if neither player has borne off a checker.

        Examples
        --------
        The roller has two checkers on the 1 point and one on the 2 point, and the opponent
        has all 15 checkers on the 6 point. With a double, the roller bears off all checkers
        at once. Otherwise, 19 of the opponent's 36 throws bear off no checker.

        >>> import bearoff
        >>> from bearoff.match_solver import money_race
        >>> sides = (2, 1, 0, 0, 0, 0), (0, 0, 0, 0, 0, 15)
        >>> race = bearoff.Race(*map(bearoff.Position, sides))
        >>> pair = race.roller.number, race.opponent.number
        >>> won, lost = money_race(race).gammon_probability(*pair)
        >>> print(f"{won:.5f} {lost:.5f} {1 / 6 + 5 / 6 * 19 / 36:.5f}")
        0.60648 0.00000 0.60648
        """
        x, y = sides.pairs(rollers, opponents, self.points)
        self._pairs(x, y, in_play=True)
        won, lost = self._gammons.of(self._player, x.ravel(), y.ravel())
        return won.reshape(x.shape), lost.reshape(x.shape)

    def estimate_seconds(self, cube_value: int = 1, cube: Cube = "centred") -> float:
        """Estimate the seconds to solve the values for a cube state; 0 if already known."""
        return self._values.cost(self._state(cube_value, cube)).seconds

    def estimate_disk(self, cube_value: int = 1, cube: Cube = "centred") -> int:
        """Estimate the temporary disk space in bytes that solving the values needs."""
        return self._values.cost(self._state(cube_value, cube)).disk_bytes

    def rounding(self, terms: Terms) -> tuple[float, float, float]:
        """Return the maximum rounding errors of values; see `bearoff.sources.PairTable`."""
        if self.folder is None:
            return 0.0, 0.0, 0.0
        equity = self.error / (terms.unit or 1.0)
        return self.error, equity, equity

    def _tie(self, terms: Terms) -> float:
        """Return the largest difference of equities that counts as a tie after rounding."""
        unit = terms.unit
        if unit is None:
            return self.error
        return self.error / unit if unit else np.inf

    @cached_property
    def _gammons(self) -> SolvedGammons:
        return self._shared or SolvedGammons(self._values)

    @property
    def _match(self) -> Match:
        if isinstance(self.stakes, Money):
            raise ScoreError("the stakes are money play, so there is no score")
        return self.stakes

    def _worth(self, values: Float64Array) -> Float64Array:
        """Convert the solver's values to match-winning chances or, for money, equities."""
        return (values - 0.5) * self._span if isinstance(self.stakes, Money) else values

    @property
    def _span(self) -> float:
        """Difference in equity or match-winning chance per unit of the solver's values."""
        payoffs = self._values.payoffs
        return 1.0 if isinstance(payoffs, Payoffs) else float(payoffs.span)

    def _state(self, cube_value: int, cube: Cube) -> CubeState:
        value = check_cube_value(cube_value)
        cube = cube_named(cube)
        if not self.stakes.has_cube and (value, cube) != (1, "centred"):
            raise ScoreError(
                f"in the Crawford game the cube must be centred at 1, got {cube} at {value}"
            )
        may = CubeOwner.of(cube).may
        return self._values.payoffs.state(value, *(may if self._player == 0 else may[::-1]))

    def _check_may_double(self, cube_value: int, cube: Cube) -> None:
        cube = cube_named(cube)
        if not self.stakes.has_cube:
            raise ScoreError(
                "neither side may double in the Crawford game; request values without a "
                "cube decision"
            )
        if cube == "opponent":
            raise ScoreError(
                "the roller cannot double while the opponent owns the cube; use 'centred' "
                "or 'owned'"
            )
        check_cube_value(cube_value)

    def _pairs(
        self, rollers: sides.Sides, opponents: sides.Sides, in_play: bool = False
    ) -> tuple[Int64Array, Int64Array, tuple[int, ...]]:
        """Return the players' position indices as flat arrays, and the original shape."""
        x, y = checks.broadcast(
            rollers=self._values.slots(rollers, self._player),
            opponents=self._values.slots(opponents, 1 - self._player),
        )
        if in_play and x.size and not (x.min() and y.min()):
            raise PositionError(
                "there is no cube decision after a side has borne off (position number "
                "0); request values without a cube decision"
            )
        return x.ravel(), y.ravel(), x.shape
