"""Compiled functions that optimise adjusted pip counts by simulated annealing.

A count is a float64 number of pips. Decisions are sorted into bins by the lead minus a
fraction of the roller's count. Cumulative sums of the equity gains over the bins give the
loss for every offset.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.runtime import njit

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

LOW, HIGH, FINE = -60, 40, 8
"""Smallest and largest offset in pips, and number of offsets per pip."""

LARGEST = 0.35
"""Largest fraction of the roller's count that a rule may subtract from the lead."""


class SideFeatures(NamedTuple):
    """Values of features for both sides in cube decisions, and the equities gained.

    Attributes
    ----------
    ours, theirs : ndarray of float32, shape (columns, n)
        Value of each feature column, for each side.
    our_rolls, their_rolls : ndarray of int64, shape (n,)
        Number of rolls that each side needs without doubles to bear off all its checkers.
    gains : ndarray of float64, shape (n, 3)
        Equities gained by doubling, by redoubling, and by passing instead of taking.
    """

    ours: NDArray[np.float32]
    theirs: NDArray[np.float32]
    our_rolls: Int64Array
    their_rolls: Int64Array
    gains: Float64Array


class FeatureClass(NamedTuple):
    """Features that an adjusted pip count may use, with their mental costs.

    Attributes
    ----------
    group : ndarray of int64, shape (columns,)
        Number of the feature to which each column belongs. Columns of feature 0 are always
        used.
    floor_units : ndarray of int64, shape (rolls + 1,)
        Mental cost of minimum counts for 1, 2, ... rolls.
    """

    group: Int64Array
    units: Int64Array
    floor_units: Int64Array
    budget: int


class FreeCount(NamedTuple):
    """Parameters of an adjusted pip count; the arrays are modified in place.

    Attributes
    ----------
    weights : ndarray of float64, shape (columns,)
        Weight of each feature column, in pips; 0 for features that are not used.
    least : ndarray of float64, shape (rolls + 1,)
        Minimum count in pips, by the number of rolls that a side needs; entry 0 is not
        used.
    rest : ndarray of float64, shape (2,)
        Largest number of rolls that has a minimum count, and fraction of the roller's count
        that is subtracted from the lead.
    """

    weights: Float64Array
    seen: NDArray[np.bool_]
    least: Float64Array
    rest: Float64Array


@njit(cache=True, nogil=True)
def loss_of(ours, theirs, sides, least, last, share, sums, offsets):
    """Return the smallest loss over all offsets of the required leads; fill `offsets`."""
    sums[:] = 0.0
    idle = np.zeros(3)
    bins = sums.shape[0]
    for i in range(ours.size):
        a, b = ours[i], theirs[i]
        if sides.our_rolls[i] <= last:
            a = max(a, least[sides.our_rolls[i]])
        if sides.their_rolls[i] <= last:
            b = max(b, least[sides.their_rolls[i]])
        at = int(np.floor((b - a - share * a - LOW) * FINE)) + 1
        at = min(max(at, 0), bins - 1)
        for j in range(3):
            gain = sides.gains[i, j]
            sums[at, j] += gain
            idle[j] += max(gain, 0.0)
    total = 0.0
    for j in range(3):
        acted, best, found = 0.0, 0.0, bins
        for at in range(bins - 1, 0, -1):
            acted += sums[at, j]
            if acted > best:
                best, found = acted, at
        total += idle[j] - best
        offsets[j] = LOW + (found - 1) / FINE
    return total


@njit(cache=True, nogil=True)
def add_up(sides, weights, ours, theirs):
    """Compute each side's weighted sum of features, before minimum counts are applied."""
    ours[:] = 0.0
    theirs[:] = 0.0
    for c in range(weights.size):
        if weights[c] != 0.0:
            for i in range(ours.size):
                ours[i] += weights[c] * sides.ours[c, i]
                theirs[i] += weights[c] * sides.theirs[c, i]


@njit(cache=True, nogil=True)
def cost_of(seen, last, allowed):
    """Return the total mental cost of an adjusted pip count."""
    total = allowed.floor_units[last]
    for group in range(1, seen.size):
        if seen[group]:
            total += allowed.units[group]
    return total


@njit(cache=True, nogil=True)
def _drop_feature(allowed, count, group):
    count.seen[group] = False
    for c in range(allowed.group.size):
        if allowed.group[c] == group:
            count.weights[c] = 0.0


@njit(cache=True, nogil=True)
def _change_features(allowed, count, rng):
    """Change the features of a count at random; return whether it is within budget."""
    groups, rolls = allowed.units.size, count.least.size - 1
    last = int(count.rest[0])
    if rng.random() < 0.15:
        k = min(max(last + (1 if rng.random() < 0.5 else -1), 0), rolls)
        if k > last:
            before = count.least[k - 1] if k > 1 else 0.0
            count.least[k] = before + 8.0 + 8.0 * rng.random()
        count.rest[0] = k
        return cost_of(count.seen, k, allowed) <= allowed.budget
    chosen = 1 + int(rng.random() * (groups - 1))
    count.seen[chosen] = not count.seen[chosen]
    for c in range(allowed.group.size):
        if allowed.group[c] == chosen:
            count.weights[c] = rng.normal(0.0, 0.6) if count.seen[chosen] else 0.0
    # If the added feature makes the count exceed its budget of mental cost, other features
    # are removed.
    for _ in range(3):
        if cost_of(count.seen, last, allowed) > allowed.budget:
            other = 1 + int(rng.random() * (groups - 1))
            for more in range(groups - 1):
                at = 1 + (other - 1 + more) % (groups - 1)
                if count.seen[at] and at != chosen:
                    _drop_feature(allowed, count, at)
                    break
    return cost_of(count.seen, last, allowed) <= allowed.budget


@njit(cache=True, nogil=True)
def _change_weights(allowed, count, size, rng):
    """Change one or two weights of a count, or another parameter, by about `size`."""
    last, columns = int(count.rest[0]), count.weights.size
    way = rng.random()
    if way < 0.1:
        share = count.rest[1] + 0.01 * size * rng.normal(0.0, 1.0)
        count.rest[1] = min(max(share, 0.0), LARGEST)
    elif way < 0.3 and last > 0:
        at = 1 + int(rng.random() * last)
        count.least[at] += 2.0 * size * rng.normal(0.0, 1.0)
    else:
        for _ in range(2):
            c = int(rng.random() * columns)
            for more in range(columns):
                at = (c + more) % columns
                if count.seen[allowed.group[at]]:
                    count.weights[at] += size * rng.normal(0.0, 1.0)
                    break
            if rng.random() < 0.6:
                break


@njit(cache=True, nogil=True)
def _copy(count, into):
    into.weights[:] = count.weights
    into.seen[:] = count.seen
    into.least[:] = count.least
    into.rest[:] = count.rest


@njit(cache=True, nogil=True)
def anneal(sides, allowed, count, heats, jump, rng):
    """Optimise an adjusted pip count in place by simulated annealing.

    Parameters
    ----------
    sides : SideFeatures
        Feature values of both sides in each decision, and the equities gained by the cube
        actions.
    allowed : FeatureClass
        Features that the count may use, and the budget of mental cost.
    count : FreeCount
        Count from which the search starts. The best count found overwrites the arrays.
    heats : ndarray of float64
        Temperature at each step: the relative increase in loss that is accepted with
        probability 1/e.
    jump : float
        Proportion of steps that add or remove a feature; if 0, only weights change.

    Returns
    -------
    float
        Smallest loss found.
    """
    n = sides.gains.shape[0]
    here = FreeCount(
        count.weights.copy(), count.seen.copy(), count.least.copy(), count.rest.copy()
    )
    tried = FreeCount(
        count.weights.copy(), count.seen.copy(), count.least.copy(), count.rest.copy()
    )
    ours, theirs = np.empty(n), np.empty(n)
    add_up(sides, here.weights, ours, theirs)
    tried_ours, tried_theirs = np.empty(n), np.empty(n)
    sums, offsets = np.empty(((HIGH - LOW) * FINE + 3, 3)), np.empty(3)
    last, share = int(here.rest[0]), here.rest[1]
    current = loss_of(ours, theirs, sides, here.least, last, share, sums, offsets)
    best, scale = current, current
    for step in range(heats.size):
        _copy(here, tried)
        # The search needs large and small changes of weights, so the size of a change is
        # random.
        size = np.exp(rng.normal(0.0, 1.0)) * 0.12
        if rng.random() < jump:
            if not _change_features(allowed, tried, rng):
                continue
        else:
            _change_weights(allowed, tried, size, rng)
        tried_ours[:] = ours
        tried_theirs[:] = theirs
        for c in range(tried.weights.size):
            change = tried.weights[c] - here.weights[c]
            if change != 0.0:
                for i in range(n):
                    tried_ours[i] += change * sides.ours[c, i]
                    tried_theirs[i] += change * sides.theirs[c, i]
        last, share = int(tried.rest[0]), tried.rest[1]
        found = loss_of(
            tried_ours, tried_theirs, sides, tried.least, last, share, sums, offsets
        )
        worse = (found - current) / scale
        if worse <= 0 or rng.random() < np.exp(-worse / heats[step]):
            _copy(tried, here)
            ours, tried_ours = tried_ours, ours
            theirs, tried_theirs = tried_theirs, theirs
            current = found
            if found < best:
                best = found
                _copy(tried, count)
    return best
