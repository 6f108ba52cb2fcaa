"""Positions that each player of a race can reach, with their rolls and plays.

The set of a player's positions is *closed*: every play leads to one of them. The positions
are sorted by position number. Their indices in this order, called places, are the rows or
columns of the arrays of `strategy_values`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import PositionError, TableError
from bearoff.matchup.strategies import BestResponse, CubeStrategy, EquilibriumCube
from bearoff.one_sided import one_sided_table
from bearoff.plays import PolicyArray, Successors, check_policy, successors
from bearoff.positions import position_count, unrank
from bearoff.rolls import ROLLS, THROWS, WEIGHTS

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Checkers = Literal["fewest-rolls", "best"] | PolicyArray
"""Method by which a player chooses checker plays; see `RacePlayer.checkers`."""

CUBES = 3
"""Number of possible owners of the cube: nobody (centred cube), player A, and player B."""

DOUBLE, REDOUBLE, TAKE = 1, 2, 4
"""Bits of an encoded cube decision: the player on roll doubles, or redoubles, and the
opponent takes."""


@dataclass(frozen=True, eq=False)
class RacePlayer:
    """Player of a race: a cube strategy, and a method of choosing checker plays.

    Attributes
    ----------
    cube : CubeStrategy, EquilibriumCube or BestResponse
        Cube strategy of the player.
    checkers : "fewest-rolls", "best" or ndarray of int, shape (positions, 21)
        How the player chooses checker plays: ``fewest-rolls`` minimises the mean number of
        rolls, ``best`` maximises the equity given both players' cube actions, and an array
        is a policy.
    """

    cube: CubeStrategy | EquilibriumCube | BestResponse
    checkers: Checkers = "fewest-rolls"

    @property
    def fixed_cube(self) -> CubeStrategy | None:
        """Cube strategy; None if its decisions depend on the equities to be computed."""
        if isinstance(self.cube, (EquilibriumCube, BestResponse)):
            return None
        return self.cube

    @property
    def free(self) -> bool:
        """Whether cube decisions are found from the equities while the race is solved."""
        return self.fixed_cube is None


class Turns(NamedTuple):
    """Possible rolls and plays of a player in each position.

    Attributes
    ----------
    firsts : ndarray of int64, shape (positions + 1,)
        Index in `chances` of the first roll of each position. Position ``x`` has the rolls
        ``firsts[x]`` to ``firsts[x + 1] - 1``.
    chances : ndarray of float64, shape (turns,)
        Probability of each roll; the sum is 1 for each position. For a policy, all rolls
        that lead from a position to the same position count as one roll.
    options : ndarray of int64, shape (turns + 1,)
        Index in `plays` of the first play of each roll. Roll ``g`` has the plays
        ``plays[options[g] : options[g + 1]]``.
    plays : ndarray of int64
        Position index after each play. Position index 0, without checkers, has no plays.
    """

    firsts: Int64Array
    chances: Float64Array
    options: Int64Array
    plays: Int64Array


@dataclass(frozen=True, eq=False)
class SidePositions:
    """Positions that one player can reach, with their rolls and plays.

    Attributes
    ----------
    numbers : ndarray of int64, ascending
        Position numbers in ascending order, starting with 0.
    turns : Turns
        Possible rolls and plays in each position, with positions given by their index.
    """

    points: int
    numbers: Int64Array
    turns: Turns

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def counts(self) -> NDArray[np.int32]:
        """Number of checkers on each point, int32, shape (positions, points)."""
        # In int8, the products of checker counts and point numbers would overflow.
        return unrank(self.numbers, self.points).astype(np.int32)

    @cached_property
    def levels(self) -> list[Int64Array]:
        """Position indices grouped by pip count, in ascending order from 1 pip on."""
        pips = self.counts @ np.arange(1, self.points + 1)
        order = np.argsort(pips, kind="stable")
        ends = np.flatnonzero(np.diff(pips[order])) + 1
        return np.split(order, ends)[1:]

    def places(self, numbers: ArrayLike) -> Int64Array:
        """Return the indices of positions that are given by number.

        Raises `PositionError` if the player cannot reach one of the positions.
        """
        wanted = checks.numbers_below(numbers, position_count(self.points))
        at = np.minimum(np.searchsorted(self.numbers, wanted), len(self) - 1)
        missing = self.numbers[at] != wanted
        if missing.any():
            raise PositionError(
                f"position {wanted[missing].flat[0]} cannot occur in this game; include it "
                "in the starting positions"
            )
        return at


def side_of(checkers: Checkers, starts: ArrayLike, points: int) -> SidePositions:
    """Return the positions that a player can reach from `starts`, with rolls and plays.

    Raises `PositionError` if a starting position does not exist or is missing in the
    policy. Raises `TableError` if a policy has a wrong shape or a play that does not lower
    the pip count.
    """
    first = np.unique(checks.numbers_below(starts, position_count(points)))
    choices = _choices(checkers, first, points)
    checks.numbers_below(first, len(choices.offsets) // len(ROLLS))
    numbers = _closure(first, choices)
    counts, plays = _plays_of(numbers[1:], choices)
    pips = unrank(numbers, points) @ np.arange(1, points + 1)
    places = np.searchsorted(numbers, plays)
    origins = np.repeat(np.arange(1, len(numbers)), counts.sum(axis=1))
    wrong = np.flatnonzero(pips[places] >= pips[origins])
    if len(wrong):
        raise TableError(
            "every play of a policy must lower the pip count, but a play leads from "
            f"position {numbers[origins[wrong[0]]]} to position {plays[wrong[0]]}"
        )
    if counts.max(initial=1) == 1:
        return SidePositions(points, numbers, _merged(places.reshape(-1, len(ROLLS))))
    return SidePositions(points, numbers, _every_roll(counts, places))


def _choices(checkers: Checkers, starts: Int64Array, points: int) -> Successors:
    """Return the plays to choose from after each roll; a policy has one play per roll."""
    if isinstance(checkers, str) and checkers == "best":
        most = int(unrank(starts, points).sum(axis=-1, dtype=np.int64).max(initial=1))
        return successors(points, most)
    if isinstance(checkers, str):
        if checkers != "fewest-rolls":
            raise TableError(
                f"checkers must be 'fewest-rolls', 'best' or a policy, got {checkers!r}"
            )
        policy = one_sided_table(points).policy
    else:
        policy = np.ascontiguousarray(check_policy(checkers))
    return Successors(np.arange(policy.size + 1), policy.reshape(-1))


def _closure(starts: Int64Array, choices: Successors) -> Int64Array:
    """Return the sorted numbers of `starts`, all reachable positions and position 0."""
    reached = np.zeros(len(choices.offsets) // len(ROLLS), dtype=np.bool_)
    reached[0] = True
    fresh = starts[starts > 0]
    while len(fresh):
        reached[fresh] = True
        after = np.unique(_plays_of(fresh, choices)[1])
        fresh = after[~reached[after]]
    return np.flatnonzero(reached)


def _plays_of(positions: Int64Array, choices: Successors) -> tuple[Int64Array, Int64Array]:
    """Return the number of plays of each position and roll, and the resulting positions."""
    at = positions[:, None] * len(ROLLS) + np.arange(len(ROLLS))
    counts = choices.offsets[at + 1] - choices.offsets[at]
    flat = counts.ravel()
    shifts = choices.offsets[at].ravel() - (np.cumsum(flat) - flat)
    ends = choices.numbers[np.arange(flat.sum()) + np.repeat(shifts, flat)]
    return counts, ends.astype(np.int64)


def _every_roll(counts: Int64Array, places: Int64Array) -> Turns:
    """Return the `Turns` of a player who chooses between all legal plays of each roll."""
    positions = len(counts)
    turns = np.concatenate([[0], np.arange(positions + 1) * len(ROLLS)])
    options = np.concatenate([[0], np.cumsum(counts)])
    return Turns(turns, np.tile(np.array(WEIGHTS) / THROWS, positions), options, places)


def _merged(after: Int64Array) -> Turns:
    """Return the `Turns` of a policy; rolls that lead to the same position count as one."""
    order = np.argsort(after, axis=1, kind="stable")
    ends = np.take_along_axis(after, order, axis=1)
    fresh = np.ones(after.shape, dtype=np.bool_)
    fresh[:, 1:] = ends[:, 1:] != ends[:, :-1]
    firsts = np.flatnonzero(fresh)
    weights = np.array(WEIGHTS)[order].ravel()
    # The integer weights are added before the division, so each probability is rounded only
    # once.
    sums = np.add.reduceat(weights, firsts) if len(firsts) else weights
    turns = np.concatenate([[0, 0], np.cumsum(fresh.sum(axis=1))])
    options = np.arange(len(firsts) + 1)
    return Turns(turns, sums / THROWS, options, ends.ravel()[firsts])
