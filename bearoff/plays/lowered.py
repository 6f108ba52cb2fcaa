"""LLVM code for the sum over rolls of the smallest value among the roll's successors.

The code serves one roller and several opponents at once, which are the lanes of a vector.
For each roll it takes the smallest value of the opponents' turn over the successors, and
sums over the 36 throws. Loops over the lanes compiled by numba would keep the running
minimum in memory and be ten times slower.
"""

from llvmlite import ir
from numba import core

from bearoff.rolls import ROLLS

_NON_DOUBLES = 15
"""Number of rolls of two different numbers, which come first and have weight 2."""


def emit_sum_of_minima(builder, vector, offsets, roller, row):
    """Emit the sum, over the 36 throws, of the smallest row among each roll's successors.

    Parameters
    ----------
    builder : llvmlite.ir.IRBuilder
        Builder that receives the instructions.
    vector : llvmlite.ir.VectorType
        Type of a row: signed integers or floating point.
    offsets : llvmlite.ir.Value
        Pointer to int64. The successors of roll ``r`` of roller ``k`` have the indices from
        ``offsets[21 k + r]`` to ``offsets[21 k + r + 1]``; there is at least one.
    roller : llvmlite.ir.Value
        Index of the roller, int64.
    row : callable
        Function that emits the row of the successor with an int64 index.

    Returns
    -------
    llvmlite.ir.Value
        The sum as a row.
    """
    i64 = ir.IntType(64)
    whole = isinstance(vector.element, ir.IntType)
    less = builder.icmp_signed if whole else builder.fcmp_ordered
    plus = builder.add if whole else builder.fadd
    one = ir.Constant(i64, 1)
    base = builder.mul(roller, ir.Constant(i64, len(ROLLS)))
    least = core.cgutils.alloca_once(builder, vector)
    total = core.cgutils.alloca_once(builder, vector)

    def sum_of_rolls(start, stop):
        builder.store(ir.Constant(vector, [0] * vector.count), total)
        with core.cgutils.for_range_slice(
            builder, ir.Constant(i64, start), ir.Constant(i64, stop), one
        ) as (roll, _):
            at = builder.add(base, roll)
            begin = builder.load(builder.gep(offsets, [at]))
            end = builder.load(builder.gep(offsets, [builder.add(at, one)]))
            builder.store(row(begin), least)
            second = builder.add(begin, one)
            with core.cgutils.for_range_slice(builder, second, end, one) as (k, _):
                values, before = row(k), builder.load(least)
                builder.store(
                    builder.select(less("<", values, before), values, before), least
                )
            builder.store(plus(builder.load(total), builder.load(least)), total)
        return builder.load(total)

    non_doubles = sum_of_rolls(0, _NON_DOUBLES)
    doubles = sum_of_rolls(_NON_DOUBLES, len(ROLLS))
    return plus(plus(non_doubles, non_doubles), doubles)
