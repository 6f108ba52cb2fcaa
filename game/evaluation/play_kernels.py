"""Compiled kernels of single plays, and of the luck of a roll."""

from typing import Any, NamedTuple

import numpy as np

from bearoff.game.evaluation.feature_kernels import NAMED, RAW, inputs, load, rear
from bearoff.game.evaluation.net_kernels import best_play, equity, new_room, settle, turn
from bearoff.game.evaluation.pubeval_kernels import best_by_pubeval
from bearoff.game.evaluation.race_kernels import race_chances
from bearoff.game.rules import kernels as rules
from bearoff.runtime import njit


class PlayArrays(NamedTuple):
    """Work arrays of one player."""

    states: Any
    numbers: Any
    room: Any
    out: Any


@njit(cache=True, nogil=True)
def new_table(units):
    """Return work arrays for a net with this many hidden units."""
    return PlayArrays(
        np.empty((rules.MOST_SEQUENCES, 26), np.int8),
        np.empty(rules.MOST_SEQUENCES, np.int64),
        new_room(units),
        np.empty(5),
    )


@njit(cache=True, nogil=True)
def _plays(table, board, high, low):
    """Write the boards after a roll; return the first row and the end of the rows."""
    return rules.plays_of_roll(board, high, low, table.states, table.numbers)


@njit(cache=True, nogil=True)
def play_net(weights, races, table, board, high, low, after):
    """Write the board after the net's play, other side's view; return the equity."""
    begin, end = _plays(table, board, high, low)
    row, value = best_play(weights, races, table.states, begin, end, table.room, table.out)
    turn(table.states[row], after)
    return value


@njit(cache=True, nogil=True)
def play_pubeval(contact, race, table, board, high, low, after):
    """Write the board after Tesauro's evaluation's play, from the other side's view."""
    begin, end = _plays(table, board, high, low)
    row = best_by_pubeval(contact, race, board, table.states, begin, end)
    turn(table.states[row], after)


@njit(cache=True, nogil=True)
def play_lot(table, board, high, low, lot, after):
    """Write the board after a random play, `lot` in [0, 1), from the other side's view."""
    begin, end = _plays(table, board, high, low)
    turn(table.states[begin + int(lot * (end - begin))], after)


@njit(cache=True, nogil=True)
def luck(weights, races, table, dice, shares, board, roll, after):
    """Return by how much a roll is better than the mean of all rolls, in points.

    ``dice`` (rolls, 2) and ``shares`` (rolls,) are the possible rolls and their
    probabilities; `roll` is the index of the actual one. A roll's value is that of the
    net's best play.
    """
    mean, thrown = 0.0, 0.0
    for k in range(dice.shape[0]):
        if shares[k] == 0.0:
            continue
        value = play_net(weights, races, table, board, dice[k, 0], dice[k, 1], after)
        mean += shares[k] * value
        if k == roll:
            thrown = value
    return thrown - mean


IN_CONTACT, NO_RACE, UNOPENED, RACE = -1, -2, -3, 0
"""Outcomes of a game: still in contact; over before contact ended; waiting for a first
throw that is not a double; contact over."""


@njit(cache=True, nogil=True)
def play_turns(weights, races, table, boards, outcomes, dice, rolls):
    """Play some turns of both sides of every game that is still in contact.

    Parameters
    ----------
    weights, races, table
        Arrays of the net that plays both sides.
    boards : ndarray of int8, shape (games, 26)
        Boards from the roller's view; changed in place.
    outcomes : ndarray of int8, shape (games,)
        One of the constants above; changed in place.
    dice : ndarray of int64, shape (21, 2)
        The two numbers of each roll, the higher first.
    rolls : ndarray of uint8, shape (2, turns, games)
        Index of the roll of each side, turn and game.
    """
    after = np.empty(26, np.int8)
    for g in range(boards.shape[0]):
        for n in range(rolls.shape[1]):
            for side in range(2):
                high, low = dice[rolls[side, n, g]]
                if outcomes[g] == UNOPENED and high != low:
                    outcomes[g] = IN_CONTACT
                if outcomes[g] != IN_CONTACT:
                    break
                play_net(weights, races, table, boards[g], high, low, after)
                boards[g] = after
                outcomes[g] = _stage(after)


@njit(cache=True, nogil=True)
def _stage(board):
    """Return the outcome of a game so far, from a board whose opponent has just played."""
    first, top = 26, 0
    for point in range(26):
        if board[point] < 0:
            first = min(first, point)
        elif board[point] > 0:
            top = point
    if first == 26:
        return NO_RACE
    return RACE if top < first else IN_CONTACT


@njit(cache=True, nogil=True)
def linear_equity(terms, races, table, board):
    """Return the equity of a board by named terms, to the side that has just played.

    ``terms`` are a constant and a weight for each named input of the roller, then of the
    opponent. Finished games and races have their values in the net.
    """
    room, out = table.room, table.out
    load(board, True, room.own, room.other)
    top, their_top = rear(room.own), rear(room.other)
    if room.other[0] == 15:
        settle(room.own, room.other, out)
        return -equity(out)
    if top + their_top <= 24:
        race_chances(
            races, room.own, room.other, top, their_top, room.counts, room.score, out
        )
        return -equity(out)
    inputs(room.own, room.other, room.x)
    value = terms[0]
    for k in range(2 * NAMED):
        value += terms[k + 1] * room.x[2 * RAW + k]
    return -value


@njit(cache=True, nogil=True)
def play_linear(terms, races, table, board, high, low, after):
    """Write the board after the best play by named terms, from the other side's view."""
    begin, end = _plays(table, board, high, low)
    found, best = begin, -9.0
    for k in range(begin, end):
        value = linear_equity(terms, races, table, table.states[k])
        if value > best:
            found, best = k, value
    turn(table.states[found], after)
