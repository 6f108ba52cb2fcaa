r"""Bear-in: how a side plays and what it is worth while checkers stand beyond home.

A one-sided table of all 24 points would have 25,140,840,660 positions. Here the mean
rolls of a side beyond its home board are estimated by a small model of its wastage,
and it plays every roll to the position of fewest mean rolls. Once all checkers are home
the table of 6 points takes over, so estimates grow from an exact edge.

The model is a sum of look-ups with one bend. The 24 points are eight triples; the
checkers on a triple name a row of 32 whole numbers. With :math:`s_h` the sums of the
rows of the eight triples,

.. math:: \text{wastage}(x) = \sum_t \ell_t(x) + \sum_{h=1}^{32} w_{g,h}
          \min(\max(s_h, 0), 1024)

where :math:`\ell_t` is the triple's own term and the weights :math:`w_g` go by how many
checkers are outside. A move changes two rows at most, so the next position is valued
from the sums of this one. The numbers are whole, and so are all sums: every machine
and compiler makes the same plays. `bear_in_fit` fits them, by playing.
"""

import struct
import zlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import product
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff.errors import PositionError, TableError
from bearoff.numbering import CHECKERS, POINTS, rank, rank_terms
from bearoff.one_sided import OneSidedTable, one_sided_table
from bearoff.rolls import HOME, PIPS_PER_ROLL, ROLLS

BOARD = 24
"""Points a side's checkers may stand on."""

TRIPLES, CODES = 8, 4096
"""Triples of points, and codes of four bits a point."""

PIP = 1 << 23
"""Score units of a pip: fine enough that no two tabled positions differ by less."""

VARIANCE_UNITS = 1 << 20
"""Units of a squared roll."""

GROUPS = np.array([0, 0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7])
"""Group of weights by the checkers outside, 0 to 15."""

DATA = "bear_in.npz"

_ROWS = TRIPLES * 816
_SHAPES = {
    "rows": ((_ROWS, 32), "int16"),
    "lines": ((_ROWS,), "int32"),
    "start": ((32,), "int16"),
    "weights": ((8, 32), "int16"),
    "variance": ((_ROWS,), "int32"),
    "constants": ((2,), "int32"),
}
"""Shapes and types of `Coefficients`, which compiled code trusts."""

Float64Array = NDArray[np.float64]
Int8Array = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Coefficients:
    """The whole numbers of the model.

    Rows are those of the 816 codes that 15 checkers allow on a triple, triple by triple
    (see `triple_codes`).

    Attributes
    ----------
    rows : ndarray of int16, shape (8 * 816, 32)
        What a triple adds to the sums.
    lines : ndarray of int32, shape (8 * 816,)
        What it adds to the wastage, in 2^-17 pips.
    start : ndarray of int16, shape (32,)
        The sums of an empty board.
    weights : ndarray of int16, shape (8, 32)
        What a sum's unit adds to the wastage, in 2^-17 pips, by group of `GROUPS`.
    variance : ndarray of int32, shape (8 * 816,)
        What a triple adds to the variance of the number of rolls, in 2^-20.
    constants : ndarray of int32, shape (2,)
        Wastage and variance of an empty board, in the same units.
    """

    rows: NDArray[np.int16]
    lines: NDArray[np.int32]
    start: NDArray[np.int16]
    weights: NDArray[np.int16]
    variance: NDArray[np.int32]
    constants: NDArray[np.int32]


class BearIn:
    """Value and play of a side whose checkers may stand anywhere on the board.

    Parameters
    ----------
    coefficients : Coefficients
        Of the model.
    home : OneSidedTable
        The table of 6 points and 15 checkers.
    """

    def __init__(self, coefficients: Coefficients, home: OneSidedTable) -> None:
        places = (np.arange(TRIPLES)[:, None] * CODES + triple_codes()).ravel()
        rows = np.zeros((TRIPLES * CODES, coefficients.rows.shape[1]), dtype=np.int16)
        rows[places] = coefficients.rows
        lines = np.zeros(TRIPLES * CODES, dtype=np.int64)
        lines[places] = coefficients.lines
        self._variance = np.zeros(TRIPLES * CODES, dtype=np.int64)
        self._variance[places] = coefficients.variance
        self._model = (
            rows,
            lines,
            coefficients.weights,
            GROUPS,
            coefficients.start,
            int(coefficients.constants[0]),
        )
        self._constant_variance = int(coefficients.constants[1])
        self._terms = np.array(rank_terms(POINTS, CHECKERS))
        self._home_scores = np.rint(home.epc * PIP).astype(np.int64)
        # Copies: kernels want one layout, whether the table is kept or was just built.
        self._home_means = np.array(home.mean_rolls)
        self._home_stds = np.array(home.std_rolls)
        self._policy = np.array(home.policy)

    def epc(self, counts: ArrayLike) -> Float64Array:
        """Effective pip count of sides: exact with all checkers home, else estimated.

        Parameters
        ----------
        counts : array_like of int, shape (..., 24)
            Checkers on the ace, deuce, ... of each side, at most 15.

        Returns
        -------
        ndarray of float64, shape (...)
            In pips.

        Raises
        ------
        PositionError
            If `counts` is no such array.

        Examples
        --------
        Five checkers on each of the 6, 5 and 4 points, then three of them on the
        midpoint instead:

        >>> home = [0, 0, 0, 5, 5, 5] + 18 * [0]
        >>> away = [0, 0, 0, 4, 4, 4] + 6 * [0] + [3] + 11 * [0]
        >>> [round(float(epc), 1) for epc in bear_in().epc([home, away])]
        [82.3, 106.4]
        """
        return self.mean_rolls(counts) * PIPS_PER_ROLL

    def mean_rolls(self, counts: ArrayLike) -> Float64Array:
        """Mean rolls that sides need; see `epc`, which is 49/6 of them."""
        from bearoff import bear_in_kernels

        positions = check_counts(counts)
        flat = positions.reshape(-1, BOARD)
        scores = np.empty(len(flat), dtype=np.int64)
        bear_in_kernels.score(self._model, self._terms, self._home_scores, flat, scores)
        means = scores / (PIPS_PER_ROLL * PIP)
        at_home = ~flat[:, HOME:].any(axis=1)
        means[at_home] = self._home_means[rank(flat[at_home, :HOME])]
        shaped: Float64Array = means.reshape(positions.shape[:-1])
        return shaped

    def std_rolls(self, counts: ArrayLike) -> Float64Array:
        """Standard deviation of the number of rolls; exact with all checkers home.

        Parameters
        ----------
        counts : array_like of int, shape (..., 24)
            As for `epc`.

        Returns
        -------
        ndarray of float64, shape (...)
            In rolls.
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
        """Play every roll of every side to the fewest mean rolls.

        Of plays that score the same the one with the lowest position number is taken.
        Threads may call this at the same time on arrays of their own.

        Parameters
        ----------
        counts : ndarray of int8, shape (n, 24), C-contiguous
            Checkers on the ace, deuce, ...; trusted to be at most 15 a side, none
            negative.
        after : ndarray of int8, shape (n, 21, 24), C-contiguous, optional
            Filled if given.
        mean_rolls : ndarray of float64, shape (n, 21), C-contiguous, optional
            Filled if given.

        Returns
        -------
        after : ndarray of int8, shape (n, 21, 24)
            The side after its play of each roll, in the order of `bearoff.ROLLS`; a
            side that is off stays off.
        mean_rolls : ndarray of float64, shape (n, 21)
            Mean rolls it needs from there; exact where all checkers are home.

        Raises
        ------
        PositionError
            If an array is not of this shape, type and layout.
        """
        from bearoff import bear_in_kernels

        if counts.ndim != 2:
            raise PositionError(f"counts must have shape (n, {BOARD}), got {counts.shape}")
        n = len(counts)
        if after is None:
            after = np.empty((n, len(ROLLS), BOARD), dtype=np.int8)
        if mean_rolls is None:
            mean_rolls = np.empty((n, len(ROLLS)))
        _check_layout("counts", counts, (n, BOARD), np.int8)
        _check_layout("after", after, (n, len(ROLLS), BOARD), np.int8)
        _check_layout("mean_rolls", mean_rolls, (n, len(ROLLS)), np.float64)
        bear_in_kernels.expand(
            self._model,
            self._terms,
            self._home_scores,
            self._home_means,
            self._policy,
            counts,
            after,
            mean_rolls,
        )
        return after, mean_rolls


def _check_layout(
    name: str, array: NDArray[Any], shape: tuple[int, ...], dtype: type
) -> None:
    if array.shape != shape or array.dtype != dtype or not array.flags.c_contiguous:
        raise PositionError(
            f"{name} must be a C-contiguous array of {np.dtype(dtype)} and shape "
            f"{shape}, got {array.dtype} and {array.shape}"
        )


def check_counts(counts: ArrayLike) -> Int8Array:
    """Return sides as a contiguous int8 array (..., 24), else raise.

    Raises
    ------
    PositionError
        If they are not whole numbers, a side has not 24 points, a point holds a
        negative number or a side more than 15 checkers.
    """
    array = np.asarray(counts)
    if array.dtype.kind not in "iu":
        raise PositionError(f"counts must be whole numbers, got {array.dtype}")
    if array.ndim == 0 or array.shape[-1] != BOARD:
        raise PositionError(
            f"counts must have {BOARD} points to a side, got an array of shape "
            f"{array.shape}; widen shorter ones with bearoff.bear_in.widen"
        )
    if array.size and (array.min() < 0 or array.max() > CHECKERS):
        bad = array[(array < 0) | (array > CHECKERS)].flat[0]
        raise PositionError(f"a point holds 0 to {CHECKERS} checkers, got {bad}")
    if array.size and (most := array.sum(axis=-1, dtype=np.int64).max()) > CHECKERS:
        raise PositionError(f"a side has at most {CHECKERS} checkers, got {most}")
    return np.ascontiguousarray(array, dtype=np.int8)


def widen(counts: ArrayLike) -> Int8Array:
    """Return sides of fewer points as sides of 24.

    Examples
    --------
    >>> int(widen([[0, 0, 0, 5, 5, 5]]).sum()), widen([[0, 0, 0, 5, 5, 5]]).shape
    (15, (1, 24))
    """
    array = np.asarray(counts)
    if array.ndim == 0 or array.shape[-1] > BOARD:
        raise PositionError(
            f"a side has at most {BOARD} points, got an array of shape {array.shape}"
        )
    wide = np.zeros((*array.shape[:-1], BOARD), dtype=array.dtype)
    wide[..., : array.shape[-1]] = array
    return check_counts(wide)


@lru_cache(maxsize=1)
def triple_codes() -> NDArray[np.int64]:
    """Codes of the 816 ways in which at most 15 checkers stand on three points.

    The checkers on the lowest of the three make the leftmost four bits.
    """
    return np.array(
        [
            (a * 16 + b) * 16 + c
            for a, b, c in product(range(CHECKERS + 1), repeat=3)
            if a + b + c <= CHECKERS
        ]
    )


@lru_cache(maxsize=1)
def bear_in() -> BearIn:
    """Return the model shipped with the package, opened once.

    Raises
    ------
    TableError
        If its file is damaged.
    """
    path = files("bearoff").joinpath(DATA)
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
            # The archive has a checksum of each array, compared as it is read.
            arrays = {name: data[name] for name in data.files}
    except (OSError, ValueError, KeyError, EOFError, NotImplementedError, RuntimeError,
            OverflowError, AttributeError, struct.error, BadZipFile,
            zlib.error) as error:  # fmt: skip
        raise TableError(f"{path} is damaged ({error}); install bearoff again") from error
    shapes = {name: (array.shape, str(array.dtype)) for name, array in arrays.items()}
    if shapes != _SHAPES:
        raise TableError(f"{path} is damaged; install bearoff again")
    return BearIn(Coefficients(**arrays), one_sided_table())
