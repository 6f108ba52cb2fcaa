"""The sum of what the best plays leave, in LLVM's own terms, for kernels of any numbers.

For one roller and several opponents at once, the lanes of a row: the least value of the
opponents' turn over the successors of each roll, summed over the 36 throws. Loops over
the lanes that numba compiles keep the running minimum in memory, ten times slower.
"""

from llvmlite import ir
from numba import core

from bearoff.rolls import ROLLS

_NON_DOUBLES = 15
"""Rolls that count twice; they come first."""


def emit_sum_of_minima(builder, vector, offsets, roller, row):
    """Emit the sum, over the 36 throws, of the least of the rows that each roll leads to.

    Parameters
    ----------
    builder : llvmlite.ir.IRBuilder
        Where the instructions go.
    vector : llvmlite.ir.VectorType
        Of a row: whole numbers with sign, or floating point.
    offsets : llvmlite.ir.Value
        Pointer to int64: roll ``r`` of roller ``k`` leads to the successors from
        ``offsets[21 k + r]`` to ``offsets[21 k + r + 1]``, at least one.
    roller : llvmlite.ir.Value
        The roller, int64.
    row : callable
        Emits the row of the successor at a place, int64.

    Returns
    -------
    llvmlite.ir.Value
        The sum, a row.
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
