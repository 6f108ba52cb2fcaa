"""Exact chances to win the match with the cube, solved in float64 on the spot."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import PositionError, ScoreError, TableError
from bearoff.match import kernels
from bearoff.match.equities import MatchEquities, match_equities
from bearoff.match.score import Game, Score, check_cube_value
from bearoff.match.sides import Side, every_position, reachable
from bearoff.match.solver import Plane, Solver
from bearoff.positions import CHECKERS, POINTS, Race, check_size
from bearoff.runtime import check_memory, cores

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Cube = Literal["centred", "owned", "opponent"]

CUBES: tuple[Cube, ...] = get_args(Cube)
"""Where the cube may be, from the roller's side."""

MOST_CHECKERS = 8
"""Checkers a side up to which every pair is solved; a plane then takes 144 MB."""

MOST_PAIRS = 1 << 29
"""Pairs that a race can come to, up to which it is solved; memory may not allow so many."""


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
        plane = self._solver.plane(*self._key(cube_value, cube))
        roller, theirs = (
            (self._solver.a, plane.b) if self._roller_is_a else (self._solver.b, plane.a)
        )
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

    def win_probability(self, rollers: ArrayLike, opponents: ArrayLike) -> Float64Array:
        """Chance to win the game where nothing else counts, without a cube."""
        x, y = self._pairs(rollers, opponents)
        return self._at(self._solver.decided(), x, y)

    def _at(self, plane: Plane, x: Int64Array, y: Int64Array) -> Float64Array:
        values = plane.a if self._roller_is_a else plane.b
        return np.asarray(values[x // kernels.LANES, y, x % kernels.LANES])

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


def match_table(
    checkers: int = 6,
    away: tuple[int, int] = (3, 5),
    game: Game = "normal",
    *,
    exact: bool = True,
    equities: MatchEquities | None = None,
) -> MatchTable:
    """Return the values of every pair of positions at a score.

    Parameters
    ----------
    checkers : int
        Most checkers of each side, 1 to 8.
    away : (int, int)
        Points that the roller and the opponent need to win the match.
    game : {"normal", "crawford", "post-crawford"}
        The kind of game; see `Score`.
    exact : bool
        Ask for float64 throughout, which is how every table of this size is solved.
    equities : MatchEquities or None
        The match equity table, Kazaross-XG2 if None.

    Raises
    ------
    ScoreError
        If there is no such score, or the match equity table does not go so far.
    PositionError, TableError
        If there is no such number of checkers, or it is too large.

    Examples
    --------
    The last roll of the game at 2-away 2-away: the roller, who has 19 of 36 rolls, doubles,
    and the opponent, who needs 32.3% to take, takes.

    >>> import bearoff
    >>> table = match_table(2, (2, 2), exact=True)
    >>> roller = bearoff.Position.parse("0,1,0,0,1,0").number
    >>> opponent = bearoff.Position.parse("1,0,0,0,0,0").number
    >>> float(table.no_double(roller, opponent)), float(table.double_take(roller, opponent))
    (0.5098..., 0.5277...)
    """
    check_size(POINTS, checkers)
    checks.choice(exact, "exact", (True, False))
    if checkers > MOST_CHECKERS:
        raise TableError(
            f"tables at a score hold up to {MOST_CHECKERS} checkers a side, got {checkers}"
            "; a single race may have more, see match_race"
        )
    side = every_position(checkers, CHECKERS)
    return _solved(side, side, Score(away, game), equities)


def match_race(
    race: Race,
    away: tuple[int, int] = (3, 5),
    game: Game = "normal",
    *,
    equities: MatchEquities | None = None,
    progress: Callable[[float], None] = lambda done: None,
) -> MatchTable:
    """Return the values at a score of a race and all that can become of it.

    Parameters
    ----------
    race : Race
        Both sides, on six points. A side with all its checkers on the board can lose a
        gammon.
    away, game, equities
        As for `match_table`.
    progress : callable
        Called with the share that is done of what is asked of the table.

    Returns
    -------
    MatchTable
        Of the roller's side and what it can play to, against the opponent's. Eight
        checkers a side take some tenths of a second, ten less than one, races of 10,000
        positions a side half a minute.

    Raises
    ------
    PositionError, TableError, ScoreError
        As for `match_table`, and if so much is reachable that it would take too long.

    Examples
    --------
    >>> import bearoff
    >>> race = bearoff.Race(*2 * [bearoff.Position.parse("3,3,2,0,0,0")])
    >>> table = match_race(race, (2, 4))
    >>> float(table.value(race.roller.number, race.opponent.number))
    0.7890...
    """
    checks.instance(race, "a race", Race)
    if race.roller.points != POINTS:
        raise PositionError(
            f"a race at a score is solved on {POINTS} points, got {race.roller.points}"
        )
    roller, opponent = (
        reachable(side.number, side.on_board, side.checkers)
        for side in (race.roller, race.opponent)
    )
    pairs = roller.size * opponent.size
    name = f"{race.roller} against {race.opponent}"
    remedy = "roll it out"
    if pairs > MOST_PAIRS:
        raise TableError(
            f"{name} can come to {pairs:,} pairs, more than the {MOST_PAIRS:,} that are "
            f"solved on the spot; {remedy}"
        )
    table = _solved(roller, opponent, Score(away, game), equities, progress)
    check_memory(f"solving {name}", table._solver.memory_bytes, remedy)
    return table


def _solved(
    a: Side,
    b: Side,
    score: Score,
    equities: MatchEquities | None,
    progress: Callable[[float], None] = lambda done: None,
) -> MatchTable:
    if equities is None:
        equities = match_equities()
    checks.instance(equities, "equities", MatchEquities, ScoreError)
    equities.chance(score)
    return MatchTable(score, equities, Solver(a, b, score, equities, cores(), progress))


def _slots(numbers: ArrayLike, side: Side) -> Int64Array:
    found = side.slots[checks.numbers_below(numbers, len(side.slots))]
    if found.size and found.min() < 0:
        missing = np.asarray(numbers)[found < 0].flat[0]
        raise PositionError(f"position {missing} cannot come up in this race")
    return np.asarray(found)
