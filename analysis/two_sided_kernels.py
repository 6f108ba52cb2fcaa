"""Compiled kernels of the study of a two-sided table; `two_sided_study` has the plan.

Both read one tile: ``rows[t, j]`` is the code of the win probability, in steps of
1/65535, of the tile's side ``j`` on roll against slot ``t``. `group` has the checkers of
each slot, 0 where there is nothing to count: no position, or one that has borne off.
"""

import numpy as np

from bearoff.compiled import njit


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
def compare_values(
    rows, at_least, exactly, group, lanes, per_bin, histogram, total, most, where
):
    """Compare the tile's win probabilities with convolutions, lanes being the rollers.

    ``at_least[t, n]`` is the chance of a slot to need ``n`` rolls or more, and
    ``exactly[n, j]`` that of a lane to need exactly ``n``. ``histogram[k]`` counts
    differences, optimal less expected, in bins of ``1 / per_bin`` around the middle one.
    By checkers of roller and opponent, `total` sums the absolute differences, and `most`
    and `where` have the largest and its slot and lane.
    """
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
def compare_plays(
    rows, offsets, successors, chosen, weights, group, steps, worse, total, most, where
):
    """Compare the chosen play of each roll with the best, lanes being the opponents.

    The roller wants the opponent's win probability low. By his checkers and the lane,
    ``worse[:, s]`` counts rolls whose chosen play is worse by ``steps[s]`` codes or more,
    `total` sums what they lose in 36ths, and `most` and `where` have the largest loss
    and the roller's slot.
    """
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
def count_gammons(
    codes, none, slots, others, group, lanes, full, steps, counts, most, where, miss
):
    """Count what gammons are worth in pairs of which a side has all checkers on.

    ``codes[t, j]`` is how far the worth for roller ``lanes[j]`` against slot ``t`` lies
    above `none`. It is thought to be ``slots[0][t] @ others[0][:, j] - slots[1][t] @
    others[1][:, j]`` such steps. By checkers of roller and opponent, ``counts[:, :, s]``
    counts sizes of ``steps[s]`` or more, `most` and `where` have the largest and its
    slot and lane, and `miss` by how much the thought is off at most.
    """
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
            worth = np.int64(codes[t, j]) - none
            x, y = lanes[j], group[t]
            miss[x, y] = max(miss[x, y], abs(worth - expected[j]))
            for s in range(steps.size):
                counts[x, y, s] += abs(worth) >= steps[s]
            if abs(worth) > most[x, y]:
                most[x, y] = abs(worth)
                where[x, y, 0] = t
                where[x, y, 1] = j
