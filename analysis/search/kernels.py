"""Compiled functions that compute the losses of many variants of an adjusted pip count.

Counts are integers in half pips. The fraction of the roller's count in a required lead is
rounded down to whole pips. Decisions are sorted into bins by the lead minus this fraction.
Cumulative sums of the equity gains over the bins then give the loss for every offset.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.runtime import njit

Int32Array = NDArray[np.int32]
Int64Array = NDArray[np.int64]


class CountedDecisions(NamedTuple):
    """Adjusted pip counts in cube decisions, and the equities gained.

    Attributes
    ----------
    ours, theirs : ndarray of int32, shape (n,)
        Counts of both sides in half pips, without the adjustment whose weight is varied.
    mine, opponents : ndarray of int8, shape (n,)
        Number of occurrences of the varied adjustment, for the roller and for the opponent.
    least_ours, least_theirs : ndarray of int32, shape (n,)
        Minimum counts of both sides, in half pips.
    gains : ndarray of float64, shape (n, 3)
        Equities gained by doubling, by redoubling, and by passing instead of taking.
    """

    ours: Int32Array
    theirs: Int32Array
    mine: NDArray[np.int8]
    opponents: NDArray[np.int8]
    least_ours: Int32Array
    least_theirs: Int32Array
    gains: NDArray[np.float64]


class TrialValues(NamedTuple):
    """Weights, divisors and offsets that a search tries for one adjustment.

    Attributes
    ----------
    weights : ndarray of int64, shape (k,)
        Weights of the adjustment that are tried, in half pips.
    divisors, parts, caps : ndarray of int64, shape (m,)
        Divisor, numerator and maximum of each fraction of the roller's count. The maximum
        is in half pips. The numerator is 0 if no fraction is used.
    low, high : int
        Smallest and largest offset, in half pips.
    step : int
        Step between offsets in half pips: 1, or 2 for whole pips. The smallest offset,
        `low`, must be a multiple of the step.
    """

    weights: Int64Array
    divisors: Int64Array
    parts: Int64Array
    caps: Int64Array
    low: int
    high: int
    step: int


@njit(cache=True, nogil=True)
def evaluate_candidates(counted, tried, losses, offsets):
    """Compute the losses of a rule with one added adjustment, by weight and divisor.

    Parameters
    ----------
    counted : CountedDecisions
        Adjusted counts in the decisions, and the equities gained by the cube actions.
    tried : TrialValues
        Weights, divisors and offsets that this function tries.
    losses : float64 (k, m), out
        Minimum loss over all offsets, for each weight and divisor.
    offsets : int64 (k, m, 3), out
        Offsets with the smallest loss, in half pips.
    """
    ours, theirs, mine, opponents, least_ours, least_theirs, gains = counted
    weights, divisors, parts, caps, low, high, step = tried
    # `idle` contains the losses of a formula that never doubles, redoubles or passes.
    idle = np.zeros(3)
    for i in range(gains.shape[0]):
        for j in range(3):
            idle[j] += max(gains[i, j], 0.0)
    # In `sums`, the first bin is for leads below the smallest offset, and the last bin is
    # for leads above the largest offset.
    bins = high - low + 3
    sums = np.empty((bins, 3))
    for m in range(divisors.size):
        # Counts are in half pips, but a fraction of a count is rounded down to whole pips.
        # The factor 2 converts between these units.
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
                # A lead exactly at the limit is enough to double or redouble, and is still
                # a take.
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
