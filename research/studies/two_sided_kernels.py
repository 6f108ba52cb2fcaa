"""Compiled kernels of the study of a two-sided table; `two_sided` has the plan.

Those of win probabilities read one tile: ``rows[t, j]`` is the code of the chance, in
steps of 1/65535, of the tile's side ``j`` on roll against slot ``t``. `group` has the
checkers of each slot, 0 where there is nothing to count: no position, or all borne off.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.runtime import njit


class Pairs(NamedTuple):
    """Which pairs of a tile count, by the checkers of both sides.

    Attributes
    ----------
    slots : ndarray of int, shape (t,)
        Checkers of each slot, 0 where there is nothing to count.
    lanes : ndarray of int, shape (j,)
        The same of each lane.
    """

    slots: NDArray[np.int64]
    lanes: NDArray[np.int64]


class Differences(NamedTuple):
    """What `compare_values` counts, filled in place.

    Attributes
    ----------
    per_bin : float
        Bins of the histogram to a difference of 1.
    histogram : ndarray of int64
        Differences, optimal less expected; the middle bin holds 0.
    total, most : ndarray of float64, shape (checkers + 1, checkers + 1)
        Sum and largest of the absolute differences, by roller's and opponent's checkers.
    where : ndarray of int64, shape (checkers + 1, checkers + 1, 2)
        Slot and lane of the largest.
    """

    per_bin: float
    histogram: NDArray[np.int64]
    total: NDArray[np.float64]
    most: NDArray[np.float64]
    where: NDArray[np.int64]


class Choices(NamedTuple):
    """The plays of every slot and roll, and the one that is compared.

    Attributes
    ----------
    offsets, successors : ndarray of int
        ``successors[offsets[21 x + r] : offsets[21 x + r + 1]]`` are the slots to which
        roll ``r`` leads from slot ``x``.
    chosen : ndarray of int, shape (t, 21)
        The slot that the compared play leads to.
    weights : ndarray of int, shape (21,)
        Throws of each roll.
    """

    offsets: NDArray[np.int64]
    successors: NDArray[np.integer]
    chosen: NDArray[np.integer]
    weights: NDArray[np.integer]


class Losses(NamedTuple):
    """What `compare_plays` counts, filled in place.

    Attributes
    ----------
    steps : ndarray of int
        Losses in codes from which plays are counted as worse.
    worse : ndarray of int64, shape (checkers + 1, steps, j)
        Rolls whose chosen play loses so much or more.
    total, most, where : ndarray of int64, shape (checkers + 1, j)
        What is lost in 36ths of a code; the largest loss, and the roller's slot.
    """

    steps: NDArray[np.int64]
    worse: NDArray[np.int64]
    total: NDArray[np.int64]
    most: NDArray[np.int64]
    where: NDArray[np.int64]


class GammonCounts(NamedTuple):
    """What `count_gammons` counts, filled in place.

    Attributes
    ----------
    full : int
        Checkers with which both sides start.
    steps : ndarray of int
        Sizes that are counted.
    counts : ndarray of int64, shape (checkers + 1, checkers + 1, steps)
        Pairs of such a size or more.
    most, where : ndarray
        The largest size, and its slot and lane.
    miss : ndarray of float64, shape (checkers + 1, checkers + 1)
        By how much the expected worth is off at most.
    """

    full: int
    steps: NDArray[np.int64]
    counts: NDArray[np.int64]
    most: NDArray[np.int64]
    where: NDArray[np.int64]
    miss: NDArray[np.float64]


@njit(cache=True, nogil=True)
def _add_products(row, columns, sign, out):
    """Add ``sign * row @ columns`` to `out`.

    A loop over the lanes is compiled to vector instructions, and unlike a library for
    matrices it starts no threads of its own beside those that run this.
    """
    for k in range(row.size):
        factor = sign * row[k]
        for j in range(out.size):
            out[j] += factor * columns[k, j]


@njit(cache=True, nogil=True)
def compare_values(rows, at_least, exactly, pairs, found):
    """Compare the tile's win probabilities with convolutions, the rollers in the lanes.

    ``at_least[t, n]`` is the chance of a slot to need ``n`` rolls or more, and
    ``exactly[n, j]`` that of a lane to need exactly ``n``. `found` is a `Differences`.
    """
    group, lanes = pairs
    per_bin, histogram, total, most, where = found
    middle = histogram.size // 2 + 0.5
    expected = np.empty(rows.shape[1])
    for t in range(rows.shape[0]):
        if group[t] == 0:
            continue
        expected[:] = 0.0
        _add_products(at_least[t], exactly, 1.0, expected)
        for j in range(rows.shape[1]):
            if lanes[j] == 0:
                continue
            difference = rows[t, j] / 65535.0 - expected[j]
            k = int(np.floor(difference * per_bin + middle))
            histogram[min(max(k, 0), histogram.size - 1)] += 1
            size = abs(difference)
            total[lanes[j], group[t]] += size
            if size > most[lanes[j], group[t]]:
                most[lanes[j], group[t]] = size
                where[lanes[j], group[t], 0] = t
                where[lanes[j], group[t], 1] = j


@njit(cache=True, nogil=True)
def compare_plays(rows, choices, group, found):
    """Compare the chosen play of each roll with the best, the opponents in the lanes.

    The roller wants the opponent's win probability low. `choices` is a `Choices`, `found`
    a `Losses`.
    """
    offsets, successors, chosen, weights = choices
    steps, worse, total, most, where = found
    width = rows.shape[1]
    best = np.empty(width, dtype=np.uint16)
    counts = np.empty((steps.size, width), dtype=np.uint16)
    lost = np.empty(width, dtype=np.int32)
    largest = np.empty(width, dtype=np.uint16)
    for x in range(rows.shape[0]):
        if group[x] == 0:
            continue
        counts[:] = 0
        lost[:] = 0
        largest[:] = 0
        for roll in range(weights.size):
            begin = offsets[x * weights.size + roll]
            end = offsets[x * weights.size + roll + 1]
            if end - begin == 1:
                continue
            first = rows[successors[begin]]
            for j in range(width):
                best[j] = first[j]
            for k in range(begin + 1, end):
                row = rows[successors[k]]
                for j in range(width):
                    best[j] = min(best[j], row[j])
            played = rows[chosen[x, roll]]
            differ = np.uint16(0)
            for j in range(width):
                differ |= played[j] ^ best[j]
            if differ == 0:
                continue
            for j in range(width):
                loss = np.uint16(played[j] - best[j])
                lost[j] += np.int32(weights[roll]) * np.int32(loss)
                largest[j] = max(largest[j], loss)
            for s in range(steps.size):
                for j in range(width):
                    counts[s, j] += np.uint16(played[j] - best[j] >= steps[s])
        by = group[x]
        for j in range(width):
            total[by, j] += lost[j]
            if largest[j] > most[by, j]:
                most[by, j] = largest[j]
                where[by, j] = x
            for s in range(steps.size):
                worse[by, s, j] += counts[s, j]


@njit(cache=True, nogil=True)
def count_gammons(codes, slots, others, pairs, found):
    """Count what gammons are worth in pairs of which a side has all checkers on.

    ``codes[t, j]`` is the worth for roller ``lanes[j]`` against slot ``t``, in steps. What
    is expected is ``slots[0][t] @ others[0][:, j] - slots[1][t] @ others[1][:, j]``.
    `found` is a `GammonCounts`.
    """
    group, lanes = pairs
    full, steps, counts, most, where, miss = found
    some_full = (lanes == full).any()
    expected = np.empty(codes.shape[1])
    for t in range(codes.shape[0]):
        if group[t] == 0 or (group[t] != full and not some_full):
            continue
        expected[:] = 0.0
        _add_products(slots[0][t], others[0], 1.0, expected)
        _add_products(slots[1][t], others[1], -1.0, expected)
        for j in range(codes.shape[1]):
            if lanes[j] == 0 or (lanes[j] != full and group[t] != full):
                continue
            worth = np.int64(codes[t, j])
            x, y = lanes[j], group[t]
            miss[x, y] = max(miss[x, y], abs(worth - expected[j]))
            for s in range(steps.size):
                counts[x, y, s] += abs(worth) >= steps[s]
            if abs(worth) > most[x, y]:
                most[x, y] = abs(worth)
                where[x, y, 0] = t
                where[x, y, 1] = j
