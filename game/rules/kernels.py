"""Compiled generator of all legal plays on the backgammon board.

A board is 26 int8 counts from the roller's viewpoint: ``[0]`` is the opponent's bar, at
most 0; ``[1]`` to ``[24]`` are the points, with the roller's checkers positive and the
opponent's negative; ``[25]`` is the roller's bar. The roller moves towards 0. All other
checkers, up to 15 per player, are borne off.
"""

import numpy as np

from bearoff.runtime import njit

BAR = 25
MOST_SEQUENCES = 4096
"""Upper bound on the number of ways to play a roll."""

SOURCES, BETWEEN = MOST_SEQUENCES - 2, MOST_SEQUENCES - 1
"""Rows of the array `states` that serve as work space."""


@njit(cache=True, inline="always")
def _playable(states, row, source, die):
    """Return whether `die` may move a checker from `source`, if the bar is empty."""
    if states[row, source] <= 0:
        return False
    target = source - die
    if target > 0:
        return states[row, target] >= -1
    # A number larger than the point bears off only from the highest point with a checker.
    for point in range(BAR, 6 if target == 0 else source, -1):
        if states[row, point] > 0:
            return False
    return source <= 6


@njit(cache=True, inline="always")
def _move(states, row, source, die, result):
    """Write the board after a checker's move, which may hit; the move is not checked."""
    for point in range(26):
        states[result, point] = states[row, point]
    states[result, source] -= 1
    target = source - die
    if target > 0:
        if states[row, target] < 0:
            states[result, target] = 1
            states[result, 0] -= 1
        else:
            states[result, target] += 1


@njit(cache=True)
def _sources(states, die):
    """List the points from which `die` may be played now or later, rearmost first.

    Writes the points to the row `SOURCES` of `states`, and returns the number of points. A
    point is listed if it has a checker of the roller, or can receive one by an earlier move
    with the same die, and if a move from the point is not blocked.
    """
    if states[0, BAR] > 0 and states[0, BAR - die] < -1:
        return 0
    number = 0
    gets = 0
    for point in range(BAR, 0, -1):
        target = point - die
        reached = states[0, point] > 0 or gets >> point & 1
        if reached and (target <= 0 or states[0, target] >= -1):
            states[SOURCES, number] = point
            number += 1
            gets |= 1 << max(target, 0)
    return number


@njit(cache=True)
def _expand(states, firsts, begin, end, die, number):
    """Append the boards after playing `die` on each board in rows `begin` to ``end - 1``.

    From the board in row k, moves are tried only from the points in the row `SOURCES` from
    index ``firsts[k]`` on. Returns the new end of the rows.
    """
    found = end
    for k in range(begin, end):
        last = min(number, 1) if states[k, BAR] > 0 else number
        for i in range(firsts[k], last):
            source = np.int64(states[SOURCES, i])
            if _playable(states, k, source, die):
                _move(states, k, source, die, found)
                firsts[found] = i
                found += 1
    return found


@njit(cache=True)
def _both(states, high, low):
    """Write all boards that result from playing two different numbers, from row 1 on.

    The board before the roll is in row 0. First, the higher number is played before the
    lower number. A board can then occur twice only if one checker moves both numbers, and
    the same board also results from the moves of two checkers; the first of these is left
    out. Afterwards, the lower number is played before the higher number, but only where
    these moves are impossible in the other order. The few boards found in this way are
    compared with all earlier boards.
    """
    number = 0
    for point in range(BAR, 0, -1):
        if states[0, point] > 0:
            states[SOURCES, number] = point
            number += 1
    enters = states[0, BAR] > 0
    found = 1
    for way in range(2):
        first, second = (high, low) if way == 0 else (low, high)
        for i in range(1 if enters else number):
            source = np.int64(states[SOURCES, i])
            if not _playable(states, 0, source, first):
                continue
            _move(states, 0, source, first, BETWEEN)
            target = source - first
            last = number
            if target > 0 and states[0, target] <= 0:
                states[SOURCES, number] = target
                last += 1
            for j in range(1 if states[BETWEEN, BAR] > 0 else last):
                other = np.int64(states[SOURCES, j])
                if not _playable(states, BETWEEN, other, second):
                    continue
                if way == 0:
                    instead = source - second
                    if (
                        other == target
                        and source != BAR
                        and instead > 0
                        and states[0, target] != -1
                        and _playable(states, 0, instead, first)
                    ):
                        continue
                elif (
                    states[0, other] > (other == source)
                    and (other == BAR or not enters)
                    and _playable(states, 0, other, second)
                ):
                    continue
                _move(states, BETWEEN, other, second, found)
                if way == 0 or _is_new(states, found):
                    found += 1
    return found


@njit(cache=True)
def _is_new(states, found):
    """Return whether the board in row `found` differs from those in earlier rows."""
    for row in range(1, found):
        point = 0
        while point < 26 and states[row, point] == states[found, point]:
            point += 1
        if point == 26:
            return False
    return True


@njit(cache=True)
def plays_of_roll(board, high, low, states, room):
    """Write every distinct board that a legal play of a roll leads to.

    As many numbers as possible are played. If only one number can be played, it is the
    higher one if possible.

    Parameters
    ----------
    board : ndarray of int8, shape (26,)
        Board before the roll, from the roller's viewpoint.
    high, low : int
        The roll, higher number first.
    states : ndarray of int8, shape (MOST_SEQUENCES, 26)
        Output array for the boards.
    room : ndarray of int64, shape (MOST_SEQUENCES,)
        Work array.

    Returns
    -------
    begin, end : int
        Range of rows of `states` that contain the boards.
    """
    for k in range(board.size):
        states[0, k] = board[k]
    room[0] = 0
    if high == low:
        # The moves of a double are made from the rearmost point downwards. This order is
        # always legal, and gives each resulting board only once.
        number = _sources(states, high)
        begin, end = 0, 1
        for _ in range(4):
            found = _expand(states, room, begin, end, high, number)
            if found == end:
                break
            begin, end = end, found
        return begin, end
    end = _both(states, high, low)
    if end > 1:
        return 1, end
    for die in (high, low):
        number = _sources(states, die)
        end = _expand(states, room, 0, 1, die, number)
        if end > 1:
            return 1, end
    return 0, 1
