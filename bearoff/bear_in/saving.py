"""Plays that save the gammon: they bring all checkers home and bear one off.

A player who may lose a gammon must bear off the first of 15 checkers before the opponent
bears off the last one. A model estimates the mean number of rolls to the first checker off.
It has the form of `bearoff.bear_in.model`, and `research.training.saving` has fitted it to
games. With all checkers home, the mean is exact. The player minimises this mean plus the
mean number of rolls to bear off all checkers with a small weight. A small penalty for
checkers in the opponent's home board saves the backgammon. The penalty only decides which
checker moves first.

If few rolls remain, the play with the lowest mean number of rolls is not always the one
that most likely saves the gammon in time. `soonest` returns the plays after which the next
roll most likely bears a checker off.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in.coefficients import BOARD, SAVING_DATA, load_coefficients
from bearoff.bear_in.model import BearIn, HomeValues, bear_in
from bearoff.one_sided import gammons, one_sided_table
from bearoff.rolls import PIPS_PER_ROLL

Float64Array = NDArray[np.float64]

LAST_SIX = 18
"""Highest point that is outside the opponent's home board."""

_LEAVING = 0.3
"""Penalty in rolls for each pip that a checker still needs to leave the opponent's home
board."""

LAST = 1 / 32
"""Weight of the mean number of rolls to the last checker off; the mean number of rolls to
the first checker off has the weight 1."""

EACH = 1 + LAST
"""Weight of a roll before the first checker is borne off, in the sum that the player
minimises. Such a roll delays the first and the last checker off, so the weights 1 and
`LAST` are added."""


def home_values() -> HomeValues:
    """Return the plays of `gammons.saving_play`, which save gammons, as `HomeValues`."""
    play, table = gammons.saving_play(), one_sided_table()
    means = play.first_off + LAST * table.mean_rolls
    return HomeValues(
        means, means * PIPS_PER_ROLL, np.sqrt(play.first_off_variance), play.policy
    )


@lru_cache(maxsize=1)
def first_off_model() -> BearIn:
    """Return the model of the number of rolls to the first checker off.

    The model's means include `LAST` (1/32) times the mean number of rolls to bear off all
    checkers.
    """
    return BearIn(load_coefficients(SAVING_DATA), home_values())


@lru_cache(maxsize=1)
def saving_bear_in() -> BearIn:
    """Return the bear-in model whose plays aim to save the gammon.

    Examples
    --------
    With 6-5, the last checker outside the home board comes home, and a checker is borne
    off.

    >>> import bearoff
    >>> side = np.zeros((1, 24), dtype=np.int8)
    >>> side[0, [0, 5, 10]] = 7, 7, 1
    >>> after, _ = saving_bear_in().expand(side)
    >>> int(after[0, bearoff.ROLLS.index((6, 5))].sum())
    14
    """
    beyond = np.maximum(np.arange(1, BOARD + 1) - LAST_SIX, 0)
    return first_off_model().leaning(_LEAVING * PIPS_PER_ROLL * beyond)


def first_off(
    counts: NDArray[np.int8], mean_rolls: Float64Array | None = None
) -> tuple[Float64Array, Float64Array]:
    """Return the mean and variance of the number of rolls until a checker is borne off.

    Parameters
    ----------
    counts : ndarray of int8, shape (..., 24)
        Positions with 15 checkers on the board.
    mean_rolls : ndarray of float64, shape (...), optional
        Mean number of rolls to bear off all checkers according to `bear_in`, if already
        known.

    Returns
    -------
    mean, variance : ndarray of float64, shape (...)
        Mean and variance of the number of rolls until a checker is borne off with the plays
        of `saving_bear_in`. They are exact if all checkers are home.

    Examples
    --------
    A straggler on the 17 point needs over one roll more than a straggler on the 7 point.

    >>> sides = np.zeros((2, 24), dtype=np.int8)
    >>> sides[:, 5] = 14
    >>> sides[0, 6] = sides[1, 16] = 1
    >>> first_off(sides)[0].round(1)
    array([1.6, 2.8])
    """
    player = first_off_model()
    last = bear_in().mean_rolls(counts) if mean_rolls is None else mean_rolls
    return player.mean_rolls(counts) - LAST * last, player.std_rolls(counts) ** 2


def soonest(counts: NDArray[np.int8], saving: NDArray[np.int8]) -> NDArray[np.int8]:
    """Play every roll so that the next roll is most likely to bear a checker off.

    Parameters
    ----------
    counts : ndarray of int8, shape (n, 24), C-contiguous
        Positions with no checker borne off.
    saving : ndarray of int8, shape (n, 21, 24)
        Positions after the plays of `saving_bear_in`, to compare with all other plays.

    Returns
    -------
    ndarray of int8, shape (n, 21, 24)
        Position after the play of each roll, in the order of `bearoff.ROLLS`.

    Examples
    --------
    With 6-1, 14/8 5/4 needs fewer rolls on average than 14/7. However, 11 of 36 throws bear
    off no checker after 14/8 5/4, but only 6 after 14/7:

    >>> import bearoff
    >>> side = np.zeros((1, 24), dtype=np.int8)
    >>> side[0, [1, 4, 13]] = 1, 13, 1
    >>> saving, _ = saving_bear_in().expand(side)
    >>> for after in (saving, soonest(side, saving)):
    ...     print(np.flatnonzero(after[0, bearoff.ROLLS.index((6, 1))]) + 1)
    [2 4 5 8]
    [2 5 7]
    """
    from bearoff.bear_in import gammon_kernels

    after = np.array(saving, order="C")
    gammon_kernels.soonest(counts, after)
    return after


def idle_chances(
    winners: NDArray[np.float64],
    rows: NDArray[np.int64],
    mean: Float64Array,
    variance: Float64Array,
    next_roll: Float64Array,
    *,
    on_roll: bool,
) -> Float64Array:
    """Estimate the probabilities that losers of races lose a gammon.

    Parameters
    ----------
    winners : ndarray of float64, shape (positions, rolls)
        Probability that the winner needs ``n`` rolls, as in `OneSidedTable.distribution`.
    rows : ndarray of int64, shape (...)
        Row in `winners` of each pair's winner.
    mean, variance : ndarray of float64, shape (...)
        Mean and variance of the number of rolls to the loser's first checker off, from
        `first_off`.
    next_roll : ndarray of float64, shape (...)
        Probability that the loser's next roll bears off no checker, from
        `gammon_kernels.idle_next`.
    on_roll : bool
        Whether the winner, not the loser, is on roll.

    Returns
    -------
    ndarray of float64, shape (...)
        Probability of each race that the loser still has all 15 checkers when the winner
        bears off the last one.

    Examples
    --------
    If the winner's last checker is on the 1 point, the loser can save the gammon only by
    rolling first.

    >>> import bearoff
    >>> rolls, one = bearoff.one_sided_table().distribution, np.array([1])
    >>> loser = np.array([2.0]), np.array([0.3]), np.array([0.8])
    >>> idle_chances(rolls, one, *loser, on_roll=True).round(2)
    array([1.])
    >>> idle_chances(rolls, one, *loser, on_roll=False).round(2)
    array([0.8])
    """
    from bearoff.bear_in import gammon_kernels

    shape = np.broadcast_shapes(rows.shape, mean.shape)
    flat = [
        np.ascontiguousarray(np.broadcast_to(one, shape)).reshape(-1)
        for one in (rows, mean, variance, next_roll)
    ]
    chances = np.empty(len(flat[0]))
    gammon_kernels.idle_chances(winners, *flat, int(on_roll), chances)
    return chances.reshape(shape)
