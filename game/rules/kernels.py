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
"""Room for the ways to play a roll; a double of 15 checkers apart has at most 3,060."""

SLOTS = 2048
"""Places of the hash table that finds equal boards; two numbers give at most 450."""

_FACTORS = np.random.default_rng(1).integers(1, 1 << 63, 26).astype(np.uint64)
"""A board's key is the sum of its counts times these, modulo 2**64."""


@njit(cache=True)
def _top(board):
    """Return the roller's rearmost point, 25 for the bar; 0 if everything is off."""
    top = BAR
    while top > 0 and board[top] <= 0:
        top -= 1
    return top


@njit(cache=True)
def _move(board, source, die):
    """Move the roller's checker, which may; a blot on its way is sent to the bar."""
    board[source] -= 1
    target = source - die
    if target > 0:
        if board[target] == -1:
            board[target] = 1
            board[0] -= 1
        else:
            board[target] += 1


@njit(cache=True)
def _expand(states, lasts, begin, end, die, found):
    """Play `die` in every way from rows `begin` to `end`, behind row `found`.

    Only sources up to the row's last are tried. Returns the end of the rows.
    """
    for k in range(begin, end):
        top = _top(states[k])
        lowest = BAR if states[k, BAR] > 0 else 1
        for source in range(min(top, lasts[k]), lowest - 1, -1):
            if states[k, source] <= 0:
                continue
            target = source - die
            if target > 0:
                if states[k, target] < -1:
                    continue
            elif top > 6 or (target < 0 and source < top):
                continue
            states[found] = states[k]
            _move(states[found], source, die)
            lasts[found] = source
            found += 1
    return found


@njit(cache=True)
def _same(a, b):
    """Whether two boards are equal."""
    for point in range(26):  # noqa: SIM110 - generators are not compiled
        if a[point] != b[point]:
            return False
    return True


@njit(cache=True)
def _distinct(states, begin, end, slots):
    """Bring one of each board of the rows to their front; return the end of those."""
    slots[:] = -1
    kept = begin
    for k in range(begin, end):
        key = np.uint64(0)
        for point in range(26):
            key += np.uint64(states[k, point]) * _FACTORS[point]
        slot = key >> np.uint64(53)
        while slots[slot] >= 0 and not _same(states[slots[slot]], states[k]):
            slot = (slot + np.uint64(1)) % np.uint64(SLOTS)
        if slots[slot] < 0:
            states[kept] = states[k]
            slots[slot] = kept
            kept += 1
    return kept


@njit(cache=True)
def plays_of_roll(board, high, low, states, lasts, slots):
    """Write every board that a roll can lead to, each once.

    As many numbers are played as can be; of one that can be, the higher.

    Parameters
    ----------
    board : ndarray of int8, shape (26,)
    high, low : int
        The roll, the higher number first.
    states : ndarray of int8, shape (MOST_SEQUENCES, 26)
        Room for the boards.
    lasts : ndarray of int64, shape (MOST_SEQUENCES,)
        Room for the kernel.
    slots : ndarray of int16, shape (SLOTS,)
        Room for the kernel.

    Returns
    -------
    begin, end : int
        The rows of `states` that hold the boards.
    """
    states[0] = board
    lasts[0] = BAR
    if high == low:
        # Of a double, sources need not rise from one checker to the next: sorted, a legal
        # sequence stays legal. Different sources then give different boards.
        begin, end = 0, 1
        for _ in range(4):
            found = _expand(states, lasts, begin, end, high, end)
            if found == end:
                break
            begin, end = end, found
        return begin, end
    highs = _expand(states, lasts, 0, 1, high, 1)
    lows = _expand(states, lasts, 0, 1, low, highs)
    lasts[:lows] = BAR
    both = _expand(states, lasts, 1, highs, low, lows)
    both = _expand(states, lasts, highs, lows, high, both)
    if both > lows:
        return lows, _distinct(states, lows, both, slots)
    if highs > 1:
        return 1, highs
    if lows > highs:
        return highs, lows
    return 0, 1
