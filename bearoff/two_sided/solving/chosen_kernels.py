"""Compiled kernel for gammon probabilities after plays that maximise the equity.

For each roll, the roller chooses the first play after which the opponent's equity is
smallest. The kernel sums this equity, and the opponent's gammon probability after the same
play, over the 36 throws. Compared with `sweep` in `bearoff.two_sided.solving.kernels`, the
kernel needs twice as many registers, so it processes half as many opposing positions at
once.
"""

import llvmlite.ir as ir
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bearoff.runtime import njit
from bearoff.two_sided.pair_order import LANES
from bearoff.two_sided.solving.kernels import WIDTH, transpose

_HALF = WIDTH // 2


@intrinsic
def _sum_of_chosen(
    typingctx, rows, others, first_row, numbers, offsets, roller, lane, out, second, i
):
    """Sum the opponent's values, and other values, after the roller's best plays.

    Both sums are over the 36 throws, for the `_HALF` opponents of a group from number
    `lane` on. The sums of `rows` are written to ``out[i]``, and the sums of `others` to
    ``second[i]``. The other parameters are those of `sum_of_minima` in
    `bearoff.two_sided.solving.kernels`.
    """
    arguments = rows, others, first_row, numbers, offsets, roller, lane, out, second, i
    signature = types.void(*arguments)

    def codegen(context, builder, signature, args):
        i64, i32 = ir.IntType(64), ir.IntType(32)
        vector = ir.VectorType(i32, _HALF)
        row_data, other_data, successor_data, offset_data, out_data, second_data = (
            context.make_array(signature.args[k])(context, builder, args[k]).data
            for k in (0, 1, 3, 4, 7, 8)
        )
        one, width = ir.Constant(i64, 1), ir.Constant(i64, WIDTH)
        base = builder.mul(args[5], ir.Constant(i64, 21))

        def place(data, row):
            at = builder.add(builder.mul(row, width), args[6])
            return builder.bitcast(builder.gep(data, [at]), vector.as_pointer())

        def both(k):
            successor = builder.load(builder.gep(successor_data, [k]))
            row = builder.sub(builder.zext(successor, i64), args[2])
            values = [builder.load(place(data, row)) for data in (row_data, other_data)]
            for value in values:
                value.align = 4
            return values

        best = [cgutils.alloca_once(builder, vector) for _ in range(2)]
        totals = [cgutils.alloca_once(builder, vector) for _ in range(2)]

        def sums_of_rolls(start, stop):
            for total in totals:
                builder.store(ir.Constant(vector, [0] * _HALF), total)
            with cgutils.for_range_slice(
                builder, ir.Constant(i64, start), ir.Constant(i64, stop), one
            ) as (roll, _):
                at = builder.add(base, roll)
                begin = builder.load(builder.gep(offset_data, [at]))
                end = builder.load(builder.gep(offset_data, [builder.add(at, one)]))
                for value, kept in zip(both(begin), best, strict=True):
                    builder.store(value, kept)
                with cgutils.for_range_slice(
                    builder, builder.add(begin, one), end, one
                ) as (k, _):
                    values, before = both(k), [builder.load(kept) for kept in best]
                    less = builder.icmp_signed("<", values[0], before[0])
                    for value, old, kept in zip(values, before, best, strict=True):
                        builder.store(builder.select(less, value, old), kept)
                for total, kept in zip(totals, best, strict=True):
                    builder.store(
                        builder.add(builder.load(total), builder.load(kept)), total
                    )
            return [builder.load(total) for total in totals]

        non_doubles, doubles = sums_of_rolls(0, 15), sums_of_rolls(15, 21)
        for data, once, twice in zip(
            (out_data, second_data), doubles, non_doubles, strict=True
        ):
            result = builder.add(builder.add(twice, twice), once)
            builder.store(result, place(data, args[9])).align = 4
        return context.get_dummy_value()

    return signature, codegen


@njit(cache=True, nogil=True)
def sweep(rows, others, first_row, successors, first, last, tile, second_tile, out, second):
    """Sum two kinds of value after the best plays of the 36 throws, for many pairs.

    `out` receives the sums of `rows`, by which the plays are chosen, and `second` the sums
    of `others`. The other parameters are those of
    `bearoff.two_sided.solving.kernels.sweep`.
    """
    numbers, offsets = successors.numbers, successors.offsets
    for block in range((last - first) // LANES):
        for i in range(LANES):
            for lane in range(0, out.shape[1], _HALF):
                _sum_of_chosen(
                    rows,
                    others,
                    first_row,
                    numbers,
                    offsets,
                    first + LANES * block + i,
                    np.int64(lane),
                    tile,
                    second_tile,
                    np.int64(i),
                )
        for column in range(0, out.shape[1], LANES):
            at, to = np.int64(column), np.int64(LANES * column)
            transpose(tile, at, out[block], to)
            transpose(second_tile, at, second[block], to)
