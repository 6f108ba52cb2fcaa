"""Compiled kernels of rollouts at a score: what `sim.rollouts.kernels.turn` does there.

A *node* is what the cube shows and where it is. Values are of the roller at the start in
normalised equities, unless they are said to be a side's own. Sides are 0, the roller at
the start, and 1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.runtime import njit
from sim.rollouts.kernels import ROLLS, between, matched_place, mean_over_rolls


class Nodes(NamedTuple):
    """What cubes are worth at a score.

    Attributes
    ----------
    planes : ndarray of float32, shape (planes, bins, bins)
        Values of typical races, own to the side on roll, by its bin and the other's.
    plane_of : ndarray of int64, shape (nodes, 2)
        Plane of each node with either side on roll; -1 where nobody may turn the cube.
    middle, half : ndarray of float64, shape (nodes,)
        What a game without gammons comes to there if the cube is not turned: `middle`
        plus `half` times the equity without a cube.
    doubled : ndarray of int64, shape (nodes, 2)
        Node after a double of either side that is taken; -1 where it may not double.
    cash : ndarray of float64, shape (nodes, 2)
        What a double that is passed is worth, own to the side that doubles.
    gammons : ndarray of float64, shape (nodes, 2)
        What a gammon is worth to either side beyond a game won, its own.
    """

    planes: NDArray[np.float32]
    plane_of: NDArray[np.int64]
    middle: NDArray[np.float64]
    half: NDArray[np.float64]
    doubled: NDArray[np.int64]
    cash: NDArray[np.float64]
    gammons: NDArray[np.float64]


CUBELESS, CUBEFUL = range(2)
"""Rows of values: without the cube, and with it."""


@njit(cache=True, inline="always")
def _value_node(nodes, node, side, places, values):
    """Fill what the game is worth after each roll of `side`, own to the other side."""
    planes, plane_of, middle, half, _, _, _ = nodes
    plane = plane_of[node, 1 - side]
    if plane < 0:
        own_middle = middle[node] if side == 1 else -middle[node]
        for roll in range(ROLLS):
            values[CUBEFUL, roll] = own_middle + half[node] * values[CUBELESS, roll]
    else:
        for roll in range(ROLLS):
            values[CUBEFUL, roll] = between(planes[plane], places[0, roll], places[1, roll])


@njit(cache=True, nogil=True)
def turn(model, nodes, side, may_double, take_luck_out, played, games):
    """Turn the cube in games of which `side` is on roll, and take the luck of the roll.

    As `sim.rollouts.kernels.turn`: doubles, takes and luck go by the values of typical
    races, doubles and takes by those of gammons besides. `games` are the node, whether it
    is still on and the estimate so far of each game and state.
    """
    planes, slopes, bins = model
    _, _, middle, half, doubled, cash, gammons = nodes
    others, after, cubeless, won, lost, rolls = played
    at, alive, estimates = games
    sign = 1.0 - 2.0 * side
    last = nodes.planes.shape[1] - 1.001  # What is beyond the planes is as their end.
    places = np.empty((2, ROLLS))
    values = np.empty((2, ROLLS))
    for game in range(rolls.size):
        for roll in range(ROLLS):
            row, column, values[CUBELESS, roll] = matched_place(
                planes[0], slopes, bins, others[game], after[game, roll],
                cubeless[game, roll],
            )  # fmt: skip
            places[0, roll], places[1, roll] = min(row, last), min(column, last)
        for state in range(at.shape[1]):
            if not alive[game, state]:
                continue
            node = at[game, state]
            _value_node(nodes, node, side, places, values)
            taken = doubled[node, side]
            if may_double and taken >= 0:
                passed = cash[node, side]
                no_double = -mean_over_rolls(values, CUBEFUL)
                worth = won[game] * gammons[node, side]
                worth -= lost[game] * gammons[node, 1 - side]
                if worth != 0.0:
                    # A later double, passed, gives no more; never doubling may.
                    never = sign * middle[node] + worth
                    never -= half[node] * mean_over_rolls(values, CUBELESS)
                    no_double = max(min(no_double + worth, passed), never)
                _value_node(nodes, taken, side, places, values)
                double_take = won[game] * gammons[taken, side]
                double_take -= lost[game] * gammons[taken, 1 - side]
                double_take -= mean_over_rolls(values, CUBEFUL)
                if min(double_take, passed) >= no_double:
                    if double_take > passed:
                        estimates[game, state] += sign * passed
                        alive[game, state] = False
                        continue
                    at[game, state] = taken
                else:
                    _value_node(nodes, node, side, places, values)
            if take_luck_out:
                # Values are the other side's: what it gains by the roll is bad luck.
                bad_luck = values[CUBEFUL, rolls[game]] - mean_over_rolls(values, CUBEFUL)
                estimates[game, state] += sign * bad_luck
