"""Compiled kernels that approximate a matrix of integers by a low-rank product.

The product ``u @ v.T`` of two matrices of 16-bit integers, the factors, approximates the
stored integers. A row of ``u`` belongs to a roller position, and a row of ``v`` to an
opponent position. Compression is lossless with any factors, because the residuals are
stored, too. The factors are computed in single precision in a fixed order, so they are the
same on every machine. Rows are padded with zeros to a multiple of `WIDE`, and columns of
weights to a multiple of `LANES`. Arrays are copied by loops, because numba takes seconds to
compile assignments to slices.
"""

import numpy as np

from bearoff.pair_planes.vectors import LANES, SHIFT, STEP, WIDE, dot, multiply
from bearoff.runtime import njit

_BLOCKS, _SAMPLES = 8, 256
"""Maximum size of the sample from which the factors are computed: number of blocks of 16
roller positions, and number of opponent positions."""

_MOST = 24
"""Maximum rank of the two factor matrices."""


_LEAST = 0.02
"""Mean squared residual below which a row of residuals contains only rounding errors. Then
no further axis is computed from this row.
"""


@njit(cache=True, nogil=True)
def _spread(count, most):
    """Return `most` evenly spaced integers below `count`, or all if `count` is smaller."""
    taken = min(count, most)
    numbers = np.empty(taken, dtype=np.int64)
    for k in range(taken):
        numbers[k] = k * count // taken
    return numbers


@njit(cache=True, nogil=True)
def _padded(count, size):
    return (count + size - 1) // size * size


@njit(cache=True, nogil=True)
def fit(codes):
    """Approximate a matrix of integers by a product of two matrices of low rank.

    The rows of `v` are projections of the integers onto a few orthonormal axes. A sample of
    rollers and opponents determines the axes. Each roller's row of `u` is then fitted by
    least squares.

    Parameters
    ----------
    codes : ndarray of int32, shape (blocks, opponents, 16)

    Returns
    -------
    u : ndarray of int16, shape (16 * blocks, rank)
    v : ndarray of int16, shape (opponents, rank)
    """
    rows = _spread(codes.shape[1], _SAMPLES)
    blocks = _spread(codes.shape[0], _BLOCKS)
    sample = np.zeros((LANES * blocks.size, _padded(rows.size, WIDE)), dtype=np.float32)
    for k in range(blocks.size):
        for j in range(rows.size):
            for lane in range(LANES):
                sample[LANES * k + lane, j] = codes[blocks[k], rows[j], lane]
    # `cost` is the storage of one more column of `u` and of `v`, in bits per stored
    # integer.
    cost = 16.0 / (codes.shape[0] * LANES) + 16.0 / codes.shape[1]
    axes = _first_axes(sample.copy(), rows.size, cost)
    rank = len(axes)
    u = np.zeros((codes.shape[0] * LANES, rank), dtype=np.int16)
    v = np.zeros((codes.shape[1], rank), dtype=np.int16)
    if rank:
        across = np.zeros((rank, _padded(len(sample), WIDE)), dtype=np.float32)
        for k in range(rank):
            for i in range(len(sample)):
                across[k, i] = dot(sample[i], axes[k], sample.shape[1])
        _make_orthonormal(across)
        _widen(codes, blocks, across, v)
        _fit_rollers(codes, rows, v, u)
    return u, v


@njit(cache=True, nogil=True)
def _first_axes(rest, count, cost):
    """Choose unit vectors (axes) one by one, each along the longest row of residuals.

    Axes are added `STEP` at a time, as long as they save more bits of residuals than the
    longer factors need.

    Returns
    -------
    ndarray of float32, shape (rank, opponents)
        Axes, one in each row.
    """
    axes = np.zeros((_MOST, rest.shape[1]), dtype=np.float32)
    sizes = np.empty(rest.shape[0], dtype=np.float32)
    before = np.inf
    # `STEP` more axes are worth adding if they save more bits than they cost. Halving the
    # mean squared residual saves half a bit per stored integer.
    worth = STEP * cost * 1.386
    worth = 1.0 + worth + worth * worth / 2
    for rank in range(_MOST + 1):
        left = 0.0
        pivot = 0
        for i in range(rest.shape[0]):
            sizes[i] = dot(rest[i], rest[i], rest.shape[1])
            left += sizes[i]
            if sizes[i] > sizes[pivot]:
                pivot = i
        if rank % STEP == 0:
            # The axes fit the sampled integers better than the integers outside the sample.
            # The division by `chance` squared corrects the squared residuals for this bias.
            # Even small residuals need some bits, which the added term counts.
            chance = 1.0 - rank / (1.0 + min(rest.shape[0], count))
            left = left / (chance * chance) + 2.0 * rest.shape[0] * count
            if left * worth > before:
                return axes[: max(rank - STEP, 0)]
            before = left
        if rank == _MOST:
            return axes
        # The direction of shorter rows is only due to rounding errors.
        if sizes[pivot] > _LEAST * count:
            _scale(rest[pivot], sizes[pivot], axes[rank])
            for i in range(rest.shape[0]):
                _take_off(rest[i], axes[rank])
    return axes


@njit(cache=True, nogil=True)
def _scale(row, size, axis):
    """Scale a row with squared length `size` to a unit vector, and write it to `axis`."""
    scale = np.float32(1.0 / (np.sqrt(np.float64(size)) + 1e-30))
    for j in range(row.size):
        axis[j] = row[j] * scale


@njit(cache=True, nogil=True)
def _take_off(row, axis):
    """Subtract from a row its projection onto a unit vector."""
    along: float = dot(row, axis, row.size)
    for j in range(row.size):
        row[j] -= along * axis[j]


@njit(cache=True, nogil=True)
def _make_orthonormal(axes):
    for k in range(axes.shape[0]):
        for _ in range(2):  # The second pass removes rounding errors.
            for n in range(k):
                _take_off(axes[k], axes[n])
        _scale(axes[k], dot(axes[k], axes[k], axes.shape[1]), axes[k])


@njit(cache=True, nogil=True)
def _widen(codes, blocks, across, v):
    """Compute the factor matrix of all opponents from the sampled rollers, as int16."""
    rank, rollers = across.shape[0], LANES * blocks.size
    opponents = codes.shape[1]
    weights = np.zeros((_padded(rank, LANES) // LANES, rollers, LANES), dtype=np.float32)
    for k in range(rank):
        for i in range(rollers):
            weights[k // LANES, i, k % LANES] = across[k, i]
    wide = np.empty((opponents, LANES * len(weights)), dtype=np.float32)
    values = np.empty((STEP, rollers), dtype=np.float32)
    found = np.empty((STEP, LANES), dtype=np.float32)
    for first in range(0, opponents, STEP):
        for j in range(STEP):
            for k in range(blocks.size):
                for lane in range(LANES):
                    values[j, LANES * k + lane] = codes[blocks[k], first + j, lane]
        for part in range(len(weights)):
            multiply(values, weights[part], rollers, found)
            for j in range(STEP):
                for lane in range(LANES):
                    wide[first + j, LANES * part + lane] = found[j, lane]
    scales = np.zeros(rank, dtype=np.float32)
    most = np.zeros(wide.shape[1], dtype=np.float32)
    for j in range(opponents):
        for k in range(wide.shape[1]):
            most[k] = max(most[k], abs(wide[j, k]))
    for k in range(rank):
        # The two matrix factors are scaled so that both use similar ranges of 16-bit
        # integers.
        largest = np.float64(0.0)
        for j in range(across.shape[1]):
            largest = max(largest, np.float64(abs(across[k, j])))
        size = np.float64(most[k])
        if size > 0.0:
            scales[k] = min(np.sqrt(largest * size * (1 << SHIFT)), 32767.0) / size
    for j in range(opponents):
        for k in range(rank):
            v[j, k] = np.int16(np.rint(wide[j, k] * scales[k]))


@njit(cache=True, nogil=True)
def _fit_rollers(codes, rows, v, u):
    """Compute the factors of all rollers by least squares, from the sampled opponents."""
    rank, count = v.shape[1], rows.size
    found = np.empty((STEP, LANES), dtype=np.float32)
    theirs = np.empty((rank, count), dtype=np.float32)
    columns = np.zeros((_padded(rank, LANES) // LANES, count, LANES), dtype=np.float32)
    for j in range(count):
        for k in range(rank):
            theirs[k, j] = columns[k // LANES, j, k % LANES] = v[rows[j], k]
    gram = np.zeros((rank, 2 * rank))
    for first in range(0, rank, STEP):
        for part in range(len(columns)):
            multiply(theirs[first : first + STEP], columns[part], count, found)
            for k in range(STEP):
                for n in range(min(LANES, rank - LANES * part)):
                    gram[first + k, LANES * part + n] = found[k, n]
    for k in range(rank):
        gram[k, k] += 1.0
        gram[k, rank + k] = 1.0
    _solve(gram, rank)
    inverse = np.empty((rank, rank), dtype=np.float32)
    for k in range(rank):
        for n in range(rank):
            inverse[k, n] = gram[k, rank + n]
    weights = np.empty((rank, count), dtype=np.float32)
    turned = np.empty((rank, LANES), dtype=np.float32)
    for at in range(0, count, LANES):
        for k in range(rank):
            for lane in range(LANES):
                turned[k, lane] = theirs[k, at + lane]
        for first in range(0, rank, STEP):
            multiply(inverse[first : first + STEP], turned, rank, found)
            for k in range(STEP):
                for lane in range(LANES):
                    weights[first + k, at + lane] = found[k, lane]
    values = np.empty((count, LANES), dtype=np.float32)
    for block in range(codes.shape[0]):
        for j in range(count):
            for lane in range(LANES):
                values[j, lane] = codes[block, rows[j], lane]
        for first in range(0, rank, STEP):
            multiply(weights[first : first + STEP], values, count, found)
            for lane in range(LANES):
                for k in range(STEP):
                    value = np.rint(found[k, lane] * np.float32(1 << SHIFT))
                    value = min(max(value, np.float32(-32767)), np.float32(32767))
                    u[block * LANES + lane, first + k] = np.int16(value)


@njit(cache=True, nogil=True)
def _solve(system, rank):
    """Solve a positive definite linear system in place by Gauss-Jordan elimination."""
    for k in range(rank):
        pivot = system[k, k]
        for j in range(system.shape[1]):
            system[k, j] /= pivot
        for n in range(rank):
            factor = system[n, k]
            for j in range(system.shape[1]):
                if n != k:
                    system[n, j] -= factor * system[k, j]
