r"""Number of rolls to the first checker off, for a player who only tries to save a gammon.

For positions with all checkers on the board, the mean number of these rolls is the solution
of :math:`s(x) = 1 + \tfrac{1}{36} \sum_r w_r \min_t s(t)`, with :math:`s = 0` if a checker
is off. The solver is the same as for the mean number of rolls to bear off all checkers. GNU
Backgammon's one-sided files contain this distribution.
"""

import numpy as np
from numpy.typing import NDArray

from bearoff.one_sided.build import Progress, sweep
from bearoff.plays import PolicyArray, pip_levels
from bearoff.positions import CHECKERS, check_size, position_count
from bearoff.rolls import THROWS, WEIGHTS

Float32Array = NDArray[np.float32]


def saving_distribution(
    points: int,
    checkers: int = CHECKERS,
    *,
    rolls: int = 32,
    workers: int | None = None,
    progress: Progress = lambda done: None,
) -> Float32Array:
    """Return the probabilities of exactly n rolls until the first checker is borne off.

    Parameters
    ----------
    points, checkers : int
        Number of points and maximum number of checkers.
    rolls : int
        Number of columns of the result, for 0 to `rolls` - 1 rolls.
    workers : int, optional
        Number of threads. By default, the number of processors.
    progress : callable
        Function that is called with the completed fraction, from 0 to 1.

    Returns
    -------
    ndarray of float32, shape (positions with all checkers on the board, rolls)
    Distributions of the number of rolls to the first checker off, in ascending order of
    position number. Plays minimise the mean number of rolls to the first checker off. Among
    equal plays, the play to the lowest position number is chosen.

    Raises
    ------
    PositionError
        If there is no board with this number of points or checkers.

    Examples
    --------
    With all 15 checkers on the 6 point, a six, 5-1, 4-2, 3-3 or 2-2 bears off a checker: 17
    of 36 throws.

    >>> round(float(saving_distribution(6)[-1, 1]) * 36, 4)
    17.0
    """
    points, checkers = check_size(points, checkers)
    first = position_count(points, checkers - 1) if checkers > 1 else 1
    levels, slots = _levels_of_full(points, checkers, first)
    found = np.empty((len(levels.order), rolls), dtype=np.float32)
    window = np.zeros((slots, rolls))
    window[0, 0] = 1.0
    weights = np.array(WEIGHTS) / THROWS

    def take(
        levels: pip_levels.Levels,
        pips: int,
        numbers: NDArray[np.uint32],
        picks: PolicyArray,
    ) -> None:
        after = window[levels.place[picks] % slots, :-1]
        rows = np.zeros((len(numbers), rolls))
        rows[:, 1:] = np.einsum("r,nrk->nk", weights, after)
        window[levels.place[numbers] % slots] = rows
        found[numbers - first] = rows

    sweep(points, checkers, levels, slots, take, workers, progress)
    return found


def _levels_of_full(
    points: int, checkers: int, first: int
) -> tuple[pip_levels.Levels, int]:
    """Sort the positions numbered `first` or higher by pip count, and give them an index.

    Index 0 represents all other positions. The second result is the number of rows of a
    work array, in which row ``index % rows`` stores the results of a position. Only index 0
    has row 0.
    """
    pips = pip_levels.pip_counts(points, checkers)
    full = pips[first:]
    order = (np.argsort(full, kind="stable") + first).astype(np.uint32)
    starts = np.concatenate([[0], np.cumsum(np.bincount(full))])
    window = pip_levels.widest(np.diff(starts), pip_levels.ROLL_PIPS)
    place = np.zeros(len(pips), dtype=np.uint32)
    turns, within = np.divmod(np.arange(len(order)), window)
    place[order] = turns * (window + 1) + within + 1
    return pip_levels.Levels(order, place, starts), window + 1
