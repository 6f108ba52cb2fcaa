"""Policies, which choose one play for each position and roll, and lists of all plays."""

from __future__ import annotations

import sys
from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import TableError
from bearoff.plays import plain
from bearoff.positions import check_size, position_count, rank_terms
from bearoff.rolls import DICE, HOME, THROWS, WEIGHTS

Float64Array = NDArray[np.float64]
PolicyArray = NDArray[np.unsignedinteger]


class Successors(NamedTuple):
    """Positions after the plays of each roll, for all positions, in one flat array.

    Attributes
    ----------
    offsets : ndarray of int64, shape (positions * 21 + 1,)
        The positions after roll ``r`` in position ``x`` are ``numbers[offsets[21 * x + r]:
        offsets[21 * x + r + 1]]``, with rolls in the order of `bearoff.ROLLS`.
    numbers : ndarray of uint16 or uint32
        Position numbers after the plays, in ascending order for each roll. Position 0,
        without checkers, leads only to itself.
    """

    offsets: NDArray[np.int64]
    numbers: PolicyArray

    def reachable(self, origins: tuple[int, ...]) -> NDArray[np.int64]:
        """Return the numbers of `origins` and of all positions reachable from them.

        Examples
        --------
        >>> successors(6, 2).reachable((2, 7)).tolist()
        [0, 2, 7]
        """
        from bearoff.plays import kernels

        found = np.zeros(max(origins) + 1, dtype=bool)
        found[[0, *origins]] = True
        kernels.mark_reachable(self.offsets, self.numbers, found)
        return np.flatnonzero(found)

    def up_to(self, size: int) -> Successors:
        """Return the plays of the positions with numbers below `size`.

        No play leads to a higher position number, so the result is complete.
        """
        offsets = self.offsets[: size * len(DICE) + 1]
        if len(offsets) == len(self.offsets):
            return self
        return Successors(
            offsets, self.numbers[: offsets[-1]].astype(number_type(size), copy=False)
        )


def number_type(size: int) -> type[np.unsignedinteger]:
    """Return uint16 if it can represent `size` position numbers; otherwise uint32."""
    return np.uint16 if size <= 1 << 16 else np.uint32


def rank_steps(points: int, checkers: int) -> NDArray[np.int64]:
    """Return ``terms[i, r] - terms[i, r - 1]``, where ``terms`` is from `rank_terms`."""
    terms = rank_terms(*check_size(points, checkers))
    steps = np.zeros_like(terms)
    steps[:, 1:] = np.diff(terms, axis=1)
    return steps


def successors(points: int, checkers: int) -> Successors:
    """Return the distinct positions after each roll, for all positions of a table.

    Examples
    --------
    >>> len(successors(1, 1).numbers)  # 2 positions, 21 rolls, one way to play each
    42
    """
    size = position_count(points, checkers)  # raises an error for an impossible size
    for (listed, most), table in _listed:
        if listed == points and most >= checkers:
            return table.up_to(size)
    if size <= _PLAIN and "numba" not in sys.modules:
        offsets, numbers = plain.list_successors(int(points), int(checkers))
        table = Successors(offsets, numbers.astype(number_type(size)))
    else:
        table = _list_successors(int(points), int(checkers), size)
    _listed.appendleft(((int(points), int(checkers)), table))
    return table


_LISTED = 200
"""Number of plays, over all 21 rolls, for which memory is initially reserved for each
position. With 15 checkers, a position has 170 plays on average."""

_PLAIN = 5_100
"""Maximum number of positions for which plays are listed with numpy if no kernel has been
compiled yet, because compiling takes longer."""

_listed: deque[tuple[tuple[int, int], Successors]] = deque(maxlen=2)
"""Recently used tables, most recent first: their numbers of points and checkers, and the
positions after each roll."""


def _list_successors(points: int, checkers: int, size: int) -> Successors:
    from bearoff.plays import kernels

    terms, steps = rank_terms(points, checkers), rank_steps(points, checkers)
    offsets = np.zeros(size * len(DICE) + 1, dtype=np.int64)
    numbers = np.zeros(0, dtype=number_type(size))
    room = len(DICE) * kernels.successor_room(points)  # enough for one position's plays
    done = 0
    while done < size:
        more = np.zeros(max(len(numbers) // 2, room + _LISTED * size), number_type(size))
        numbers = np.concatenate([numbers[: offsets[len(DICE) * done]], more])
        listing = terms, steps, HOME, DICE, done, offsets, numbers
        done = kernels.list_successors(*listing)
    return Successors(offsets, numbers[: offsets[-1]].copy())


def reached(
    origin: int, points: int, checkers: int, most: int
) -> tuple[NDArray[np.int64], Successors]:
    """Return all positions that can be reached from a position on more than six points.

    Parameters
    ----------
    origin : int
        Position number of the start, on a board of `points` points.
    points, checkers : int
        Number of points, and maximum number of checkers of a position.
    most : int
        Maximum number of reachable positions.

    Returns
    -------
    numbers : ndarray of int64, shape (positions,)
        Numbers of all positions that can be reached, in ascending order.
    successors : Successors
        Positions after each roll, as indices into `numbers`.

    Raises
    ------
    TableError
        If more than `most` positions can be reached.

    Examples
    --------
    A checker on the 8 point comes home or, with three of the doubles, is borne off:

    >>> numbers, table = reached(8, 8, 1, 100)
    >>> numbers.tolist()
    [0, 1, 2, 3, 4, 5, 8]
    """
    found, new = np.zeros(1, dtype=np.int64), np.array([origin], dtype=np.int64)
    listed = [(found, *_listed_of(found, points, checkers))]
    while len(new):
        found = np.union1d(found, new)
        if len(found) > most:
            raise TableError(
                f"more than {most:,} positions on {points} points can be reached"
            )
        listed.append((new, *_listed_of(new, points, checkers)))
        new = np.setdiff1d(listed[-1][2], found)
    numbers = np.concatenate([part[0] for part in listed])
    lengths = np.concatenate([np.diff(part[1]) for part in listed])
    successors_of = np.concatenate([part[2] for part in listed])
    offsets = np.concatenate([[0], lengths.cumsum()])
    # The search lists positions in no fixed order, so the arrays are sorted by position
    # number.
    rolls, order = len(DICE), np.argsort(numbers)
    rows = (order[:, None] * rolls + np.arange(rolls)).ravel()
    ends = lengths[rows].cumsum()
    gather = np.arange(ends[-1]) + np.repeat(
        offsets[rows] - (ends - lengths[rows]), lengths[rows]
    )
    places = np.searchsorted(found, successors_of[gather])
    kind = number_type(len(found))
    return found, Successors(np.concatenate([[0], ends]), places.astype(kind))


def _listed_of(
    some: NDArray[np.int64], points: int, checkers: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions after each roll for given positions, as in `Successors`."""
    from bearoff.plays import kernels

    terms, steps = rank_terms(points, checkers), rank_steps(points, checkers)
    offsets = np.zeros(len(some) * len(DICE) + 1, dtype=np.int64)
    room = len(DICE) * kernels.successor_room(points)  # enough for one position's plays
    numbers = np.zeros(room + _LISTED * len(some), dtype=np.int64)
    done = 0
    while True:
        listing = terms, steps, HOME, DICE, some, done, offsets, numbers
        done = kernels.list_successors_of(*listing)
        if done == len(some):
            return offsets, numbers[: offsets[-1]].copy()
        more = np.zeros(max(len(numbers) // 2, room), dtype=np.int64)
        numbers = np.concatenate([numbers, more])


def least_score_policy(
    scores: ArrayLike, points: int, checkers: int, first: int = 0
) -> PolicyArray:
    """Return the policy that always chooses the position with the lowest score.

    Parameters
    ----------
    scores : array_like of float or int, shape (positions,)
        Score of each position after a play. Among equal scores, the lowest position number
        is chosen.
    points, checkers : int
        Number of points and maximum number of checkers.
    first : int
        Lowest position number for which plays are chosen. The policy is 0 for lower
        position numbers.

    Returns
    -------
    ndarray of uint16 or uint32, shape (positions, 21)
        Position number after the play of each roll, in the form of `OneSidedTable.policy`.

    Raises
    ------
    TableError
        If `scores` does not have one real number per position.
    """
    from bearoff.plays import kernels

    size = position_count(points, checkers)
    array = np.ascontiguousarray(checks.reals(scores, "scores", error=TableError))
    if array.shape != (size,):
        raise TableError(
            f"the scores for {points} points and {checkers} checkers must have shape "
            f"({size},), got {array.shape}"
        )
    policy = np.zeros((size, len(DICE)), dtype=number_type(size))
    terms, steps = rank_terms(points, checkers), rank_steps(points, checkers)
    chosen = np.arange(first, size)
    kernels.choose_least(terms, steps, HOME, DICE, array, 0.0, chosen, policy[first:])
    return policy


def check_policy(policy: ArrayLike) -> NDArray[np.integer]:
    """Check a policy; return it as an array of integers, shape (positions, 21).

    Raises
    ------
    TableError
        If the shape or type of the policy is wrong, or if it contains a position number
        that is not in the table.
    """
    array = checks.integers(policy, "the position numbers of a policy", TableError)
    if array.ndim != 2 or array.shape[1] != len(DICE):
        raise TableError(
            f"a policy must be an integer array with {len(DICE)} position numbers for each "
            f"position, got shape {array.shape} and type {array.dtype}"
        )
    checks.numbers_below(array, len(array), "the position numbers of a policy", TableError)
    return array


def policy_distribution(policy: PolicyArray) -> Float64Array:
    """Return the distribution of the number of rolls of every position under a policy.

    Parameters
    ----------
    policy : ndarray of int, shape (positions, 21)
        Position number after the play of each roll.

    Returns
    -------
    ndarray of float64, shape (positions, most rolls + 1)
        Probabilities of exactly 0, 1, ... rolls to bear off, with one row per position
        number.

    Raises
    ------
    TableError
        If the shape of `policy` is wrong, or if a play does not lower the position number.
    """
    numbers = check_policy(policy)
    positions = np.arange(len(numbers))
    wrong = numbers >= np.maximum(positions, 1)[:, None]
    if wrong.any():
        position, roll = (int(i) for i in np.argwhere(wrong)[0])
        raise TableError(
            "the policy must lower the position number with every play, but it plays "
            f"position {position} to {numbers[position, roll]}"
        )
    weights = np.array(WEIGHTS) / THROWS
    chosen = np.ascontiguousarray(numbers.T, dtype=np.intp)
    column = np.zeros(len(numbers))
    column[0] = 1.0
    columns = []
    # The loop computes the probabilities of n + 1 rolls from those of n rolls.
    while column.any():
        columns.append(column)
        before, column = column, np.zeros(len(numbers))
        for weight, after in zip(weights, chosen, strict=True):
            column += weight * before[after]
        column[0] = 0.0
    return np.stack(columns, axis=1)


def play_distribution(choices: Successors) -> Float64Array:
    """Return distributions of the number of rolls if all plays are equally probable."""
    from bearoff.plays import distribution_kernels as kernels

    checks.instance(choices, "choices", Successors, TableError)
    weights = np.array(WEIGHTS, dtype=np.float64)
    longest = kernels.longest_bear_off(choices.offsets, choices.numbers)
    rows = np.zeros((len(longest), int(longest.max()) + 1))
    kernels.fill_distributions(choices.offsets, choices.numbers, weights, rows)
    return rows
