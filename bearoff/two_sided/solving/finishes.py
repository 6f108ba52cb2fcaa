"""Compiled kernels that turn the sums of the solver into values and stored codes.

Values are whole numbers of which `ONE` make a point. All loops are over flat arrays of
32-bit whole numbers, and so compile to vector instructions.
"""

import numpy as np

from bearoff.runtime import njit
from bearoff.two_sided.codings import ONE as _ONE

ONE = np.int32(_ONE)

_SHIFT, _FINE_SHIFT = np.int32(6), np.int32(5)
"""Steps of 64 units, and of 32: those of `bearoff.two_sided.codings`."""


@njit(cache=True)
def _mean(total):
    """Divide a sum over 36 throws of at most 2 points each, rounding to the nearest."""
    return np.int32(np.int32((total + 72.0 * ONE) * (1.0 / 36.0) + 0.5) - np.int32(2 * ONE))


@njit(cache=True)
def _or_doubled(equity, without):
    """Return the better of an equity and that of a double, taken or passed."""
    return np.int32(max(equity, min(np.int32(2 * without), ONE)))


@njit(cache=True)
def _coded(value):
    """Return the nearest code, in steps of 64 units."""
    return np.int32((value + np.int32(32)) >> _SHIFT)


@njit(cache=True)
def _finely_coded(value):
    """Return the nearest code, in steps of 32 units."""
    return np.int32((value + np.int32(16)) >> _FINE_SHIFT)


@njit(cache=True, nogil=True)
def finish_cubeless(values, codes):
    """Turn sums of the opponents' equities into the roller's, and into codes."""
    for k in range(values.size):
        values[k] = -_mean(values[k])
        codes[k] = _finely_coded(values[k])


@njit(cache=True, nogil=True)
def finish_chances(wins, points, won, lost, codes, point_codes, won_codes, lost_codes):
    """Finish the equities under play to win and under play for points.

    And the chances of gammons under the second, whose codes are counted from the first's.
    """
    finish_cubeless(wins, codes)
    finish_cubeless(points, point_codes)
    for k in range(codes.size):
        point_codes[k] -= codes[k]
    for values, chance_codes in ((won, won_codes), (lost, lost_codes)):
        for k in range(values.size):
            values[k] = _mean(values[k])
            chance_codes[k] = _coded(values[k])


@njit(cache=True, nogil=True)
def finish_held(given_up, owned, given_up_codes, rests, owned_codes):
    """Turn sums into the equities with the cube at the opponent and at the roller.

    Owning the cube, the roller may double; the codes of `owned` are those of not doubling.
    `rests` gets what the codes of `given_up` leave over.
    """
    for k in range(given_up.size):
        without = -_mean(given_up[k])
        stays = -_mean(owned[k])
        given_up[k] = without
        owned[k] = _or_doubled(stays, without)
        code = _finely_coded(without)
        given_up_codes[k] = code
        rests[k] = without - (code << _FINE_SHIFT)
        owned_codes[k] = _coded(stays)


@njit(cache=True, nogil=True)
def finish_centred(centred, given_up_codes, rests, codes):
    """Turn sums into the equity with the cube centred, given that after a double."""
    for k in range(centred.size):
        stays = -_mean(centred[k])
        without = (given_up_codes[k] << _FINE_SHIFT) + rests[k]
        centred[k] = _or_doubled(stays, without)
        codes[k] = _coded(stays)


@njit(cache=True, nogil=True)
def finish_both_centred(centred, jacoby, given_up_codes, rests, codes, jacoby_codes):
    """Finish the centred cube without and under Jacoby's rule.

    The codes of the second are counted from those of the first.
    """
    finish_centred(centred, given_up_codes, rests, codes)
    finish_centred(jacoby, given_up_codes, rests, jacoby_codes)
    for k in range(codes.size):
        jacoby_codes[k] -= codes[k]
