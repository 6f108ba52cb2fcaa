"""Solve every pair of few checkers at a score, or what one race can come to."""

from collections.abc import Callable

from bearoff import checks
from bearoff.errors import PositionError, ScoreError, TableError
from bearoff.match.equities import MatchEquities, match_equities
from bearoff.match.sides import Side, every_position, reachable
from bearoff.match.solver import Solver
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
