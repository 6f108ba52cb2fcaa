"""Compiled kernels that solve a match position exactly; see `bearoff.match_solver.solver`.

Positions of each side are numbered by *slots*. ``values[r // LANES, c, r % LANES]`` is the
match-winning chance of the side on roll in slot ``r`` with the other side in slot ``c``, as
float64 or as int32 in units of 1 / `one`. The values after a play against `LANES` positions
of the other side are then adjacent.
"""

import llvmlite.ir as ir
import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from bearoff.match_solver.sides import LANES
from bearoff.plays import lowered
from bearoff.rolls import ROLLS, THROWS
from bearoff.runtime import njit

_ROLLS = len(ROLLS)
_NON_DOUBLES = 15  # The first 15 rolls are not doubles and count twice.


@intrinsic
def sum_of_minima(typingctx, rows, successors, offsets, row, out):
    """Sum, over the 36 rolls, the smallest value among the positions after each roll.

    ``rows[t]`` has `LANES` values for successor ``t``, float64 or int32. The successors of
    roll ``r`` are ``successors[offsets[21 * row + r] : offsets[21 * row + r + 1]]``, at
    least one. The sums are written to `out`.
    """
    signature = types.void(rows, successors, offsets, row, out)

    def codegen(context, builder, signature, args):
        whole = isinstance(rows.dtype, types.Integer)
        number = ir.IntType(32) if whole else ir.DoubleType()
        i64, vector = ir.IntType(64), ir.VectorType(number, LANES)
        row_data, successor_data, offset_data, out_data = (
            context.make_array(signature.args[k])(context, builder, args[k]).data
            for k in (0, 1, 2, 4)
        )
        row_data = builder.bitcast(row_data, vector.as_pointer())

        def row(k):
            successor = builder.load(builder.gep(successor_data, [k]))
            values = builder.load(builder.gep(row_data, [builder.sext(successor, i64)]))
            values.align = 4 if whole else 8
            return values

        result = lowered.emit_sum_of_minima(builder, vector, offset_data, args[3], row)
        stored = builder.store(result, builder.bitcast(out_data, vector.as_pointer()))
        stored.align = 4 if whole else 8
        return context.get_dummy_value()

    return signature, codegen


def _rounded(value, like):
    """Convert a value to the data type of `like`, rounding it for an integer type."""


@overload(_rounded, inline="always")
def _rounded_as(value, like):
    if isinstance(like, types.Integer):
        return lambda value, like: np.int32(np.floor(value + 0.5))
    return lambda value, like: value


@njit(cache=True, nogil=True)
def solve_rows(
    theirs, offsets, successors, rows, columns, doubled, times, more, cash, one, ours
):
    """Compute the values of some positions on roll against some opposing positions.

    `theirs` has the other side's values with that side on roll. If the side may double,
    `doubled` has the values after a take, indexed like `ours`: a double that is taken is
    worth ``times * doubled + more``, and one that is passed `cash`. Otherwise `doubled` is
    empty. `rows` and `columns` are pairs (first slot, end). `one` is the integer that
    represents a chance of 1.
    """
    sums = np.empty(LANES, dtype=ours.dtype)
    for block in range(columns[0] // LANES, (columns[1] - 1) // LANES + 1):
        first = max(columns[0], block * LANES)
        last = min(columns[1], (block + 1) * LANES)
        after = theirs[block]
        for row in range(rows[0], rows[1]):
            sum_of_minima(after, successors, offsets, row, sums)
            mine, lane = row // LANES, row % LANES
            for column in range(first, last):
                value = one - sums[column - block * LANES] * (1.0 / THROWS)
                if doubled.size:
                    taken = times * doubled[mine, column, lane] + more
                    value = max(value, min(taken, cash))
                ours[mine, column, lane] = _rounded(value, sums[0])


@njit(cache=True, nogil=True)
def no_doubles(theirs, offsets, successors, rows, columns, order, one, out):
    """Compute the winning chances of pairs of positions if the roller does not double.

    `order` sorts the pairs so that pairs of one row and one block of columns are adjacent
    and share one sum.
    """
    sums = np.empty(LANES, dtype=theirs.dtype)
    block = row = -1
    for i in order:
        if block != columns[i] // LANES or row != rows[i]:
            block, row = columns[i] // LANES, rows[i]
            sum_of_minima(theirs[block], successors, offsets, row, sums)
        out[i] = (one - sums[columns[i] % LANES] * (1.0 / THROWS)) / one


@njit(cache=True, nogil=True)
def best_plays(theirs, offsets, successors, rows, columns, tie, out):
    """Fill ``out[i, roll]`` with the index of the position after a roll's best play.

    Among plays within `tie` of the best, the first one listed is chosen.
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


_SAME = 1e-12
"""Difference in points below which plays count as equal, so that the first one listed is
chosen."""


@njit(cache=True, nogil=True)
def fill_chances(winner, loser, first, wins, waiting, found):
    """Compute gammon chances for consecutive positions of the winner, sorted by pips.

    `winner` and `loser` are pairs (offsets, successors) of positions sorted by pips. The
    loser's positions with no checker off come first. For the positions after them, ``wins``
    are the winning chances of the winner, who is on roll in slot `first` and the following
    slots, at most `LANES`.

    ``found`` has shape (2, positions with no checker off, slots of the winner): the chances
    with the winner on roll and with the loser on roll. ``waiting`` has shape (positions
    with no checker off, slots of the winner): the winner's equity in points with the loser
    on roll.
    """
    offsets, successors = winner
    their_offsets, their_successors = loser
    full, lanes = waiting.shape[0], wins.shape[1]
    # Equity of the winner in points when the winner is on roll.
    rolling = np.zeros((full + wins.shape[0], LANES))
    rolling[full:, :lanes] = 2.0 * wins - 1.0
    chance = np.zeros(rolling.shape)
    least, gammon, points, gammons = np.empty((4, LANES))
    for f in range(full):
        points[:] = gammons[:] = 0.0
        for roll in range(_ROLLS):
            times = 1.0 if roll >= _NON_DOUBLES else 2.0
            at = _ROLLS * f + roll
            least[:] = np.inf
            for k in range(their_offsets[at], their_offsets[at + 1]):
                place = their_successors[k]
                for lane in range(LANES):
                    value = rolling[place, lane]
                    less = value < least[lane] - _SAME
                    least[lane] = value if less else least[lane]
                    gammon[lane] = chance[place, lane] if less else gammon[lane]
            for lane in range(LANES):
                points[lane] += times * least[lane]
                gammons[lane] += times * gammon[lane]
        for lane in range(lanes):
            x = first + lane
            waiting[f, x] = points[lane] / THROWS
            found[1, f, x] = gammons[lane] / THROWS
            total = chances = 0.0
            for roll in range(_ROLLS):
                at = _ROLLS * x + roll
                most, of_most = -np.inf, 0.0
                for k in range(offsets[at], offsets[at + 1]):
                    value = waiting[f, successors[k]]
                    if value > most + _SAME:
                        most, of_most = value, found[1, f, successors[k]]
                times = 1.0 if roll >= _NON_DOUBLES else 2.0
                total += times * most
                chances += times * of_most
            rolling[f, lane] = total / THROWS
            found[0, f, x] = chance[f, lane] = chances / THROWS
