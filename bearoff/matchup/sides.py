"""The sides of a race between two players: the positions each may come to, and their turns.

A side's positions are *closed*: no play leads out of them. Here they are named by their
place in ascending order of number, which is their row or column in the tables of
`strategy_values`.
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
"""How a player moves; see `RacePlayer`."""

CUBES = 3
"""Planes of a game: the cube in the centre, A's, B's."""

DOUBLE, REDOUBLE, TAKE = 1, 2, 4
"""Bits of a decision: what the side on roll does and what the other answers."""


@dataclass(frozen=True, eq=False)
class RacePlayer:
    """Someone who races: a cube strategy and a way to move.

    Attributes
    ----------
    cube : CubeStrategy, EquilibriumCube or BestResponse
        Decides about the cube.
    checkers : "fewest-rolls", "best" or ndarray of int, shape (positions, 21)
        How the checkers are played: by the one-sided table; as is best at each pair and
        cube, given what both do with the cube; or by a policy.
    """

    cube: CubeStrategy | EquilibriumCube | BestResponse
    checkers: Checkers = "fewest-rolls"

    @property
    def fixed_cube(self) -> CubeStrategy | None:
        """The strategy if it decides by itself; None if the game decides."""
        if isinstance(self.cube, (EquilibriumCube, BestResponse)):
            return None
        return self.cube

    @property
    def free(self) -> bool:
        """Whether the game decides about the cube."""
        return self.fixed_cube is None


class Turns(NamedTuple):
    """What may happen in a turn from each position; places throughout.

    Attributes
    ----------
    firsts : ndarray of int64, shape (positions + 1,)
        Turns of position ``x`` are ``firsts[x]`` to ``firsts[x + 1] - 1``.
    chances : ndarray of float64, shape (turns,)
        Of each turn; those of a position add up to 1. Rolls that a policy plays to the
        same position are one turn.
    options : ndarray of int64, shape (turns + 1,)
        The plays of turn ``g`` are ``plays[options[g] : options[g + 1]]``.
    plays : ndarray of int64
        Where a play leads. Position 0 has none.
    """

    firsts: Int64Array
    chances: Float64Array
    options: Int64Array
    plays: Int64Array


@dataclass(frozen=True, eq=False)
class Side:
    """One player's positions and turns.

    Attributes
    ----------
    points : int
        Points of the board.
    numbers : ndarray of int64, ascending
        The positions, the first of them 0.
    turns : Turns
        What may happen in a turn.
    """

    points: int
    numbers: Int64Array
    turns: Turns

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def counts(self) -> NDArray[np.int32]:
        """Checkers on the ace, deuce, ... of each position, shape (positions, points)."""
        # Wide enough that a formula may multiply without a thought.
        return unrank(self.numbers, self.points).astype(np.int32)

    @cached_property
    def levels(self) -> list[Int64Array]:
        """Places of each pip count from 1 up; every play leads to a lower count."""
        pips = self.counts @ np.arange(1, self.points + 1)
        order = np.argsort(pips, kind="stable")
        ends = np.flatnonzero(np.diff(pips[order])) + 1
        return np.split(order, ends)[1:]

    def places(self, numbers: ArrayLike) -> Int64Array:
        """Return the places of positions.

        Raises
        ------
        PositionError
            If one is not among them.
        """
        wanted = checks.numbers_below(numbers, position_count(self.points))
        at = np.minimum(np.searchsorted(self.numbers, wanted), len(self) - 1)
        missing = self.numbers[at] != wanted
        if missing.any():
            raise PositionError(
                f"position {wanted[missing].flat[0]} cannot be reached in this game; "
                "name it among the starts"
            )
        return at


def side_of(checkers: Checkers, starts: ArrayLike, points: int) -> Side:
    """Return the side of a player who may start from any of these positions.

    Parameters
    ----------
    checkers : "fewest-rolls", "best" or ndarray of int, shape (positions, 21)
        How the checkers are played.
    starts : array_like of int
        Position numbers.
    points : int
        Points of the board.

    Raises
    ------
    PositionError
        If a start is no position, or not one that the policy knows.
    TableError
        If a policy is not of that shape, or does not lower the pip count.
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
            f"a play lowers the pip count, the policy plays position "
            f"{numbers[origins[wrong[0]]]} to {plays[wrong[0]]}"
        )
    if counts.max(initial=1) == 1:
        return Side(points, numbers, _merged(places.reshape(-1, len(ROLLS))))
    return Side(points, numbers, _every_roll(counts, places))


def _choices(checkers: Checkers, starts: Int64Array, points: int) -> Successors:
    """List what a player may choose from at each roll: one play, by a policy."""
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
    """Positions that can be reached from the starts, these and 0 included; ascending."""
    reached = np.zeros(len(choices.offsets) // len(ROLLS), dtype=np.bool_)
    reached[0] = True
    fresh = starts[starts > 0]
    while len(fresh):
        reached[fresh] = True
        after = np.unique(_plays_of(fresh, choices)[1])
        fresh = after[~reached[after]]
    return np.flatnonzero(reached)


def _plays_of(positions: Int64Array, choices: Successors) -> tuple[Int64Array, Int64Array]:
    """Count the plays of each position and roll, and lay their ends end to end."""
    at = positions[:, None] * len(ROLLS) + np.arange(len(ROLLS))
    counts = choices.offsets[at + 1] - choices.offsets[at]
    flat = counts.ravel()
    shifts = choices.offsets[at].ravel() - (np.cumsum(flat) - flat)
    ends = choices.numbers[np.arange(flat.sum()) + np.repeat(shifts, flat)]
    return counts, ends.astype(np.int64)


def _every_roll(counts: Int64Array, places: Int64Array) -> Turns:
    """Turns of a player who chooses: one for each roll."""
    positions = len(counts)
    turns = np.concatenate([[0], np.arange(positions + 1) * len(ROLLS)])
    options = np.concatenate([[0], np.cumsum(counts)])
    return Turns(turns, np.tile(np.array(WEIGHTS) / THROWS, positions), options, places)


def _merged(after: Int64Array) -> Turns:
    """Turns of a policy: one for each place that rolls lead to."""
    order = np.argsort(after, axis=1, kind="stable")
    ends = np.take_along_axis(after, order, axis=1)
    fresh = np.ones(after.shape, dtype=np.bool_)
    fresh[:, 1:] = ends[:, 1:] != ends[:, :-1]
    firsts = np.flatnonzero(fresh)
    weights = np.array(WEIGHTS)[order].ravel()
    # Whole numbers are added up, so that the chances are as exact as division.
    sums = np.add.reduceat(weights, firsts) if len(firsts) else weights
    turns = np.concatenate([[0, 0], np.cumsum(fresh.sum(axis=1))])
    options = np.arange(len(firsts) + 1)
    return Turns(turns, sums / THROWS, options, ends.ravel()[firsts])
