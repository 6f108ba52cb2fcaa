"""Compiled kernels that compute equities from a cube ladder.

Each kernel has the viewpoint of one player. The five chances are those of winning, of
winning a gammon or more, of winning a backgammon, of losing a gammon or more, and of losing
a backgammon. The owner of the cube is 1 for this player, -1 for the opponent, and 0 for a
centred cube.
"""

import numpy as np

from bearoff.runtime import njit

WON, LOST, CASHES, PASSES = range(4)
"""Indices of the columns that `fill` computes: mean equity of wins, mean equity of losses,
win probability above which the opponent passes a double, and win probability below which
this player passes."""


@njit(cache=True, nogil=True)
def turned_ladder(ladder):
    """Convert the equities of a cube ladder to the opponent's viewpoint."""
    turned = np.empty_like(ladder)
    for k in range(ladder.shape[0]):
        for points in range(3):
            turned[k, points] = -ladder[k, points + 3]
            turned[k, points + 3] = -ladder[k, points]
    return turned


@njit(cache=True, nogil=True)
def dead(rung, chances):
    win = chances[0]
    total = win * rung[0] + (1.0 - win) * rung[3]
    total += chances[1] * (rung[1] - rung[0]) + chances[2] * (rung[2] - rung[1])
    total += chances[3] * (rung[4] - rung[3]) + chances[4] * (rung[5] - rung[4])
    return total


@njit(cache=True, nogil=True)
def fill(ladder, chances, filled):
    """Compute the columns `WON`, `LOST`, `CASHES` and `PASSES` for each cube value."""
    win, lose = chances[0], 1.0 - chances[0]
    won = lost = most_won = most_lost = 0.0
    if win > 0.0:
        won, most_won = chances[1] / win, chances[2] / win
    if lose > 0.0:
        lost, most_lost = chances[3] / lose, chances[4] / lose
    last = ladder.shape[0] - 1
    for k in range(last, -1, -1):
        a = ladder[k]
        filled[k, WON] = a[0] + won * (a[1] - a[0]) + most_won * (a[2] - a[1])
        filled[k, LOST] = a[3] + lost * (a[4] - a[3]) + most_lost * (a[5] - a[4])
        filled[k, CASHES], filled[k, PASSES] = 1.0, 0.0
        if k == last:
            continue
        b, above = ladder[k + 1], filled[k + 1]
        low = above[PASSES]
        base = b[3] if low > 0.0 else above[LOST]
        share = (a[0] - base) / (above[WON] - base)
        filled[k, CASHES] = min(low + (1.0 - low) * share, 1.0)
        high = above[CASHES]
        top = b[0] if high < 1.0 else above[WON]
        share = (a[3] - above[LOST]) / (top - above[LOST])
        filled[k, PASSES] = max(high * share, 0.0)


@njit(cache=True, nogil=True)
def held(ladder, filled, rung, owner, chances, live):
    """Return the equity at a given cube value and owner, before any double.

    ``rung`` is the index of the cube value in the ladder, and ``live`` is the cube
    efficiency, from 0 to 1.
    """
    flat = dead(ladder[rung], chances)
    if live == 0.0:
        return flat
    p = chances[0]
    left, low, right, high = 0.0, filled[rung, LOST], 1.0, filled[rung, WON]
    cashes, passes = filled[rung, CASHES], filled[rung, PASSES]
    if owner >= 0 and cashes < 1.0:
        if p < cashes:
            right, high = cashes, ladder[rung, 0]
        else:
            left, low = cashes, ladder[rung, 0]
    if owner <= 0 and passes > 0.0:
        if p > passes:
            if passes > left:
                left, low = passes, ladder[rung, 3]
        else:
            right, high = passes, ladder[rung, 3]
    return live * (low + (high - low) * (p - left) / (right - left)) + (1.0 - live) * flat


@njit(cache=True, nogil=True)
def on_roll(ladder, filled, rung, owner, chances, live):
    """Return the equity of a player on roll, who may double now if the cube allows it."""
    value = held(ladder, filled, rung, owner, chances, live)
    if owner < 0 or rung + 1 >= ladder.shape[0]:
        return value
    taken = held(ladder, filled, rung + 1, -1, chances, live)
    return max(value, min(taken, ladder[rung, 0]))


@njit(cache=True, nogil=True)
def worth(ladder, filled, rung, owner, chances, live):
    """Return the equity of a player on roll, as `on_roll`; `filled` is a work array."""
    if ladder.shape[0] == 1:
        return dead(ladder[0], chances)
    fill(ladder, chances, filled)
    return on_roll(ladder, filled, rung, owner, chances, live)
