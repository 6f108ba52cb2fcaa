"""Compiled kernels for single plays of the computer players, and for the luck of rolls."""

from typing import Any, NamedTuple

import numpy as np

from bearoff.game.evaluation.feature_kernels import NAMED, RAW, inputs, load, rear
from bearoff.game.evaluation.net_kernels import best_play, equity, new_room, settle, turn
from bearoff.game.evaluation.pubeval_kernels import best_by_pubeval
from bearoff.game.evaluation.race_kernels import race_chances
from bearoff.game.rules import kernels as rules
from bearoff.runtime import njit


class PlayArrays(NamedTuple):
    """Work arrays that one computer player uses to choose plays."""

    states: Any
    numbers: Any
    room: Any
    out: Any


@njit(cache=True, nogil=True)
def new_table(units):
    """Allocate the work arrays for a network with `units` hidden units."""
    return PlayArrays(
        np.empty((rules.MOST_SEQUENCES, 26), np.int8),
        np.empty(rules.MOST_SEQUENCES, np.int64),
        new_room(units),
        np.empty(5),
    )


@njit(cache=True, nogil=True)
def _plays(table, board, high, low):
    """Write the boards after all plays of a roll, and return the range of their rows."""
    return rules.plays_of_roll(board, high, low, table.states, table.numbers)


@njit(cache=True, nogil=True)
def play_net(weights, races, table, board, high, low, after):
    """Play a roll by the network; write the next roller's board and return the equity."""
    begin, end = _plays(table, board, high, low)
    row, value = best_play(weights, races, table.states, begin, end, table.room, table.out)
    turn(table.states[row], after)
    return value


@njit(cache=True, nogil=True)
def play_pubeval(contact, race, table, board, high, low, after):
    """Play a roll by Tesauro's evaluation; write the board as the next roller sees it."""
    begin, end = _plays(table, board, high, low)
    row = best_by_pubeval(contact, race, board, table.states, begin, end)
    turn(table.states[row], after)


@njit(cache=True, nogil=True)
def play_lot(table, board, high, low, lot, after):
    """Make a random play, chosen by `lot` in [0, 1); write the next roller's board."""
    begin, end = _plays(table, board, high, low)
    turn(table.states[begin + int(lot * (end - begin))], after)


@njit(cache=True, nogil=True)
def luck(weights, races, table, dice, shares, board, roll, after):
    """Return the luck of a roll in points: its equity minus the mean equity of all rolls.

    ``dice``, of shape (rolls, 2), contains the possible rolls, and ``shares``, of shape
    (rolls,), their probabilities. `roll` is the index of the actual roll in ``dice``. The
    equity of a roll is the equity after the network's best play of the roll.
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
"""Codes of a game's state. `IN_CONTACT`: contact is not over. `NO_RACE`: a player won
before a race began. `UNOPENED`: the opening roll, which cannot be a double, is still to
come. `RACE`: contact is over."""


@njit(cache=True, nogil=True)
def play_turns(weights, races, table, boards, outcomes, dice, rolls):
    """Play the given rolls of both players in every game that still has contact.

    Parameters
    ----------
    weights, races, table
        Weights, race tables and work arrays of the network that plays for both players.
    boards : ndarray of int8, shape (games, 26)
        Boards from the roller's viewpoint; changed in place.
    outcomes : ndarray of int8, shape (games,)
        Code of each game's state, such as `IN_CONTACT`. The array is changed in place.
    dice : ndarray of int64, shape (21, 2)
        The two numbers of each roll, higher number first.
    rolls : ndarray of uint8, shape (2, turns, games)
        For each player, turn and game, the row of `dice` that contains the roll.
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
                for k in range(after.size):
                    boards[g, k] = after[k]
                outcomes[g] = _stage(after)


@njit(cache=True, nogil=True)
def _stage(board):
    """Return the code of a game's state after a play: over, a race, or in contact."""
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
    """Return the equity of a board as a linear function of its features.

    The equity is that of the player who has just moved. ``terms`` contains a constant, a
    weight for each feature of the next roller, and a weight for each feature of the player
    who has just moved. Finished games have their exact equity, and races are evaluated with
    ``races``.
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
    """Make the play with the highest `linear_equity`; write the next roller's board."""
    begin, end = _plays(table, board, high, low)
    found, best = begin, -9.0
    for k in range(begin, end):
        value = linear_equity(terms, races, table, table.states[k])
        if value > best:
            found, best = k, value
    turn(table.states[found], after)
