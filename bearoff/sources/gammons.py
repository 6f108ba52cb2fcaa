"""Chances of gammons where one side's play does not wait for the other's.

The winner makes the fewest rolls, the loser saves (`bearoff.bear_in.saving_bear_in`).
With both sides home that is exact for these players. With the loser beyond home its rolls
to the first checker off are estimated, with the winner beyond home both sides' rolls are.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in import bear_in, first_off_model
from bearoff.one_sided import gammons, one_sided_table

if TYPE_CHECKING:
    from bearoff.sources.kernels import Sides

Float64Array = NDArray[np.float64]
Int8Array = NDArray[np.int8]

GAMMON_ERROR = 0.1
"""Of the chance of a gammon: by as much it is rarely off; see
results/rollouts/gammon-chances.md."""


def gammon_chances(winners: Int8Array, losers: Int8Array, *, on_roll: bool) -> Float64Array:
    """Estimate the chances that losers have all 15 checkers on when winners bear off.

    Parameters
    ----------
    winners, losers : ndarray of int8, shape (n, 24)
        A checker of both on the board.
    on_roll : bool
        Whether the winners are.

    Returns
    -------
    ndarray of float64, shape (n,)
        0 for losers of fewer checkers.

    Examples
    --------
    The loser needs two crossovers and a checker off, in two rolls or three:

    >>> from bearoff.bear_in import widen
    >>> winner, loser = widen([[3, 2, 0, 0, 0, 0]]), widen([[2, 2, 2, 2, 2, 3, 0, 1, 1]])
    >>> gammon_chances(winner, loser, on_roll=True).round(2)
    array([0.29])
    """
    return np.asarray(_chances(winners, losers, on_roll)[0])


BACKGAMMON_ERROR = 0.2
"""The same of a backgammon, of which less is known."""


def backgammon_chances(
    winners: Int8Array, losers: Int8Array, *, on_roll: bool
) -> Float64Array:
    """Estimate the chances that losers of 15 are in the winner's home at the end.

    Leaving it takes what bearing those checkers off a home board would: the rolls of the
    two sides are independent, and normal where the winner is beyond home.

    Parameters
    ----------
    winners, losers, on_roll
        As for `gammon_chances`.

    Returns
    -------
    ndarray of float64, shape (n,)

    Examples
    --------
    The winner's last checker leaves at once, a straggler is still in its home:

    >>> from bearoff.bear_in import widen
    >>> winner = widen([[0, 1]])
    >>> loser = widen([[14] + 21 * [0] + [1]])
    >>> backgammon_chances(winner, loser, on_roll=True)
    array([1.])
    """
    return np.asarray(_chances(winners, losers, on_roll)[1])


def _chances(winners: Int8Array, losers: Int8Array, on_roll: bool) -> Float64Array:
    from bearoff.sources import kernels

    found = np.empty((2, len(winners)))
    kernels.gammons(known_sides(), winners, losers, int(on_roll), found)
    return found


@lru_cache(maxsize=1)
def known_sides() -> "Sides":
    """Return what compiled code knows of sides."""
    from bearoff.sources import kernels

    table = one_sided_table()
    return kernels.Sides(
        bear_in().arrays,
        first_off_model().arrays,
        table.distribution,
        table.most_rolls,
        gammons.saving_play().idle,
    )
