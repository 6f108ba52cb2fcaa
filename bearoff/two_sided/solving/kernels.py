"""Compiled kernels of the solver of two-sided tables.

Values are integers, so sums over the 36 throws are exact in 32 bits and the same on every
machine. Most of the time is spent in `sum_of_minima`. For one roller and `WIDTH` opponents
at once, the kernel finds the opponent's smallest value after the plays of each roll, and
sums the smallest values over the 36 throws. Its speed is limited by mispredicted branches
at the ends of short loops, and by reading several megabytes. Longer rows of values spread
the cost of each loop and can be prefetched.
"""

import llvmlite.binding
import llvmlite.ir as ir
import numpy as np
from numba import types
from numba.extending import intrinsic

from bearoff.plays import lowered
from bearoff.runtime import njit
from bearoff.two_sided.pair_order import LANES

GROUP = 8 if llvmlite.binding.get_host_cpu_features().get("avx512f") else 4
"""Number of blocks of 16 opponent positions that a kernel processes at once. It is twice
the number of blocks that fit into the processor's registers."""

WIDTH = GROUP * LANES
"""Number of opponent positions that a kernel processes at once."""


def _load(context, builder, signature, args, array, k, bits=32):
    """Load 16 elements of an array as a vector, from the flat index `k` on."""
    value = builder.load(_place(context, builder, signature, args, array, k, bits))
    value.align = bits // 8
    return value


def _store(context, builder, signature, args, array, k, value, bits=32):
    """Store a vector of 16 elements in an array, from the flat index `k` on."""
    place = _place(context, builder, signature, args, array, k, bits)
    builder.store(value, place).align = bits // 8


def _place(context, builder, signature, args, array, k, bits):
    make = context.make_array(signature.args[array])
    data = builder.gep(make(context, builder, args[array]).data, [k])
    return builder.bitcast(data, ir.VectorType(ir.IntType(bits), LANES).as_pointer())


@intrinsic
def sum_of_minima(typingctx, rows, first_row, numbers, offsets, roller, out, i):
    """Sum the opponent's values after the roller's best play of each of the 36 throws.

    ``rows[t - first_row]`` has the values of `WIDTH` opponents against the position with
    index ``t``. The roller's positions after roll ``r`` are ``numbers[offsets[21 * roller +
    r] : offsets[21 * roller + r + 1]]``, at least one. The first 15 rolls are no doubles,
    so they count twice. The sums are written to ``out[i]``.
    """
    signature = types.void(rows, first_row, numbers, offsets, roller, out, i)

    def codegen(context, builder, signature, args):
        i64, vector = ir.IntType(64), ir.VectorType(ir.IntType(32), WIDTH)
        row_data, successor_data, offset_data, out_data = (
            context.make_array(signature.args[k])(context, builder, args[k]).data
            for k in (0, 2, 3, 5)
        )
        row_data = builder.bitcast(row_data, vector.as_pointer())
        out_data = builder.bitcast(out_data, vector.as_pointer())

        def row(k):
            successor = builder.load(builder.gep(successor_data, [k]))
            at = builder.sub(builder.zext(successor, i64), args[1])
            values = builder.load(builder.gep(row_data, [at]))
            values.align = 4
            return values

        result = lowered.emit_sum_of_minima(builder, vector, offset_data, args[4], row)
        stored = builder.store(result, builder.gep(out_data, [args[6]]))
        stored.align = 4
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def _copy(typingctx, values, at, out, to):
    """Copy 16 values: ``out.flat[to : to + 16] = values.flat[at : at + 16]``."""
    signature = types.void(values, at, out, to)

    def codegen(context, builder, signature, args):
        these = context, builder, signature, args
        _store(*these, 2, args[3], _load(*these, 0, args[1]))
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def _join(typingctx, high, low, at, out, to):
    """Join the upper two bytes and the low byte of each of 16 values."""
    signature = types.void(high, low, at, out, to)

    def codegen(context, builder, signature, args):
        these = context, builder, signature, args
        vector = ir.VectorType(ir.IntType(32), LANES)
        high = builder.sext(_load(*these, 0, args[2], 16), vector)
        low = builder.zext(_load(*these, 1, args[2], 8), vector)
        shifted = builder.shl(high, ir.Constant(vector, [8] * LANES))
        _store(*these, 3, args[4], builder.or_(shifted, low))
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def _split(typingctx, values, at, high, low, to):
    """Split 16 values into upper two bytes and low byte: the inverse of `_join`."""
    signature = types.void(values, at, high, low, to)

    def codegen(context, builder, signature, args):
        these = context, builder, signature, args
        value = _load(*these, 0, args[1])
        upper = builder.ashr(value, value.type([8] * LANES))
        for k, part, bits in ((2, upper, 16), (3, value, 8)):
            narrow = builder.trunc(part, ir.VectorType(ir.IntType(bits), LANES))
            _store(*these, k, args[4], narrow, bits)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def transpose(typingctx, tile, at, out, to):
    """Transpose 16 x 16 values: ``out.flat[to + 16 j + i] = tile.flat[at + WIDTH i + j]``.

    Each of the four steps interleaves the first and the last eight of the 16 rows.
    """
    signature = types.void(tile, at, out, to)

    def codegen(context, builder, signature, args):
        these = context, builder, signature, args

        def index(start, offset):
            return builder.add(start, ir.Constant(ir.IntType(64), offset))

        def dealt(first, second, half):
            pairs = [(k, k + LANES) for k in range(half * 8, half * 8 + 8)]
            mask = ir.VectorType(ir.IntType(32), LANES)([k for two in pairs for k in two])
            return builder.shuffle_vector(first, second, mask)

        rows = [_load(*these, 0, index(args[1], WIDTH * i)) for i in range(LANES)]
        for _ in range(4):
            rows = [dealt(rows[k], rows[k + 8], half) for k in range(8) for half in (0, 1)]
        for j, row in enumerate(rows):
            _store(*these, 2, index(args[3], LANES * j), row)
        return context.get_dummy_value()

    return signature, codegen


@njit(cache=True, nogil=True)
def sweep(rows, first_row, successors, first, last, tile, out):
    """Sum the opponent's values after the best plays of the 36 throws, for many pairs.

    ``rows[t - first_row]`` has the values of up to `WIDTH` opponents against the position
    with index ``t``. ``out[b, j, i]`` receives the sum for the roller with index ``first +
    16 b + i`` against opponent ``j`` of the group. Sums beyond the shape of `out` are
    dropped. `tile` is a work array of 16 rows.
    """
    numbers, offsets = successors.numbers, successors.offsets
    for block in range((last - first) // LANES):
        for i in range(LANES):
            roller = first + LANES * block + i
            sum_of_minima(rows, first_row, numbers, offsets, roller, tile, np.int64(i))
        for column in range(0, out.shape[1], LANES):
            transpose(tile, np.int64(column), out[block], np.int64(LANES * column))


@njit(cache=True, nogil=True)
def gather(values, rows):
    """Copy blocks of values side by side: ``rows[t, 16 k + i] = values[k, t, i]``.

    The last two axes of `values` must be contiguous.
    """
    apart = values.strides[0] // values.itemsize
    for slot in range(values.shape[1]):  # This loop order writes each row only once.
        for k in range(values.shape[0]):
            at, to = apart * k + LANES * slot, WIDTH * slot + LANES * k
            _copy(values, np.int64(at), rows, np.int64(to))


@njit(cache=True, nogil=True)
def unpack(high, low, first, last, rows, place):
    """Unpack 24-bit values against opponents `first` to ``last - 1`` from ring buffers.

    ``rows[t - first, 16 (place + k) + i]`` receives the value of roller ``i`` in block
    ``k`` against opponent ``t``.
    """
    size = high.shape[1]
    at = first % size
    for slot in range(last - first):  # This loop order writes each row only once.
        for k in range(high.shape[0]):
            ring, to = LANES * (size * k + at), WIDTH * slot + LANES * (place + k)
            _join(high, low, np.int64(ring), rows, np.int64(to))
        at += 1
        if at == size:
            at = 0


@njit(cache=True, nogil=True)
def pack(values, first, high, low):
    """Pack values against opponents from `first` on into ring buffers of 24-bit integers.

    ``values[k, j, i]`` is the value of roller ``i`` in block ``k`` against opponent ``first
    + j``. The last two axes must be contiguous.
    """
    size = high.shape[1]
    for k in range(high.shape[0]):
        part, high_part, low_part = values[k], high[k], low[k]
        at = first % size
        for row in range(part.shape[0]):
            place = np.int64(LANES * at)
            _split(part, np.int64(LANES * row), high_part, low_part, place)
            at += 1
            if at == size:
                at = 0
