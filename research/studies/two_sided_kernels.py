"""Compiled kernels for the studies of two-sided tables.

A *slot* is the index at which a table stores a position of the player who is not on roll. A
*lane* is the index of a position of the player on roll in the part of the table that is
read. ``rows[t, j]`` is the win probability, in steps of 1/65535, of lane ``j`` on roll
against slot ``t``. ``group[t]`` is the number of checkers in slot ``t``. Slots without a
position, or with no checkers on the board, have the number 0 and are not counted.
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
        Number of checkers of the opponent in each slot of the table; 0 for slots that are
        not counted.
    lanes : ndarray of int, shape (j,)
        Number of checkers of the roller in each lane of the table; 0 for lanes that are not
        counted.
    """

    slots: NDArray[np.int64]
    lanes: NDArray[np.int64]


class Differences(NamedTuple):
    """Arrays to which the function `compare_values` adds its results.

    Attributes
    ----------
    per_bin : float
        Number of histogram bins per unit of win probability.
    histogram : ndarray of int64
        Histogram of the optimal win probability minus the win probability from a
        convolution. The middle bin is for equal probabilities.
    total, most : ndarray of float64, shape (checkers + 1, checkers + 1)
        Sum and maximum of the absolute differences in win probability, by the roller's and
        the opponent's number of checkers.
    where : ndarray of int64, shape (checkers + 1, checkers + 1, 2)
        Opponent's slot and roller's lane with the largest absolute difference.
    """

    per_bin: float
    histogram: NDArray[np.int64]
    total: NDArray[np.float64]
    most: NDArray[np.float64]
    where: NDArray[np.int64]


class Choices(NamedTuple):
    """Slots of the positions after every play of a roll, and after the play to compare.

    Attributes
    ----------
    offsets, successors : ndarray of int
        Slots of the positions that a play of roll ``r`` reaches from slot ``x``:
        ``successors[offsets[21 x + r] : offsets[21 x + r + 1]]``.
    chosen : ndarray of int, shape (t, 21)
        Slot of the position after the play that is compared with the best play, for each
        starting slot and roll.
    weights : ndarray of int, shape (21,)
        Number of the 36 throws that give each roll.
    """

    offsets: NDArray[np.int64]
    successors: NDArray[np.integer]
    chosen: NDArray[np.integer]
    weights: NDArray[np.integer]


class Losses(NamedTuple):
    """Arrays to which the function `compare_plays` adds its results.

    Attributes
    ----------
    steps : ndarray of int
        Limits of the loss of win probability, in steps of 1/65535. For each limit, the
        plays that lose at least this much are counted.
    worse : ndarray of int64, shape (checkers + 1, steps, j)
        Number of rolls for which the compared play loses at least each limit in `steps`.
    total, most, where : ndarray of int64, shape (checkers + 1, j)
        Sum of the losses over all 36 throws, largest loss, and slot of the roller's
        position with the largest loss.
    """

    steps: NDArray[np.int64]
    worse: NDArray[np.int64]
    total: NDArray[np.int64]
    most: NDArray[np.int64]
    where: NDArray[np.int64]


class GammonCounts(NamedTuple):
    """Arrays to which the function `count_gammons` adds its results.

    Attributes
    ----------
    full : int
        Number of checkers per side at the start.
    steps : ndarray of int
        Limits of the value of gammons, in units of the stored integers. For each limit, the
        pairs in which gammons are worth at least this much are counted.
    counts : ndarray of int64, shape (checkers + 1, checkers + 1, steps)
        Number of pairs in which the value of gammons is at least each limit in `steps`.
    most, where : ndarray
        Largest value of gammons, and the opponent's slot and the roller's lane with this
        value.
    miss : ndarray of float64, shape (checkers + 1, checkers + 1)
        Largest error of the estimated value of gammons, in units of the stored integers.
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

    The inner loop is compiled to vector instructions. A matrix library is not used, because
    it would start its own threads.
    """
    for k in range(row.size):
        factor = sign * row[k]
        for j in range(out.size):
            out[j] += factor * columns[k, j]


@njit(cache=True, nogil=True)
def compare_values(rows, at_least, exactly, pairs, found):
    """Compare a table's win probabilities with convolutions of roll distributions.

    ``at_least[t, n]`` is the probability that the opponent's position in slot ``t`` needs
    ``n`` rolls or more. ``exactly[n, j]`` is the probability that the roller's position in
    lane ``j`` needs exactly ``n`` rolls. The argument `found` is a `Differences`.
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

    The best play minimises the win probability of the opponent, who is on roll afterwards.
    The argument `choices` is a `Choices`, and `found` is a `Losses`.
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

    ``codes[t, j]`` is the stored value of gammons for the roller in lane ``j`` against the
    opponent in slot ``t``. Its estimate is ``slots[0][t] @ others[0][:, j] - slots[1][t] @
    others[1][:, j]``. The argument `found` is a `GammonCounts`.
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
