"""Exact values of races: from tables for money, or solved for money or at any score."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, Literal, TypeVar

import numpy as np

from bearoff import checks
from bearoff.errors import PositionError, ScoreError, TableError
from bearoff.match_solver import MatchTable
from bearoff.positions import CHECKERS, Race, position_count, rank, sides
from bearoff.sources.pair_table import PairTable
from bearoff.sources.races import Races
from bearoff.stakes import CubeOwner, RollersCube, Values, cube_named
from bearoff.two_sided import TwoSidedTable

TableKind = TypeVar("TableKind", bound=PairTable, covariant=True)

Kind = Literal["exact", "model", "rollout"]


class TableSource(Generic[TableKind]):
    """Source of exact values from a table of pairs of positions.

    Parameters
    ----------
    table : PairTable
        Two-sided table with cubeful values, or match table from the first player's
        viewpoint.
    """

    kind: Kind = "exact"

    def __init__(self, table: TableKind) -> None:
        self.table = table

    def holds(self, race: Race) -> bool:
        """Return whether the table contains the positions of both players in a race."""
        return self.table.holds(race)

    def values(self, races: Races) -> Values:
        """Look up the values of races; at a match score, solve missing races first."""
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
    """Return the values and right cube actions of many pairs of positions in a table.

    Parameters
    ----------
    table : TwoSidedTable or MatchTable
        Table of cubeful values for all owners of the cube.
    rollers, opponents : array_like of int
        Position numbers of sides with a checker on the board, in arrays of compatible
        shapes.
    cube : {"centred", "owned"}
        Owner of the cube before the decision.
    cube_value : int
        Value of the cube before a double; used only at a match score.
    jacoby : bool
        Whether the Jacoby rule applies: in money play, gammons count only after the cube
        has been turned.

    Returns
    -------
    Values
        Values with one array element per pair of positions. `Values.terms` converts
        equities at a score to match-winning chances.

    Raises
    ------
    PositionError
        If a position number is not in the table, or a side has no checker on the board.
    TableError
        If a file of values is missing or damaged.
    ScoreError
        If the cube cannot have this value at the score, or neither side may double.
    BearoffError
        If `cube` is neither "centred" nor "owned".

    Examples
    --------
    Both sides have two checkers on each of the 2 and 3 points. At 4-away 4-away, the roller
    should double. The leader at 2-away 4-away should not, because the opponent would
    redouble at once. The last number is the cost of this wrong double in match-winning
    chance:

    >>> import bearoff
    >>> pair = 2 * [bearoff.Position.parse("0,2,2,0,0,0").number]
    >>> for away in (4, 4), (2, 4):
    ...     values = cube_actions(bearoff.match_table(4, away), *pair)
    ...     print(values.action, (values.wrong_double * values.terms.unit).round(3))
    double, take 0.0
    no double 0.057
    """
    where = cube_named(cube)
    checks.choice(where, "the cube position for a cube decision", ("centred", "owned"))
    checks.instance(table, "table", (TwoSidedTable, MatchTable), TableError)
    terms = table.terms(cube_value, jacoby=jacoby)
    x, y = table.pairs(rollers, opponents)
    if not terms.stakes.has_cube:
        raise ScoreError(
            "neither side may double in the Crawford game; request values without a cube "
            "decision"
        )
    return table.values(x, y, where, terms, gammons=False)


def cube_action(
    table: PairTable,
    race: Race | tuple[int, int],
    cube: RollersCube = "centred",
    *,
    cube_value: int = 1,
    jacoby: bool = False,
) -> Values:
    """Return the values and right cube action of one pair of positions, as 0-d arrays.

    Parameters
    ----------
    table : TwoSidedTable or MatchTable
        Table of cubeful values for all owners of the cube.
    race : Race or (int, int)
        Race, or the position numbers of the roller and of the opponent.
    cube, cube_value, jacoby
        See `cube_actions`. The cube and the score of the race are ignored.

    Raises
    ------
    PositionError, TableError, ScoreError, BearoffError
        See `cube_actions`.

    Examples
    --------
    Both sides need four rolls, so the roller should redouble and the opponent take:

    >>> import bearoff
    >>> _ = bearoff.build_two_sided_table(8, points=1)
    >>> table = bearoff.two_sided_table(8, points=1)
    >>> four_rolls = bearoff.Position.parse("8,0,0,0,0,0")
    >>> values = cube_action(table, bearoff.Race(four_rolls, four_rolls), "owned")
    >>> print(values.action, values.no_double.round(3), values.double_take.round(3))
    redouble, take 0.793 0.917
    """
    pair = numbers_of(table, race)
    return cube_actions(table, *pair, cube, cube_value=cube_value, jacoby=jacoby)


def numbers_of(table: PairTable, race: Race | tuple[int, int]) -> tuple[int, int]:
    """Return the position numbers of the roller and the opponent in a race.

    Raises
    ------
    PositionError
        If the race is not in the table, or a side has no checker on the board.
    """
    checks.instance(table, "table", (TwoSidedTable, MatchTable), TableError)
    if isinstance(race, Race):
        for name in ("roller", "opponent"):
            if not getattr(race, name).on_board:
                raise PositionError(
                    f"the {name} has 0 checkers on the board, so there is no race"
                )
        return table.number(race.roller), table.number(race.opponent)
    if not isinstance(race, (tuple, list)) or len(race) != 2:
        raise PositionError(f"a race must be a Race or two position numbers, got {race!r}")
    last = position_count(table.points, CHECKERS) - 1
    roller, opponent = (
        checks.integer(number, "a position number", 0, last, PositionError)
        for number in race
    )
    if 0 in (roller, opponent):
        raise PositionError(
            f"a race requires both sides to have checkers on the board, got {race}"
        )
    return roller, opponent
