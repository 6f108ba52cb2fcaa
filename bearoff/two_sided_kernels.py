"""Compiled kernels of the two-sided tables; `two_sided_build` has the plan they serve.

Equities are whole numbers, `ONE` for a win: sums of 36 of them are exact in 32 bits and
the same on every machine. The heart is `sum_of_minima`: for one roller and 16 opponents
at once, the least value of the opponents' turn over the successors of each roll, summed
over the 36 throws. Its 16 lanes are one cache line and one or two registers; it is
written in LLVM's own terms because loops over 16 elements that numba compiles keep the
running minimum in memory, ten times slower.
"""

import llvmlite.ir as ir
import numpy as np
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16
"""Positions of a block: values of neighbours that are computed and stored together."""

ONE = 1 << 22
"""An equity of 1. Values fit 24 bits with sign, sums of 36 throws 32."""

_DIVISION_BITS = 36
_RECIPROCAL = round((1 << _DIVISION_BITS) / 36)


@intrinsic
def sum_of_minima(typingctx, rows, first_row, successors, offsets, roller, out):
    """Sum, over the 36 throws, the least of the rows that each roll leads to.

    ``rows[t - first_row]`` holds 16 values for successor ``t``; the successors of roll
    ``r`` are ``successors[offsets[21 * roller + r] : offsets[21 * roller + r + 1]]``, at
    least one. The first 15 rolls count twice. The 16 sums go to `out`.
    """
    signature = types.void(rows, first_row, successors, offsets, roller, out)

    def codegen(context, builder, signature, args):
        i64, i32 = ir.IntType(64), ir.IntType(32)
        vector = ir.VectorType(i32, LANES)
        pointers = [
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip(signature.args, args, strict=True)
            if isinstance(kind, types.Array)
        ]
        row_data, successor_data, offset_data, out_data = pointers
        row_data = builder.bitcast(row_data, vector.as_pointer())
        first, roller = args[1], args[4]
        one = ir.Constant(i64, 1)
        base = builder.mul(roller, ir.Constant(i64, 21))

        def row(k):
            successor = builder.load(builder.gep(successor_data, [k]))
            at = builder.sub(builder.zext(successor, i64), first)
            values = builder.load(builder.gep(row_data, [at]))
            values.align = 4
            return values

        least = cgutils.alloca_once(builder, vector)
        total = cgutils.alloca_once(builder, vector)

        def sum_of_rolls(start, stop):
            builder.store(ir.Constant(vector, [0] * LANES), total)
            with cgutils.for_range_slice(
                builder, ir.Constant(i64, start), ir.Constant(i64, stop), one
            ) as (roll, _):
                at = builder.add(base, roll)
                begin = builder.load(builder.gep(offset_data, [at]))
                end = builder.load(builder.gep(offset_data, [builder.add(at, one)]))
                builder.store(row(begin), least)
                with cgutils.for_range_slice(
                    builder, builder.add(begin, one), end, one
                ) as (k, _):
                    values, before = row(k), builder.load(least)
                    less = builder.icmp_signed("<", values, before)
                    builder.store(builder.select(less, values, before), least)
                builder.store(builder.add(builder.load(total), builder.load(least)), total)
            return builder.load(total)

        non_doubles = sum_of_rolls(0, 15)
        doubles = sum_of_rolls(15, 21)
        result = builder.add(builder.add(non_doubles, non_doubles), doubles)
        stored = builder.store(result, builder.bitcast(out_data, vector.as_pointer()))
        stored.align = 4
        return context.get_dummy_value()

    return signature, codegen


@njit(cache=True, nogil=True)
def sweep_upper(rows, successors, offsets, last, first_block, last_block, tile, out):
    """Sum minima for rollers 16 to ``last - 1`` against blocks of waiting opponents.

    ``rows[k]`` are the values of the opponents of block ``first_block + k`` against all
    slots. ``out[b, 16 k + j, i]`` gets the sum of roller ``16 b + i`` against opponent
    ``j`` of block ``k``; block 0 of rollers is left alone. `tile` is room for 16 x 16
    values.
    """
    for block in range(first_block, last_block):
        _sweep(
            rows[block], 0, successors, offsets, LANES, last, tile, out[1:], block * LANES
        )


@njit(cache=True, nogil=True)
def sweep_lower(
    high,
    low,
    window,
    successors,
    offsets,
    first,
    last,
    first_block,
    last_block,
    rows,
    tile,
    out,
):
    """Sum minima for rollers ``first`` to ``last - 1`` against blocks of lower opponents.

    Their values against slots ``window`` to ``first - 1`` are kept packed in rings, one
    for each block; `rows` is room to unpack those of one block.
    """
    for block in range(first_block, last_block):
        unpack(high[block], low[block], window, first, rows)
        _sweep(rows, window, successors, offsets, first, last, tile, out, block * LANES)


@njit(cache=True, nogil=True)
def _sweep(rows, first_row, successors, offsets, first, last, tile, out, column):
    for block in range((last - first) // LANES):
        for i in range(LANES):
            sum_of_minima(
                rows, first_row, successors, offsets, first + block * LANES + i, tile[i]
            )
        for j in range(LANES):
            for i in range(LANES):
                out[block, column + j, i] = tile[i, j]


@njit(cache=True, nogil=True)
def pack(values, first, high, low):
    """Keep 24-bit values of slots from `first` on in a ring, in three bytes each."""
    at = first % high.shape[0]
    for k in range(values.shape[0]):
        for i in range(LANES):
            high[at, i] = values[k, i] >> 8
            low[at, i] = values[k, i] & 255
        at += 1
        if at == high.shape[0]:
            at = 0


@njit(cache=True, nogil=True)
def unpack(high, low, first, last, values):
    """Take the values of slots `first` to ``last - 1`` out of a ring."""
    at = first % high.shape[0]
    for k in range(last - first):
        for i in range(LANES):
            values[k, i] = (np.int32(high[at, i]) << 8) | np.int32(low[at, i])
        at += 1
        if at == high.shape[0]:
            at = 0


@njit(cache=True, nogil=True)
def pack_blocks(values, first, high, low):
    """Keep the values of several blocks, each in its ring."""
    for block in range(values.shape[0]):
        pack(values[block], first, high[block], low[block])


@njit(cache=True)
def _mean_of_throws(total):
    """Divide a sum over 36 throws, rounding to the nearest."""
    product = np.int64(total) * _RECIPROCAL + (1 << (_DIVISION_BITS - 1))
    return np.int32(product >> _DIVISION_BITS)


@njit(cache=True, nogil=True)
def finish_cubeless(values, codings, codes, extremes):
    """Turn sums of the opponents' equities into the roller's, and into stored codes.

    `codings` and `extremes` belong to planes with the cube.
    """
    for k in range(values.shape[0]):
        for i in range(LANES):
            equity = -_mean_of_throws(values[k, i])
            values[k, i] = equity
            codes[k, i] = (np.int64(equity + ONE) * 65535 + ONE) >> 23


@njit(cache=True)
def _excess(equity, cubeless_code):
    """Return by how much an equity exceeds the stored cubeless equity."""
    return equity / ONE - (cubeless_code * (2.0 / 65535.0) - 1.0)


@njit(cache=True)
def _code_of(excess, coding):
    """Code an excess in the range ``coding[0]`` to ``coding[0] + 65535 * coding[1]``."""
    code = np.floor((excess - coding[0]) / coding[1] + 0.5)
    return np.uint16(min(max(code, 0.0), 65535.0))


@njit(cache=True)
def _note(excess, extremes):
    extremes[0] = min(extremes[0], excess)
    extremes[1] = max(extremes[1], excess)


@njit(cache=True)
def _equity_of(code, cubeless_code, coding):
    """Return the equity that a code stands for, to the nearest whole number."""
    excess = coding[0] + code * coding[1]
    equity = (cubeless_code * (2.0 / 65535.0) - 1.0) + excess
    return np.int32(np.floor(equity * ONE + 0.5))


@njit(cache=True, nogil=True)
def finish_owned(
    owned, given_up, cubeless, codings, given_up_codes, rests, owned_codes, extremes
):
    """Turn sums into the equities with the cube at the roller and at the opponent.

    `owned` comes with sums of the opponents' equities when they own the cube, which make
    the roller's without it, and leaves with the roller's when he owns it; `given_up`
    the other way round. Owning the cube, the roller may double. `rests` gets what the
    codes of `given_up` leave over.
    """
    for k in range(owned.shape[0]):
        for i in range(LANES):
            without = -_mean_of_throws(owned[k, i])
            held = -_mean_of_throws(given_up[k, i])
            held = max(held, min(np.int32(ONE), np.int32(2) * without))
            owned[k, i] = held
            given_up[k, i] = without
            excess = _excess(without, cubeless[k, i])
            _note(excess, extremes[0])
            code = _code_of(excess, codings[0])
            given_up_codes[k, i] = code
            rests[k, i] = without - _equity_of(code, cubeless[k, i], codings[0])
            excess = _excess(held, cubeless[k, i])
            _note(excess, extremes[1])
            owned_codes[k, i] = _code_of(excess, codings[1])


@njit(cache=True, nogil=True)
def finish_centred(centred, cubeless, given_up_codes, rests, codings, codes, extremes):
    """Turn sums into the equity with the cube centred, given that after a double."""
    for k in range(centred.shape[0]):
        for i in range(LANES):
            opponents = rests[k, i] + _equity_of(
                given_up_codes[k, i], cubeless[k, i], codings[0]
            )
            equity = max(
                -_mean_of_throws(centred[k, i]), min(np.int32(ONE), np.int32(2) * opponents)
            )
            centred[k, i] = equity
            excess = _excess(equity, cubeless[k, i])
            _note(excess, extremes[0])
            codes[k, i] = _code_of(excess, codings[2])
