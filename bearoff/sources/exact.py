"""Exact values: of two-sided tables for money, and of what is solved at any stakes."""

from dataclasses import replace
from typing import Generic, Literal, TypeVar

import numpy as np

from bearoff import checks
from bearoff.errors import PositionError, ScoreError, TableError
from bearoff.match_solver import MatchTable
from bearoff.positions import CHECKERS, Race, cube_named, position_count, rank, sides
from bearoff.sources.pair_table import PairTable
from bearoff.sources.races import Races
from bearoff.stakes import CubeOwner, RollersCube, Values
from bearoff.two_sided import TwoSidedTable

TableKind = TypeVar("TableKind", bound=PairTable, covariant=True)

Kind = Literal["exact", "model", "rollout"]


class Table(Generic[TableKind]):
    """Exact values from a table of pairs; a `bearoff.sources.source.Source`.

    Parameters
    ----------
    table : PairTable
        For money with all planes; or at a score, as the first player has it.
    """

    kind: Kind = "exact"

    def __init__(self, table: TableKind) -> None:
        self.table = table

    def holds(self, race: Race) -> bool:
        """Whether the table holds a race's sides, whatever its points are."""
        return self.table.holds(race)

    def values(self, races: Races) -> Values:
        """Look the races up; of a race solved at a score, all that it can become."""
        table, terms = self.table, races.terms
        x, y = (rank(side[:, : table.points]) for side in (races.rollers, races.opponents))
        owners = np.unique(races.owners).tolist()
        if len(owners) == 1:
            return table.values(x, y, CubeOwner(owners[0]).cube, terms)
        found = Values.empty(terms, races.owners)
        for owner in owners:
            at = np.flatnonzero(races.owners == owner)
            part = table.values(x[at], y[at], CubeOwner(owner).cube, terms)
            found = replace(found, tie=part.tie)
            found.put(at, part)
        return found


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
    where = cube_named(cube)
    checks.choice(where, "the cube of a roller who may double", ("centred", "owned"))
    checks.instance(table, "table", (TwoSidedTable, MatchTable), TableError)
    terms = table.terms(cube_value, jacoby=jacoby)
    x, y = table.pairs(rollers, opponents)
    if not terms.stakes.has_cube:
        raise ScoreError("nobody may double in Crawford's game; ask for the value")
    return table.values(x, y, where, terms, gammons=False)


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
    if isinstance(race, Race):
        for name in ("roller", "opponent"):
            if not getattr(race, name).on_board:
                raise PositionError(
                    f"the {name} has 0 checkers on the board, there is no race"
                )
        return table.number(race.roller), table.number(race.opponent)
    if not isinstance(race, (tuple, list)) or len(race) != 2:
        raise PositionError(f"a race is a Race or two position numbers, got {race!r}")
    last = position_count(table.points, CHECKERS) - 1
    roller, opponent = (
        checks.integer(number, "a position number", 0, last, PositionError)
        for number in race
    )
    if 0 in (roller, opponent):
        raise PositionError(
            f"a race needs a checker on the board on both sides, got {race}"
        )
    return roller, opponent
