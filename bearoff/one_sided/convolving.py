"""Compiled kernels that compute win probabilities from distributions of rolls.

Memory access limits the speed, because the distributions of a pair may be anywhere in
several megabytes. Rows therefore start at cache lines, only cache lines with a nonzero
product are read, and the rows of later pairs are prefetched. Products are added in the
order of `numpy.einsum`, so that the results are bit-identical for any number of pairs. This
order adds even and odd indices separately, in blocks of eight, from the last pair of
indices to the first. Indices after the last whole block are added from first to last.
"""

from typing import NamedTuple

import llvmlite.ir as ir
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from bearoff.runtime import njit

_LANES = 8
"""Number of float64 values in a cache line."""

_LINE = 64
"""Number of bytes in a cache line."""

_AHEAD = 16
"""Number of pairs of positions by which data are loaded ahead into the processor's cache.
It is about the number of cache lines that a core can load at once."""

_I32, _I64 = ir.IntType(32), ir.IntType(64)
_PAIR, _ROW = (ir.VectorType(ir.DoubleType(), count) for count in (2, _LANES))


class PaddedDistributions(NamedTuple):
    """Distributions of the number of rolls, in the memory layout that `convolve` reads.

    Attributes
    ----------
    exactly, at_least : ndarray of float64, shape (positions, 8 * lines)
        Probabilities of exactly n rolls, and of at least n rolls, in blocks of eight
        values. If the distributions do not fill the last block, the block is padded with
        zeros, and its four pairs of values are in reverse order.
    spans : ndarray of uint8, shape (positions, 2)
        Indices of the first and of the last cache line of each row with a nonzero
        probability.
    """

    exactly: NDArray[np.float64]
    at_least: NDArray[np.float64]
    spans: NDArray[np.uint8]


def rows_of(
    exactly: NDArray[np.float64], at_least: NDArray[np.float64]
) -> PaddedDistributions:
    """Convert distributions and their tail sums to the memory layout of `convolve`."""
    laid = _lay(exactly)
    some = laid.reshape(len(laid), -1, _LANES).max(axis=2) > 0
    spans = np.empty((len(laid), 2), dtype=np.uint8)
    spans[:, 0] = some.argmax(axis=1)
    spans[:, 1] = some.shape[1] - 1 - some[:, ::-1].argmax(axis=1)
    return PaddedDistributions(laid, _lay(at_least), spans)


def _lay(values: NDArray[np.float64]) -> NDArray[np.float64]:
    positions, width = values.shape
    lines = -(-width // _LANES)
    size = positions * lines * _LANES
    raw = np.zeros(size + _LANES)
    start = -raw.ctypes.data % _LINE // raw.itemsize
    laid = raw[start : start + size].reshape(positions, lines * _LANES)
    laid[:, :width] = values
    if width % _LANES:
        last = laid[:, -_LANES:].reshape(positions, _LANES // 2, 2)
        last[:] = last[:, ::-1].copy()
    return laid


@njit(cache=True, nogil=True)
def convolve(rows, rollers, opponents, wins):
    """Compute the probability that the roller needs at most as many rolls as the opponent.

    Parameters
    ----------
    rows : PaddedDistributions
    rollers, opponents : ndarray of int64, shape (n,)
        Position numbers, which are not checked.
    wins : ndarray of float64, shape (n,)
        Output array of win probabilities.
    """
    exactly, at_least = rows.exactly.reshape(-1), rows.at_least.reshape(-1)
    width = np.int64(rows.exactly.shape[1])
    for k in range(rollers.size):
        ahead = min(k + _AHEAD, rollers.size - 1)
        first, last = _lines(rows.spans, rollers[ahead], opponents[ahead])
        for line in range(first, last + 1):
            _fetch(exactly, width * rollers[ahead] + _LANES * line)
            _fetch(at_least, width * opponents[ahead] + _LANES * line)
        first, last = _lines(rows.spans, rollers[k], opponents[k])
        ours = width * rollers[k] + _LANES * first
        theirs = width * opponents[k] + _LANES * first
        lines = max(last - first + 1, 0)
        wins[k] = min(_sum_of_products(exactly, ours, at_least, theirs, lines), 1.0)


@njit(cache=True, nogil=True, inline="always")
def _lines(spans, roller, opponent):
    """Return the first and last cache line in which products of two rows can be nonzero."""
    return np.int64(spans[roller, 0]), np.int64(min(spans[roller, 1], spans[opponent, 1]))


@intrinsic
def _fetch(typingctx, values, at):
    """Prefetch an array element into the processor's cache."""
    signature = types.void(values, at)

    def codegen(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        place = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [place.type, _I32, _I32, _I32])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        # The constants 0, 3 and 1 mean: prefetch for reading, with high temporal locality,
        # into the data cache.
        builder.call(fetch, [place, _I32(0), _I32(3), _I32(1)])
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def _sum_of_products(typingctx, ours, first, theirs, second, lines):
    """Compute the dot product of ``ours`` and ``theirs`` over some cache lines."""
    signature = types.float64(ours, first, theirs, second, lines)

    def codegen(context, builder, signature, args):
        ours, theirs = (
            context.make_array(signature.args[k])(context, builder, args[k]).data
            for k in (0, 2)
        )
        total = cgutils.alloca_once_value(builder, ir.Constant(_PAIR, [0.0, 0.0]))
        with cgutils.for_range(builder, args[4], intp=_I64) as loop:
            line = builder.mul(loop.index, _I64(_LANES))
            factors = []
            for data, start in ((ours, args[1]), (theirs, args[3])):
                place = builder.gep(data, [builder.add(start, line)])
                row = builder.load(builder.bitcast(place, _ROW.as_pointer()))
                row.align = 8
                factors.append(row)
            products = builder.fmul(*factors)
            found = builder.load(total)
            for k in range(_LANES - 2, -1, -2):
                pair = ir.Constant(ir.VectorType(_I32, 2), [k, k + 1])
                none = ir.Constant(_ROW, ir.Undefined)
                found = builder.fadd(found, builder.shuffle_vector(products, none, pair))
            builder.store(found, total)
        even, odd = (builder.extract_element(builder.load(total), _I32(k)) for k in (0, 1))
        return builder.fadd(even, odd)

    return signature, codegen
