"""Compiled kernels for games in which every position is searched one roll ahead.

The module `research.training.looking` uses these kernels. A small network, the *sieve*,
selects the plays that the large network evaluates. Its inputs are the numbers of checkers
on the points. It has one layer of hidden units, which are clipped to the range 0 to 1, and
takes a tenth of the large network's time.
"""

from typing import Any, NamedTuple

import numpy as np

from bearoff.game.evaluation.feature_kernels import inputs, load
from bearoff.game.evaluation.net_kernels import (
    CONTACT,
    OUTPUTS,
    chances,
    equity,
    flip,
    turn,
)
from bearoff.game.evaluation.play_kernels import play_lot
from bearoff.game.rules import kernels as rules
from bearoff.runtime import njit

TRIED = 0.15
"""Probability that a play other than the best one is tried."""

NEAR = 0.1
"""Maximum cost, in points, of a nearly best play that is tried in place of the best
play."""

UNITS = 32
FEATURES = 2 * 26 * 16
KEPT = 8
"""Number of plays of a roll that are preselected for evaluation by the network."""


class Sieve(NamedTuple):
    """Small float32 network that preselects plays: hidden, linear and output weights."""

    rows: Any
    lines: Any
    weights: Any


@njit(cache=True, nogil=True)
def number(board, places):
    """Write the indices of a board's features to an array; return their number."""
    count = 1
    places[0] = 0  # Feature 0 is always present: its weights act as a bias.
    # The loop has no branches, because the processor could not predict their outcome.
    for point in range(26):
        men = np.int64(board[point])
        places[count] = 16 * point + abs(men) + 416 * (men < 0)
        count += men != 0
    places[count:] = -1
    return count


@njit(cache=True, nogil=True, fastmath=True)
def score(sieve, board, places, sums):
    """Return the sieve's value of a board, for the side that has just played."""
    count = number(board, places)
    value = np.float32(0)
    sums[:] = 0
    rows, whole = sieve.rows, count - count % 4
    for k in range(0, whole, 4):
        a, b, c, d = places[k], places[k + 1], places[k + 2], places[k + 3]
        for h in range(sums.shape[0]):
            sums[h] += (rows[a, h] + rows[b, h]) + (rows[c, h] + rows[d, h])
    for k in range(whole, count):
        for h in range(sums.shape[0]):
            sums[h] += rows[places[k], h]
    for k in range(count):
        value += sieve.lines[places[k]]
    for h in range(sums.shape[0]):
        clipped = min(max(sums[h], np.float32(0)), np.float32(1))
        value += sieve.weights[0, h] * clipped
    return value


@njit(cache=True, nogil=True)
def sifting_room():
    """Allocate the working arrays of `sift`, which preselects plays."""
    return (
        np.empty(52, np.int16),
        np.empty(UNITS, np.float32),
        np.empty(rules.MOST_SEQUENCES, np.float32),
    )


@njit(cache=True, nogil=True)
def sift(sieve, states, begin, end, room):
    """Move the plays that the sieve values highest to the front; return their end index."""
    if end - begin <= KEPT:
        return end
    places, sums, scores = room
    for k in range(begin, end):
        scores[k] = score(sieve, states[k], places, sums)
    for first in range(begin, begin + KEPT):
        best = first
        for k in range(first + 1, end):
            if scores[k] > scores[best]:
                best = k
        if best != first:
            scores[first], scores[best] = scores[best], scores[first]
            for point in range(26):
                men = states[first, point]
                states[first, point] = states[best, point]
                states[best, point] = men
    return begin + KEPT


@njit(cache=True, nogil=True)
def examples(weights, tables, table, boards, dice, into, values):
    """Write features and equities of all plays of boards until the arrays are full."""
    found = 0
    for n in range(boards.shape[0]):
        for roll in range(dice.shape[0]):
            begin, end = rules.plays_of_roll(
                boards[n], dice[roll, 0], dice[roll, 1], table.states, table.numbers
            )
            for k in range(begin, min(end, begin + into.shape[0] - found)):
                chances(weights, tables, table.states[k], True, table.room, table.out)
                values[found] = -equity(table.out)
                number(table.states[k], into[found])
                found += 1
    return found


@njit(cache=True, nogil=True)
def features(boards, into):
    """Write the network inputs that describe boards, one row for each board."""
    own, other = np.zeros(26, np.int64), np.zeros(26, np.int64)
    for n in range(boards.shape[0]):
        load(boards[n], False, own, other)
        inputs(own, other, into[n])


@njit(cache=True, nogil=True)
def wander(table, board, dice, lots):
    """Make random plays on a board, and stop before a side bears off its last checker."""
    after = np.empty(26, np.int8)
    for k in range(dice.shape[0]):
        high, low = max(dice[k, 0], dice[k, 1]), min(dice[k, 0], dice[k, 1])
        play_lot(table, board, high, low, lots[k], after)
        if not (after < 0).any():
            return
        board[:] = after


@njit(cache=True, nogil=True)
def look_through(net, tables, table, board, dice, shares, rolls, draws, into):
    """Play a game until contact ends; return the number of positions that were searched.

    Parameters
    ----------
    net : tuple
        Weights of the network, and of the sieve, a small network that preselects plays.
    tables, table
        Tables for races, and working arrays.
    board : ndarray of int8, shape (26,)
        Starting board from the roller's viewpoint; it is changed in place.
    dice, shares : ndarray
        Rolls with the higher number first, and the probability of each roll.
    rolls : ndarray of uint8, shape (turns,)
        Index of the roll in each turn.
    draws : ndarray of float64, shape (turns, 2)
        Two random numbers for each turn. The first decides whether a play other than the
        best is tried, and the second chooses this play.
    into : tuple of ndarray
        Output arrays: boards, outcome probabilities by the network and by a one-roll
        search, and whether the best play led to the next position.
    """
    boards, said, looked, linked = into
    weights, sieve = net
    sifting = sifting_room()
    out, best, theirs = np.empty(OUTPUTS), np.empty(OUTPUTS), np.empty(OUTPUTS)
    values = np.empty(rules.MOST_SEQUENCES)
    after = np.empty(26, np.int8)
    for n in range(rolls.shape[0]):
        if chances(weights, tables, board, False, table.room, out) != CONTACT:
            return n
        boards[n], said[n], looked[n] = board, out, 0.0
        for roll in range(dice.shape[0]):
            begin, end = rules.plays_of_roll(
                board, dice[roll, 0], dice[roll, 1], table.states, table.numbers
            )
            last = sift(sieve, table.states, begin, end, sifting)
            found, most = begin, -9.0
            for k in range(begin, last):
                chances(weights, tables, table.states[k], True, table.room, out)
                values[k] = -equity(out)
                if values[k] > most:
                    found, most = k, values[k]
                    best[:] = out
            flip(best, theirs)
            for k in range(OUTPUTS):
                looked[n, k] += shares[roll] * theirs[k]
            if roll == rolls[n]:
                chosen = found
                if draws[n, 0] < 0.03:
                    chosen = begin + int(draws[n, 1] * (end - begin))
                elif draws[n, 0] < TRIED:
                    near = 0
                    for k in range(begin, last):
                        near += values[k] >= most - NEAR
                    at = int(draws[n, 1] * near)
                    for k in range(begin, last):
                        if values[k] >= most - NEAR:
                            if at == 0:
                                chosen = k
                            at -= 1
                linked[n] = chosen == found
                turn(table.states[chosen], after)
        board[:] = after
    return rolls.shape[0]
