"""Compiled kernels that estimate numbers of rolls with checkers outside the home board."""

import numpy as np

from bearoff.bear_in.coefficients import CEILING, CODES, HIDDEN, PIP, VARIANCE_UNITS
from bearoff.bear_in.kernels import OUTPUT_SCALE, PLAIN
from bearoff.rolls import PIPS_PER_ROLL
from bearoff.runtime import njit

_HOME, _POINTS = 6, 24
_SCORE_PER_ROLL = PIPS_PER_ROLL * PIP


@njit(cache=True)
def new_sums():
    """Allocate the work array of `beyond_home`."""
    return np.empty(HIDDEN, dtype=np.int16)


@njit(**PLAIN)
def count(counts, n):
    """Count a player's checkers: all, outside home, and in the opponent's home board."""
    home = outside = back = np.int64(0)
    for point in range(_HOME):
        home += counts[n, point]
    for point in range(_HOME, _POINTS):
        outside += counts[n, point]
    for point in range(_POINTS - _HOME, _POINTS):
        back += counts[n, point]
    return home + outside, outside, back


@njit(**PLAIN)
def home_number(terms, counts, n, first):
    """Return the position number of the checkers on six adjacent points of a board."""
    number = above = np.int64(0)
    for point in range(_HOME, 0, -1):
        above += counts[n, first + point - 1]
        number += terms[point, above]
    return number


@njit(**PLAIN)
def beyond_home(player, counts, n, outside, sums):
    """Estimate the mean and standard deviation of the number of rolls by the model."""
    model = player.model
    for h in range(HIDDEN):
        sums[h] = model.start[h]
    pips, line = np.int64(0), np.int64(model.constant)
    variance = np.int64(player.constant_variance)
    for triple in range(_POINTS // 3):
        code = np.int64(0)
        for point in range(3 * triple, 3 * triple + 3):
            code = code * 16 + counts[n, point]
            pips += (point + 1) * counts[n, point]
        if not code:  # Three empty points add nothing to the estimate.
            continue
        row = triple * CODES + code
        line += model.lines[row]
        variance += player.variance[row]
        for h in range(HIDDEN):
            sums[h] += model.rows[row, h]
    group = model.groups[outside]
    total = np.int32(0)
    for h in range(HIDDEN):
        value = min(max(sums[h], np.int16(0)), np.int16(CEILING))
        total += np.int32(model.weights[group, h]) * np.int32(value)
    score = pips * PIP + (total + line) * OUTPUT_SCALE
    return score / _SCORE_PER_ROLL, np.sqrt(max(np.int64(0), variance) / VARIANCE_UNITS)
