"""Compiled kernels that compute the board features listed in `features.FEATURES`.

A player's checkers are 26 counts, numbered from the player's viewpoint: ``[0]`` off,
``[1]`` to ``[24]`` the points, and ``[25]`` the bar. The opponent's point q is the player's
point ``25 - q``. Sets of points are integers in which bit p stands for the player's point
p.
"""

import numpy as np
from numpy.typing import NDArray

from bearoff.runtime import njit

BAR = 25
RAW = 98
"""Number of network inputs per player that only encode where checkers are: four for each
point, one for the bar, and one for checkers off."""

NAMED = 23
"""Number of network inputs per player that are named features, as listed in
`features.FEATURES`."""

INPUTS = 2 * (RAW + NAMED)

_HOME = 0b1111110
_BACK = 0b1111110 << 18


def _full_rolls() -> NDArray[np.int8]:
    """Count how many of the 36 throws a checker can play fully, given the blocked points.

    The array has one count for each set of blocked points. If bit ``n - 1`` of the array
    index is set, the point n pips ahead of the checker is blocked. For a double, only the
    first two moves must be possible.
    """
    found = np.zeros(4096, np.int8)
    sets = np.arange(4096)
    for a in range(1, 7):
        for b in range(1, 7):
            last = sets >> (a + b - 1) & 1
            found += (last == 0) & ~((sets >> (a - 1) & sets >> (b - 1) & 1) == 1)
    return found


_FULL_ROLLS = _full_rolls()

_TOP = np.array([max(points.bit_length() - 1, 0) for points in range(8192)])
"""For each integer below 8192, the index of the highest bit that is set; 0 for the integer
0."""


@njit(cache=True, nogil=True)
def load(board, turned, own, other):
    """Write the roller's and the opponent's checker counts; swap the two if `turned`."""
    a = 0
    b = 0
    for point in range(1, 26):
        x = max(board[point], 0)
        y = max(-board[25 - point], 0)
        a += x
        b += y
        if turned:
            own[point], other[point] = y, x
        else:
            own[point], other[point] = x, y
    own[0] = 15 - (b if turned else a)
    other[0] = 15 - (a if turned else b)


@njit(cache=True, nogil=True)
def rear(side):
    """Return a player's rearmost point: 25 for the bar, or 0 if all checkers are off."""
    top = BAR
    while top > 0 and side[top] == 0:
        top -= 1
    return top


@njit(cache=True, nogil=True)
def _least(side, least):
    """Return the set of points, including the bar, with at least `least` checkers."""
    points = 0
    for point in range(1, 26):
        points |= (side[point] >= least) << point
    return points


@njit(cache=True, nogil=True)
def _mirrored(points):
    """Convert a set of points from one player's numbering to the other's."""
    # These lines reverse the lowest 26 bits: each line exchanges neighbouring groups of
    # bits, first of 16 bits, and finally of 1 bit.
    found = points << 6
    found = (found >> 16 & 0x0000FFFF) | (found & 0x0000FFFF) << 16
    found = (found >> 8 & 0x00FF00FF) | (found & 0x00FF00FF) << 8
    found = (found >> 4 & 0x0F0F0F0F) | (found & 0x0F0F0F0F) << 4
    found = (found >> 2 & 0x33333333) | (found & 0x33333333) << 2
    return (found >> 1 & 0x55555555) | (found & 0x55555555) << 1


@njit(cache=True, nogil=True)
def _count(points):
    """Return the number of points in a set."""
    count = 0
    while points:
        points &= points - 1
        count += 1
    return count


@njit(cache=True, nogil=True)
def _highest(points):
    """Return the highest point in a set, or 0 for an empty set."""
    upper = points >> 13
    return _TOP[upper] + 13 if upper else _TOP[points & 8191]


@njit(cache=True, nogil=True)
def shots(men, on_bar, closed, blots):
    """Return how many of 36 throws hit, and the sum of the pips lost by their best hits.

    Parameters
    ----------
    men : int
        Set of points that the hitting player occupies, including the bar.
    on_bar : int
        Number of the hitting player's checkers on the bar, which must enter first.
    closed, blots : int
        Set of points on which the opponent has at least two checkers, and set of points on
        which the opponent has a blot.
    """
    hitting, lost = 0, 0
    if blots == 0:
        return hitting, lost
    field = men & ~(1 << BAR)
    open_ = ~closed & 0x1FFFFFE
    for a in range(1, 7):
        for b in range(1, a + 1):
            if on_bar == 0:
                step = men >> a
                hit = step & blots
                if a == b:
                    for _ in range(3):
                        step = (step & open_) >> a
                        hit |= step & blots
                else:
                    hit |= (men >> b) & blots
                    hit |= ((step & open_) >> b) & blots
                    hit |= (((men >> b) & open_) >> a) & blots
            else:
                enter_a, enter_b = 1 << (BAR - a), 1 << (BAR - b)
                hit = 0
                if enter_a & open_:
                    hit |= enter_a & blots
                    if a == b:
                        step = field | enter_a
                        for _ in range(4 - on_bar):
                            step = (step & open_) >> a
                            hit |= step & blots
                    elif on_bar == 1:
                        hit |= ((field | enter_a) >> b) & blots
                    else:
                        hit |= enter_b & blots
                if a != b and enter_b & open_:
                    hit |= enter_b & blots
                    if on_bar == 1:
                        hit |= ((field | enter_b) >> a) & blots
                    else:
                        hit |= enter_a & blots
            throws = (1 if a == b else 2) * (hit != 0)
            hitting += throws
            lost += throws * _highest(hit)
    return hitting, lost


@njit(cache=True, nogil=True)
def _free(theirs, point):
    """Return how many of the 36 throws can be played fully with the checker on `point`.

    ``theirs`` is the set of points that the other player blocks, in that player's
    numbering.
    """
    return np.int64(_FULL_ROLLS[theirs >> (26 - point) & 4095])


@njit(cache=True, nogil=True)
def _raw(side, x, at):
    """Write the network inputs that encode one player's checkers on each point."""
    # The loop has no if statements, because the processor would often mispredict them.
    for point in range(1, 25):
        count = side[point]
        k = at + 4 * (point - 1)
        x[k] = count == 1
        x[k + 1] = count > 1
        x[k + 2] = count > 2
        x[k + 3] = 0.5 * max(count - 3, 0)
    x[at + 96] = 0.5 * side[BAR]
    x[at + 97] = 1.0 if side[0] else 0.0


@njit(cache=True, nogil=True)
def _named(own, other, men, made, their_made, closed, blots, their_blots, x, at):
    """Write the network inputs for one player's features, in the order of `FEATURES`.

    All of these arguments are sets of points: `men` (occupied by the player), `made` (made
    by the player), `blots` (with one checker of the player), `their_made` and `closed`
    (made by the opponent), and `their_blots` (with one checker of the opponent).
    `their_made` is in the opponent's numbering, and the other sets are in the player's
    numbering.
    """
    pips, spares, stack, timing, back, outside = 0, 0, 0, 0, 0, 0
    for point in range(1, 26):
        count = own[point]
        pips += point * count
        if count > 3:
            stack += count - 3
        if 6 <= point <= 11 and count != 2:
            spares += 1 if count == 1 else max(count - 2, 0)
        if point > 18:
            back += count
        elif point > 6:
            outside += count
            timing += (point - 6) * count
        elif point > 3:
            timing += (point - 2) * max(count - 2, 0)
    home_points = _count(made & _HOME)
    their_home = _count(closed & _BACK)
    hitting, lost = shots(men, own[BAR], closed, their_blots)
    run, longest, top_of_prime = 0, 0, 0
    for point in range(1, 19):
        run = run + 1 if made >> point & 1 else 0
        if run >= longest and run:
            longest, top_of_prime = run, point
    trapped = 0
    for point in range(1, top_of_prime - longest + 1):
        trapped += other[25 - point]
    trapped += other[BAR]
    top = rear(own)
    their_top = rear(other)
    escape = _free(their_made, top)
    # For each starting point of an opposing checker, `free` is the number of throws of 36
    # that the checker can play fully. `hold` is the minimum over all points from the bar to
    # the opponent's 13 point. `hold_now` only covers points from the opponent's rearmost
    # checker on.
    hold, hold_now = 36, 36
    for point in range(25, 12, -1):
        free = _free(made, point)
        hold = min(hold, free)
        if point <= their_top:
            hold_now = min(hold_now, free)
    anchors = made & _BACK
    front = 0
    for point in range(24, 17, -1):
        if made >> point & 1:
            front = point
    mobility = 0
    for die in range(1, 7):
        mobility += _count((men >> die) & ~closed & 0x1FFFFFE)
    limit = 24 - their_top
    passing = 0
    for point in range(max(limit, 0) + 1, 26):
        passing += (point - limit) * own[point]
    x[at] = pips / 167.0
    x[at + 1] = own[0] / 15.0
    x[at + 2] = (their_home / 6.0) ** 2 if own[BAR] else 0.0
    x[at + 3] = home_points / 6.0
    x[at + 4] = _count(blots & _HOME) / 3.0
    x[at + 5] = _count(blots & ~_HOME) / 4.0
    x[at + 6] = hitting / 36.0
    x[at + 7] = lost / 360.0
    x[at + 8] = hitting * home_points / 216.0
    x[at + 9] = longest / 6.0
    x[at + 10] = trapped * longest * longest / 72.0
    x[at + 11] = escape / 36.0
    x[at + 12] = (36 - hold) / 36.0
    x[at + 13] = (36 - hold_now) / 36.0
    x[at + 14] = top / 25.0
    x[at + 15] = back / 4.0
    x[at + 16] = (25 - front) / 7.0 if front else 0.0
    x[at + 17] = _count(anchors) / 2.0
    x[at + 18] = stack / 6.0
    x[at + 19] = timing / 80.0
    x[at + 20] = passing / 100.0
    x[at + 21] = mobility / 40.0
    x[at + 22] = (spares + outside) / 10.0


@njit(cache=True, nogil=True)
def inputs(own, other, x):
    """Compute the network inputs of a board: checker positions, then named features."""
    x[:] = 0.0
    _raw(own, x, 0)
    _raw(other, x, RAW)
    men, their_men = _least(own, 1), _least(other, 1)
    made, their_made = _least(own, 2) & ~(1 << BAR), _least(other, 2) & ~(1 << BAR)
    blots = men & ~made & ~(1 << BAR)
    their_blots = their_men & ~their_made & ~(1 << BAR)
    at = 2 * RAW
    _named(
        own,
        other,
        men,
        made,
        their_made,
        _mirrored(their_made),
        blots,
        _mirrored(their_blots),
        x,
        at,
    )
    _named(
        other,
        own,
        their_men,
        their_made,
        made,
        _mirrored(made),
        their_blots,
        _mirrored(blots),
        x,
        at + NAMED,
    )
