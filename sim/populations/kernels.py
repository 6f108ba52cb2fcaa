"""Compiled kernels: the cube through games, and the values of not doubling."""

from typing import NamedTuple

import numpy as np

from bearoff.runtime import njit

OVER, CENTRED, OWNED, OPPONENTS = -1, 0, 1, 2
"""Where the cube is for the side on roll; `OVER` after a pass."""


@njit(cache=True, nogil=True)
def walk_cube(
    order, games, plies, no_double, no_redouble, double_take, states, doubled, stakes
):
    """Follow the cube through games whose both sides turn it perfectly.

    ``order`` sorts the visits by game and ply; ``stakes`` gets the value of the cube
    before the decision.
    """
    game = -1
    owner, stake, over = -1, 1, False
    for i in order:
        if games[i] != game:
            game = games[i]
            owner, stake, over = -1, 1, False
        if over:
            states[i] = OVER
            continue
        side = plies[i] % 2
        stakes[i] = stake
        if owner == 1 - side:
            states[i] = OPPONENTS
            continue
        waiting = no_double[i] if owner < 0 else no_redouble[i]
        states[i] = CENTRED if owner < 0 else OWNED
        if min(double_take[i], 1.0) >= waiting:
            doubled[i] = True
            if double_take[i] > 1.0:
                over = True
            else:
                owner = 1 - side
                stake *= 2


class Moves(NamedTuple):
    """What a side may move to, for every slot of the table and every roll.

    Attributes
    ----------
    offsets : ndarray, shape (21 * slots + 1,)
        Where the successors of a slot and roll begin.
    successors : ndarray
        Slots after the plays.
    weights : ndarray of float64, shape (21,)
        Of the rolls, out of 36.
    """

    offsets: np.ndarray
    successors: np.ndarray
    weights: np.ndarray


class Planes(NamedTuple):
    """Codes of the values that the opponent has after a play.

    See `bearoff.two_sided.pair_order` for their order and `bearoff.two_sided.codings` for
    their meaning.

    Attributes
    ----------
    size : int
        Slots of a lane.
    cubeless, cube : ndarray
        Codes of the plane without a cube, and of the plane of where the cube is.
    zero, step : float
        Coding of the second.
    """

    size: int
    cubeless: np.ndarray
    cube: np.ndarray
    zero: float
    step: float


@njit(cache=True, nogil=True)
def no_double_values(rollers, opponents, moves, planes, values):
    """Write the mean over rolls of the best play's value, the cube staying where it is.

    Sides are slots of the table. The plane of the cube is that of the opponent, who rolls
    next.
    """
    lanes = 16
    cubeless, codes = planes.cubeless, planes.cube
    offsets, successors = moves.offsets, moves.successors
    for k in range(rollers.size):
        start = (opponents[k] // lanes) * planes.size
        lane = opponents[k] % lanes
        total = 0.0
        for roll in range(21):
            least = 2.0
            place = rollers[k] * 21 + roll
            for i in range(offsets[place], offsets[place + 1]):
                at = (start + np.int64(successors[i])) * lanes + lane
                value = cubeless[at] * (2 / 65535) - 1.0
                value += (codes[at] - planes.zero) * planes.step
                least = min(least, max(value, -1.0))
            total += moves.weights[roll] * min(least, 1.0)
        values[k] = -total / 36.0
