"""Compiled kernels of rollouts: one turn of many games, and the luck of its roll."""

import numpy as np
from numba import njit

CUBELESS, OPPONENT_OWNS, OWNED, CENTRED = range(4)
"""Planes of `bearoff.race_model.RaceModel`, seen by the side on roll."""

NO_CUBE = 2
"""Owner of a cube that is not there; else 1 the roller at the start, -1 the other, 0."""

_ROLLS = 21
_NON_DOUBLES = 15


@njit(cache=True, inline="always")
def _mean(values, plane):
    """Mean over the 36 throws of a plane's values after the 21 rolls."""
    total = 0.0
    for roll in range(_NON_DOUBLES):
        total += values[plane, roll]
    total *= 2.0
    for roll in range(_NON_DOUBLES, _ROLLS):
        total += values[plane, roll]
    return total / 36.0


@njit(cache=True, inline="always")
def _plane_of(owner, side):
    """Plane that the other side faces after `side` has played."""
    if owner == NO_CUBE:
        return CUBELESS
    if owner == 0:
        return CENTRED
    return OPPONENT_OWNS if owner == side else OWNED


@njit(cache=True)
def _values_after(planes, bins, other, after, values):
    """Look up what the other side, with `other` bins of EPC, is worth after each roll.

    `after` is the EPC of the side that has played, for each roll. Between bins values
    are interpolated, straight in each direction.
    """
    row = int(other)
    part = other - row
    for roll in range(_ROLLS):
        column = after[roll] * bins
        k = int(column)
        share = column - k
        for plane in range(4):
            low, high = planes[plane, row, k], planes[plane, row + 1, k]
            at_low = low + share * (planes[plane, row, k + 1] - low)
            at_high = high + share * (planes[plane, row + 1, k + 1] - high)
            values[plane, roll] = at_low + part * (at_high - at_low)


@njit(cache=True, nogil=True)
def turn(
    planes,
    bins,
    side,
    may_double,
    take_luck_out,
    others,
    after,
    rolls,
    owners,
    stakes,
    alive,
    estimates,
):
    """Turn the cube in games of which `side` is on roll, and take the luck of the roll.

    For each game, a row of every array: ``others`` the EPC of the other side, ``after``
    that of the side on roll after its play of each roll, ``rolls`` the roll thrown.
    Columns of the last four are the cube's states, followed side by side: who owns it,
    how high it is, whether the game is still on, and the estimate so far, in points of
    the roller at the start. Doubles, takes and luck go by the values of `planes`, of
    which `bins` make a pip. A double that is passed ends the game.
    """
    values = np.empty((4, _ROLLS))
    for game in range(rolls.size):
        _values_after(planes, bins, others[game] * bins, after[game], values)
        for state in range(owners.shape[1]):
            if not alive[game, state]:
                continue
            owner = owners[game, state]
            if may_double and (owner == 0 or owner == side):
                no_double = -_mean(values, _plane_of(owner, side))
                double_take = -2.0 * _mean(values, OWNED)
                if min(double_take, 1.0) >= no_double:
                    if double_take > 1.0:
                        estimates[game, state] += side * stakes[game, state]
                        alive[game, state] = False
                        continue
                    stakes[game, state] *= 2.0
                    owner = -side
                    owners[game, state] = owner
            if take_luck_out:
                plane = _plane_of(owner, side)
                # Values are the other side's: what it gains by the roll is bad luck.
                bad_luck = values[plane, rolls[game]] - _mean(values, plane)
                estimates[game, state] += side * stakes[game, state] * bad_luck
