"""Compiled kernels of the solver for scores; see `bearoff.match.solver`.

``values[r // LANES, c, r % LANES]`` is the chance of the side on roll in slot ``r`` to win
the match, the other side in slot ``c``. So what a play leaves, against `LANES` positions
of the other side, is one row. `sum_of_minima` is written in LLVM's own terms because
loops over the lanes that numba compiles keep the running minimum in memory.
"""

import llvmlite.ir as ir
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bearoff.rolls import ROLLS, THROWS
from bearoff.runtime import njit

LANES = 32
"""Positions of the other side met at once: four cache lines, fetched one after another."""

_ROLLS = len(ROLLS)
_NON_DOUBLES = 15  # These count twice.


@intrinsic
def sum_of_minima(typingctx, rows, successors, offsets, row, out):
    """Sum, over the 36 throws, the least of the rows that each roll leads to.

    ``rows[t]`` holds `LANES` values for successor ``t``; the successors of roll ``r`` are
    ``successors[offsets[21 * row + r] : offsets[21 * row + r + 1]]``, at least one. The
    sums go to `out`.
    """
    signature = types.void(rows, successors, offsets, row, out)

    def codegen(context, builder, signature, args):
        i64, vector = ir.IntType(64), ir.VectorType(ir.DoubleType(), LANES)
        row_data, successor_data, offset_data, out_data = (
            context.make_array(signature.args[k])(context, builder, args[k]).data
            for k in (0, 1, 2, 4)
        )
        row_data = builder.bitcast(row_data, vector.as_pointer())
        one = ir.Constant(i64, 1)
        base = builder.mul(args[3], ir.Constant(i64, _ROLLS))

        def values_of(k):
            successor = builder.load(builder.gep(successor_data, [k]))
            at = builder.gep(row_data, [builder.sext(successor, i64)])
            values = builder.load(at)
            values.align = 8
            return values

        least = cgutils.alloca_once(builder, vector)
        total = cgutils.alloca_once(builder, vector)

        def sum_of_rolls(start, stop):
            builder.store(ir.Constant(vector, [0.0] * LANES), total)
            with cgutils.for_range_slice(
                builder, ir.Constant(i64, start), ir.Constant(i64, stop), one
            ) as (roll, _):
                at = builder.add(base, roll)
                begin = builder.load(builder.gep(offset_data, [at]))
                end = builder.load(builder.gep(offset_data, [builder.add(at, one)]))
                builder.store(values_of(begin), least)
                with cgutils.for_range_slice(
                    builder, builder.add(begin, one), end, one
                ) as (k, _):
                    values, before = values_of(k), builder.load(least)
                    less = builder.fcmp_ordered("<", values, before)
                    builder.store(builder.select(less, values, before), least)
                builder.store(builder.fadd(builder.load(total), builder.load(least)), total)
            return builder.load(total)

        non_doubles = sum_of_rolls(0, _NON_DOUBLES)
        doubles = sum_of_rolls(_NON_DOUBLES, _ROLLS)
        result = builder.fadd(builder.fadd(non_doubles, non_doubles), doubles)
        stored = builder.store(result, builder.bitcast(out_data, vector.as_pointer()))
        stored.align = 8
        return context.get_dummy_value()

    return signature, codegen


@njit(cache=True, nogil=True)
def solve_rows(theirs, offsets, successors, rows, columns, doubled, cash, ours):
    """Fill `ours` for slots `rows` of the side on roll against slots `columns`.

    `theirs` are the values of the other side, once it is on roll. The side may double
    where `doubled` holds, at the same places as `ours`, what a double that is taken gives;
    passed it gives `cash`. If it may not, `doubled` is empty. `rows` and `columns` are a
    first slot and the one behind the last.
    """
    sums = np.empty(LANES)
    for block in range(columns[0] // LANES, (columns[1] - 1) // LANES + 1):
        first = max(columns[0], block * LANES)
        last = min(columns[1], (block + 1) * LANES)
        after = theirs[block]
        for row in range(rows[0], rows[1]):
            sum_of_minima(after, successors, offsets, row, sums)
            mine, lane = row // LANES, row % LANES
            for column in range(first, last):
                value = 1.0 - sums[column - block * LANES] * (1.0 / THROWS)
                if doubled.size:
                    value = max(value, min(doubled[mine, column, lane], cash))
                ours[mine, column, lane] = value


@njit(cache=True, nogil=True)
def no_doubles(theirs, offsets, successors, rows, columns, out):
    """Fill `out` with what not doubling gives in slots `rows` against `columns`."""
    for i in range(rows.size):
        block, lane = columns[i] // LANES, columns[i] % LANES
        total = 0.0
        for roll in range(_ROLLS):
            at = _ROLLS * rows[i] + roll
            least = 1.0
            for k in range(offsets[at], offsets[at + 1]):
                least = min(least, theirs[block, successors[k], lane])
            total += least if roll >= _NON_DOUBLES else 2.0 * least
        out[i] = 1.0 - total * (1.0 / THROWS)


@njit(cache=True, nogil=True)
def best_plays(theirs, offsets, successors, rows, columns, tie, out):
    """Fill ``out[i, roll]`` with the slot that the best play of each roll leads to.

    Of plays within `tie` of each other it is the one listed first.
    """
    for i in range(rows.size):
        block, lane = columns[i] // LANES, columns[i] % LANES
        for roll in range(_ROLLS):
            at = _ROLLS * rows[i] + roll
            least = np.inf
            for k in range(offsets[at], offsets[at + 1]):
                after = theirs[block, successors[k], lane]
                if after < least - tie:
                    least = after
                    out[i, roll] = successors[k]
