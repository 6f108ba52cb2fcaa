"""LLVM code that sums the opponent's values after the best play of each of the 36 throws.

The generated code evaluates one roller position against several opponent positions at once,
one in each element of a vector. The best play of a roll leaves the opponent the lowest
value. The code finds this minimum for each roll, and sums the minima over the 36 throws. If
numba compiled the same loops, the code would keep the minimum in memory and take ten times
as long.
"""

from llvmlite import ir
from numba import core

from bearoff.rolls import ROLLS

_NON_DOUBLES = 15
"""Number of rolls that are not doubles. They come first in `bearoff.ROLLS` and count twice.
"""


def emit_sum_of_minima(builder, vector, offsets, roller, row):
    """Emit code that sums the opponent's values after the best play of each throw.

    `vector` is the LLVM type of a vector with the values of several opponent positions. The
    plays of roll ``r`` by roller ``k`` have the indices from ``offsets[21 * k + r]`` to
    ``offsets[21 * k + r + 1] - 1``. Every roll has at least one play. ``row(index)`` emits
    code that loads the vector of values after a play. The result is the vector of sums.
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
