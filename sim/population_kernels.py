"""Compiled kernel of what waiting is worth; `sim.population_values` is its face."""

import numpy as np

from bearoff.compiled import njit


@njit(cache=True, nogil=True)
def waits(
    rollers,
    opponents,
    offsets,
    successors,
    weights,
    size,
    cubeless,
    codes,
    zero,
    step,
    values,
):
    """Write the mean over rolls of the best play's value, the cube staying where it is.

    Sides are slots of the table; `codes` is the plane of where the cube is for the
    opponent, who rolls next. See `bearoff.two_sided_layout` for where values stand and
    `bearoff.two_sided_codings` for what they mean.
    """
    lanes = 16
    for k in range(rollers.size):
        start = (opponents[k] // lanes) * size
        lane = opponents[k] % lanes
        total = 0.0
        for roll in range(21):
            least = 2.0
            place = rollers[k] * 21 + roll
            for i in range(offsets[place], offsets[place + 1]):
                at = (start + np.int64(successors[i])) * lanes + lane
                value = cubeless[at] * (2 / 65535) - 1.0
                value += (codes[at] - zero) * step
                least = min(least, max(value, -1.0))
            total += weights[roll] * min(least, 1.0)
        values[k] = -total / 36.0
