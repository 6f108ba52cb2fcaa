"""Compiled kernels that turn the sums of the solver into values and stored codes.

Values are whole numbers of which `ONE` make a point, or as much of a chance to win a
match; a code is a value without its last bits. All loops are over flat arrays of 32-bit
whole numbers, and so compile to vector instructions.
"""

import numpy as np

from bearoff.runtime import njit
from bearoff.two_sided.codings import ONE as _ONE

ONE = np.int32(_ONE)


@njit(cache=True)
def _mean(total):
    """Divide a sum over 36 throws of at most 2 points each, rounding to the nearest."""
    return np.int32(np.int32((total + 72.0 * ONE) * (1.0 / 36.0) + 0.5) - np.int32(2 * ONE))


@njit(cache=True)
def _coded(value, bits):
    """Return the nearest code, of values without so many of their last bits."""
    half = np.int32(np.int32(1) << np.int32(bits - np.int32(1)))
    return np.int32(np.int32(value + half) >> bits)


@njit(cache=True, nogil=True)
def finish(values, codes, bits):
    """Turn sums of the opponents' values into the roller's, and into codes."""
    for k in range(values.size):
        values[k] = -_mean(values[k])
        codes[k] = _coded(values[k], bits)


@njit(cache=True, nogil=True)
def finish_chances(values, codes, bits):
    """Turn sums of chances into chances, and into codes."""
    for k in range(values.size):
        values[k] = _mean(values[k])
        codes[k] = _coded(values[k], bits)


@njit(cache=True, nogil=True)
def finish_doubling(values, taken, codes, times, more, cash, bits):
    """Turn sums into values of a roller who may double, and into codes of not doubling.

    Parameters
    ----------
    values : ndarray of int32
        Sums of the opponents' values; filled with the roller's.
    taken : ndarray of int32
        Values after a double that is taken.
    codes : ndarray of int32
        Filled.
    times, more : float64
        What one of `taken` counts, and what it counts more.
    cash : int32
        The value if the double is passed.
    bits : int32
        That a code is without.
    """
    for k in range(values.size):
        stays = -_mean(values[k])
        turned = np.int32(np.floor(times * taken[k] + more + 0.5))
        values[k] = np.int32(max(stays, min(turned, cash)))
        codes[k] = _coded(stays, bits)


@njit(cache=True, nogil=True)
def leave_over(values, codes, residuals, bits):
    """Fill `residuals` with what the codes of some values leave over."""
    for k in range(values.size):
        residuals[k] = values[k] - np.int32(codes[k] << bits)
