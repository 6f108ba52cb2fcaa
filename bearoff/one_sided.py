r"""The one-sided table: each position's roll distribution under fewest-rolls play.

A side that only minimises its own mean number of rolls plays the same whatever the
opponent does. With :math:`m(x)` the mean rolls of position :math:`x`,

.. math:: m(0) = 0, \quad
          m(x) = 1 + \tfrac{1}{36} \sum_r w_r \min_{t \in S(x, r)} m(t)

over the 21 rolls ``r`` of weight ``w_r`` and the successors ``S(x, r)``. A play lowers
the pip count and the number of the position, so one pass up either order solves it.

Plays whose means differ by less than `TIE` rolls are equal but for rounding: of them
the successor with the lowest number is chosen. That makes the policy, and everything
that follows from it, the same on every machine.
"""

import itertools
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff.convolution import first_off_probability, tail_sums
from bearoff.errors import PositionError, TableError
from bearoff.numbering import (
    CHECKERS,
    POINTS,
    check_numbers,
    position_count,
    rank_terms,
    unrank,
)
from bearoff.policies import PolicyArray, number_type, policy_distribution, rank_steps
from bearoff.rolls import DICE, HOME, PIPS_PER_ROLL, WEIGHTS
from bearoff.store import Arrays, load_or_build

TIE = 1e-12
"""Mean rolls closer than this count as equal.

Of 6 points and 15 checkers, rounding errors stay below 1e-14 and no two plays differ by
less than 3.7e-7 rolls unless they are equal (both found in whole fractions).
"""

VERSION = 1
"""Raised whenever the arrays of a table change, which makes kept ones stale."""

LARGEST = 20_000_000
"""Most positions of a table; distributions of 12 x 15 take 9 GB."""

LARGEST_TAILS = 2**28
"""Bytes of distributions up to which their tail sums are kept in memory as well."""

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OneSidedTable:
    """What fewest-rolls play makes of every position; rows are in the paper's order.

    Attributes
    ----------
    points, checkers : int
        Size of the table.
    mean_rolls : ndarray of float64, shape (positions,)
        Mean number of rolls to bear all checkers off.
    std_rolls : ndarray of float64, shape (positions,)
        Standard deviation of that number.
    policy : ndarray of uint16 or uint32, shape (positions, 21)
        Number of the position that the fewest-rolls play of each roll leads to, rolls
        in the order of `bearoff.ROLLS`.
    distribution : ndarray of float64, shape (positions, most rolls + 1)
        ``distribution[x, n]`` is the chance that position ``x`` needs exactly ``n``
        rolls; each row sums to 1 within 1e-14.
    """

    points: int
    checkers: int
    mean_rolls: Float64Array
    std_rolls: Float64Array
    policy: PolicyArray
    distribution: Float64Array

    def __len__(self) -> int:
        return len(self.mean_rolls)

    @cached_property
    def epc(self) -> Float64Array:
        """Effective pip count of every position, in pips, shape (positions,)."""
        return _read_only(self.mean_rolls * PIPS_PER_ROLL)

    @cached_property
    def pips(self) -> NDArray[np.int16]:
        """Raw pip count of every position, shape (positions,)."""
        return _read_only(pip_counts(self.points, self.checkers))

    def fewest_rolls_win_probability(
        self, rollers: ArrayLike, opponents: ArrayLike
    ) -> Float64Array:
        """Chance that the side on roll bears off first, both playing fewest-rolls.

        Parameters
        ----------
        rollers, opponents : array_like of int, broadcast against each other
            Numbers of the side on roll and of the other; number 0 has borne off.

        Returns
        -------
        ndarray of float64
            The convolution of the two roll distributions, from the roller's side and
            before the roll. Not the optimal win probability, which it misses by up to
            0.014.

        Raises
        ------
        PositionError
            If a number is no whole number or lies outside the table, or the two arrays
            cannot be broadcast against each other.
        """
        x = check_numbers(rollers, len(self))
        y = check_numbers(opponents, len(self))
        try:
            x, y = np.broadcast_arrays(x, y)
        except ValueError as error:
            raise PositionError(
                f"rollers of shape {x.shape} and opponents of shape {y.shape} cannot be "
                "paired"
            ) from error
        # Few pairs do not repay summing the tails of the whole table, and a large table
        # should not take its size in memory again.
        small = self.distribution.nbytes <= LARGEST_TAILS
        tails = self._at_least if small and x.size > len(self) // 100 else None
        wins = first_off_probability(
            self.distribution, self.distribution, x.ravel(), y.ravel(), tails
        )
        return wins.reshape(x.shape)

    @cached_property
    def _at_least(self) -> Float64Array:
        return tail_sums(self.distribution)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def fewest_rolls_win_probability(
    rollers: ArrayLike,
    opponents: ArrayLike,
    points: int = POINTS,
    checkers: int = CHECKERS,
) -> Float64Array:
    """Chance of the side on roll by convolution, from the table of this size.

    See `OneSidedTable.fewest_rolls_win_probability`.

    Examples
    --------
    Two rolls against two rolls, all on the ace:

    >>> import bearoff
    >>> aces = bearoff.rank([4, 0, 0, 0, 0, 0])
    >>> round(float(bearoff.fewest_rolls_win_probability(aces, aces) * 36), 9)
    31.0
    """
    table = one_sided_table(points, checkers)
    return table.fewest_rolls_win_probability(rollers, opponents)


def one_sided_table(points: int = POINTS, checkers: int = CHECKERS) -> OneSidedTable:
    """Return the one-sided table of this size, from the cache or built and kept there.

    Parameters
    ----------
    points, checkers : int
        Size, at most `LARGEST` positions: 6 x 15 (the default) is built in about a
        second, 10 x 15 in about a minute, 12 x 15 in several.

    Raises
    ------
    PositionError, TableError
        If there is no such size, or it is too large.

    Examples
    --------
    Five on the ace and four on the deuce, 4.41 rolls in GNU Backgammon's manual:

    >>> import bearoff
    >>> table = bearoff.one_sided_table()
    >>> round(float(table.mean_rolls[bearoff.rank([5, 4, 0, 0, 0, 0])]), 4)
    4.4101
    """
    return _open_table(points, checkers)


@lru_cache(maxsize=4)
def _open_table(points: int, checkers: int) -> OneSidedTable:
    """Open a table once, however its size was passed to `one_sided_table`."""
    return _table(points, checkers, rebuild=False)


def rebuild_one_sided_table(
    points: int = POINTS, checkers: int = CHECKERS
) -> OneSidedTable:
    """Build the table of this size anew, whatever is kept, and keep it."""
    _open_table.cache_clear()
    return _table(points, checkers, rebuild=True)


def _table(points: int, checkers: int, *, rebuild: bool) -> OneSidedTable:
    size = position_count(points, checkers)
    if size > LARGEST:
        raise TableError(
            f"a one-sided table of {points} points and {checkers} checkers has {size:,} "
            f"positions, more than {LARGEST:,}; use fewer points or checkers"
        )
    arrays = load_or_build(
        f"one-sided-{points:02}x{checkers:02}",
        VERSION,
        lambda: build_arrays(points, checkers),
        rebuild=rebuild,
    )
    return OneSidedTable(points, checkers, **arrays)


def pip_counts(points: int, checkers: int) -> NDArray[np.int16]:
    """Raw pip count of every position in the paper's order, shape (positions,)."""
    counts = unrank(np.arange(position_count(points, checkers)), points, checkers)
    pips = np.zeros(len(counts), dtype=np.int16)
    for point in range(1, points + 1):
        pips += counts[:, point - 1] * np.int16(point)
    return pips


def build_arrays(points: int, checkers: int) -> Arrays:
    """Solve a table of this size from nothing; see `OneSidedTable` for the arrays."""
    from bearoff import kernels  # Compiled code is loaded only where a table is built.

    terms, steps = rank_terms(points, checkers), rank_steps(points, checkers)
    size = position_count(points, checkers)
    weights = np.array(WEIGHTS, dtype=np.float64)
    mean, second = np.zeros(size), np.zeros(size)
    policy = np.zeros((size, len(DICE)), dtype=number_type(size))

    def solve(level: NDArray[np.int64]) -> None:
        kernels.solve(terms, steps, HOME, DICE, weights, TIE, level, mean, second, policy)

    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    with ThreadPoolExecutor(workers) as pool:
        for level in _levels(points, checkers):
            list(pool.map(solve, np.array_split(level, workers)))
    return {
        "mean_rolls": mean,
        "std_rolls": np.sqrt(np.maximum(second - mean**2, 0.0)),
        "policy": policy,
        "distribution": policy_distribution(policy),
    }


def _levels(points: int, checkers: int) -> Iterator[NDArray[np.int64]]:
    """Yield the position numbers of each pip count from 1 up."""
    pips = pip_counts(points, checkers)
    order = np.argsort(pips, kind="stable")
    ends = np.cumsum(np.bincount(pips))
    for start, end in itertools.pairwise(ends):
        yield order[start:end]
