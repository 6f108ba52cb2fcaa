"""Kernels that price adjusted counts with every line at once.

Counts are in half pips; the share of the roller's is rounded down to whole pips. What every
decision gains is gathered in a histogram by how far its lead is beyond that share; the
running sums price all offsets.
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
    divisors, parts, caps : ndarray of int64, shape (m,)
        Of the share; parts 0 for none; what it is at most, half pips.
    low, high : int
        Least and largest offset, half pips.
    step : int
        Half pips from one offset to the next; 2 for whole pips. `low` is a multiple of it.
    """

    weights: Int64Array
    divisors: Int64Array
    parts: Int64Array
    caps: Int64Array
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
    weights, divisors, parts, caps, low, high, step = tried
    # What is lost if nobody acts.
    idle = np.zeros(3)
    for i in range(gains.shape[0]):
        for j in range(3):
            idle[j] += max(gains[i, j], 0.0)
    # Bins of leads less the share: the first for all below the lowest offset, the last for
    # all beyond the highest.
    bins = high - low + 3
    sums = np.empty((bins, 3))
    for m in range(divisors.size):
        # Half pips of which the share, rounded down, has two.
        whole, share, cap = 2 * divisors[m], 2 * parts[m], caps[m]
        for k in range(weights.size):
            weight = weights[k]
            sums[:] = 0.0
            for i in range(ours.size):
                a = max(ours[i] + weight * mine[i], least_ours[i])
                b = max(theirs[i] + weight * opponents[i], least_theirs[i])
                at = b - a - low - min(share * (a // whole), cap) + 1
                at = min(max(at, 0), bins - 1)
                sums[at, 0] += gains[i, 0]
                sums[at, 1] += gains[i, 1]
                sums[at, 2] += gains[i, 2]
            total = 0.0
            for j in range(3):
                # All that lies from the offset on acts; a take on its line is still one.
                acted, best, found, at = 0.0, np.inf, 0, bins - 1
                for offset in range(high, low - 1, -1):
                    first = offset - low + (2 if j == 2 else 1)
                    while at >= first:
                        acted += sums[at, j]
                        at -= 1
                    if offset % step == 0 and idle[j] - acted < best - 1e-15:
                        best, found = idle[j] - acted, offset
                total += best
                offsets[k, m, j] = found
            losses[k, m] = total
