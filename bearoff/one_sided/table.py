r"""One-sided table: distributions of the number of rolls under fewest-rolls play.

A player who minimises the mean number of rolls to bear off plays in the same way against
every opponent. The mean number :math:`m(x)` of rolls of position :math:`x` satisfies

.. math:: m(0) = 0, \quad
          m(x) = 1 + \tfrac{1}{36} \sum_r w_r \min_{t \in S(x, r)} m(t)

The sum is over the 21 rolls r, which represent :math:`w_r` of the 36 throws. :math:`S(x,
r)` is the set of positions after the legal plays of roll r. Every play lowers the pip count
and the position number. The equations are therefore solved once for each position, in
ascending order of pip count or position number.

Plays whose means differ by less than `TIE` rolls count as equal, because the difference is
due to rounding. Among equal plays, the lowest position number is chosen, so that all
results are the same on every machine.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bearoff import html
from bearoff.one_sided.build import solve_policy
from bearoff.one_sided.convolution import convolve, tail_sums
from bearoff.one_sided.encoding import UNIT, CodedRows, first_off
from bearoff.one_sided.solve_numpy import TIE
from bearoff.plays import PolicyArray, number_type, pip_levels, rank_steps
from bearoff.positions import rank_terms, sides
from bearoff.rolls import DICE, HOME, PIPS_PER_ROLL
from bearoff.runtime import check_memory
from bearoff.storage import CheckedArrays

if TYPE_CHECKING:
    from bearoff.one_sided.convolving import PaddedDistributions

_PAIRS_AT_ONCE = 4096
"""Number of pairs of positions whose distributions are decoded at once, to limit memory."""

_ROUNDING = 1e-12
"""Upper bound on the rounding error of a sum of a few dozen products of probabilities."""

_MANY = 1 << 15
"""Number of pairs in one call above which converting the distributions for compiled code
saves time."""

_VERY_MANY = 1 << 22
"""Number of pairs, in all calls so far, above which loading the compiler saves time."""

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OneSidedTable:
    """One-sided table: number of rolls to bear off and best plays for every position.

    A table of up to `bearoff.one_sided.estimate.SMALL` positions stores all arrays in full.
    A larger table stores mean numbers of rolls in full, standard deviations in single
    precision with a relative error of up to 6e-8, and distributions in 16 bits per
    probability with an error of up to ``2**-16`` (see `bearoff.one_sided.encoding`).
    Methods whose names end in ``_of``, and `fewest_rolls_win_probability`, read only the
    requested positions. `policy` and `distribution` of a large table are computed for all
    positions at first use.

    A block of a large table is verified by its checksum when it is first read. Attributes
    and methods raise `TableError` if their data are damaged.

    Parameters
    ----------
    points, checkers : int
        Number of points and maximum number of checkers.
    arrays : mapping of str to CheckedArray
        Arrays as returned by `bearoff.one_sided.build.build_arrays`.
    """

    points: int
    checkers: int
    arrays: CheckedArrays = field(repr=False)
    _asked: Counter[str] = field(default_factory=Counter, repr=False)

    def _repr_html_(self) -> str:
        size = f"{self.checkers} checkers on {self.points} points"
        return html.facts(
            {
                "one-sided table": f"up to {size}",
                "positions": f"{len(self):,}",
                "largest EPC in pips": f"{self.mean_rolls.max() * PIPS_PER_ROLL:.2f}",
            }
        )

    def __len__(self) -> int:
        return len(self.arrays["mean_rolls"])

    def __reduce__(self) -> tuple[type[OneSidedTable], tuple[int, int, CheckedArrays]]:
        return OneSidedTable, (self.points, self.checkers, self.arrays)

    @property
    def mean_rolls(self) -> Float64Array:
        """Mean number of rolls to bear off, float64, shape (positions,)."""
        return self.arrays["mean_rolls"].read_all()

    @cached_property
    def std_rolls(self) -> Float64Array:
        """Standard deviation of the number of rolls, float64, shape (positions,)."""
        return _read_only(
            self.arrays["std_rolls"].read_all().astype(np.float64, copy=False)
        )

    @cached_property
    def policy(self) -> PolicyArray:
        """Position number after the fewest-rolls play of each roll.

        The array has type uint16 or uint32 and shape (positions, 21), with the rolls in the
        order of `bearoff.ROLLS`. For a large table, it is computed at first use, which
        takes half as long as the build.

        Raises
        ------
        TableError
            If the array does not fit into memory.
        """
        if "policy" in self.arrays:
            return self.arrays["policy"].read_all()
        size = number_type(len(self))().itemsize * len(DICE)
        self._refuse_beyond_memory("policy", size, "policy_of")
        return _read_only(solve_policy(self.points, self.checkers))

    @cached_property
    def distribution(self) -> Float64Array:
        """Probability of each number of rolls, float64, shape (positions, most rolls + 1).

        ``distribution[x, n]`` is the probability that position ``x`` needs exactly ``n``
        rolls. Each row sums to 1 within 1e-14. For a large table, the last columns may all
        be 0.

        Raises
        ------
        TableError
            If the array does not fit into memory.
        """
        if "distribution" in self.arrays:
            return self.arrays["distribution"].read_all()
        self._refuse_beyond_memory("distributions", 8 * self._width, "distribution_of")
        rows = np.empty((len(self), self._width))
        for start in range(0, len(self), _PAIRS_AT_ONCE):
            numbers = np.arange(start, min(start + _PAIRS_AT_ONCE, len(self)))
            rows[numbers] = self._rows_of(numbers)
        return _read_only(rows)

    @cached_property
    def most_rolls(self) -> NDArray[np.int8]:
        """Maximum number of rolls under fewest-rolls play, int8, shape (positions,)."""
        needed = self.distribution > 0
        return _read_only(
            (needed.shape[1] - 1 - needed[:, ::-1].argmax(axis=1)).astype(np.int8)
        )

    @cached_property
    def epc(self) -> Float64Array:
        """Effective pip count of every position, in pips, shape (positions,)."""
        return _read_only(self.mean_rolls * PIPS_PER_ROLL)

    @cached_property
    def pips(self) -> NDArray[np.int16]:
        """Pip count of every position, shape (positions,)."""
        return _read_only(pip_levels.pip_counts(self.points, self.checkers))

    def mean_rolls_of(self, numbers: sides.Sides) -> Float64Array:
        """Return the mean number of rolls of each position, in the shape of `numbers`.

        Raises
        ------
        PositionError
            If a number is not an integer or not in the table. All methods raise this error.
        """
        return self.arrays["mean_rolls"].take(self._numbers(numbers))

    def std_rolls_of(self, numbers: sides.Sides) -> Float64Array:
        """Return the standard deviation of each position's number of rolls, float64."""
        found = self.arrays["std_rolls"].take(self._numbers(numbers))
        return found.astype(np.float64, copy=False)

    def epc_of(self, numbers: sides.Sides) -> Float64Array:
        """Return the effective pip count of each position, in pips.

        Examples
        --------
        >>> import bearoff
        >>> table = bearoff.one_sided_table()
        >>> table.epc_of(bearoff.rank([5, 4, 0, 0, 0, 0])).round(3)
        np.float64(36.016)
        """
        return self.mean_rolls_of(numbers) * PIPS_PER_ROLL

    def policy_of(self, numbers: sides.Sides) -> PolicyArray:
        """Return position numbers after the fewest-rolls plays, shape (..., 21)."""
        wanted = self._numbers(numbers)
        if "policy" in self.arrays or "policy" in vars(self):
            return self.policy[wanted]
        from bearoff.plays import kernels

        game = (
            rank_terms(self.points, self.checkers),
            rank_steps(self.points, self.checkers),
        )
        picks = np.empty((wanted.size, len(DICE)), dtype=number_type(len(self)))
        kernels.choose_least(
            *(*game, HOME, DICE, self.mean_rolls, TIE, wanted.ravel(), picks)
        )
        return picks.reshape(*wanted.shape, len(DICE))

    def distribution_of(self, numbers: sides.Sides) -> Float64Array:
        """Return distributions of the number of rolls, shape (..., most rolls + 1).

        Examples
        --------
        Two checkers on the 2 point need a second roll only after one of the ten throws with
        exactly one 1:

        >>> import bearoff
        >>> table = bearoff.one_sided_table()
        >>> table.distribution_of(bearoff.rank([0, 2, 0, 0, 0, 0]))[:4].round(4)
        array([0.    , 0.7222, 0.2778, 0.    ])
        """
        wanted = self._numbers(numbers)
        rows = self._rows_of(wanted.ravel())
        return rows.reshape(*wanted.shape, rows.shape[-1])

    @property
    def chance_error(self) -> float:
        """Maximum error of the probabilities that `fewest_rolls_win_probability` returns.

        Probabilities from a small table have only the rounding error of float64. A large
        table encodes the distributions in 16 bits, and each of the two distributions adds
        an error of up to ``2**-17``.
        """
        return _ROUNDING if "distribution" in self.arrays else 1.0 / UNIT

    def fewest_rolls_win_probability(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> Float64Array:
        """Return the roller's win probability if both players make fewest-rolls plays.

        Parameters
        ----------
        rollers, opponents : array_like of int, broadcast against each other
            Position numbers of the roller and of the opponent; number 0 is the position
            without checkers.

        Returns
        -------
        ndarray of float64
            Convolution of the distributions of both players' numbers of rolls, from the
            roller's viewpoint before the roll. It differs from the optimal win probability
            by up to 0.014.

        Raises
        ------
        PositionError
            If a number is not an integer or not in the table, or the shapes cannot be
            broadcast.
        """
        x, y = sides.pairs(rollers, opponents, self.points, self.checkers)
        shape = x.shape
        x, y = x.ravel(), y.ravel()
        if "distribution" in self.arrays:
            self._asked["pairs"] += x.size
            compiled = "numba" in sys.modules or self._asked["pairs"] >= _VERY_MANY
            if compiled and x.size >= _MANY:
                return self._convolve_many(x, y).reshape(shape)
            rows = self.distribution
            # Computing the tail sums of the whole table saves time only if there are many
            # pairs.
            tails = self._at_least if x.size > len(self) // 100 else None
            return convolve(rows, rows, x, y, tails).reshape(shape)
        wins = np.empty(x.size)
        for start in range(0, x.size, _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            wins[part] = first_off(self.arrays, x[part], y[part])
        return wins.reshape(shape)

    def _convolve_many(
        self, rollers: NDArray[np.int64], opponents: NDArray[np.int64]
    ) -> Float64Array:
        from bearoff.one_sided import convolving

        wins = np.empty(rollers.size)
        convolving.convolve(self._laid_out, rollers, opponents, wins)
        return wins

    @cached_property
    def _laid_out(self) -> PaddedDistributions:
        from bearoff.one_sided import convolving

        return convolving.rows_of(self.distribution, self._at_least)

    @cached_property
    def _at_least(self) -> Float64Array:
        return tail_sums(self.distribution)

    def _numbers(self, positions: sides.Sides) -> NDArray[np.int64]:
        return sides.numbers(positions, self.points, self.checkers)

    @property
    def _width(self) -> int:
        """Number of columns of the decoded distributions of a compressed table."""
        return pip_levels.most_rolls(self.points * self.checkers, self.checkers) + 1

    def _rows_of(self, numbers: NDArray[np.int64]) -> Float64Array:
        if "distribution" in self.arrays:
            return self.distribution[numbers]
        return CodedRows(self.arrays, numbers).rows(self._width)

    def _refuse_beyond_memory(self, name: str, row_bytes: int, instead: str) -> None:
        check_memory(
            f"the {name} of all {len(self):,} positions",
            row_bytes * len(self),
            f"use {instead} for the positions that you need",
        )


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
