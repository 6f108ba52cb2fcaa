r"""Bear-in model: plays and mean numbers of rolls if checkers are outside the home board.

A one-sided table of all 24 points would have 25,140,840,660 positions. For positions with
checkers outside the home board, a small model of the wastage therefore estimates the mean
number of rolls. The play of a roll leads to the position with the lowest estimate. When all
checkers are home, the exact table of 6 points is used.

The model is a sum of table look-ups and clipped linear units. The 24 points form eight
triples, and the checkers on a triple select a row of 32 integers. If :math:`s_h` are the
sums of the eight selected rows,

.. math:: \text{wastage}(x) = \sum_t \ell_t(x) + \sum_{h=1}^{32} w_{g,h}
          \min(\max(s_h, 0), 1024)

where :math:`\ell_t` is the linear term of triple t. The weights :math:`w_g` depend on the
number of checkers outside the home board. A move changes the checkers of at most two
triples, so only these terms are updated after a move. All numbers are integers, so the
plays are the same on every machine. `research.training.bear_in` fits the model to games
that it plays itself.
"""

from copy import copy
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.bear_in.coefficients import (
    BOARD,
    CODES,
    GROUPS,
    OUTPUT_PIP,
    PIP,
    TRIPLES,
    VARIANCE_UNITS,
    Coefficients,
    Home,
    ModelArrays,
    load_coefficients,
    triple_codes,
)
from bearoff.errors import PositionError
from bearoff.one_sided import OneSidedTable, one_sided_table
from bearoff.positions import CHECKERS, POINTS, rank, rank_terms
from bearoff.rolls import HOME, PIPS_PER_ROLL, ROLLS

Float64Array = NDArray[np.float64]
Int8Array = NDArray[np.int8]


class KernelArrays(NamedTuple):
    """Arrays of a `BearIn` object that compiled kernels of other packages read.

    Attributes
    ----------
    model : ModelArrays
    home : Home
    variance : ndarray of int64, shape (8 * 4096,)
        Amount that the checkers on three adjacent points add to the variance of the number
        of rolls, in `VARIANCE_UNITS`.
    constant_variance : int
        Variance of an empty board, in `VARIANCE_UNITS`.
    home_stds : ndarray of float64, shape (positions,)
        Standard deviation of the number of rolls of each position with all checkers home.
    """

    model: ModelArrays
    home: Home
    variance: NDArray[np.int64]
    constant_variance: int
    home_stds: Float64Array


class HomeValues(NamedTuple):
    """Plays of a strategy with all checkers home, and the results of these plays.

    Attributes
    ----------
    mean_rolls, epc : ndarray of float64, shape (positions,)
        Mean of the sum that the strategy minimises, such as the number of rolls: in rolls,
        and multiplied by 49/6 in pips.
    std_rolls : ndarray of float64, shape (positions,)
        Standard deviation of the number of rolls whose mean the strategy minimises.
    policy : ndarray of uint16, shape (positions, 21)
        Position number after the play of each roll.
    """

    mean_rolls: Float64Array
    epc: Float64Array
    std_rolls: Float64Array
    policy: NDArray[np.unsignedinteger]


class BearIn:
    """Estimator of plays and mean numbers of rolls, with checkers anywhere on the board.

    Parameters
    ----------
    coefficients : Coefficients
        Coefficients of the bear-in model.
    home : OneSidedTable or HomeValues
        One-sided table of 6 points and 15 checkers, or the values of another strategy for
        positions with all checkers home.
    """

    def __init__(
        self, coefficients: Coefficients, home: OneSidedTable | HomeValues
    ) -> None:
        places = (np.arange(TRIPLES)[:, None] * CODES + triple_codes()).ravel()
        rows = np.zeros((TRIPLES * CODES, coefficients.rows.shape[1]), dtype=np.int16)
        rows[places] = coefficients.rows
        lines = np.zeros(TRIPLES * CODES, dtype=np.int64)
        lines[places] = coefficients.lines
        self._variance = np.zeros(TRIPLES * CODES, dtype=np.int64)
        self._variance[places] = coefficients.variance
        self._model = ModelArrays(
            rows,
            lines,
            coefficients.weights,
            GROUPS,
            coefficients.start,
            int(coefficients.constants[0]),
        )
        self._constant_variance = int(coefficients.constants[1])
        self._codes = places
        # The arrays are copied, so that they have the same memory layout whether the table
        # was stored or newly built.
        self._home = Home(
            terms=np.array(rank_terms(POINTS, CHECKERS)),
            scores=np.rint(home.epc * PIP).astype(np.int64),
            means=np.array(home.mean_rolls),
            policy=np.array(home.policy),
        )
        self._home_stds = np.array(home.std_rolls)

    @property
    def arrays(self) -> KernelArrays:
        """Arrays of the model that compiled kernels of other packages read."""
        return KernelArrays(
            self._model,
            self._home,
            self._variance,
            self._constant_variance,
            self._home_stds,
        )

    def epc(self, counts: ArrayLike) -> Float64Array:
        """Return the effective pip counts of positions, exact if all checkers are home.

        Parameters
        ----------
        counts : array_like of int, shape (..., 24)
            Number of checkers on the 1 point, 2 point, ... of each position, at most 15 in
            total.

        Returns
        -------
        ndarray of float64, shape (...)
            Effective pip counts in pips.

        Raises
        ------
        PositionError
            If `counts` has a wrong shape, or an impossible number of checkers.

        Examples
        --------
        The first position has five checkers on each of the 6, 5 and 4 points. The second
        position has four checkers on each of these points, and three on the midpoint.

        >>> home = [0, 0, 0, 5, 5, 5] + 18 * [0]
        >>> away = [0, 0, 0, 4, 4, 4] + 6 * [0] + [3] + 11 * [0]
        >>> [round(float(epc), 1) for epc in bear_in().epc([home, away])]
        [82.3, 106.4]
        """
        return self.mean_rolls(counts) * PIPS_PER_ROLL

    def mean_rolls(self, counts: ArrayLike) -> Float64Array:
        """Return the mean numbers of rolls to bear off, which are EPCs divided by 49/6."""
        positions = check_counts(counts)
        flat = positions.reshape(-1, BOARD)
        means = np.empty(len(flat))
        at_home = ~flat[:, HOME:].any(axis=1)
        means[at_home] = self._home.means[rank(flat[at_home, :HOME])]
        if not at_home.all():
            # Importing numba is slow and not needed for positions with all checkers home.
            from bearoff.bear_in import kernels

            scores = np.empty(np.count_nonzero(~at_home), dtype=np.int64)
            kernels.score(self._model, self._home, flat[~at_home], scores)
            means[~at_home] = scores / (PIPS_PER_ROLL * PIP)
        shaped: Float64Array = means.reshape(positions.shape[:-1])
        return shaped

    def std_rolls(self, counts: ArrayLike) -> Float64Array:
        """Return the standard deviations of the number of rolls to bear off.

        Parameters
        ----------
        counts : array_like of int, shape (..., 24)
            Number of checkers on the 1 point, 2 point, ... of each position, at most 15 in
            total.

        Returns
        -------
        ndarray of float64, shape (...)
            Standard deviations in rolls.
        """
        positions = check_counts(counts)
        flat = positions.reshape(-1, BOARD)
        triples = flat.reshape(-1, TRIPLES, 3).astype(np.int64)
        codes = (triples[..., 0] * 16 + triples[..., 1]) * 16 + triples[..., 2]
        codes += np.arange(TRIPLES) * CODES
        variance = self._constant_variance + self._variance[codes].sum(axis=1)
        stds = np.sqrt(np.maximum(variance, 0) / VARIANCE_UNITS)
        at_home = ~flat[:, HOME:].any(axis=1)
        stds[at_home] = self._home_stds[rank(flat[at_home, :HOME])]
        shaped: Float64Array = stds.reshape(positions.shape[:-1])
        return shaped

    def expand(
        self,
        counts: Int8Array,
        after: Int8Array | None = None,
        mean_rolls: Float64Array | None = None,
    ) -> tuple[Int8Array, Float64Array]:
        """Play every roll so that the mean number of remaining rolls is as low as possible.

        Among equally good plays, the play to the lowest position number is chosen. Several
        threads may call this method at the same time if their arrays do not overlap.

        Parameters
        ----------
        counts : ndarray of int8, shape (n, 24), C-contiguous
            Number of checkers on the 1 point, 2 point, ...; nonnegative and at most 15 in
            total, which is not checked.
        after : ndarray of int8, shape (n, 21, 24), C-contiguous, optional
            Output array for the positions after the plays.
        mean_rolls : ndarray of float64, shape (n, 21), C-contiguous, optional
            Output array for the mean numbers of rolls.

        Returns
        -------
        after : ndarray of int8, shape (n, 21, 24)
            Position after the play of each roll, in the order of `bearoff.ROLLS`. A
            position without checkers does not change.
        mean_rolls : ndarray of float64, shape (n, 21)
            Mean number of rolls after each play; exact if all checkers are home.

        Raises
        ------
        PositionError
            If the shape, type or memory layout of an array is wrong.
        """
        from bearoff.bear_in import kernels

        if np.ndim(counts) != 2:
            raise PositionError(
                f"counts must have shape (n, {BOARD}), got {np.shape(counts)}"
            )
        n = len(counts)
        if after is None:
            after = np.empty((n, len(ROLLS), BOARD), dtype=np.int8)
        if mean_rolls is None:
            mean_rolls = np.empty((n, len(ROLLS)))
        _check_layout("counts", counts, (n, BOARD), np.int8)
        _check_layout("after", after, (n, len(ROLLS), BOARD), np.int8)
        _check_layout("mean_rolls", mean_rolls, (n, len(ROLLS)), np.float64)
        kernels.expand(self._model, self._home, counts, after, mean_rolls)
        return after, mean_rolls

    def leaning(self, pips: Float64Array) -> "BearIn":
        """Return an estimator that adds a penalty for each checker, depending on its point.

        Parameters
        ----------
        pips : ndarray of float64, shape (24,)
            Penalty, in pips, for each checker on the 1 point, 2 point, ... It applies to
            positions with a checker outside the home board.

        Returns
        -------
        BearIn
            Estimator whose mean numbers of rolls include the penalty.
        """
        leaning = copy(self)
        codes = triple_codes()
        counts = np.stack([codes >> 8, codes >> 4 & 15, codes & 15])
        more = pips.reshape(TRIPLES, 3) @ counts  # Axes: triple, code.
        lines = self._model.lines.copy()
        lines[self._codes] += np.rint(more.ravel() * OUTPUT_PIP).astype(np.int64)
        leaning._model = self._model._replace(lines=lines)
        return leaning


def _check_layout(
    name: str, array: NDArray[Any], shape: tuple[int, ...], dtype: type
) -> None:
    checks.instance(array, name, np.ndarray)
    if array.shape != shape or array.dtype != dtype or not array.flags.c_contiguous:
        raise PositionError(
            f"{name} must be a C-contiguous array of {np.dtype(dtype)} and shape "
            f"{shape}, got {array.dtype} and {array.shape}"
        )


def check_counts(counts: ArrayLike) -> Int8Array:
    """Check checker counts; return them as a contiguous int8 array of shape (..., 24).

    Raises
    ------
    PositionError
        If a count is not an integer or is negative, or a position does not have 24 points
        or has more than 15 checkers.
    """
    array = checks.integers(counts, "counts")
    if array.ndim == 0 or array.shape[-1] != BOARD:
        raise PositionError(
            f"counts must have {BOARD} points for each side, got an array of shape "
            f"{array.shape}; bearoff.bear_in.widen adds the missing points"
        )
    if array.size and (array.min() < 0 or array.max() > CHECKERS):
        bad = array[(array < 0) | (array > CHECKERS)].flat[0]
        raise PositionError(
            f"the number of checkers on a point must be from 0 to {CHECKERS}, got {bad}"
        )
    if array.size and (most := array.sum(axis=-1, dtype=np.int64).max()) > CHECKERS:
        raise PositionError(f"a side may have at most {CHECKERS} checkers, got {most}")
    return np.ascontiguousarray(array, dtype=np.int8)


def widen(counts: ArrayLike) -> Int8Array:
    """Pad checker counts of fewer points with zeros to 24 points.

    Examples
    --------
    >>> int(widen([[0, 0, 0, 5, 5, 5]]).sum()), widen([[0, 0, 0, 5, 5, 5]]).shape
    (15, (1, 24))
    """
    array = checks.integers(counts, "counts")
    if array.ndim == 0 or array.shape[-1] > BOARD:
        raise PositionError(
            f"a side may have at most {BOARD} points, got an array of shape {array.shape}"
        )
    wide = np.zeros((*array.shape[:-1], BOARD), dtype=array.dtype)
    wide[..., : array.shape[-1]] = array
    return check_counts(wide)


@lru_cache(maxsize=1)
def bear_in() -> BearIn:
    """Return the bear-in model, which is loaded on the first call.

    Raises
    ------
    TableError
        If the model's file is damaged.
    """
    return BearIn(load_coefficients(), one_sided_table())
