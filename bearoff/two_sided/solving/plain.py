"""Solver of small two-sided tables with numpy, which starts faster than compiled code.

The module computes the same sums as `bearoff.two_sided.solving.kernels` and the same
conversions as `bearoff.two_sided.solving.finishes`, with all values in memory. All numbers
are integers, so the results are identical.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import Successors
from bearoff.rolls import ROLLS, WEIGHTS
from bearoff.two_sided.codings import ONE
from bearoff.two_sided.pair_order import LANES, PairOrder
from bearoff.two_sided.planes import SolvedPlane

Int32Array = NDArray[np.int32]

_WEIGHTS = np.array(WEIGHTS, dtype=np.int32)[:, None]


class PlainSolver:
    """Solver of all pairs of positions without gammons, which uses only numpy."""

    def __init__(
        self,
        places: PairOrder,
        successors: Successors,
        planes: tuple[SolvedPlane, ...],
        finish: Callable[[list[Int32Array], int, int], None],
    ) -> None:
        self._places, self._successors, self._finish = places, successors, finish
        names = [plane.name for plane in planes]
        self._sources = [names.index(plane.source) for plane in planes]
        # Each array has the shape (positions of the opponent, positions of the roller).
        self._values = [np.zeros((places.size, places.size), np.int32) for _ in planes]

    def solve(self, on_level: Callable[[int], Any] = lambda level: None) -> None:
        """Solve all pairs of positions; call `on_level` after each level of pip counts."""
        levels = self._places.levels.tolist()
        # Games in which a player has no checkers left are over.
        self._solve((0, levels[1]), (0, levels[1]))
        for level in range(1, len(levels) - 1):
            start, end = levels[level : level + 2]
            self._solve((start, end), (0, start))
            self._solve((0, end), (start, end))
            on_level(level)

    def _solve(self, rollers: tuple[int, int], waiting: tuple[int, int]) -> None:
        """Solve all pairs of positions in given ranges of both players' positions."""
        sums = [self._sums(self._values[k], rollers, waiting) for k in self._sources]
        self._finish(sums, rollers[0] // LANES, waiting[0])
        for values, found in zip(self._values, sums, strict=True):
            part = found.transpose(1, 0, 2).reshape(found.shape[1], -1)
            values[slice(*waiting), slice(*rollers)] = part

    def _sums(
        self, values: Int32Array, rollers: tuple[int, int], waiting: tuple[int, int]
    ) -> Int32Array:
        """Sum the opponent's values after the best play of each of the 36 throws."""
        offsets, numbers = self._successors
        offsets = offsets[len(ROLLS) * rollers[0] : len(ROLLS) * rollers[1] + 1]
        lengths = np.diff(offsets)
        # Rolls are sorted by decreasing number of plays, so that the rolls with at least k
        # plays are adjacent.
        order = np.argsort(-lengths)
        firsts, after = offsets[order], values[:, slice(*waiting)]
        found = after[numbers[firsts]]
        for k, more in enumerate(np.cumsum(np.bincount(lengths)[:0:-1])[-2::-1], 1):
            np.minimum(found[:more], after[numbers[firsts[:more] + k]], out=found[:more])
        least = np.empty_like(found)
        least[order] = found
        least = least.reshape(rollers[1] - rollers[0], len(ROLLS), -1)
        sums = (least * _WEIGHTS).sum(axis=1, dtype=np.int32)
        blocks = sums.reshape(-1, LANES, sums.shape[1])
        return np.ascontiguousarray(blocks.transpose(0, 2, 1))


def finish(values: Int32Array, codes: Int32Array, bits: int) -> None:
    values[...] = -_mean(values)
    codes[...] = _coded(values, bits)


def finish_chances(values: Int32Array, codes: Int32Array, bits: int) -> None:
    values[...] = _mean(values)
    codes[...] = _coded(values, bits)


def finish_doubling(
    values: Int32Array,
    taken: Int32Array,
    codes: Int32Array,
    times: float,
    more: float,
    cash: int,
    bits: int,
) -> None:
    stays = -_mean(values)
    turned = np.floor(times * taken + more + 0.5).astype(np.int32)
    values[...] = np.maximum(stays, np.minimum(turned, cash))
    codes[...] = _coded(stays, bits)


def leave_over(
    values: Int32Array, codes: Int32Array, residuals: Int32Array, bits: int
) -> None:
    residuals[...] = values - (codes << bits)


def _mean(total: Int32Array) -> Int32Array:
    means = ((total + 72.0 * ONE) * (1.0 / 36.0) + 0.5).astype(np.int32)
    return np.asarray(means - np.int32(2 * ONE))


def _coded(values: Int32Array, bits: int) -> Int32Array:
    return np.asarray((values + (np.int32(1) << (bits - np.int32(1)))) >> bits)
