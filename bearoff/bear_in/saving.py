"""Saving the gammon beyond home: bring all checkers home, then bear one off.

A side of 15 that is about to lose a gammon wants its first checker off. The rolls it
needs are about a sum over the checkers outside, `FIRST_OFF`, fitted to games of this
play; from where all are home the number is exact. The side plays to the least of
these rolls and, far behind, of the rolls to bear off all. To leave the other's home board,
where a backgammon is lost, comes at no cost but to which checker moves first.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in.coefficients import BOARD
from bearoff.bear_in.model import BearIn, bear_in
from bearoff.one_sided import gammons
from bearoff.rolls import HOME, PIPS_PER_ROLL

Float64Array = NDArray[np.float64]

FIRST_OFF = (0.86, 0.106, 0.183)
"""Mean rolls to the first checker off: with one outside, and more for each of the pips
that checkers outside need to be home and for each of these checkers."""

FIRST_OFF_VARIANCE = (0.01, 0.034, -0.03)
"""The same of the variance."""

LAST_SIX = 18
"""Points from here on are the other's home board."""

_LEAVING = 3.0
"""How much more a pip counts there."""

_OUT = np.arange(1, BOARD + 1) > HOME
_BEYOND = np.maximum(np.arange(1, BOARD + 1) - HOME, 0)


def first_off(counts: NDArray[np.int8]) -> tuple[Float64Array, Float64Array]:
    """Estimate mean and variance of the rolls to the first checker off.

    Parameters
    ----------
    counts : ndarray of int8, shape (..., 24)
        Sides of 15 with a checker outside.

    Returns
    -------
    mean, variance : ndarray of float64, shape (...)
        In rolls, of the play that `saving_bear_in` makes.
    """
    outside = counts[..., HOME:].astype(np.int64)
    pips, checkers = outside @ _BEYOND[HOME:], outside.sum(axis=-1)
    mean, variance = (
        np.asarray(one + by_pip * pips + by_checker * checkers, dtype=np.float64)
        for one, by_pip, by_checker in (FIRST_OFF, FIRST_OFF_VARIANCE)
    )
    return mean, variance


@lru_cache(maxsize=1)
def saving_bear_in() -> BearIn:
    """Return the player that saves gammons, opened once; see the head of the module.

    Examples
    --------
    With 6-5 the last checker outside comes home and one is borne off.

    >>> import bearoff
    >>> side = np.zeros((1, 24), dtype=np.int8)
    >>> side[0, [0, 5, 10]] = 7, 7, 1
    >>> after, _ = saving_bear_in().expand(side)
    >>> int(after[0, bearoff.ROLLS.index((6, 5))].sum())
    14
    """
    one, by_pip, by_checker = FIRST_OFF
    home = gammons.saving_play()
    beyond = np.maximum(np.arange(1, BOARD + 1) - LAST_SIX, 0)
    rolls = by_pip * (_BEYOND + _LEAVING * beyond) + by_checker * _OUT
    haste = gammons.HASTE * PIPS_PER_ROLL
    return bear_in().leaning(
        haste * rolls, haste * one, haste * home.first_off, home.policy
    )
