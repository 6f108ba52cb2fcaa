"""Solve every pair of few checkers at a score, or what one race can come to."""

from collections.abc import Callable

from bearoff import checks
from bearoff.errors import MissingTableError, PositionError, TableError
from bearoff.match.build import build_command, opened
from bearoff.match.equities import MatchEquities, known_equities
from bearoff.match.sides import every_position, reachable
from bearoff.match.solver import MOST_KEPT, Solver
from bearoff.match.table import MatchTable
from bearoff.positions import CHECKERS, POINTS, Race, check_size
from bearoff.runtime import check_memory, cores
from bearoff.score import Game, Score

MOST_CHECKERS = 8
"""Checkers a side up to which every pair is solved; a plane then takes 144 MB."""

MOST_PAIRS = 1 << 29
"""Pairs that a race can come to, up to which it is solved; memory may not allow so many."""


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
    """Return the values of every pair of positions at a score.

    From a table in the cache, if `build_match_table` has made one, and otherwise solved on
    the spot, which goes up to 8 checkers.

    Parameters
    ----------
    checkers : int
        Most checkers of each side.
    away : (int, int)
        Points that the roller and the opponent need to win the match.
    game : {"normal", "crawford", "post-crawford"}
        The kind of game; see `Score`.
    points : int
        On which they stand; only tables in the cache have more than 6.
    exact : bool
        Whether to solve in float64 on the spot even if there is a table.
    solve : bool
        Whether to solve on the spot where there is no table.
    equities : MatchEquities or None
        The match equity table, Kazaross-XG2 if None.

    Raises
    ------
    ScoreError
        If there is no such score, or the match equity table does not go so far.
    PositionError, TableError
        If there is no such number of checkers, or it is too large.
    MissingTableError
        If there is no table, and it should not be solved.

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
            f"no table of {checkers} checkers at {score} is built; run: "
            f"{build_command(score, points, checkers)}"
        )
    if checkers > MOST_CHECKERS or points != POINTS:
        remedy = (
            "ask for fewer"
            if exact
            else f"build the table: {build_command(score, points, checkers)}"
        )
        raise TableError(
            f"up to {MOST_CHECKERS} checkers on {POINTS} points are solved on the spot, "
            f"got {checkers} on {points}; {remedy}"
        )
    side = every_position(checkers, CHECKERS)
    return MatchTable(score, equities, Solver(side, side, payoffs, cores()))


def match_race(
    race: Race,
    away: tuple[int, int] = (3, 5),
    game: Game = "normal",
    *,
    equities: MatchEquities | None = None,
    progress: Callable[[float], None] = lambda done: None,
) -> MatchTable:
    """Return the values at a score of a race and all that can become of it.

    Solved on the spot, unless that takes long and there is a table at the score.

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
    score = Score(away, game)
    equities = known_equities(equities)
    payoffs = equities.payoffs(score)
    pairs = roller.size * opponent.size
    name = f"{race.roller} against {race.opponent}"
    sides = race.roller, race.opponent
    if pairs > MOST_KEPT and all(side.checkers == CHECKERS for side in sides):
        table = opened(score, equities, max(side.on_board for side in sides), POINTS)
        if table is not None:
            return table
    if pairs > MOST_PAIRS:
        raise TableError(
            f"{name} can come to {pairs:,} pairs, more than the {MOST_PAIRS:,} that are "
            f"solved on the spot; roll it out"
        )
    solver = Solver(roller, opponent, payoffs, cores(), progress)
    check_memory(f"solving {name}", solver.memory_bytes, "roll it out")
    return MatchTable(score, equities, solver)
