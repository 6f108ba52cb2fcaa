"""Compiled kernels that fit the factors of a rectangle; see `bearoff.pair_planes`.

``codes[block, opponent, lane]`` is approximated by ``u @ v.T`` of 16-bit numbers. Any
factors would do, since what they leave over is stored. These are found in floating-point
arithmetic whose order is written out, so they are the same on every machine.
"""

import numpy as np

from bearoff.pair_planes.vectors import LANES, SHIFT, add_multiple, dot
from bearoff.runtime import njit

_PIVOTS, _SAMPLES = 96, 256
"""Rollers and opponents of a rectangle by which its factors are chosen."""

_MOST, STEP = 24, 8
"""Columns of the factors: at most, and by how many they grow."""


@njit(cache=True, nogil=True)
def _sample(codes, lanes, rows):
    """Take some rollers, numbered through the blocks, against some opponents."""
    taken = np.empty((lanes.size, rows.size))
    for i in range(lanes.size):
        for j in range(rows.size):
            taken[i, j] = codes[lanes[i] // LANES, rows[j], lanes[i] % LANES]
    return taken


@njit(cache=True, nogil=True)
def _dot(a, b):
    """Add up products in a fixed order: eight sums, then their sum, then what is left."""
    whole = a.size // 8 * 8
    total: float = dot(a, b, whole)
    for k in range(whole, a.size):
        total += a[k] * b[k]
    return total


@njit(cache=True, nogil=True)
def _spread(count, most):
    """Return numbers below `count`, at most so many and evenly spread."""
    taken = min(count, most)
    return np.arange(taken) * count // taken


@njit(cache=True, nogil=True)
def fit(codes):
    """Choose the factors of a rectangle.

    Those of the opponents come from a sample of rollers and opponents: they combine the
    sampled rollers by their parts along axes that fit the sample. Then each roller's row
    of `u` is fitted by least squares.

    Parameters
    ----------
    codes : ndarray of int32, shape (blocks, opponents, 16)

    Returns
    -------
    u : ndarray of int16, shape (16 * blocks, rank)
    v : ndarray of int16, shape (opponents, rank)
    """
    rows = _spread(codes.shape[1], _SAMPLES)
    lanes = _spread(codes.shape[0] * LANES, _PIVOTS)
    sample = _sample(codes, lanes, rows)
    # Of a number's share in the factors, in bits.
    cost = 16.0 / (codes.shape[0] * LANES) + 16.0 / codes.shape[1]
    axes = _first_axes(sample.copy(), cost)
    rank = len(axes)
    u = np.zeros((codes.shape[0] * LANES, rank), dtype=np.int16)
    v = np.zeros((codes.shape[1], rank), dtype=np.int16)
    if rank:
        across = np.empty((rank, lanes.size))
        for k in range(rank):
            for i in range(lanes.size):
                across[k, i] = _dot(sample[i], axes[k])
        _make_orthonormal(across)
        _widen(codes, lanes, across, v)
        _fit_rollers(codes, rows, v, u)
    return u, v


@njit(cache=True, nogil=True)
def _first_axes(rest, cost):
    """Choose axes of length 1: each the row that those before fit worst, less their part.

    They come by `STEP`, as long as the bits that a step saves are more than it costs.

    Returns
    -------
    ndarray of float64, shape (rank, opponents)
    """
    axes = np.zeros((_MOST, rest.shape[1]))
    sizes = np.empty(rest.shape[0])
    before = np.inf
    # A step of axes saves half the logarithm of the ratio of what is left.
    worth = STEP * cost * 1.386
    worth = 1.0 + worth + worth * worth / 2
    for rank in range(_MOST + 1):
        left = 0.0
        pivot = 0
        for i in range(rest.shape[0]):
            sizes[i] = _dot(rest[i], rest[i])
            left += sizes[i]
            if sizes[i] > sizes[pivot]:
                pivot = i
        if rank % STEP == 0:
            # What fits the sample by chance fits nothing else; and small numbers cost
            # their row nearly the same.
            chance = 1.0 - rank / (1.0 + min(rest.shape))
            left = left / (chance * chance) + 2.0 * rest.size
            if left * worth > before:
                return axes[: max(rank - STEP, 0)]
            before = left
        if rank == _MOST:
            return axes
        length = np.sqrt(sizes[pivot]) + 1e-300
        for j in range(rest.shape[1]):
            axes[rank, j] = rest[pivot, j] / length
        for i in range(rest.shape[0]):
            _take_off(rest[i], axes[rank])
    return axes


@njit(cache=True, nogil=True)
def _take_off(row, axis):
    """Subtract a row's part along an axis of length 1."""
    along = _dot(row, axis)
    for j in range(row.size):
        row[j] -= along * axis[j]


@njit(cache=True, nogil=True)
def _make_orthonormal(axes):
    for k in range(axes.shape[0]):
        for _ in range(2):  # Once more, for what rounding leaves.
            for n in range(k):
                _take_off(axes[k], axes[n])
        length = np.sqrt(_dot(axes[k], axes[k])) + 1e-300
        for j in range(axes.shape[1]):
            axes[k, j] /= length


@njit(cache=True, nogil=True)
def _widen(codes, lanes, across, v):
    """Combine the sampled rollers at all opponents, and round to 16 bits."""
    wide = np.zeros((across.shape[0], codes.shape[1]))
    row = np.empty(codes.shape[1])
    for i in range(lanes.size):
        for j in range(row.size):
            row[j] = codes[lanes[i] // LANES, j, lanes[i] % LANES]
        for k in range(across.shape[0]):
            factor = across[k, i]
            for j in range(row.size):
                wide[k, j] += factor * row[j]
    for k in range(across.shape[0]):
        largest = 0.0
        for i in range(lanes.size):
            largest = max(largest, abs(across[k, i]))
        _round_column(wide[k], largest, v, k)


@njit(cache=True, nogil=True)
def _round_column(axis, largest, v, column):
    """Scale an axis so that both factors use about the same part of 16 bits."""
    most = 0.0
    for j in range(axis.size):
        most = max(most, abs(axis[j]))
    if most == 0.0:
        return
    scale = min(np.sqrt(largest * most * (1 << SHIFT)), 32767.0) / most
    for j in range(axis.size):
        v[j, column] = np.int16(np.rint(axis[j] * scale))


@njit(cache=True, nogil=True)
def _fit_rollers(codes, rows, v, u):
    """Fit each roller's row of `u` by least squares at the sample of opponents."""
    rank = v.shape[1]
    gram = np.zeros((rank, rank + rows.size))
    for k in range(rank):
        for n in range(rank):
            total = np.int64(0)
            for j in range(rows.size):
                total += np.int64(v[rows[j], k]) * np.int64(v[rows[j], n])
            gram[k, n] = total
        gram[k, k] += 1.0
        for j in range(rows.size):
            gram[k, rank + j] = v[rows[j], k]
    _solve(gram, rank)
    sums = np.empty((rank, LANES))
    for block in range(codes.shape[0]):
        sums[:] = 0.0
        for j in range(rows.size):
            row = codes[block, rows[j]]
            for k in range(rank):
                add_multiple(row, gram[k, rank + j], sums[k])
        for k in range(rank):
            for lane in range(LANES):
                value = np.rint(sums[k, lane] * (1 << SHIFT))
                value = min(max(value, -32767.0), 32767.0)
                u[block * LANES + lane, k] = np.int16(value)


@njit(cache=True, nogil=True)
def _solve(system, rank):
    """Solve a positive definite system in place by elimination."""
    for k in range(rank):
        pivot = system[k, k]
        for j in range(system.shape[1]):
            system[k, j] /= pivot
        for n in range(rank):
            factor = system[n, k]
            for j in range(system.shape[1]):
                if n != k:
                    system[n, j] -= factor * system[k, j]
