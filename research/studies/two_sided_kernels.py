"""Compiled kernels for the studies of two-sided tables.

A kernel for win probabilities reads one tile. ``rows[t, j]`` is the win probability, in
steps of 1/65535, of the tile's side ``j`` on roll against slot ``t``. `group` has the
number of checkers of each slot. It is 0 for slots that are not counted, because they have
no position or no checkers on the board.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.runtime import njit


class Pairs(NamedTuple):
    """Numbers of checkers of both sides in a part of the table, for grouping its pairs.

    Attributes
    ----------
    slots : ndarray of int, shape (t,)
        Number of checkers of the opponent's position in each slot; 0 for slots that are not
        counted.
    lanes : ndarray of int, shape (j,)
        Number of checkers of the roller's position in each lane; 0 for lanes that are not
        counted.
    """

    slots: NDArray[np.int64]
    lanes: NDArray[np.int64]


class Differences(NamedTuple):
    """Output arrays of `compare_values`, which changes them in place.

    Attributes
    ----------
    per_bin : float
        Number of histogram bins per unit of win probability.
    histogram : ndarray of int64
        Number of pairs by the optimal minus the expected win probability. The middle bin is
        for 0.
    total, most : ndarray of float64, shape (checkers + 1, checkers + 1)
        Sum and maximum of the absolute differences, by the roller's and the opponent's
        checkers.
    where : ndarray of int64, shape (checkers + 1, checkers + 1, 2)
        Slot and lane of the maximum difference.
    """

    per_bin: float
    histogram: NDArray[np.int64]
    total: NDArray[np.float64]
    most: NDArray[np.float64]
    where: NDArray[np.int64]


class Choices(NamedTuple):
    """Positions after every play of every roll, and the play that is compared.

    Attributes
    ----------
    offsets, successors : ndarray of int
        Slots after roll ``r`` from slot ``x``: ``successors[offsets[21 x + r] : offsets[21
        x + r + 1]]``.
    chosen : ndarray of int, shape (t, 21)
        Slot after the play that is compared, for each slot and roll.
    weights : ndarray of int, shape (21,)
        Number of the 36 throws that give each roll.
    """

    offsets: NDArray[np.int64]
    successors: NDArray[np.integer]
    chosen: NDArray[np.integer]
    weights: NDArray[np.integer]


class Losses(NamedTuple):
    """Output arrays of `compare_plays`, which changes them in place.

    Attributes
    ----------
    steps : ndarray of int
        Losses in units of the stored integers. For each loss, the plays that lose at least
        as much are counted.
    worse : ndarray of int64, shape (checkers + 1, steps, j)
        Number of rolls whose compared play loses at least each of `steps`.
    total, most, where : ndarray of int64, shape (checkers + 1, j)
        Total loss, largest loss, and the roller's slot with the largest loss.
    """

    steps: NDArray[np.int64]
    worse: NDArray[np.int64]
    total: NDArray[np.int64]
    most: NDArray[np.int64]
    where: NDArray[np.int64]


class GammonCounts(NamedTuple):
    """Output arrays of `count_gammons`, which changes them in place.

    Attributes
    ----------
    full : int
        Number of checkers per side at the start.
    steps : ndarray of int
        Values of gammons in units of the stored integers. For each value, the pairs with at
        least this value are counted.
    counts : ndarray of int64, shape (checkers + 1, checkers + 1, steps)
        Number of pairs with at least each of these values.
    most, where : ndarray
        Largest value of gammons, and the slot and lane in which it occurs.
    miss : ndarray of float64, shape (checkers + 1, checkers + 1)
        Largest error of the expected value of gammons.
    """

    full: int
    steps: NDArray[np.int64]
    counts: NDArray[np.int64]
    most: NDArray[np.int64]
    where: NDArray[np.int64]
    miss: NDArray[np.float64]


@njit(cache=True, nogil=True)
def _add_products(row, columns, sign, out):
    """Add the vector ``sign * row @ columns`` to `out`.

    The loop over lanes is compiled to vector instructions. A matrix library would start
    threads of its own.
    """
    for k in range(row.size):
        factor = sign * row[k]
        for j in range(out.size):
            out[j] += factor * columns[k, j]


@njit(cache=True, nogil=True)
def compare_values(rows, at_least, exactly, pairs, found):
    """Compare a table's win probabilities with convolutions of roll distributions.

    ``at_least[t, n]`` is the probability that slot ``t`` needs ``n`` rolls or more.
    ``exactly[n, j]`` is the probability that lane ``j`` needs exactly ``n``. `found` is a
    `Differences`.
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
    """Compare a chosen play of each roll with the best play, in a part of the table.

    The roller minimises the opponent's win probability. `choices` is a `Choices`, and
    `found` is a `Losses`.
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
    """Count the values of gammons in pairs in which one side has borne off no checker.

    ``codes[t, j]`` is the value for roller ``lanes[j]`` against slot ``t``, in steps of the
    stored integers. The expected value is ``slots[0][t] @ others[0][:, j] - slots[1][t] @
    others[1][:, j]``. `found` is a `GammonCounts`.
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
