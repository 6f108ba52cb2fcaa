"""Exact values: of two-sided tables for money, and of what is solved at any stakes.

Both kinds of table answer the same questions about pairs of position numbers; what games
are worth is all that they differ in.
"""

from typing import Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from bearoff import checks
from bearoff.errors import PositionError, TableError
from bearoff.match_solver import MatchTable
from bearoff.one_sided import one_sided_table
from bearoff.positions import CHECKERS, POINTS, Race, position_count, rank, sides, unrank
from bearoff.sources.races import Races
from bearoff.stakes import Cube, CubeOwner, Money, RollersCube, Terms, Values
from bearoff.two_sided import TwoSidedTable

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
PairTable = TwoSidedTable | MatchTable
"""A table of pairs, for money or at a score."""

TableKind = TypeVar("TableKind", bound=PairTable)

Kind = Literal["exact", "model", "rollout"]


class Table(Generic[TableKind]):
    """Exact values from a table of pairs; a `bearoff.sources.source.Source`.

    Parameters
    ----------
    table : TwoSidedTable or MatchTable
        For money with all planes; or at a score, as the first player has it.
    """

    kind: Kind = "exact"

    def __init__(self, table: TableKind) -> None:
        self.table = table

    def holds(self, race: Race) -> bool:
        """Whether the table holds a race's sides, whatever its points are."""
        table, both = self.table, (race.roller, race.opponent)
        if isinstance(table, MatchTable):
            if max(side.highest for side in both) > POINTS:
                return False
            home = race.on_points(POINTS)
            return table.holds(home.roller.number, home.opponent.number)
        most, points = table.checkers, table.points
        return all(side.on_board <= most and side.highest <= points for side in both)

    def values(self, races: Races) -> Values:
        """Look the races up; of a race solved at a score, all that it can become."""
        terms = races.terms
        table: PairTable = self.table
        if isinstance(table, MatchTable) and terms.turned:
            table = table.exchanged()
        points = table.points if isinstance(table, TwoSidedTable) else POINTS
        x, y = (rank(side[:, :points]) for side in (races.rollers, races.opponents))
        owners = set(races.owners.tolist())
        if len(owners) == 1:
            found = pair_values(table, x, y, CubeOwner(owners.pop()).cube, terms)
        else:
            found = Values.empty(terms, races.owners, _tie(table, terms))
            for owner in owners:
                at = np.flatnonzero(races.owners == owner)
                found.put(
                    at, pair_values(table, x[at], y[at], CubeOwner(owner).cube, terms)
                )
        if isinstance(table, MatchTable):
            found.gammons_won[:], found.gammons_lost[:] = table.gammon_probability(x, y)
        return found


def pair_values(
    table: PairTable, x: Int64Array, y: Int64Array, cube: Cube, terms: Terms
) -> Values:
    """Look up pairs of position numbers, a checker on the board on both sides.

    Parameters
    ----------
    table : TwoSidedTable or MatchTable
        At a score as who is on roll has it.
    x, y : ndarray of int64
        Numbers of rollers and opponents, of one shape.
    cube : {"centred", "owned", "opponent"}
        Where it is from the roller's side.
    terms : Terms
        What they are played for.

    Returns
    -------
    Values
        Of that shape. At a score gammons are not told.
    """
    owners = np.full(x.shape, CubeOwner.of(cube), dtype=np.int8)
    found = Values.empty(terms, owners, _tie(table, terms))
    if isinstance(table, MatchTable):
        _fill_at_score(found, table, (x, y), cube)
    else:
        _fill_for_money(found, table, (x, y), cube)
    return found


def _fill_for_money(
    found: Values, table: TwoSidedTable, pair: tuple[Int64Array, Int64Array], cube: Cube
) -> None:
    jacoby = found.terms.stakes.jacoby and cube == "centred"
    wins, won, lost, waits, taken = table.for_money(*pair, cube, jacoby=jacoby)
    found.win_probability[...], found.no_double[...] = wins, waits
    found.gammons_won[...], found.gammons_lost[...] = won, lost
    found.no_double_error[...] = np.where(_is_certain(found, *pair), 0.0, table.error(cube))
    if cube != "opponent":
        found.double_take[...] = taken
        found.double_take_error[...] = 2 * table.error("opponent")


def _is_certain(found: Values, x: Int64Array, y: Int64Array) -> BoolArray:
    """Whether a side surely wins a single game: then values are exact, not rounded."""
    certain = (found.win_probability >= 1) | (found.win_probability <= 0)
    certain &= (found.gammons_won == 0) & (found.gammons_lost == 0)
    if not certain.any():
        return certain
    count = position_count(POINTS, CHECKERS)
    places = np.flatnonzero(certain & (x < count) & (y < count))
    certain.reshape(-1)[:] = False
    certain.reshape(-1)[places] = surely_won(x.reshape(-1)[places], y.reshape(-1)[places])
    return certain


def surely_won(x: Int64Array, y: Int64Array) -> BoolArray:
    """Whether rollers or opponents bear off first whatever is thrown, all of them home.

    The most rolls that a side takes are at most what the other needs with doubles alone,
    four checkers a roll. It may be sure beyond that; this much is seen at a glance.

    Parameters
    ----------
    x, y : ndarray of int64, shape (n,)
        Position numbers of rollers and opponents.
    """
    most = one_sided_table().most_rolls
    needs_x, needs_y = (-(-unrank(side).sum(axis=-1) // 4) for side in (x, y))
    return np.asarray((most[x] <= needs_y) | (most[y] < needs_x))


def _fill_at_score(
    found: Values, table: MatchTable, pair: tuple[Int64Array, Int64Array], cube: Cube
) -> None:
    terms, value = found.terms, found.terms.cube_value
    found.win_probability[...] = table.win_probability(*pair)
    error = found.tie if table.folder else 0.0
    found.no_double_error[...] = found.double_take_error[...] = error
    if cube == "opponent" or not table.stakes.has_cube:
        found.no_double[...] = terms.equity(table.value(*pair, value, cube))
        return
    found.no_double[...] = terms.equity(table.no_double(*pair, value, cube))
    found.double_take[...] = terms.equity(table.double_take(*pair, value, cube))


def _tie(table: PairTable, terms: Terms) -> float:
    """What counts as equal: the rounding of chances at a score, in equity."""
    if isinstance(table, TwoSidedTable):
        return 0.0
    unit = terms.unit
    if unit is None:
        return table.error
    return table.error / unit if unit else np.inf


def terms_at(table: PairTable, cube_value: int, jacoby: bool) -> Terms:
    """Return the terms of a table, its roller the first player."""
    if isinstance(table, MatchTable):
        return Terms(table.stakes, 1 if table.stakes.score is None else cube_value)
    return Terms(Money(jacoby), cube_value)


def cube_actions(
    table: PairTable,
    rollers: sides.Sides,
    opponents: sides.Sides,
    cube: RollersCube = "centred",
    *,
    cube_value: int = 1,
    jacoby: bool = False,
) -> Values:
    """Values and cube actions of many pairs in a table, for money or at a score.

    Parameters
    ----------
    table : TwoSidedTable or MatchTable
        With all planes.
    rollers, opponents : array_like of int
        Position numbers, a checker on the board on both sides; broadcast against each
        other.
    cube : {"centred", "owned"}
        Where the cube is.
    cube_value : int
        What the cube shows before a double, at a score.
    jacoby : bool
        Whether gammons count only once the cube has been turned, for money.

    Returns
    -------
    Values
        An entry a pair. `Values.terms` turns equities at a score into chances.

    Raises
    ------
    PositionError
        If a number is not in the table, or a side has borne off.
    TableError
        If a plane is not built or is damaged.
    ScoreError
        If there is no such cube at the score, or nobody may double.
    BearoffError
        If `cube` is neither.

    Examples
    --------
    Two checkers each on the deuce and on the three: at 4-away 4-away a double, but not for
    who leads 2-away 4-away, since the opponent would redouble at once. Of the match that
    would cost:

    >>> import bearoff
    >>> pair = 2 * [bearoff.Position.parse("0,2,2,0,0,0").number]
    >>> for away in (4, 4), (2, 4):
    ...     values = cube_actions(bearoff.match_table(4, away), *pair)
    ...     print(values.action, (values.wrong_double * values.terms.unit).round(3))
    double, take 0.0
    no double 0.057
    """
    checks.choice(cube, "the cube of a roller who may double", ("centred", "owned"))
    checks.instance(table, "table", (TwoSidedTable, MatchTable), TableError)
    terms = terms_at(table, cube_value, jacoby)
    if isinstance(table, MatchTable):
        x, y = checks.broadcast(
            rollers=sides.numbers(rollers), opponents=sides.numbers(opponents)
        )
        x, y = x.astype(np.int64), y.astype(np.int64)
    else:
        x, y = sides.pairs(rollers, opponents, table.points, table.checkers)
        for name, side in (("roller", x), ("opponent", y)):
            if not side.all():
                raise PositionError(
                    f"a cube action needs a checker on the board on both sides, the {name} "
                    "has borne off"
                )
    if not terms.stakes.has_cube:
        table.double_take(x, y)  # Refuses what nobody may do.
    return pair_values(table, x, y, cube, terms)


def cube_action(
    table: PairTable,
    race: Race | tuple[int, int],
    cube: RollersCube = "centred",
    *,
    cube_value: int = 1,
    jacoby: bool = False,
) -> Values:
    """Values and cube action of one pair: `cube_actions` of a race, arrays without axes.

    Parameters
    ----------
    table : TwoSidedTable or MatchTable
        With all planes.
    race : Race or (int, int)
        The pair, or the numbers of roller and opponent.
    cube, cube_value, jacoby
        As for `cube_actions`; what the race itself says of them does not count.

    Raises
    ------
    PositionError, TableError, ScoreError, BearoffError
        As for `cube_actions`.

    Examples
    --------
    Two sides of four rolls each are a redouble and a take:

    >>> import bearoff
    >>> _ = bearoff.build_two_sided_table(8)
    >>> table = bearoff.two_sided_table(8)
    >>> four_rolls = bearoff.Position.parse("8,0,0,0,0,0")
    >>> values = cube_action(table, bearoff.Race(four_rolls, four_rolls), "owned")
    >>> print(values.action, values.no_double.round(3), values.double_take.round(3))
    redouble, take 0.793 0.917
    """
    pair = numbers_of(table, race)
    return cube_actions(table, *pair, cube, cube_value=cube_value, jacoby=jacoby)


def numbers_of(table: PairTable, race: Race | tuple[int, int]) -> tuple[int, int]:
    """Return the numbers of roller and opponent, a checker of both on the board.

    Raises
    ------
    PositionError
        If the table does not hold the race, or it is over.
    """
    checks.instance(table, "table", (TwoSidedTable, MatchTable), TableError)
    points = table.points if isinstance(table, TwoSidedTable) else POINTS
    checkers = table.checkers if isinstance(table, TwoSidedTable) else CHECKERS
    if isinstance(race, Race):
        for name in ("roller", "opponent"):
            if not getattr(race, name).on_board:
                raise PositionError(
                    f"the {name} has 0 checkers on the board, there is no race"
                )
        if isinstance(table, TwoSidedTable):
            return table.places.number(race.roller), table.places.number(race.opponent)
        race = race.on_points(POINTS)
        race = race.roller.number, race.opponent.number
    if not isinstance(race, (tuple, list)) or len(race) != 2:
        raise PositionError(f"a race is a Race or two position numbers, got {race!r}")
    last = position_count(points, checkers) - 1
    roller, opponent = (
        checks.integer(number, "a position number", 0, last, PositionError)
        for number in race
    )
    if 0 in (roller, opponent):
        raise PositionError(
            f"a race needs a checker on the board on both sides, got {race}"
        )
    return roller, opponent
