"""Compiled kernels of the solver and of `bearoff.match_solver.gammons`; see these.

``values[r // LANES, c, r % LANES]`` is the chance of the side on roll in slot ``r`` to win
the match, the other side in slot ``c``: float64, or int32 of which so many make 1. So what
a play leaves, against `LANES` positions of the other side, is one row.
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
_NON_DOUBLES = 15  # These count twice.


@intrinsic
def sum_of_minima(typingctx, rows, successors, offsets, row, out):
    """Sum, over the 36 throws, the least of the rows that each roll leads to.

    ``rows[t]`` holds `LANES` values for successor ``t``, float64 or int32; the successors
    of roll ``r`` are ``successors[offsets[21 * row + r] : offsets[21 * row + r + 1]]``, at
    least one. The sums go to `out`.
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
    """Return a value as numbers like another are: rounded, if those are whole."""


@overload(_rounded, inline="always")
def _rounded_as(value, like):
    if isinstance(like, types.Integer):
        return lambda value, like: np.int32(np.floor(value + 0.5))
    return lambda value, like: value


@njit(cache=True, nogil=True)
def solve_rows(
    theirs, offsets, successors, rows, columns, doubled, times, more, cash, one, ours
):
    """Fill `ours` for slots `rows` of the side on roll against slots `columns`.

    `theirs` are the values of the other side, once it is on roll. The side may double
    where `doubled` holds, at the same places as `ours`, of which `times` and `more` make
    what a double that is taken gives; passed it gives `cash`. If it may not, `doubled` is
    empty. `rows` and `columns` are a first slot and the one behind the last, `one` is what
    stands for a chance of 1.
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
    """Fill `out` with the chances of not doubling in slots `rows` against `columns`.

    Pairs come in an `order` in which those of one row and one block of columns are
    neighbours: one sum holds them all.
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


_SAME = 1e-12
"""Points nearer than this are equal: of such plays the first that is listed is made."""


@njit(cache=True, nogil=True)
def fill_chances(winner, loser, first, wins, waiting, found):
    """Fill in the chances of gammons for some slots of the winner, those below known.

    `winner` and `loser` are offsets and successors of places that rise with the pips. Of
    the loser the full positions come first, then those in which a checker is off: there
    ``wins`` are the chances of the winner, on roll in slot `first` and the next, at most
    `LANES`. What a play of the full side leaves is one row for all of them.

    ``found`` has shape (2, full positions, slots of the winner): the chances with the
    winner on roll, and with the full side on roll; ``waiting``, shape (full positions,
    slots of the winner), what the winner gets in points, the full side on roll.
    """
    offsets, successors = winner
    their_offsets, their_successors = loser
    full, lanes = waiting.shape[0], wins.shape[1]
    rolling = np.zeros((full + wins.shape[0], LANES))  # As `waiting`, with them on roll.
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
