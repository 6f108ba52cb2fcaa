"""Compiled kernels of the expectiminimax player with priorities: scores and a search.

A play is scored by what it changes. In a race, only progress counts. During contact, the
score counts checkers off, at home and out of the opponent's home board, points held, the
longest prime, and blots hit. It subtracts costs of blots, of more than five checkers on a
point, and of own checkers more than six points apart. The value of points depends on the
stage of the game. The order of priorities is that of the publication; the numbers, roughly
in pips, are chosen here.
"""

from typing import Any, NamedTuple

import numpy as np

from bearoff.game.contact.kernels import MOST_SEQUENCES, rears
from bearoff.game.rules import kernels as rules
from bearoff.runtime import njit

OFF, HOME, ESCAPED = 12.0, 4.0, 8.0
"""Values in pips of a checker borne off, brought home, and brought out of the opponent's
home board."""

APART, CROWDED, BLOT = 3.0, 4.0, 0.4
"""Costs that are subtracted from a position's value: `APART` pips for each gap of more than
six points between checkers, `CROWDED` pips for each checker above five on a point, and for
each blot the fraction `BLOT` of the value of making its point."""

PRIME, HIT, HIT_THERE = 3.0, 10.0, 8.0
"""Values in pips: `PRIME` for each point of the longest prime, `HIT` for a hit, and
`HIT_THERE` in addition for a hit in the opponent's home board."""

FIVE, SEVEN, FOUR, BARRED, HOME_POINT, OTHER = 20.0, 16.0, 14.0, 12.0, 8.0, 5.0
"""Values in pips of made points: the 5 point, the bar point, the 4 point, a home point
against a checker on the bar, another home point, and any other point."""

_SALT = 0x5DEECE66D
_SHIFT, _BITS = 11, (1 << 48) - 1


class PriorityArrays(NamedTuple):
    """Work arrays of the search, together with the rolls and their probabilities."""

    dice: Any
    shares: Any
    order: Any
    states: Any
    numbers: Any
    gains: Any
    after: Any


def new_room(dice: Any, shares: Any, levels: int) -> PriorityArrays:
    """Allocate the work arrays for a search that looks `levels` plays ahead."""
    return PriorityArrays(
        np.array(dice, np.int64),
        np.array(shares, np.float64),
        np.empty((levels, len(dice)), np.int64),
        np.empty((levels, MOST_SEQUENCES, 26), np.int8),
        np.empty(MOST_SEQUENCES, np.int64),
        np.empty((levels, MOST_SEQUENCES)),
        np.empty((levels, 26), np.int8),
    )


@njit(cache=True)
def worth_of_point(point, bringing, barred):
    """Return the value in pips of a made point.

    `bringing` is true if the player has checkers outside the home board. `barred` is true
    if the opponent has a checker on the bar.
    """
    if point == 5:
        return FIVE
    if point == 7 and bringing:
        return SEVEN
    if point == 4:
        return FOUR
    if point <= 6:
        return BARRED if barred else HOME_POINT
    return OTHER


@njit(cache=True)
def standing(board, bringing, barred):
    """Return the value in pips of the roller's position during contact."""
    total, left, last = 0.0, 0, 0
    prime, longest = 0, 0
    for point in range(1, 26):
        count = board[point] if board[point] > 0 else 0
        left += count
        held = count > 1 and point < 25
        prime = prime + 1 if held else 0
        longest = max(longest, prime)
        if not count:
            continue
        if last and point - last > 6:
            total -= APART
        last = point
        if point <= 6:
            total += HOME * count
        if point < 19:
            total += ESCAPED * count
        if held:
            total += worth_of_point(point, bringing, barred)
        elif point < 25:
            total -= BLOT * worth_of_point(point, bringing, barred)
        if count > 5:
            total -= CROWDED * (count - 5)
    return total + (OFF + HOME + ESCAPED) * (15 - left) + PRIME * longest


@njit(cache=True)
def progress(board):
    """Return the value in pips of the roller's position in a race."""
    total = 0.0
    for point in range(1, 26):
        count = board[point] if board[point] > 0 else 0
        total -= count * (point + OFF + (HOME if point > 6 else 0.0))
    return total


@njit(cache=True)
def score_plays(board, states, begin, end, gains):
    """Compute the gain in pips of each play, for the player who makes it.

    Parameters
    ----------
    board : ndarray of int8, shape (26,)
        Board before the plays, from the roller's viewpoint.
    states : ndarray of int8, shape (n, 26)
        Boards after the plays, in the rows from `begin` to ``end - 1``.
    gains : ndarray of float64, shape (n,)
        Output array. For each board in `states`, it receives the gain in pips of the play
        that leads to this board.
    """
    own, their = rears(board)
    race = own + their <= 24
    bringing = own > 7
    before = progress(board) if race else 0.0
    free = standing(board, bringing, False)
    held = standing(board, bringing, True)
    for k in range(begin, end):
        after = states[k]
        if race:
            gains[k] = progress(after) - before
            continue
        barred = after[0] < 0
        gain = standing(after, bringing, barred) - (held if barred else free)
        for point in range(1, 25):
            if board[point] == -1 and after[point] >= 0:
                gain += HIT + (HIT_THERE if point > 18 else 0.0)
        gains[k] = gain


@njit(cache=True)
def _shuffle(board, order):
    """Write the indices of the rolls in a pseudo-random order that the board determines."""
    lot = np.int64(_SALT)
    for point in range(26):
        lot = (lot * 31 + board[point]) & _BITS
    for k in range(order.shape[0]):
        order[k] = k
    for k in range(order.shape[0] - 1, 0, -1):
        lot = (lot * _SALT + _SHIFT) & _BITS
        other = (lot >> 17) % (k + 1)
        order[k], order[other] = order[other], order[k]


@njit(cache=True, nogil=True)
def mean_gain(room, board, depth, width, rolls, most):
    """Return the gain in pips of the best play, averaged over the roller's possible rolls.

    Parameters
    ----------
    room : PriorityArrays
    board : ndarray of int8, shape (26,)
        Board from the viewpoint of the player who is about to roll.
    depth, width : int
        Number of plays to look ahead, and number of plays per roll that are searched
        deeper.
    rolls : int
        Minimum number of rolls to evaluate.
    most : float
        Mean gain in pips that is large enough for the caller. The search stops as soon as
        the mean gain over the evaluated rolls reaches this value.
    """
    level = depth - 1
    order, states = room.order[level], room.states[level]
    gains, after = room.gains[level], room.after[level]
    _shuffle(board, order)
    total, share = 0.0, 0.0
    for n in range(order.shape[0]):
        k = order[n]
        begin, end = rules.plays_of_roll(
            board, room.dice[k, 0], room.dice[k, 1], states, room.numbers
        )
        score_plays(board, states, begin, end, gains)
        best = gains[begin:end].max()
        if depth > 1:
            best = -np.inf
            for _ in range(min(width, end - begin)):
                row = begin + np.argmax(gains[begin:end])
                for point in range(26):
                    after[point] = -states[row, 25 - point]
                reply = mean_gain(room, after, depth - 1, width, rolls, gains[row] - best)
                best = max(best, gains[row] - reply)
                gains[row] = -np.inf
        total += room.shares[k] * best
        share += room.shares[k]
        if n + 1 >= rolls and total >= most * share:
            break
    return total / share
