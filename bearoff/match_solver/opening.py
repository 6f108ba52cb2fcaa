"""Exact values of one race, or of all races of few checkers, at a score or for money."""

from __future__ import annotations

from collections.abc import Callable

from bearoff import checks
from bearoff.errors import MissingTableError, PositionError, TableError
from bearoff.match_solver.build import build_command, opened
from bearoff.match_solver.sides import (
    SolverSide,
    every_position,
    reachable,
    reachable_beyond,
)
from bearoff.match_solver.solver import MatchSolver
from bearoff.match_solver.stored import TemporaryValues
from bearoff.match_solver.table import MatchTable
from bearoff.positions import CHECKERS, POINTS, Race, check_size
from bearoff.runtime import cores, memory_available
from bearoff.scores import Game, MatchEquities, Score, known_equities
from bearoff.stakes import Match, Money
from bearoff.two_sided import at_score

MOST_CHECKERS = 8
"""Maximum number of checkers per player at which all pairs of positions are solved in
float64. The values of one cube owner then take 144 MB."""

MOST_IN_FLOAT64 = 1 << 25
"""Maximum number of pairs of positions of a race that is solved in float64. Larger races
are solved in integers."""

MOST_IN_MEMORY = 1 << 30
"""Maximum number of pairs of positions of a race that is solved in integers in memory.
Larger races use files."""

_USABLE = 0.8
"""Maximum fraction of the free memory that the solver of a race may use."""

MOST_FOR_WINDOWS, MOST_OPPONENTS = 1 << 24, 10
"""Limits for solving a race against all positions of the opponent: maximum number of pairs
of positions, and maximum number of the opponent's checkers."""


def match_table(
    checkers: int = 6,
    away: tuple[int, int] = (3, 5),
    game: Game = "normal",
    *,
    points: int = POINTS,
    exact: bool = False,
    solve: bool = True,
    equities: MatchEquities | None = None,
) -> MatchTable:
    """Return the values of all pairs of positions at a match score.

    If the cache contains a table that `build_match_table` has built, the values are read
    from it. Otherwise the values are solved when they are needed: up to 8 checkers per
    player in float64 in memory, and more checkers as integers in temporary files.
    `MatchTable.estimate_seconds` estimates the time.

    Parameters
    ----------
    checkers : int
        Maximum number of checkers per player.
    away : (int, int)
        Numbers of points that the roller and the opponent need to win the match.
    game : {"normal", "crawford", "post-crawford"}
        Kind of game; see `Score`.
    points : int
        Number of points of the board.
    exact : bool
        Whether to solve in float64 even if the cache contains a table.
    solve : bool
        Whether to solve the values if the cache contains no table.
    equities : MatchEquities or None
        Match equity table. By default, Kazaross-XG2.

    Raises
    ------
    ScoreError
        If the score is impossible or not in the match equity table.
    PositionError, TableError
        If the number of checkers is impossible or too large.
    MissingTableError
        If the cache contains no table and `solve` is false.

    Examples
    --------
    Both players need two points to win the match, and the roller must bear off both
    checkers now. The roller succeeds with 19 of 36 throws, and doubles. The opponent takes,
    because the opponent's win probability exceeds the take point of 32.3%.

    >>> import bearoff
    >>> table = match_table(2, (2, 2), exact=True)
    >>> roller = bearoff.Position.parse("0,1,0,0,1,0").number
    >>> opponent = bearoff.Position.parse("1,0,0,0,0,0").number
    >>> float(table.no_double(roller, opponent)), float(table.double_take(roller, opponent))
    (0.5098..., 0.5277...)
    """
    check_size(points, checkers)
    checks.choice(exact, "exact", (True, False))
    checks.choice(solve, "solve", (True, False))
    score = Score(away, game)
    equities = known_equities(equities)
    payoffs = equities.payoffs(score)
    if not exact and (table := opened(score, equities, checkers, points)) is not None:
        return table
    if not solve:
        raise MissingTableError(
            f"the table for {checkers} checkers at {score} has not been built; run: "
            f"{build_command(score, points, checkers)}"
        )
    if checkers <= MOST_CHECKERS and points == POINTS:
        side = every_position(checkers, CHECKERS)
        return MatchTable(Match(score, equities), MatchSolver(side, side, payoffs, cores()))
    if exact:
        raise TableError(
            f"exact=True requires at most {MOST_CHECKERS} checkers on {POINTS} points, got "
            f"{checkers} on {points}; omit exact"
        )
    new = at_score.Manifest(points, checkers, payoffs=payoffs)
    return MatchTable(
        Match(score, equities), TemporaryValues(at_score.TemporaryPlanes(new))
    )


def match_race(
    race: Race,
    away: tuple[int, int] = (3, 5),
    game: Game = "normal",
    *,
    equities: MatchEquities | None = None,
    opponents: int = 0,
    progress: Callable[[float], None] = lambda done: None,
) -> MatchTable:
    """Return the values of a race at a match score, and of all its later positions.

    The race is solved immediately. If this would take long and the cache contains a table
    for the match score, the values are read from the table instead.

    Parameters
    ----------
    race : Race
        Race on six or more points. If a player has not borne off a checker, and can
        therefore lose a gammon, the race must be on six points.
    away, game, equities
        Parameters of `match_table`.
    opponents : int
        Maximum number of the opponent's checkers in further positions, which the doubling
        window needs. These positions are solved only if this takes at most a few seconds.
    progress : callable
        Function that is called with the completed fraction, from 0 to 1.

    Returns
    -------
    MatchTable
        Table of the roller's positions against the opponent's positions. Solving takes some
        tenths of a second with 8 checkers per player, and a few seconds with 10. With 15,
        it takes several minutes and up to 2.3 GB of disk space for each state of the cube.

    Raises
    ------
    PositionError, TableError, ScoreError
        In the same cases as by `match_table`, and if all later positions do not fit into
        memory.

    Examples
    --------
    >>> import bearoff
    >>> race = bearoff.Race(*2 * [bearoff.Position.parse("3,3,2,0,0,0")])
    >>> table = match_race(race, (2, 4))
    >>> float(table.value(race.roller.number, race.opponent.number))
    0.7890...
    """
    stakes = Match(Score(away, game), known_equities(equities))
    sides = _sides(race, opponents)
    pairs = sides[0].size * sides[1].size
    whole = pairs > MOST_IN_FLOAT64
    solver = MatchSolver(*sides, stakes.payoffs, cores(), progress, whole=whole)
    large = not _fits(solver)
    if large and race.roller.points != POINTS:
        raise _too_large(solver)
    stored = (whole or large) and race.roller.points == POINTS
    if stored:
        both = race.roller, race.opponent
        checkers, start = max(side.on_board for side in both), race.opponent.checkers
        if start == CHECKERS:
            table = opened(stakes.score, stakes.equities, checkers, POINTS)
            if table is not None:
                return table
    if stored and (large or pairs > MOST_IN_MEMORY):
        origins = race.roller.number, race.opponent.number
        new = at_score.Manifest(
            POINTS, checkers, start, payoffs=stakes.payoffs, origins=origins
        )
        planes = at_score.TemporaryPlanes(new, progress)
        return MatchTable(stakes, TemporaryValues(planes))
    return MatchTable(stakes, solver)


def money_race(
    race: Race,
    *,
    jacoby: bool = False,
    limit: int | None = None,
    opponents: int = 0,
    progress: Callable[[float], None] = lambda done: None,
) -> MatchTable:
    """Return the money equities of a race, and of all its later positions.

    The race is solved in memory in float64. Reading a cached table (`two_sided_table`) is
    faster, but the table must contain all races.

    Parameters
    ----------
    race, opponents, progress
        Parameters of `match_race`.
    jacoby : bool
        Whether the Jacoby rule applies: gammons count only after the cube has been turned.
    limit : int or None
        Largest value of the cube, as in `bearoff.stakes.Money`. The result for a limit of 1
        is the same as without a limit, because it includes the values for a dead cube.

    Raises
    ------
    PositionError
        If a player with all checkers on the board has a checker outside the home board.
    TableError
        If the positions that can follow do not fit into memory.

    Examples
    --------
    >>> import bearoff
    >>> race = bearoff.Race(*2 * [bearoff.Position.parse("0,0,3,3,0,0")])
    >>> table = money_race(race)
    >>> float(table.value(race.roller.number, race.opponent.number))
    0.7308...
    """
    sides = _sides(race, opponents)
    stakes = Money(jacoby, limit=None if limit == 1 else limit)
    solver = MatchSolver(*sides, stakes.payoffs, cores(), progress)
    if not _fits(solver):
        raise _too_large(solver)
    return MatchTable(stakes, solver)


def _sides(race: Race, opponents: int) -> tuple[SolverSide, SolverSide]:
    """Return the positions to solve for each player, which include all reachable ones."""
    checks.instance(race, "a race", Race)
    if race.roller.points != POINTS:
        for side in (race.roller, race.opponent):
            if not side.off:
                raise PositionError(
                    "a side with all its checkers on the board must have them on "
                    f"{POINTS} points, got {side}"
                )
        roller, opponent = (
            reachable_beyond(side.number, side.on_board, side.checkers, side.points)
            for side in (race.roller, race.opponent)
        )
        return roller, opponent
    roller, opponent = (
        reachable((side.number,), side.on_board, side.checkers)
        for side in (race.roller, race.opponent)
    )
    theirs = race.opponent
    if theirs.on_board <= opponents <= MOST_OPPONENTS and theirs.checkers == CHECKERS:
        every = every_position(opponents, CHECKERS)
        if roller.size * every.size <= MOST_FOR_WINDOWS:
            opponent = every
    return roller, opponent


def _too_large(solver: MatchSolver) -> TableError:
    return TableError(
        f"solving this race takes {solver.memory_bytes / 1e9:.1f} GB of memory; use "
        "bearoff rollout or, for races at home, a table made by bearoff tables build"
    )


def _fits(solver: MatchSolver) -> bool:
    return solver.memory_bytes <= _USABLE * memory_available()
