"""Chances of gammons where one side's play does not wait for the other's.

The winner makes the fewest rolls, the loser saves (`bearoff.bear_in.saving_bear_in`).
With both sides home that is exact for these players. With the loser beyond home its rolls
to the first checker off are estimated, with the winner beyond home both sides' rolls are.
"""

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in import LAST_SIX, bear_in, first_off, idle_chances
from bearoff.one_sided import gammons, one_sided_table
from bearoff.positions import CHECKERS, POINTS, rank

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
    array([0.28])
    """
    chances = np.zeros(len(losers))
    full = np.flatnonzero(losers.sum(axis=1) == CHECKERS)
    if not len(full):
        return chances
    winners, losers = winners[full], losers[full]
    mean, variance = first_off(losers)
    home, out = ~winners[:, POINTS:].any(axis=1), losers[:, POINTS:].any(axis=1)
    found = np.empty(len(full))
    both = np.flatnonzero(home & ~out)
    if len(both):
        found[both] = _at_home(winners[both], losers[both], on_roll)
    known = np.flatnonzero(home & out)
    if len(known):
        found[known] = idle_chances(
            one_sided_table().distribution,
            rank(winners[known, :POINTS]),
            mean[known],
            variance[known],
            on_roll=on_roll,
        )
    rest = np.flatnonzero(~home)
    if len(rest):
        player = bear_in()
        lead = mean[rest] + (0.5 if on_roll else -0.5) - player.mean_rolls(winners[rest])
        spread = np.sqrt(variance[rest] + player.std_rolls(winners[rest]) ** 2)
        found[rest] = _above_zero(lead, spread)
    chances[full] = found
    return chances


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
    chances = np.zeros(len(losers))
    back = losers[:, LAST_SIX:]
    at = np.flatnonzero((losers.sum(axis=1) == CHECKERS) & back.any(axis=1))
    if not len(at):
        return chances
    table, winners, leaving = one_sided_table(), winners[at], rank(back[at])
    home = ~winners[:, POINTS:].any(axis=1)
    found = np.empty(len(at))
    if home.any():
        exactly = table.distribution[rank(winners[home, :POINTS])]
        idle = 1 - np.cumsum(table.distribution[leaving[home]], axis=1)
        if on_roll:  # The winner has thrown once more than the loser.
            idle = np.concatenate([np.ones((len(idle), 1)), idle[:, :-1]], axis=1)
        found[home] = np.clip(np.einsum("ij,ij->i", exactly, idle), 0.0, 1.0)
    if not home.all():
        player, far = bear_in(), winners[~home]
        lead = table.mean_rolls[leaving[~home]] + (0.5 if on_roll else -0.5)
        spread = np.hypot(table.std_rolls[leaving[~home]], player.std_rolls(far))
        found[~home] = _above_zero(lead - player.mean_rolls(far), spread)
    chances[at] = found
    return chances


def _at_home(winners: Int8Array, losers: Int8Array, on_roll: bool) -> Float64Array:
    idle = gammons.saving_play().idle[rank(losers[:, :POINTS])]
    if on_roll:  # The winner has thrown once more than the loser.
        idle = np.concatenate([idle[:, :1], idle], axis=1)
    exactly = one_sided_table().distribution[rank(winners[:, :POINTS])]
    width = min(idle.shape[1], exactly.shape[1])
    return np.asarray(np.einsum("ij,ij->i", exactly[:, :width], idle[:, :width]))


def _above_zero(leads: Float64Array, spreads: Float64Array) -> Float64Array:
    from bearoff.bear_in import gammon_kernels

    chances = np.empty(len(leads))
    gammon_kernels.chances_by_spread(leads, spreads, chances)
    return chances
