"""Values with the cube, for money or at a score, from a table or solved on the spot."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import checks
from bearoff.errors import PositionError, ScoreError
from bearoff.match_solver.gammons import Gammons
from bearoff.match_solver.values import TIE, MatchValues
from bearoff.positions import Position, Race, cube_named, sides
from bearoff.rolls import ROLLS
from bearoff.scores import (
    CubeState,
    MatchEquities,
    MoneyPayoffs,
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
)

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MatchTable:
    """What pairs of positions are worth at some stakes, with perfect play and cube.

    Chances to win the match, or for money equities at a cube of 1, whatever it shows;
    float64, from the roller's view before the roll, gammons counted. What is solved on the
    spot is solved when it is first asked for, in some tenths of a second for six checkers
    a side, in minutes for 15. Methods take Benjamin-Ross numbers as arrays, broadcast
    against each other, and what the cube shows, a power of two, and where it is: centred,
    where both may double, the roller's or the opponent's. Number 0 has borne off: a roller
    of 0 has won, an opponent of 0 too.

    All raise `PositionError` for a number that is not in the table, `ScoreError` for a cube
    that cannot be so, and `TableError` for a damaged table.

    Attributes
    ----------
    stakes : Money or Match
        What is played for, as the roller has it.
    """

    stakes: Stakes
    _values: MatchValues = field(repr=False)
    _player: int = field(default=0, repr=False)
    _shared: Gammons | None = field(default=None, repr=False)

    @property
    def score(self) -> Score:
        """Points away of the roller and the opponent, and the kind of game.

        A `ScoreError` for money.
        """
        return self._match.score

    @property
    def equities(self) -> MatchEquities:
        """The match equity table, as the roller has it; as `score`."""
        return self._match.equities

    @property
    def error(self) -> float:
        """Largest error of a value: 1e-12 of what is solved in float64, else up to 5e-6."""
        return self._values.error * (4.0 if isinstance(self.stakes, Money) else 1.0)

    @property
    def folder(self) -> Path | None:
        """Where the table is; None if it is solved on the spot."""
        return self._values.folder

    @property
    def nbytes(self) -> int:
        """Bytes of memory that what is solved takes until the table is let go."""
        return self._values.nbytes

    @property
    def points(self) -> int:
        """Points on which a side's checkers stand: those of home, unless one is beyond."""
        return self._values.points

    @property
    def start(self) -> int:
        """Checkers that a side began with: who still has all of them loses a gammon."""
        return self._values.start

    @property
    def checkers(self) -> int:
        """Checkers a side of which every pair is held."""
        return min(self._values.held(player) for player in (0, 1))

    @property
    def opponents(self) -> int:
        """Checkers up to which every opponent is held."""
        return self._values.held(1 - self._player)

    def exchanged(self) -> "MatchTable":
        """Return the same table for the other player on roll; nothing is solved anew."""
        return MatchTable(
            self.stakes.exchanged(), self._values, 1 - self._player, self._gammons
        )

    def holds(self, race: Race) -> bool:
        """Whether a race's sides can come up in what is solved, whatever its points are."""
        try:
            self._pairs(self.number(race.roller), self.number(race.opponent))
        except PositionError:
            return False
        return True

    def plays_for(self, stakes: Stakes) -> bool:
        """Whether its values are of games for these stakes, as its roller has them."""
        mine, theirs = self.stakes, stakes
        if isinstance(mine, Money) or isinstance(theirs, Money):
            # Beavers, and a cube at its limit, are of the decision now.
            return mine.score is theirs.score and mine.jacoby == theirs.jacoby
        same = (mine.score.away, mine.score.game) == (theirs.score.away, theirs.score.game)
        return same and mine.equities == theirs.equities

    def terms(self, cube_value: int = 1, *, jacoby: bool = False) -> Terms:
        """Return the terms of its roller: of its own stakes, which say the rule, too."""
        return Terms(self.stakes, 1 if self.stakes.score is None else cube_value)

    def number(self, side: Position) -> int:
        """Return the number of a side, on however many points it was given.

        Raises
        ------
        PositionError
            If a checker is beyond the table's points.
        """
        return int(sides.numbers(side, self.points))

    def pairs(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Int64Array, Int64Array]:
        """Return the numbers of both sides, broadcast; values say which cannot come up."""
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
        """Value pairs before the roll; see `bearoff.sources.PairTable.values`.

        Solves, of a race that is not solved yet, all that it can become.
        """
        seen, value = self.exchanged() if terms.turned else self, terms.cube_value
        error = self._tie(terms)
        owners = np.full(x.shape, CubeOwner.of(cube), dtype=np.int8)
        found = Values.empty(terms, owners, error)
        found.win_probability[...] = seen.win_probability(x, y)
        # Whole numbers are rounded, in files or not; float64 has no error to speak of.
        rounded = self._values.error > TIE
        found.no_double_error[...] = found.double_take_error[...] = error * rounded
        found.win_probability_error[...] = self._values.error * rounded
        if not (terms.stakes.has_cube or self.stakes.score):
            dead = MoneyPayoffs().state(1, False, False)
            found.no_double[...] = seen.settled(x, y, dead, Terms(self.stakes))
            if terms.stakes.jacoby and cube == "centred":  # Who wins is all that counts.
                found.no_double[...] = 2 * found.win_probability - 1
        elif cube == "opponent" or not self.stakes.has_cube:
            found.no_double[...] = terms.equity(seen.value(x, y, value, cube))
        else:
            found.no_double[...] = terms.equity(seen.no_double(x, y, value, cube))
            found.double_take[...] = terms.equity(seen.double_take(x, y, value, cube))
        if gammons:
            found.gammons_won[...], found.gammons_lost[...] = seen.gammon_probability(x, y)
        return found

    def settled(
        self, x: Int64Array, y: Int64Array, state: CubeState, terms: Terms
    ) -> Float64Array:
        """Return equities, the cube used rightly; see `bearoff.sources.PairTable`."""
        seen = self.exchanged() if terms.turned else self
        # The first player of the terms may be the second of what is solved.
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
        """Chance to win the match, the cube used rightly by both sides."""
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
        """Chance if the roller does not double now, and plays perfectly from then on.

        Both sides need a checker on the board.
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
        """Chance if the roller doubles now from `cube_value` and the opponent takes.

        As for `no_double`; it is a `ScoreError`, too, if the roller may not double: the
        cube is the opponent's, or the game is Crawford's.
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
        """Chance if the roller doubles now and the opponent passes, the same everywhere.

        As for `double_take`.
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
        """Where the roller's best play of each roll leads to, as for `no_double`.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Position numbers of the side on roll and of the other.
        cube : {"centred", "owned", "opponent"}
            Where the cube is from the roller's side.
        terms : Terms, optional
            What the cube shows and who is on roll; by default 1 and the table's roller.

        Returns
        -------
        ndarray of int64, shape (..., 21)
            The roller's position numbers, rolls in the order of `bearoff.ROLLS`. Of plays
            within `error` of each other, about the one that leads to the lowest number.
        """
        terms = terms or self.terms()
        seen = self.exchanged() if terms.turned else self
        state = seen._state(terms.cube_value, cube)
        x, y, shape = seen._pairs(rollers, opponents, in_play=True)
        best = seen._values.best_plays(state, seen._player, x, y)
        return best.reshape((*shape, len(ROLLS)))

    def win_probability(self, rollers: sides.Sides, opponents: sides.Sides) -> Float64Array:
        """Chance to win the game where nothing else counts, without a cube."""
        x, y, shape = self._pairs(rollers, opponents)
        decided = self._values.payoffs.decided
        return self._values.values(decided, self._player, x, y).reshape(shape)

    def gammon_probability(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Float64Array, Float64Array]:
        """Chances that the roller wins a gammon, and loses one, both playing for points.

        As `TwoSidedTable.gammon_probability`, of `CHECKERS` a side; both sides need a
        checker on the board.

        Returns
        -------
        won, lost : ndarray of float64
            Exactly 0 where they cannot be. NaN where both sides have all checkers on the
            board, and where too many positions would have to be looked at: against a side
            with all, of some ten checkers and more.

        Examples
        --------
        Two on the ace and one on the deuce, on roll against all fifteen on the six: they
        are off with a double, else 19 of 36 throws have left all on the six.

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
        """Estimate how long the values with the cube there will take; 0 once solved."""
        return self._values.cost(self._state(cube_value, cube)).seconds

    def estimate_disk(self, cube_value: int = 1, cube: Cube = "centred") -> int:
        """Estimate how many bytes of the disk that takes, until the table is let go."""
        return self._values.cost(self._state(cube_value, cube)).disk_bytes

    def rounding(self, terms: Terms) -> tuple[float, float, float]:
        """Return the largest errors of values; see `bearoff.sources.PairTable`."""
        if self.folder is None:
            return 0.0, 0.0, 0.0
        equity = self.error / (terms.unit or 1.0)
        return self.error, equity, equity

    def _tie(self, terms: Terms) -> float:
        """What counts as equal: the rounding of what is solved, in equity."""
        unit = terms.unit
        if unit is None:
            return self.error
        return self.error / unit if unit else np.inf

    @cached_property
    def _gammons(self) -> Gammons:
        return self._shared or Gammons(self._values)

    @property
    def _match(self) -> Match:
        if isinstance(self.stakes, Money):
            raise ScoreError("games for money have no score")
        return self.stakes

    def _worth(self, values: Float64Array) -> Float64Array:
        """Return what is solved as it is told: for money in points."""
        return 4.0 * values - 2.0 if isinstance(self.stakes, Money) else values

    def _state(self, cube_value: int, cube: Cube) -> CubeState:
        value = check_cube_value(cube_value)
        cube = cube_named(cube)
        if not self.stakes.has_cube and (value, cube) != (1, "centred"):
            raise ScoreError(
                f"the cube stays centred at 1 in Crawford's game, got {cube} at {value}"
            )
        may = CubeOwner.of(cube).may
        return self._values.payoffs.state(value, *(may if self._player == 0 else may[::-1]))

    def _check_may_double(self, cube_value: int, cube: Cube) -> None:
        cube = cube_named(cube)
        if not self.stakes.has_cube:
            raise ScoreError("nobody may double in Crawford's game; ask for the value")
        if cube == "opponent":
            raise ScoreError(
                "the roller cannot double a cube that the opponent owns; ask for 'centred' "
                "or 'owned'"
            )
        check_cube_value(cube_value)

    def _pairs(
        self, rollers: sides.Sides, opponents: sides.Sides, in_play: bool = False
    ) -> tuple[Int64Array, Int64Array, tuple[int, ...]]:
        """Slots of both sides end to end, and the shape of the answer."""
        x, y = checks.broadcast(
            rollers=self._values.slots(rollers, self._player),
            opponents=self._values.slots(opponents, 1 - self._player),
        )
        if in_play and x.size and not (x.min() and y.min()):
            raise PositionError("a side has borne off, its number is 0; ask for the value")
        return x.ravel(), y.ravel(), x.shape
