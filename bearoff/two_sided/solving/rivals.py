"""Search for dominated plays, which the solver skips.

A roll leads to ten positions on average, but only one or two of them matter against a group
of opponents: the other positions are not better against any opponent of the group. Each
position therefore has a few *rivals*: positions that need fewer rolls on average and are
often reached by the same roll. For each group of opponents, every position is compared with
its rivals. A rival *dominates* the position if it is at least as good against every
opponent of the group. A play is skipped if the same roll can reach a rival that dominates
the position after the play. At least one best play remains, because a rival needs fewer
rolls on average, so positions cannot dominate each other in a circle.
"""

from typing import NamedTuple

import llvmlite.ir as ir
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from bearoff.plays import Successors
from bearoff.runtime import njit
from bearoff.two_sided.pair_order import LANES
from bearoff.two_sided.solving.kernels import GROUP, WIDTH, sum_of_minima, transpose

RIVALS = 8
"""Number of rivals of each position. One byte then has a bit for each rival."""

_CANDIDATES = 32
"""Number of candidates from which the rivals of each position are chosen. More candidates
give no better rivals."""


class Rivals(NamedTuple):
    """Rivals of each position, and for each play the rivals that the same roll can reach.

    Attributes
    ----------
    slots : ndarray of uint16, shape (positions, 8)
        Indices of the rivals of each position. Missing rivals are filled up with the
        position's own index.
    present : ndarray of uint8, shape (successors,)
        Bit mask for each play. A bit is 1 if the same roll can also reach this rival of the
        position after the play.
    """

    slots: NDArray[np.uint16]
    present: NDArray[np.uint8]


def find_rivals(successors: Successors, levels: NDArray[np.int64]) -> Rivals:
    """Choose the positions that are most likely to dominate each position.

    Parameters
    ----------
    successors : Successors
        Positions after the plays of each roll.
    levels : ndarray of int64, shape (levels + 1,)
        Index of the first position of each pip level. The rivals of a position are in the
        same or a lower pip level.
    """
    ends = np.repeat(levels[1:], np.diff(levels))
    slots = _choose(successors.numbers, successors.offsets, ends)
    return Rivals(slots, _mark(successors.numbers, successors.offsets, slots))


@njit(cache=True)
def _mean_rolls(numbers, offsets):
    """Return the mean number of rolls of each position under fewest-rolls play."""
    means = np.zeros(offsets.size // 21)
    for slot in range(LANES, means.size):
        total = 0.0
        for roll in range(21):
            first, last = offsets[21 * slot + roll], offsets[21 * slot + roll + 1]
            least = np.inf
            for k in range(first, last):
                least = min(least, means[numbers[k]])
            total += least if roll >= 15 else 2.0 * least
        means[slot] = 1.0 + total / 36.0
    return means


@njit(cache=True)
def _choose(numbers, offsets, ends):
    """Choose the rivals of each position: better positions that the same rolls often reach.

    If a roll reaches a position but none of the position's candidates, two positions become
    candidates: those with the lowest mean numbers of rolls among all positions that the
    roll reaches.
    """
    means = _mean_rolls(numbers, offsets)
    candidates = np.empty((means.size, _CANDIDATES), dtype=np.uint16)
    counts = np.zeros((means.size, _CANDIDATES), dtype=np.int32)
    seen = np.full(means.size, -1, dtype=np.int64)
    for start in range(offsets.size - 1):
        best = second = numbers[offsets[start]]
        for k in range(offsets[start], offsets[start + 1]):
            slot = numbers[k]
            seen[slot] = start
            if means[slot] < means[best]:
                best, second = slot, best
            elif second == best or means[slot] < means[second]:
                second = slot
        for k in range(offsets[start], offsets[start + 1]):
            slot = numbers[k]
            known = 0
            new = True
            while known < _CANDIDATES and counts[slot, known] > 0:
                if seen[candidates[slot, known]] == start:
                    counts[slot, known] += 1
                    new = False
                known += 1
            for rival in (best, second):
                below = means[rival] < means[slot] and rival < ends[slot]
                if new and below and known < _CANDIDATES:
                    candidates[slot, known] = rival
                    counts[slot, known] = 1
                    known += 1
    rivals = np.empty((means.size, RIVALS), dtype=np.uint16)
    for slot in range(means.size):
        for k in range(RIVALS):
            place = np.argmax(counts[slot])
            found = counts[slot, place] > 0
            rivals[slot, k] = candidates[slot, place] if found else slot
            counts[slot, place] = 0
    return rivals


@njit(cache=True)
def _mark(numbers, offsets, rivals):
    """For each play, mark the rivals that the same roll can reach instead."""
    present = np.zeros(numbers.size, dtype=np.uint8)
    seen = np.full(rivals.shape[0], -1, dtype=np.int64)
    for start in range(offsets.size - 1):
        for k in range(offsets[start], offsets[start + 1]):
            seen[numbers[k]] = start
        for k in range(offsets[start], offsets[start + 1]):
            slot = numbers[k]
            for place in range(RIVALS):
                rival = rivals[slot, place]
                if rival != slot and seen[rival] == start:
                    present[k] |= 1 << place
    return present


@intrinsic
def _beaten_by(typingctx, rows, first_row, rivals, slot):
    """Return a bit mask of the rivals that are at least as good for every opponent.

    `rows` has no values of rivals below `first_row`, so the bits of these rivals are always
    set.
    """
    signature = types.uint8(rows, first_row, rivals, slot)

    def codegen(context, builder, signature, args):
        i64, vector = ir.IntType(64), ir.VectorType(ir.IntType(32), LANES)
        row_data, rival_data = (
            context.make_array(signature.args[k])(context, builder, args[k]).data
            for k in (0, 2)
        )

        def row(at):
            start = builder.mul(at, ir.Constant(i64, WIDTH))
            for k in range(GROUP):
                place = builder.gep(
                    row_data, [builder.add(start, ir.Constant(i64, LANES * k))]
                )
                values = builder.load(builder.bitcast(place, vector.as_pointer()))
                values.align = 4
                yield values

        own = builder.sub(args[3], args[1])
        mine = list(row(own))
        found = ir.Constant(ir.IntType(8), 0)
        for k in range(RIVALS):
            place = builder.add(
                builder.mul(args[3], ir.Constant(i64, RIVALS)), ir.Constant(i64, k)
            )
            rival = builder.load(builder.gep(rival_data, [place]))
            at = builder.sub(builder.zext(rival, i64), args[1])
            inside = builder.icmp_signed(">=", at, ir.Constant(i64, 0))
            # The bitwise OR of the differences is negative if any difference is negative.
            below = None
            for ours, theirs in zip(
                mine, row(builder.select(inside, at, own)), strict=True
            ):
                less = builder.sub(ours, theirs)
                below = less if below is None else builder.or_(below, less)
            negative = builder.icmp_signed("<", below, vector([0] * LANES))
            negative = builder.bitcast(negative, ir.IntType(LANES))
            none = builder.icmp_signed("==", negative, ir.Constant(ir.IntType(LANES), 0))
            bit = builder.select(none, ir.IntType(8)(1 << k), ir.IntType(8)(0))
            found = builder.or_(found, bit)
        return found

    return signature, codegen


@njit(cache=True, nogil=True)
def compare(rows, first_row, rivals, first, last, beaten):
    """Record which rivals of each position are at least as good for a group of opponents.

    ``rows[t - first_row]`` has the values of `WIDTH` opponents against position ``t``.
    ``beaten[t]`` receives a bit mask with a bit for each rival.
    """
    for slot in range(first, last):
        beaten[slot] = _beaten_by(rows, np.int64(first_row), rivals, np.int64(slot))


@njit(cache=True, nogil=True)
def sweep(rows, first_row, successors, beaten, present, first, last, tile, out):
    """Sum the opponent's values after the best plays, without dominated plays.

    `beaten` has the bit masks that `compare` wrote for the same opponents, and `present` is
    `Rivals.present`. The other parameters are those of
    `bearoff.two_sided.solving.kernels.sweep`.
    """
    offsets = successors.offsets
    most = 0
    for roller in range(first, last):
        most = max(most, offsets[21 * roller + 21] - offsets[21 * roller])
    kept = np.empty(most + 1, dtype=np.uint16)
    before = np.empty(most + 1, dtype=np.uint16)
    ends = np.empty(22, dtype=np.int64)
    zero = np.int64(0)
    for block in range((last - first) // LANES):
        for i in range(LANES):
            roller = first + LANES * block + i
            _leave_out(successors, beaten, present, roller, kept, before, ends)
            sum_of_minima(rows, first_row, kept, ends, zero, tile, np.int64(i))
        for column in range(0, out.shape[1], LANES):
            transpose(tile, np.int64(column), out[block], np.int64(LANES * column))


@njit(cache=True, nogil=True)
def _leave_out(successors, beaten, present, roller, kept, before, ends):
    """List the positions after a roller's plays, except dominated plays.

    The roller's positions after roll ``r`` are ``kept[ends[r] : ends[r + 1]]``, at least
    one. `before` is a work array with one number per play.
    """
    offsets = successors.offsets
    first, last = offsets[21 * roller], offsets[21 * roller + 21]
    used: int = _keep(successors.numbers, present, first, last, beaten, kept, before)
    for roll in range(21):
        ends[roll] = before[offsets[21 * roller + roll] - first]
    ends[21] = used


@intrinsic
def _keep(typingctx, numbers, present, first, last, beaten, kept, before):
    """Copy the positions after plays that are not dominated, and return their number.

    ``before[k]`` receives the number of positions that are copied before the play ``first +
    k``. The code has no branches, because the processor would mispredict them.
    """
    signature = types.int64(numbers, present, first, last, beaten, kept, before)

    def codegen(context, builder, signature, args):
        i64, byte = ir.IntType(64), ir.IntType(8)
        numbers, present, beaten, kept, before = (
            context.make_array(signature.args[k])(context, builder, args[k]).data
            for k in (0, 1, 4, 5, 6)
        )
        used: ir.AllocaInstr = cgutils.alloca_once_value(builder, ir.Constant(i64, 0))
        with cgutils.for_range_slice(builder, args[2], args[3], ir.Constant(i64, 1)) as (
            k,
            _,
        ):
            slot = builder.load(builder.gep(numbers, [k]))
            place = builder.load(used)
            builder.store(slot, builder.gep(kept, [place]))
            builder.store(
                builder.trunc(place, before.type.pointee),
                builder.gep(before, [builder.sub(k, args[2])]),
            )
            marks = builder.load(builder.gep(beaten, [builder.zext(slot, i64)]))
            both = builder.and_(marks, builder.load(builder.gep(present, [k])))
            keeps = builder.icmp_signed("==", both, ir.Constant(byte, 0))
            builder.store(builder.add(place, builder.zext(keeps, i64)), used)
        return builder.load(used)

    return signature, codegen
