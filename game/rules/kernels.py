"""Compiled kernels of the plays of a roll on the whole board.

A board is 26 counts of type int8 from the roller's side: ``[0]`` the opponent's bar, at
most 0; ``[1]`` to ``[24]`` the points, the roller's checkers positive, the opponent's
negative; ``[25]`` the roller's bar. The roller moves towards 0, and what is missing to
15 is off.
"""

import numpy as np

from bearoff.runtime import njit

BAR = 25
MOST_SEQUENCES = 4096
"""Room for the ways to play a roll; a double of 15 checkers apart has at most 3,876, those
of fewer than four moves among them."""

SOURCES, BETWEEN = MOST_SEQUENCES - 2, MOST_SEQUENCES - 1
"""Rows that hold what the kernels note meanwhile."""


@njit(cache=True, inline="always")
def _playable(states, row, source, die):
    """Whether the roller, who may enter, has a checker on `source` that may be played."""
    if states[row, source] <= 0:
        return False
    target = source - die
    if target > 0:
        return states[row, target] >= -1
    # From the highest point a larger number will do.
    for point in range(BAR, 6 if target == 0 else source, -1):
        if states[row, point] > 0:
            return False
    return source <= 6


@njit(cache=True, inline="always")
def _move(states, row, source, die, result):
    """Write a row with the roller's checker of another moved; it may, and hits a blot."""
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
    """List the points, rearmost first, from which `die` may be played now or later.

    That is where the roller has a checker, or gets one by the same number, and the target
    is not blocked. They stand in the row `SOURCES`; returns how many there are.
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
    """Play `die` in every way from rows `begin` to `end`, behind these.

    Of the sources only those from the row's first on are tried. Returns the end of the
    rows.
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
    """Write each board that two different numbers lead to from row 0, from row 1 on.

    The higher first and then the lower leads to a board in one way, but for a checker that
    moves both: another may stand where the lower alone takes it, and move in its place.
    Whatever the lower first leads to is a board already if the same moves may be made the
    other way round; of the few that are left, each is compared.
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
    """Whether no row from 1 to `found` holds the same board as that row."""
    for row in range(1, found):
        point = 0
        while point < 26 and states[row, point] == states[found, point]:
            point += 1
        if point == 26:
            return False
    return True


@njit(cache=True)
def plays_of_roll(board, high, low, states, room):
    """Write every board that a roll can lead to, each once.

    As many numbers are played as can be; of one that can be, the higher.

    Parameters
    ----------
    board : ndarray of int8, shape (26,)
    high, low : int
        The roll, the higher number first.
    states : ndarray of int8, shape (MOST_SEQUENCES, 26)
        Room for the boards.
    room : ndarray of int64, shape (MOST_SEQUENCES,)
        Room for the kernel.

    Returns
    -------
    begin, end : int
        The rows of `states` that hold the boards.
    """
    states[0] = board
    room[0] = 0
    if high == low:
        # Of a double, sources need not rise from one checker to the next: sorted, a legal
        # sequence stays legal. Different sources then give different boards.
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
