"""Numpy solver of small one-sided tables, which starts faster than compiled code.

The first query of a small table does not have to wait for the compiler. The compiled solver
in `build` solves position by position. The solver in this module computes all positions
with the same pip count at once. In a small table, numpy is fast enough, and all plays fit
into memory. Both solvers use the same equations and the same arithmetic, so the results are
bit-identical.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import PolicyArray, number_type, pip_levels, rank_steps
from bearoff.positions import position_count, unrank
from bearoff.rolls import DICE, HOME, WEIGHTS

TIE = 1e-12
"""Difference between mean numbers of rolls below which two plays count as equal. In the
table of 6 points and 15 checkers, different means differ by at least 3.7e-7 rolls."""

_DICE = np.arange(6)

Progress = Callable[[float], None]
Float64Array = NDArray[np.float64]
Int32Array = NDArray[np.int32]


def solve_numpy(
    points: int, checkers: int, progress: Progress = lambda done: None
) -> tuple[Float64Array, Float64Array, PolicyArray]:
    """Compute the ``mean_rolls``, ``std_rolls`` and ``policy`` of a small one-sided table.

    The results are those of `bearoff.OneSidedTable`. The solver needs about 60 bytes per
    position and point.

    Examples
    --------
    There are six positions of up to two checkers on two points. Of these positions, only
    that with two checkers on the 2 point may need a second roll: after the ten throws with
    exactly one 1.

    >>> mean, std, policy = solve_numpy(2, 2)
    >>> mean.round(4)
    array([0.    , 1.    , 1.    , 1.    , 1.    , 1.2778])
    """
    levels = pip_levels.sort_by_pips(points, checkers)
    size = len(levels.order)
    plays = _checker_plays(points, checkers, levels)
    ends = _Ends(size)
    second = np.zeros(size)
    policy = np.zeros((size, len(DICE)), dtype=number_type(size))
    for start, stop in zip(levels.starts[1:-1], levels.starts[2:], strict=True):
        numbers = levels.order[start:stop]
        picks = ends.play_on(numbers, plays[:, :, start:stop])
        policy[numbers] = picks.T
        total, total_second = np.zeros((2, len(numbers)))
        for weight, after in zip(WEIGHTS, picks, strict=True):
            total += weight * ends.mean[after]
            total_second += weight * (second[after] + 2.0 * ends.mean[after])
        ends.mean[numbers] = 1.0 + total / 36.0
        second[numbers] = 1.0 + total_second / 36.0
        progress(stop / size)
    mean = ends.mean[:size].copy()
    return mean, np.sqrt(np.maximum(second - mean**2, 0.0)), policy


class _Ends:
    """Best positions after one to three moves of a die, for all positions solved so far.

    The position number `size` stands for an illegal move, with an infinite mean number of
    rolls.

    Parameters
    ----------
    size : int
        Number of positions of the table.

    Attributes
    ----------
    mean : ndarray of float64, shape (size + 1,)
        Mean number of rolls of each position, followed by infinity for illegal moves.
    """

    def __init__(self, size: int) -> None:
        self._nowhere = size
        self.mean = np.append(np.zeros(size), np.inf)
        # `_one` contains the best position after one move of each die. `_more` contains the
        # best positions after two and three moves of the same die.
        self._one = np.full((size + 1, 6), size, dtype=np.int32)
        self._more = np.full((6, size + 1, 2), size, dtype=np.int32)
        self._one[0] = 0  # A side with all checkers off has no more moves.
        self._more[:, 0] = 0

    def play_on(self, numbers: NDArray[np.uint32], plays: Int32Array) -> Int32Array:
        """Return the best position after each roll for positions of one pip count.

        Requires that all positions with fewer pips are solved. `plays`, of shape (6,
        points, n), contains the position after the move of one checker by each die from
        each point.
        """
        one = self._best(plays)
        pairs = self._best(self._one[plays])  # First die and second die.
        more = self._best(self._more[_DICE[:, None, None], plays])
        self._one[numbers] = one.T
        self._more[:, numbers, 0] = pairs[_DICE, :, _DICE]
        self._more[:, numbers, 1] = more[:, :, 0]
        return np.stack(
            [
                more[high - 1, :, 1]
                if high == low
                else self._best(
                    np.stack([pairs[high - 1, :, low - 1], pairs[low - 1, :, high - 1]]), 0
                )
                for high, low in DICE.tolist()
            ]
        )

    def _best(self, ends: Int32Array, axis: int = 1) -> Int32Array:
        """Return the positions with the lowest mean number of rolls along an array axis."""
        scores = self.mean[ends]
        least = scores.min(axis=axis, keepdims=True) + TIE
        best: Int32Array = np.where(scores <= least, ends, self._nowhere).min(axis=axis)
        return best


def _checker_plays(points: int, checkers: int, levels: pip_levels.Levels) -> Int32Array:
    """Return the position after each move of one checker, shape (6, points, positions).

    The three axes are the die, the point from which a checker moves, and the index of the
    position in ``levels.order``. The value `position_count` marks an illegal move.
    """
    size = position_count(points, checkers)
    counts = unrank(levels.order.astype(np.int64), points, checkers).T.astype(np.int64)
    above = counts[::-1].cumsum(axis=0)[::-1]
    highest = (above > 0).sum(axis=0)
    steps = rank_steps(points, checkers)
    # The position number is a sum with one term for each point. A move from point i to
    # point j makes the terms of points j + 1 to i smaller.
    falls = np.zeros((points + 1, size), dtype=np.int64)
    for point in range(1, points + 1):
        falls[point] = falls[point - 1] + steps[point, above[point - 1]]
    plays = np.full((6, points, size), size, dtype=np.int32)
    for die in range(1, 7):
        for source in range(1, points + 1):
            legal = counts[source - 1] > 0
            if source <= die:
                legal &= highest <= HOME
            if source < die:
                legal &= highest == source
            after = levels.order - (falls[source] - falls[max(source - die, 0)])
            plays[die - 1, source - 1, legal] = after[legal]
    return plays
