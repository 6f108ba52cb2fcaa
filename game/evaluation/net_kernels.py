"""Compiled kernels of the neural network: evaluation, choice of plays, and training.

The network (`Weights`) has a hidden layer with units clipped at 0, an optional second layer
that the first one feeds, and five logistic outputs that both layers feed. The outputs are
the roller's probabilities, before the roll, of winning, of winning a gammon or more, of
winning a backgammon, of losing a gammon or more, and of losing a backgammon.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from bearoff.game.evaluation.feature_kernels import INPUTS, inputs, load, rear
from bearoff.game.evaluation.race_kernels import race_chances
from bearoff.game.rules import kernels as rules
from bearoff.runtime import njit

OUTPUTS = 5


class Weights(NamedTuple):
    """Weights of a neural network as float32 arrays; the second layer may be empty.

    Attributes
    ----------
    hidden : ndarray, shape (inputs, n)
    hidden_bias : ndarray, shape (n,)
    second : ndarray, shape (m, n)
    second_bias : ndarray, shape (m,)
    out : ndarray, shape (5, n)
        Output weights for the units of the first layer.
    second_out : ndarray, shape (5, m)
        Output weights for the units of the second layer.
    out_bias : ndarray, shape (5,)
    """

    hidden: Any
    hidden_bias: Any
    second: Any
    second_bias: Any
    out: Any
    second_out: Any
    out_bias: Any


class NetArrays(NamedTuple):
    """Work arrays that one thread uses to evaluate boards."""

    own: Any
    other: Any
    x: Any
    places: Any
    units: Any
    counts: Any
    score: Any


@njit(cache=True, nogil=True)
def new_room(units):
    """Allocate the work arrays for a network with `units` hidden units."""
    return NetArrays(
        np.zeros(26, np.int64),
        np.zeros(26, np.int64),
        np.zeros(INPUTS, np.float32),
        np.zeros(INPUTS + 1, np.int64),
        np.zeros(units, np.float32),
        np.zeros((1, 24), np.int8),
        np.zeros(1, np.int64),
    )


@njit(cache=True, nogil=True, fastmath=True)
def forward(weights, x, places, units, out):
    """Compute a network's hidden units and five outcome probabilities from its inputs.

    ``places`` is a work array of shape (inputs + 1,).
    """
    count = units.shape[0]
    for h in range(count):
        units[h] = weights.hidden_bias[h]
    # The loop that lists nonzero inputs has no if statement, because the processor would
    # often mispredict it.
    hidden = weights.hidden
    met = 0
    for i in range(x.shape[0]):
        places[met] = i
        met += x[i] != 0.0
    # Four inputs are added in one loop, so each hidden unit is read and written less often.
    whole = met - met % 4
    for k in range(0, whole, 4):
        a, b, c, d = places[k], places[k + 1], places[k + 2], places[k + 3]
        p, q, r, s = x[a], x[b], x[c], x[d]
        for h in range(count):
            units[h] += (p * hidden[a, h] + q * hidden[b, h]) + (
                r * hidden[c, h] + s * hidden[d, h]
            )
    for k in range(whole, met):
        a = places[k]
        for h in range(count):
            units[h] += x[a] * hidden[a, h]
    for h in range(count):
        units[h] = max(units[h], np.float32(0.0))
    for k in range(OUTPUTS):
        total = weights.out_bias[k]
        for h in range(count):
            total += units[h] * weights.out[k, h]
        out[k] = total
    for j in range(weights.second_bias.shape[0]):
        total = weights.second_bias[j]
        for h in range(count):
            total += units[h] * weights.second[j, h]
        if total > 0.0:
            for k in range(OUTPUTS):
                out[k] += total * weights.second_out[k, j]
    for k in range(OUTPUTS):
        out[k] = 1.0 / (1.0 + math.exp(-out[k]))


@njit(cache=True, nogil=True)
def settle(own, other, out):
    """Set the outcome probabilities of a finished game that the roller has lost."""
    out[:] = 0.0
    if own[0] == 0:
        out[3] = 1.0
        if rear(own) > 18:
            out[4] = 1.0


OVER, RACE, CONTACT = 0, 1, 2


@njit(cache=True, nogil=True)
def chances(weights, tables, board, turned, room, out):
    """Compute the outcome probabilities of the roller, or of the opponent if `turned`.

    Returns `OVER`, `RACE` or `CONTACT`. Only if there is contact, the network's inputs and
    hidden units are written to `room`.
    """
    load(board, turned, room.own, room.other)
    if room.other[0] == 15:
        settle(room.own, room.other, out)
        return OVER
    top, their_top = rear(room.own), rear(room.other)
    if top + their_top <= 24:
        race_chances(
            tables,
            room.own,
            room.other,
            top,
            their_top,
            room.counts,
            room.score,
            out,
        )
        return RACE
    inputs(room.own, room.other, room.x)
    forward(weights, room.x, room.places, room.units, out)
    # The network's outputs may contradict each other: a gammon could be more probable than
    # a win. Clipping makes the probabilities consistent.
    out[1] = min(out[1], out[0]) if room.other[0] == 0 else 0.0
    out[2] = min(out[2], out[1])
    out[3] = min(out[3], 1.0 - out[0]) if room.own[0] == 0 else 0.0
    out[4] = min(out[4], out[3])
    return CONTACT


@njit(cache=True, nogil=True)
def equity(out):
    """Return the cubeless equity in points for five outcome probabilities."""
    return 2.0 * out[0] - 1.0 + out[1] + out[2] - out[3] - out[4]


@njit(cache=True, nogil=True)
def best_play(weights, tables, states, begin, end, room, out):
    """Find the best play of a roll; return its row and the roller's equity after it."""
    best, found = -9.0, begin
    for k in range(begin, end):
        chances(weights, tables, states[k], True, room, out)
        value = -equity(out)
        if value > best:
            best, found = value, k
    return found, best


@njit(cache=True, nogil=True)
def turn(board, out):
    """Write a board from the opponent's viewpoint."""
    for point in range(26):
        out[point] = -board[25 - point]


@njit(cache=True, nogil=True)
def flip(theirs, out):
    """Convert the outcome probabilities of one player to those of the opponent."""
    out[0] = 1.0 - theirs[0]
    out[1], out[2] = theirs[3], theirs[4]
    out[3], out[4] = theirs[1], theirs[2]


@njit(cache=True, nogil=True, fastmath=True)
def learn(weights, x, units, found, target, rate, back):
    """Update the weights by a gradient step that reduces the cross entropy to a target.

    Requires a network without a second layer.
    """
    count = units.shape[0]
    for h in range(count):
        back[h] = 0.0
    for k in range(OUTPUTS):
        delta = np.float32(rate * (target[k] - found[k]))
        for h in range(count):
            back[h] += delta * weights.out[k, h]
            weights.out[k, h] += delta * units[h]
        weights.out_bias[k] += delta
    for h in range(count):
        if units[h] <= 0.0:
            back[h] = 0.0
        weights.hidden_bias[h] += back[h]
    for i in range(x.shape[0]):
        value = x[i]
        if value != 0.0:
            for h in range(count):
                weights.hidden[i, h] += value * back[h]


@njit(cache=True, nogil=True)
def play_and_learn(weights, tables, start, dice, rate):
    """Train a network by temporal differences in self-play; return the number of turns.

    Parameters
    ----------
    weights : Weights
        Weights of the network, which are changed in place.
    start : ndarray of int8, shape (26,)
        Board at the start of a game.
    dice : ndarray of uint8, shape (games, turns, 2)
        Two dice for each turn of each game. A game that is not over after these turns is
        broken off.
    rate : float
        Learning rate of the gradient steps.
    """
    states = np.empty((rules.MOST_SEQUENCES, 26), np.int8)
    numbers = np.empty(rules.MOST_SEQUENCES, np.int64)
    units = weights.hidden_bias.shape[0]
    room = new_room(units)
    board = np.empty(26, np.int8)
    x = np.empty(INPUTS, np.float32)
    hidden = np.empty(units, np.float32)
    back = np.empty(units, np.float32)
    out, before, after = np.empty(5), np.empty(5), np.empty(5)
    turns = 0
    for game in range(dice.shape[0]):
        for k in range(board.size):
            board[k] = start[k]
        for k in range(dice.shape[1]):
            a, b = dice[game, k]
            if k == 0 and a == b:
                continue
            turns += 1
            if chances(weights, tables, board, False, room, before) != CONTACT:
                break
            inputs(room.own, room.other, x)
            forward(weights, x, room.places, hidden, before)
            high, low = max(a, b), min(a, b)
            begin, end = rules.plays_of_roll(board, high, low, states, numbers)
            row, _ = best_play(weights, tables, states, begin, end, room, out)
            turn(states[row], board)
            chances(weights, tables, board, False, room, out)
            flip(out, after)
            learn(weights, x, hidden, before, after, rate, back)
    return turns
