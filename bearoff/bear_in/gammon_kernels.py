"""Compiled chances that a side has no checker off in time."""

import numpy as np

from bearoff.runtime import njit


@njit(cache=True, inline="always")
def below(z):
    """Chance that a standard normal variable is below `z`, to 1.5e-7.

    Abramowitz and Stegun, 26.2.19: a polynomial, the same on every machine.
    """
    x = abs(z)
    p = 1.0 + x * (
        0.0498673470
        + x
        * (
            0.0211410061
            + x
            * (0.0032776263 + x * (0.0000380036 + x * (0.0000488906 + x * 0.0000053830)))
        )
    )
    p *= p
    p *= p
    p *= p
    p *= p
    tail = 0.5 / p
    return 1.0 - tail if z > 0 else tail


@njit(cache=True, nogil=True)
def chances_by_spread(leads, spreads, chances):
    """Estimate the chances that sums with these means and deviations are above 0."""
    for game in range(leads.size):
        chances[game] = below(leads[game] / spreads[game])


SMALLEST = 0.02
"""Least variance of the rolls to a first checker off."""

_NEVER = 1e-9
"""Chance that is left out."""


@njit(cache=True, _nrt=False, forceinline=True)
def idle_chance(exactly, winner, mean, variance, behind):
    """Estimate the chance of one loser against a winner's chances; see `idle_chances`."""
    std = np.sqrt(max(variance, SMALLEST))
    total = 0.0
    for n in range(1, exactly.shape[1]):
        if exactly[winner, n] > _NEVER:
            total += exactly[winner, n] * below((mean - (n - behind) - 0.5) / std)
    return total


@njit(cache=True, nogil=True)
def idle_chances(exactly, winners, means, variances, behind, chances):
    """Estimate the chances that losers have no checker off when winners bear off.

    ``exactly[x, n]`` is the chance that position ``x`` of the winner needs so many rolls;
    the rolls of the loser to its first checker off are as normal ones rounded to whole
    rolls, with these means and variances. ``behind`` is 1 if the winner is on roll, who
    then has thrown once more than the loser, else 0.
    """
    for i in range(winners.size):
        loser = means[i], variances[i]
        chances[i] = idle_chance(exactly, winners[i], *loser, behind)
