"""Gammon and backgammon chances of many races in which players ignore each other.

The winner makes fewest-rolls plays, and the loser plays to save the gammon
(`bearoff.bear_in.saving_bear_in`). The chances are exact for these plays if all checkers of
both sides are in the home boards. If the loser has checkers outside, the number of rolls to
its first checker off is estimated. If the winner has checkers outside, the numbers of rolls
of both sides are estimated.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in import bear_in, first_off_model
from bearoff.one_sided import gammons, one_sided_table

if TYPE_CHECKING:
    from bearoff.sources.kernels import SideArrays

Float64Array = NDArray[np.float64]
Int8Array = NDArray[np.int8]

GAMMON_ERROR = 0.1
"""Stated error of an estimated gammon chance, as a fraction of the chance. Actual errors
are rarely larger; see results/rollouts/gammon-chances.md for the measurement."""


def gammon_chances(winners: Int8Array, losers: Int8Array, *, on_roll: bool) -> Float64Array:
    """Estimate the probabilities that the losers bear off no checker before the game ends.

    Parameters
    ----------
    winners, losers : ndarray of int8, shape (n, 24)
        Number of checkers on each point. Each side must have a checker on the board.
    on_roll : bool
        Whether the winners are on roll, rather than the losers.

    Returns
    -------
    ndarray of float64, shape (n,)
        Probabilities of a gammon; 0 for losers with fewer than 15 checkers.

    Examples
    --------
    The loser needs two crossovers and one checker off within two or three rolls:

    >>> from bearoff.bear_in import widen
    >>> winner, loser = widen([[3, 2, 0, 0, 0, 0]]), widen([[2, 2, 2, 2, 2, 3, 0, 1, 1]])
    >>> gammon_chances(winner, loser, on_roll=True).round(2)
    array([0.29])
    """
    return np.asarray(_chances(winners, losers, on_roll)[0])


BACKGAMMON_ERROR = 0.2
"""Stated error of an estimated backgammon chance, as a fraction of the chance. This error
is known less accurately than `GAMMON_ERROR`."""


def backgammon_chances(
    winners: Int8Array, losers: Int8Array, *, on_roll: bool
) -> Float64Array:
    """Estimate the probabilities that losers of gammons have checkers in the winners' home.

    The estimate makes two assumptions. The loser's checkers leave the winner's home board
    in as many rolls as a home board with checkers on the same points needs to bear off. The
    two sides' numbers of rolls are independent and, if the winner has checkers outside the
    home board, normally distributed. The parameters are those of `gammon_chances`.

    Examples
    --------
    The winner bears off the last checker at once, while the loser has a checker in the
    winner's home board:

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
def known_sides() -> "SideArrays":
    """Return the arrays from which compiled code estimates gammon chances."""
    from bearoff.sources import kernels

    table = one_sided_table()
    return kernels.SideArrays(
        bear_in().arrays,
        first_off_model().arrays,
        table.distribution,
        table.most_rolls,
        gammons.saving_play().idle,
    )
