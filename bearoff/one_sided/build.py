"""Functions that build one-sided tables, in ascending order of pip count.

Positions with the same pip count are solved in parallel. A distribution in float64 takes
500 bytes or more. A play moves at most 24 pips, so distributions in float64 are kept for
only 25 pip counts at a time. All stored values are computed from distributions in float64,
never from rounded distributions. A small table (see `estimate`) is stored in full, and
`solve_numpy` solves it without compiled code. A larger table contains no plays, because the
plays follow from the mean numbers of rolls. Its distributions are rounded to 16 bits (see
`encoding`).
"""

from collections.abc import Callable
from functools import partial
from math import ceil

import numpy as np
from numpy.typing import NDArray

from bearoff.one_sided.encoding import UNIT, group_starts
from bearoff.one_sided.estimate import is_small
from bearoff.one_sided.solve_numpy import TIE, solve_numpy
from bearoff.plays import (
    PolicyArray,
    number_type,
    pip_levels,
    policy_distribution,
    rank_steps,
)
from bearoff.positions import position_count, rank_terms
from bearoff.rolls import DICE, HOME, WEIGHTS
from bearoff.runtime import cores, in_threads
from bearoff.storage import Arrays

_AT_ONCE = 8192
"""Maximum number of positions that a thread solves in one call of a kernel."""

Progress = Callable[[float], None]
Float64Array = NDArray[np.float64]
Take = Callable[[pip_levels.Levels, int, NDArray[np.uint32], PolicyArray], None]


def build_arrays(
    points: int,
    checkers: int,
    workers: int | None = None,
    progress: Progress = lambda done: None,
) -> Arrays:
    """Compute the arrays of a one-sided table of a given size, and return them by name.

    The names are ``mean_rolls`` and ``std_rolls``; for a small table also ``policy`` and
    ``distribution``, as in `OneSidedTable`; and for a large table also ``codes``,
    ``firsts``, ``lengths`` and ``starts``, as in `encoding`. The result does not depend on
    the number of threads.
    """
    if is_small(points, checkers):
        mean, std, policy = solve_numpy(points, checkers, progress)
        return {
            "mean_rolls": mean,
            "std_rolls": std,
            "policy": policy,
            "distribution": policy_distribution(policy),
        }
    coder = _Coder(points, checkers)
    levels = pip_levels.sort_by_pips(points, checkers)
    slots = levels.slots(pip_levels.PLAY_PIPS)
    mean, std = sweep(points, checkers, levels, slots, coder.take, workers, progress)
    return {
        "mean_rolls": mean,
        "std_rolls": std.astype(np.float32),
        **coder.finish(levels),
    }


def solve_policy(points: int, checkers: int) -> PolicyArray:
    """Return the position after the fewest-rolls play of each roll, for all positions."""
    size = position_count(points, checkers)
    policy = np.zeros((size, len(DICE)), dtype=number_type(size))
    levels = pip_levels.sort_by_pips(points, checkers)
    slots = levels.slots(pip_levels.PLAY_PIPS)
    sweep(points, checkers, levels, slots, partial(_keep, policy))
    return policy


def _keep(
    policy: PolicyArray,
    levels: pip_levels.Levels,
    pips: int,
    numbers: NDArray[np.uint32],
    picks: PolicyArray,
) -> None:
    policy[numbers] = picks


def sweep(
    points: int,
    checkers: int,
    levels: pip_levels.Levels,
    slots: int,
    take: Take,
    workers: int | None = None,
    progress: Progress = lambda done: None,
) -> tuple[Float64Array, Float64Array]:
    """Compute the mean and standard deviation of the number of rolls of each position.

    `levels` lists the positions to solve by pip count. All other positions need no rolls
    and have index 0. Intermediate results of a position are stored in row ``index % slots``
    of arrays. Requires different rows for positions whose pip counts differ by at most
    `pip_levels.PLAY_PIPS`. For each pip count, `take` is called with `levels`, the pip
    count, its positions, and the positions after the best play of each roll.
    """
    from bearoff.plays import kernels  # Importing numba is slow.

    size = position_count(points, checkers)
    workers = workers or cores()
    terms, steps = rank_terms(points, checkers), rank_steps(points, checkers)
    weights = np.array(WEIGHTS, dtype=np.float64)
    rules = kernels.LevelConstants(terms, steps, HOME, DICE, weights, TIE)
    mean, second = np.zeros(size), np.zeros(size)
    scores = np.zeros((slots, 3, 6))
    ends = np.zeros((slots, 3, 6), dtype=np.uint32)
    solved = kernels.Solved(mean, second, scores, ends)

    def solve(pips: int, numbers: NDArray[np.uint32]) -> None:
        picks = np.empty((len(numbers), len(DICE)), dtype=np.uint32)
        kernels.solve_level(rules, numbers, levels.place, solved, picks)
        take(levels, pips, numbers, picks)

    for pips in range(1, len(levels.starts) - 1):
        start, end = levels.starts[pips : pips + 2].tolist()
        step = min(max(ceil((end - start) / workers), 256), _AT_ONCE)
        pieces = [levels.order[at : min(at + step, end)] for at in range(start, end, step)]
        in_threads(workers, partial(solve, pips), pieces)
        progress(end / len(levels.order))
    np.subtract(second, mean**2, out=second)
    np.sqrt(np.maximum(second, 0.0, out=second), out=second)
    return mean, second


class _Coder:
    """Encoder of distributions of rolls, which is used while a table is being solved."""

    def __init__(self, points: int, checkers: int) -> None:
        from bearoff.plays import distribution_kernels

        self._kernels = distribution_kernels
        self._checkers = checkers
        self._weights = np.array(WEIGHTS, dtype=np.float64)
        self._width = pip_levels.most_rolls(points * checkers, checkers) + 1
        size = position_count(points, checkers)
        slots = pip_levels.widest(
            pip_levels.level_sizes(points, checkers), pip_levels.ROLL_PIPS
        )
        self._rows = np.zeros((slots, self._width))
        self._rows[0, 0] = 1.0
        self._firsts = np.zeros(size, dtype=np.uint8)
        self._lengths = np.zeros(size, dtype=np.uint8)
        self._pieces: dict[int, NDArray[np.uint16]] = {}

    def take(
        self,
        levels: pip_levels.Levels,
        pips: int,
        numbers: NDArray[np.uint32],
        picks: PolicyArray,
    ) -> None:
        """Compute and encode roll distributions of positions with one pip count."""
        room = np.empty(len(numbers) * self._width, dtype=np.uint16)
        used = self._kernels.fill_level(
            self._kernels.LevelSuccessors(numbers, levels.place, picks),
            self._weights,
            pip_levels.most_rolls(pips, self._checkers),
            float(UNIT),
            self._rows,
            self._kernels.Codes(room, self._firsts, self._lengths),
        )
        self._pieces[int(levels.place[numbers[0]])] = room[:used].copy()

    def finish(self, levels: pip_levels.Levels) -> Arrays:
        """Return the encoded distributions, and the arrays that locate each of them."""
        del self._rows
        codes = np.concatenate(
            [np.zeros(0, dtype=np.uint16), *(self._pieces[k] for k in sorted(self._pieces))]
        )
        self._pieces.clear()
        lengths = self._lengths
        froms = np.empty(len(lengths), dtype=np.int64)
        ends = lengths[levels.order].cumsum(dtype=np.int64)
        froms[levels.order[0]] = 0
        froms[levels.order[1:]] = ends[:-1]
        del ends
        sorted_codes = np.empty_like(codes)
        self._kernels.gather_codes(froms, lengths, codes, sorted_codes)
        return {
            "firsts": self._firsts,
            "lengths": lengths,
            "starts": group_starts(lengths),
            "codes": sorted_codes,
        }
