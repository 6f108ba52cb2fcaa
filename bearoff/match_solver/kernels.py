"""Compiled kernels that solve the values of races at a match score.

Positions of each player are sorted by pip count, and the *index* of a position is its place
in this order. ``values[r // LANES, c, r % LANES]`` is the match-winning chance of the
player on roll with position index ``r`` against position index ``c``, as float64 or as
int32 in units of 1 / `one`. The values after a play against `LANES` opposing positions are
therefore adjacent in memory.
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
_NON_DOUBLES = 15  # The first 15 rolls are not doubles, and count twice.


@intrinsic
def sum_of_minima(typingctx, rows, successors, offsets, row, out):
    """Sum the opponent's values after the roller's best play of each of the 36 throws.

    ``rows[t]`` contains the opponent's values, as float64 or int32, after a play to the
    position with index ``t``: one value for each of `LANES` positions of the opponent. The
    positions after roll ``r`` are ``successors[offsets[21 * row + r] : offsets[21 * row + r
    + 1]]``. Every roll has at least one play. The sums are written to `out`.
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
    """Convert a value to the type of `like`, rounding to the nearest integer if needed."""


@overload(_rounded, inline="always")
def _rounded_as(value, like):
    if isinstance(like, types.Integer):
        return lambda value, like: np.int32(np.floor(value + 0.5))
    return lambda value, like: value


@njit(cache=True, nogil=True)
def solve_rows(
    theirs, offsets, successors, rows, columns, doubled, times, more, cash, one, ours
):
    """Compute the values of a range of roller positions against opponent positions.

    `theirs` contains the opponent's values with the opponent on roll. The values of the
    player on roll are written to `ours`. If this player may double, `doubled` has the same
    indices as `ours`. A double that is taken then has the value ``times * doubled + more``,
    and a double that is passed has the value `cash`. If the player may not double,
    `doubled` is empty. `rows` and `columns` are half-open ranges of position indices. `one`
    is the number that represents a match-winning chance of 1.
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
    """Compute the match-winning chances of pairs if the roller does not double now.

    `order` contains the indices of the pairs, sorted so that pairs with the same roller
    position and the same block of opponent positions are adjacent.
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
    """Find the best play of each roll; write the index of the position after it to `out`.

    A later play replaces an earlier play only if it is better by more than `tie`.
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
"""Difference in points below which two plays count as equal; the first of equal plays is
chosen."""


@njit(cache=True, nogil=True)
def fill_chances(winner, loser, first, wins, waiting, found):
    """Compute the chances of a gammon win from up to 32 consecutive positions of `winner`.

    `winner` and `loser` are pairs of arrays, `offsets` and `successors`, which list the
    positions after each roll as in `sum_of_minima`. The loser's positions with no checker
    borne off have the lowest indices. ``wins[k]`` contains the winner's win probabilities
    against the loser's k-th other position, with the winner on roll. The winner's positions
    start with index `first`.

    The results are written to two arrays. ``found`` has shape (2, full positions, positions
    of the winner) and contains the gammon chances with the winner on roll and with the
    loser on roll. ``waiting`` has shape (full positions, positions of the winner) and
    contains the winner's equity in points with the loser on roll.
    """
    offsets, successors = winner
    their_offsets, their_successors = loser
    full, lanes = waiting.shape[0], wins.shape[1]
    rolling = np.zeros((full + wins.shape[0], LANES))
    for row in range(wins.shape[0]):
        for lane in range(lanes):
            rolling[full + row, lane] = 2.0 * wins[row, lane] - 1.0
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
