"""Compiled kernels that convert sums over the 36 throws to values and stored codes.

Values and codes are integers; see `bearoff.two_sided.codings`. A code is a value divided by
a power of two and rounded. All loops run over flat arrays of 32-bit integers, because such
loops compile to vector instructions.
"""

import numpy as np

from bearoff.runtime import njit
from bearoff.two_sided.codings import ONE as _ONE

ONE = np.int32(_ONE)


@njit(cache=True)
def _mean(total):
    """Divide a sum over the 36 throws by 36, and round to the nearest integer."""
    return np.int32(np.int32((total + 72.0 * ONE) * (1.0 / 36.0) + 0.5) - np.int32(2 * ONE))


@njit(cache=True)
def _coded(value, bits):
    """Divide a value by ``2**bits``, and round to the nearest integer."""
    half = np.int32(np.int32(1) << np.int32(bits - np.int32(1)))
    return np.int32(np.int32(value + half) >> bits)


@njit(cache=True, nogil=True)
def finish(values, codes, bits):
    """Convert sums of the opponent's values over the 36 throws to the roller's values."""
    for k in range(values.size):
        values[k] = -_mean(values[k])
        codes[k] = _coded(values[k], bits)


@njit(cache=True, nogil=True)
def finish_chances(values, codes, bits):
    """Convert sums of gammon probabilities over the 36 throws to mean probabilities."""
    for k in range(values.size):
        values[k] = _mean(values[k])
        codes[k] = _coded(values[k], bits)


@njit(cache=True, nogil=True)
def finish_doubling(values, taken, codes, times, more, cash, bits):
    """Convert sums over the 36 throws to the values of a roller who may double.

    Parameters
    ----------
    values : ndarray of int32
        Sums of the opponent's values over the 36 throws, which are overwritten with the
        roller's values.
    taken : ndarray of int32
        Values after a double that is taken.
    codes : ndarray of int32
        Output array for the stored codes.
    times, more : float64
        Factor and summand that convert `taken` to the scale of `values`.
    cash : int32
        The roller's value if the opponent passes a double.
    bits : int32
        Number of low bits that the stored code leaves out.
    """
    for k in range(values.size):
        stays = -_mean(values[k])
        turned = np.int32(np.floor(times * taken[k] + more + 0.5))
        values[k] = np.int32(max(stays, min(turned, cash)))
        codes[k] = _coded(stays, bits)


@njit(cache=True, nogil=True)
def leave_over(values, codes, residuals, bits):
    """Subtract from each value the value of its stored code, which leaves the residual."""
    for k in range(values.size):
        residuals[k] = values[k] - np.int32(codes[k] << bits)
