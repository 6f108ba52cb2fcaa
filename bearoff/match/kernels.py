"""Compiled kernels of the solver for scores; see `bearoff.match.solver`."""

import numpy as np

from bearoff.rolls import ROLLS, THROWS
from bearoff.runtime import njit

_ROLLS = len(ROLLS)
_NON_DOUBLES = 15  # These count twice.

BLOCK = 512
"""Values of a row worked on at a time, so that they stay in the nearest cache."""


@njit(cache=True, nogil=True)
def mean_of_best(source, offsets, successors, row, start, sign, best, total):
    """Fill `total` with a row's mean over the throws of the best value it can play to.

    ``source[s, start + k]`` is what it has once it has played to slot ``s``, against the
    other side's slot ``start + k``. `sign` is 1 for who wants most, -1 for who wants
    least. `best` is room for as many values as `total`.
    """
    size = total.size
    for k in range(size):
        total[k] = 0.0
    for roll in range(_ROLLS):
        first = offsets[_ROLLS * row + roll]
        last = offsets[_ROLLS * row + roll + 1]
        values = source[successors[first], start : start + size]
        for k in range(size):
            best[k] = values[k]
        for at in range(first + 1, last):
            values = source[successors[at], start : start + size]
            if sign > 0:
                for k in range(size):
                    best[k] = values[k] if values[k] > best[k] else best[k]
            else:
                for k in range(size):
                    best[k] = values[k] if values[k] < best[k] else best[k]
        weight = 2.0 if roll < _NON_DOUBLES else 1.0
        for k in range(size):
            total[k] += weight * best[k]
    for k in range(size):
        total[k] *= 1.0 / THROWS


@njit(cache=True, nogil=True)
def solve_rows(source, offsets, successors, rows, columns, sign, doubled, cash, out):
    """Fill ``out[c, r]`` for slots `rows` of the side on roll against slots `columns`.

    The side may double where `doubled` holds, at the same place as in `out`, what a double
    that is taken gives; passed it gives `cash`. Where nobody may double, `doubled` is
    empty. `rows` and `columns` are a first slot and the one behind the last.
    """
    best = np.empty(BLOCK)
    total = np.empty(BLOCK)
    for start in range(columns[0], columns[1], BLOCK):
        size = min(BLOCK, columns[1] - start)
        for row in range(rows[0], rows[1]):
            means = total[:size]
            mean_of_best(source, offsets, successors, row, start, sign, best[:size], means)
            if doubled.size:
                for k in range(size):
                    taken = doubled[start + k, row]
                    if sign > 0:
                        means[k] = max(means[k], min(taken, cash))
                    else:
                        means[k] = min(means[k], max(taken, cash))
            for k in range(size):
                out[start + k, row] = means[k]


@njit(cache=True, nogil=True)
def no_doubles(source, offsets, successors, rows, columns, sign, out):
    """Fill ``out[i]`` with the mean of the best at ``rows[i]`` against ``columns[i]``."""
    best = np.empty(1)
    for i in range(rows.size):
        mean_of_best(
            source, offsets, successors, rows[i], columns[i], sign, best, out[i : i + 1]
        )
