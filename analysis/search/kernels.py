"""Compiled functions that compute the losses of many variants of an adjusted pip count.

Counts are integers in half pips; the share of the roller's count is rounded down to whole
pips. Decisions are sorted into bins by the lead minus that share. Cumulative sums of the
equity gains over the bins give the loss for every offset.
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
        Counts without the adjustment under test, in half pips.
    mine, opponents : ndarray of int8, shape (n,)
        Occurrences of the adjustment under test, for the roller and the opponent.
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
    """Weights, divisors and offsets that are tried for an adjustment.

    Attributes
    ----------
    weights : ndarray of int64, shape (k,)
        Weights of the adjustment that are tried, in half pips.
    divisors, parts, caps : ndarray of int64, shape (m,)
        Divisor, numerator (0 for no fraction) and maximum in half pips of each fraction of
        the roller's count.
    low, high : int
        Smallest and largest offset, in half pips.
    step : int
        Step between offsets in half pips: 1, or 2 for whole pips. `low` must be a multiple
        of it.
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
    """Compute the loss of a rule with one more adjustment, for each weight and divisor.

    Parameters
    ----------
    counted : CountedDecisions
        Adjusted counts and equities gained in the decisions.
    tried : TrialValues
        Weights, divisors and offsets that are tried.
    losses : float64 (k, m), out
        Minimum loss over all offsets, for each weight and divisor.
    offsets : int64 (k, m, 3), out
        Offsets that give the minimum loss, in half pips.
    """
    ours, theirs, mine, opponents, least_ours, least_theirs, gains = counted
    weights, divisors, parts, caps, low, high, step = tried
    # `idle` is the loss of a formula that never doubles, redoubles or passes.
    idle = np.zeros(3)
    for i in range(gains.shape[0]):
        for j in range(3):
            idle[j] += max(gains[i, j], 0.0)
    # The first bin is for leads below the smallest offset, and the last bin for leads above
    # the largest offset.
    bins = high - low + 3
    sums = np.empty((bins, 3))
    for m in range(divisors.size):
        # Counts are in half pips, but a fraction of a count is rounded down to whole pips,
        # hence the factor 2.
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
