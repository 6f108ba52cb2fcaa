"""Compiled alpha-beta search for No Chance Backgammon.

Boards are 26 counts from the viewpoint of the player on roll, as in `game.rules`. Values
are hundredths of a pip from the same viewpoint. A single game won in n turns has the value
``WON - n``, a gammon ``2 * WON - n``, and a backgammon ``3 * WON - n``.
"""

import numpy as np

from bearoff import CHECKERS
from bearoff.game.rules import kernels as rules
from bearoff.runtime import njit

WON = 1_000_000
SURE = WON - 1000
"""Upper bound on estimated values; a higher value means a certain win."""

MOST = 3 * WON
"""Upper bound on the value of any position."""

MOST_CHILDREN = 6400
"""Upper bound on the number of plays in one turn, summed over all numbers that the player
may name."""

_HOLDS, _AT_LEAST, _AT_MOST = 0, 1, 2
_KEYS = np.random.default_rng(2).integers(1, 1 << 63, 64).astype(np.uint64)
_POINT_WORTH = np.array(
    [0, 30, 60, 120, 300, 400, 300, 350, 150, 60, 30] + [20] * 15, np.int64
)
"""Value of each made point in hundredths of a pip, highest for the 5 point."""

_BLOT = 250
_ANCHOR = 250
_PRIME = 150


@njit(cache=True)
def _side(board, sign):
    """Return the value of one player's checkers on a board, in hundredths of a pip."""
    worth, run, last = 0, 0, 26
    # Only blots ahead of the opponent's rearmost checker can be hit.
    for k in range(26):
        if sign * board[k if sign > 0 else 25 - k] < 0:
            last = k
            break
    for k in range(26):
        count = sign * board[k if sign > 0 else 25 - k]
        if count > 0:
            worth -= 100 * k * count
        if 0 < k < 25:
            if count >= 2:
                worth += _POINT_WORTH[k]
                run += 1
                if run >= 3:
                    worth += _PRIME * (run - 2)
                if k >= 18:
                    worth += _ANCHOR
            else:
                run = 0
                if count == 1 and last < k:
                    worth -= _BLOT
    return worth


@njit(cache=True)
def evaluate(board):
    """Estimate the value of a board for the player on roll, in hundredths of a pip."""
    return _side(board, 1) - _side(board, -1)


@njit(cache=True)
def _worth(board):
    """Return the value of a finished game for the winner, given the loser's board."""
    left, behind = 0, 0
    for k in range(1, 26):
        if board[k] > 0:
            left += board[k]
            if k >= 19:
                behind += board[k]
    if left < CHECKERS:
        return WON
    return 3 * WON if behind else 2 * WON


@njit(cache=True)
def key_of(board, own, met, doubles, theirs):
    """Return the 64-bit number under which the transposition table stores a position."""
    key = np.uint64(0)
    for k in range(26):
        key += np.uint64(board[k]) * _KEYS[k]
    state = ((own * 8 + met) * 3 + doubles) * 3 + theirs
    key += np.uint64(state) * _KEYS[26]
    return key ^ (key >> np.uint64(29))


@njit(cache=True)
def children(board, own, met, doubles, numbers, only, boards, values, named, room):
    """Write all boards that can follow in one turn, with estimated values.

    `board` is from the viewpoint of the player on roll, and `boards` are from the
    opponent's viewpoint. If `only` is not 0, the player must name the number `only`.
    Returns how many boards were written.

    `values` are from the viewpoint of the player on roll. If a turn bears off the last
    checker, the value is `WON`, 2 `WON` for a gammon, or 3 `WON` for a backgammon.
    """
    states, lasts = room
    found = 0
    for number in range(1, numbers + 1):
        if number == own or (number == met and doubles == 0):
            continue
        if only not in (0, number):
            continue
        high, low = max(number, met), min(number, met)
        begin, end = rules.plays_of_roll(board, high, low, states, lasts)
        for k in range(begin, end):
            left = 0
            for point in range(26):
                boards[found, point] = -states[k, 25 - point]
                left += max(states[k, point], 0)
            values[found] = -evaluate(boards[found]) if left else _worth(boards[found])
            named[found] = number
            found += 1
    return found


@njit(cache=True, nogil=True)
def search(
    board,
    own,
    met,
    doubles,
    theirs,
    depth,
    alpha,
    beta,
    ply,
    numbers,
    only,
    memory,
    room,
    count,
):
    """Search a position `depth` turns deep by alpha-beta, and return its value.

    Parameters
    ----------
    board : ndarray of int8, shape (26,)
        Board from the viewpoint of the player on roll.
    own, met : int
        Number that the player on roll named last, and number that the opponent named last.
    doubles, theirs : int
        Number of doubles left to the player on roll, and to the opponent.
    depth : int
        Number of turns to search, at least 1.
    alpha, beta : int
        Search window. If the true value is not between `alpha` and `beta`, the result is
        only a bound on the true value.
    ply : int
        Number of turns since the root of the search. The search uses row `ply` of each
        array in `room`.
    numbers : int
        Largest number that a player may name, normally 6.
    only : int
        Number that the player at the root must name; 0 if any number may be named.
    memory : tuple of arrays
        Transposition table: arrays of keys, values, depths, kinds of bounds and first
        turns.
    room : tuple of arrays
        Work arrays of the search, and of the kernel that generates plays.
    count : ndarray of int64, shape (2,)
        Number of positions visited, and its limit. The result is invalid if the limit has
        been reached. Another thread can stop the search by lowering the limit.

    Returns
    -------
    int
        Value for the player on roll.
    """
    count[0] += 1
    if count[0] >= count[1]:
        return 0
    keys, stored, depths, kinds, firsts = memory
    here = only if ply == 0 else 0
    key = key_of(board, own, met, doubles, theirs) + np.uint64(here)
    slot = np.int64(key % np.uint64(keys.size))
    first = -1
    if keys[slot] == key:
        first = firsts[slot]
        if depths[slot] >= depth:
            value = stored[slot]
            if (
                kinds[slot] == _HOLDS
                or (kinds[slot] == _AT_LEAST and value >= beta)
                or (kinds[slot] == _AT_MOST and value <= alpha)
            ):
                return value
    boards, values, named, scratch = room
    found = children(
        *(board, own, met, doubles, numbers, here),
        *(boards[ply], values[ply], named[ply], scratch),
    )
    best, chosen, low = -MOST - 1, 0, alpha
    if depth == 1:
        for k in range(found):
            if values[ply, k] > best:
                best, chosen = values[ply, k], k
    else:
        order = np.argsort(-values[ply, :found])
        for turn in range(-1, found):
            k = first if turn < 0 else order[turn]
            if (turn < 0 and first < 0) or (turn >= 0 and k == first):
                continue
            if values[ply, k] >= WON:
                value = values[ply, k]
            else:
                left = doubles - (1 if named[ply, k] == met else 0)
                value = -search(
                    boards[ply, k],
                    met,
                    named[ply, k],
                    theirs,
                    left,
                    depth - 1,
                    # The value of a win decreases by 1 with each turn, so `alpha` and
                    # `beta` shift by 1.
                    -beta - 1,
                    -low + 1,
                    ply + 1,
                    numbers,
                    only,
                    memory,
                    room,
                    count,
                )
                if count[0] >= count[1]:
                    return 0
                # Each further turn makes a won game worth 1 less and a lost game worth 1
                # more.
                value -= 1 if value > SURE else (-1 if value < -SURE else 0)
            if value > best:
                best, chosen = value, k
            low = max(low, best)
            if low >= beta:
                break
    keys[slot], stored[slot], depths[slot], firsts[slot] = key, best, depth, chosen
    kinds[slot] = _AT_LEAST if best >= beta else (_AT_MOST if best <= alpha else _HOLDS)
    return best
