"""Compiled kernels that draw pairs of positions and compute their expected values.

Each kernel reads the arrays only once. With numpy functions, which read and write arrays
several times, this part of the work would take most of the time of a batch with few games
per pair.
"""

import numpy as np

from bearoff.runtime import njit


@njit(cache=True, nogil=True)
def first_off(exactly, opponent_exactly, rollers, opponents, wins):
    """Compute the probability that the roller bears off first, for pairs of positions.

    The loop runs from the highest number of rolls down to 0. The probability that the
    opponent needs at least n rolls is therefore a running sum; see
    `bearoff.one_sided.convolution`.
    """
    common = min(exactly.shape[1], opponent_exactly.shape[1])
    for k in range(rollers.size):
        x, y = rollers[k], opponents[k]
        at_least = 0.0
        won = 0.0
        for n in range(opponent_exactly.shape[1] - 1, common - 1, -1):
            at_least += opponent_exactly[y, n]
        for n in range(common - 1, -1, -1):
            at_least += opponent_exactly[y, n]
            won += exactly[x, n] * at_least
        wins[k] = min(won, 1.0)


@njit(cache=True, nogil=True)
def unrank(terms, numbers, counts):
    """Compute the checkers on each point from position numbers; see `bearoff.unrank`."""
    points = counts.shape[1]
    for k in range(numbers.size):
        rest = numbers[k]
        above = 0
        # `r` is the number of checkers on point i and all higher points, so it never
        # increases with i.
        r = terms.shape[1] - 1
        for i in range(1, points + 1):
            while terms[i, r] > rest:
                r -= 1
            rest -= terms[i, r]
            if i > 1:
                counts[k, i - 2] = above - r
            above = r
        counts[k, points - 1] = above


@njit(cache=True, nogil=True)
def first_above(ends, values, chosen):
    """Find, for each value, the index of the first greater element of the array `ends`.

    `guide` contains the approximate result for evenly spaced values, which shortens each
    binary search. The index is len(ends) if no element is greater.
    """
    size = ends.size
    scale = size / ends[-1]
    guide = np.empty(size + 1, np.int64)
    at = 0
    for place in range(size):
        while at < size and ends[at] * scale <= place:
            at += 1
        guide[place] = at
    guide[size] = size
    for k in range(values.size):
        place = min(int(values[k] * scale), size - 1)
        low, high = guide[place], guide[place + 1]
        if low > 0 and ends[low - 1] > values[k]:
            low = 0  # because a rounding error made `low` too large
        if high < size and ends[high] <= values[k]:
            high = size  # because a rounding error made `high` too small
        while low < high:
            middle = (low + high) // 2
            if ends[middle] <= values[k]:
                low = middle + 1
            else:
                high = middle
        chosen[k] = low


@njit(cache=True)
def carry_visits(policy, weights, visits):
    """Add each position's expected number of visits to the positions after it."""
    for position in range(policy.shape[0] - 1, 0, -1):
        for roll in range(policy.shape[1]):
            visits[policy[position, roll]] += visits[position] * weights[roll] / 36.0
