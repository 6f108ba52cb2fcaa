"""Kernels that price adjusted counts with every line at once.

Counts are in half pips. A decision's line is passed at the least lead, in half pips, at
which the roller acts (or beyond which the opponent passes); what falls on each such lead
is gathered in a histogram, and its running sums price all offsets of the line.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.runtime import njit

Int32Array = NDArray[np.int32]
Int64Array = NDArray[np.int64]


class Counted(NamedTuple):
    """Decisions with what is counted of both sides.

    Attributes
    ----------
    ours, theirs : ndarray of int32, shape (n,)
        Both sides' counts so far, half pips.
    mine, opponents : ndarray of int8, shape (n,)
        How often each side has what is added.
    least_ours, least_theirs : ndarray of int32, shape (n,)
        What they count at least, half pips.
    gains : ndarray of float64, shape (n, 3)
        Of doubling, of redoubling, and of passing instead of taking.
    """

    ours: Int32Array
    theirs: Int32Array
    mine: NDArray[np.int8]
    opponents: NDArray[np.int8]
    least_ours: Int32Array
    least_theirs: Int32Array
    gains: NDArray[np.float64]


class Tried(NamedTuple):
    """The numbers to try.

    Attributes
    ----------
    weights : ndarray of int64, shape (k,)
        Half pips for each of what is added.
    divisors, parts : ndarray of int64, shape (m,)
        Of the share; parts 0 for none.
    low, high : int
        Least and largest offset, half pips.
    step : int
        Half pips from one offset to the next; 2 for whole pips. `low` is a multiple of it.
    """

    weights: Int64Array
    divisors: Int64Array
    parts: Int64Array
    low: int
    high: int
    step: int


@njit(cache=True, nogil=True)
def price_candidates(counted, tried, losses, offsets):
    """Price one more adjustment with each weight and each divisor.

    Parameters
    ----------
    counted : Counted
        The decisions.
    tried : Tried
        Weights, divisors and offsets.
    losses : float64 (k, m), out
        Least loss with the best offsets.
    offsets : int64 (k, m, 3), out
        Those, half pips.
    """
    ours, theirs, mine, opponents, least_ours, least_theirs, gains = counted
    weights, divisors, parts, low, high, step = tried
    bins = high - low + 3
    if mine.size == 0 or weights.size == 0:
        return
    sums = np.empty((bins, 3))
    base = np.zeros(3)
    for i in range(gains.shape[0]):
        for j in range(3):
            if gains[i, j] < 0:
                base[j] -= gains[i, j]
    for m in range(divisors.size):
        divisor, share = divisors[m], parts[m]
        # Floors by a table: a division for each row would take most of the time.
        start = divisor * low - divisor
        size = divisor * (bins + 1)
        floor = np.empty(size, dtype=np.int16)
        ceiling = np.empty(size, dtype=np.int16)
        for s in range(size):
            floor[s] = s // divisor - 1
            ceiling[s] = (s + divisor - 1) // divisor - 1
        for k in range(weights.size):
            weight = weights[k]
            sums[:] = 0.0
            for i in range(ours.size):
                a = max(ours[i] + weight * mine[i], least_ours[i])
                b = max(theirs[i] + weight * opponents[i], least_theirs[i])
                at = divisor * (b - a) - share * a - start
                if at < 0:
                    at = 0
                elif at >= size:
                    at = size - 1
                f = floor[at] + 1
                if f >= bins:
                    f = bins - 1
                c = ceiling[at] + 1
                if c >= bins:
                    c = bins - 1
                # Bin n holds leads whose floor, or ceiling, is low + n - 1.
                sums[f, 0] += gains[i, 0]
                sums[f, 1] += gains[i, 1]
                sums[c, 2] += gains[i, 2]
            total = 0.0
            for j in range(3):
                # With the offset low + n what lies in the bins up to n does not act; a
                # take is still one on its line, whose ceiling is the offset itself.
                running = base[j]
                best, found = np.inf, 0
                for n in range(bins - 1):
                    running += sums[n, j]
                    offset = low + n - (1 if j == 2 else 0)
                    if not low <= offset <= high or offset % step:
                        continue
                    if running < best - 1e-15:
                        best, found = running, offset
                total += best
                offsets[k, m, j] = found
            losses[k, m] = total
