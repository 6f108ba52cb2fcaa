"""Solve a one-sided table with numpy alone, whole levels of pips at a time.

What `one_sided_build` solves position by position, compiled, this solves for all
positions of a pip count at once, by the same recursion and with the same arithmetic: the
arrays are the same to the last bit. A level is large enough for numpy to be quick and
small enough for the plays of all its positions to be held in memory, as long as the table
is small. A first query then waits for no compiler.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import PolicyArray, number_type, pip_levels, rank_steps
from bearoff.positions import position_count, unrank
from bearoff.rolls import DICE, HOME, WEIGHTS

TIE = 1e-12
"""Mean rolls closer than this count as equal.

Of 6 points and 15 checkers, rounding errors stay below 1e-14 and no two plays differ by
less than 3.7e-7 rolls unless they are equal (both found in whole fractions).
"""

_DICE = np.arange(6)

Progress = Callable[[float], None]
Float64Array = NDArray[np.float64]
Int32Array = NDArray[np.int32]


def solve_numpy(
    points: int, checkers: int, progress: Progress = lambda done: None
) -> tuple[Float64Array, Float64Array, PolicyArray]:
    """Solve a small table.

    Parameters
    ----------
    points, checkers : int
        Size; some 60 bytes of memory for every position and point are needed.
    progress : callable
        Called with how much is done, 0 to 1.

    Returns
    -------
    mean_rolls, std_rolls : ndarray of float64, shape (positions,)
    policy : ndarray of uint16 or uint32, shape (positions, 21)
        As in `bearoff.OneSidedTable`.

    Examples
    --------
    Off, a checker on the ace, one on the deuce: 2-1 alone needs two plays for two aces.

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
    """The best positions to end plays in, of what is solved.

    Number `size` stands for no play at all, which takes for ever.

    Parameters
    ----------
    size : int
        Positions of the table.

    Attributes
    ----------
    mean : ndarray of float64, shape (size + 1,)
        Mean rolls of the positions.
    """

    def __init__(self, size: int) -> None:
        self._nowhere = size
        self.mean = np.append(np.zeros(size), np.inf)
        # After one play of each die, and after two and three of the same.
        self._one = np.full((size + 1, 6), size, dtype=np.int32)
        self._more = np.full((6, size + 1, 2), size, dtype=np.int32)
        self._one[0] = 0  # Who is off has no more to play.
        self._more[:, 0] = 0

    def play_on(self, numbers: NDArray[np.uint32], plays: Int32Array) -> Int32Array:
        """Find the best ends of positions of one level, all lower ones being solved.

        Parameters
        ----------
        numbers : ndarray of uint32, shape (n,)
            Of the positions.
        plays : ndarray of int32, shape (6, points, n)
            Where each play of each die leads.

        Returns
        -------
        ndarray of int32, shape (21, n)
            Successor that is chosen for each roll.
        """
        one = self._best(plays)
        pairs = self._best(self._one[plays])  # By the first die and the other.
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
        """Return, along an axis, the end of fewest mean rolls, of equals the lowest."""
        scores = self.mean[ends]
        least = scores.min(axis=axis, keepdims=True) + TIE
        best: Int32Array = np.where(scores <= least, ends, self._nowhere).min(axis=axis)
        return best


def _checker_plays(points: int, checkers: int, levels: pip_levels.Levels) -> Int32Array:
    """Number the position after every play of one checker.

    Returns
    -------
    ndarray of int32, shape (6, points, positions)
        By die, point played from, and place in ``levels.order``; `position_count` where
        that may not be played.
    """
    size = position_count(points, checkers)
    counts = unrank(levels.order.astype(np.int64), points, checkers).T.astype(np.int64)
    above = counts[::-1].cumsum(axis=0)[::-1]
    highest = (above > 0).sum(axis=0)
    steps = rank_steps(points, checkers)
    # A checker played from i to j lowers the number by steps of the points j + 1 to i.
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
