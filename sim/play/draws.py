"""Random draws that are the same on every machine and in every version of numpy.

numpy guarantees that `numpy.random.Philox` always returns the same random bits, but not
that the methods of `numpy.random.Generator` return the same numbers. Random numbers are
therefore computed here from the bits of Philox4x64-10. Its key consists of the seed and a
stream number.
"""

import numpy as np
from numpy.typing import NDArray

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


def uniforms(seed: int, stream: int, size: int) -> Float64Array:
    """Return uniform random numbers in [0, 1), each a multiple of 2**-53.

    Parameters
    ----------
    seed, stream : int
        Seed and number of the stream, each from 0 to 2**64 - 1. Different streams of a seed
        never overlap.
    size : int
        Number of draws.

    Examples
    --------
    >>> draws = uniforms(1, 0, 1000)
    >>> draws.shape, bool(draws.min() >= 0), bool(draws.max() < 1)
    ((1000,), True, True)
    """
    bits = np.random.Philox(key=(stream << 64) | seed).random_raw(size)
    return np.asarray((bits >> np.uint64(11)) * 2.0**-53, dtype=np.float64)


def weighted_choice(weights: Float64Array, draws: Float64Array) -> Int64Array:
    """Draw random indices with given weights, one for each uniform random number.

    Parameters
    ----------
    weights : ndarray of float64, shape (n,)
        Weight of each index. Requires that no weight is negative, and that not all are 0.
    draws : ndarray of float64, shape (m,)
        Uniform random numbers from [0, 1).

    Returns
    -------
    ndarray of int64, shape (m,)
        Indices from 0 to n - 1.

    Examples
    --------
    >>> weighted_choice(np.array([1.0, 0.0, 3.0]), np.array([0.0, 0.24, 0.25, 0.99]))
    array([0, 0, 2, 2])
    """
    from bearoff.sim.play import pair_kernels

    ends = np.cumsum(weights)
    chosen = np.empty(len(draws), dtype=np.int64)
    pair_kernels.first_above(ends, draws * ends[-1], chosen)
    # An index of weight 0 is never drawn: a draw below 1 times the total weight is less
    # than the total weight, even after rounding.
    return chosen
