"""Compiled kernels of games of backgammon from the opening until contact is over.

`contact` is their documented face and says how the players choose. A side is held as 26
counts: ``[0]`` borne off, ``[p]`` on its own point ``p``, ``[25]`` on the bar; the
opponent's point ``q`` is the side's own ``25 - q``. Candidates of a roll are rows of two
such sides, the side that plays and the other.
"""

import numpy as np

from bearoff.runtime import njit

BAR = 25
MOST_CANDIDATES = 4096
"""Room for the sequences of a roll; a double from many points gives some hundreds."""

IN_CONTACT, NO_RACE, UNOPENED = -1, -2, -3
"""Outcomes of a game that is still on, of one that never becomes a race, and of one that
waits for a first throw that is no double."""

PIP = 4
"""A pip, in the units of scores."""

_SHOTS = np.array([0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3], dtype=np.int64)
"""Of 36 throws, how many hit from so many pips away."""

_MADE = np.array(
    [0, 0, 0, 8, 32, 36, 40, 16, 8, 6, 4, 4, 2, 4, 2, 4, 4, 2, 10, 6, 20, 16, 8, 4, 4, 0],
    dtype=np.int64,
)
"""Worth of a made point, own points from the ace."""


@njit(cache=True)
def _top(side):
    """Return the rearmost point that holds a checker; 0 if none does."""
    top = BAR
    while top > 0 and side[top] == 0:
        top -= 1
    return top


@njit(cache=True)
def _playable(own, other, top, source, die):
    """Whether a checker on `source` may be played, the rearmost standing on `top`."""
    if own[source] == 0 or (own[BAR] > 0 and source != BAR):
        return False
    target = source - die
    if target > 0:
        return other[25 - target] < 2
    return top <= 6 and (target == 0 or source == top)


@njit(cache=True)
def _expand(states, lasts, begin, end, die, found):
    """Play `die` in every way from rows `begin` to `end`, behind row `found`.

    Only sources up to the row's last are tried; see `candidates`.
    """
    for k in range(begin, end):
        own, other = states[k, 0], states[k, 1]
        top = _top(own)
        for source in range(min(top, lasts[k]), 0, -1):
            if not _playable(own, other, top, source, die):
                continue
            if found == MOST_CANDIDATES:
                return found
            target = max(source - die, 0)
            states[found] = states[k]
            states[found, 0, source] -= 1
            states[found, 0, target] += 1
            if target and other[25 - target] == 1:
                states[found, 1, 25 - target] = 0
                states[found, 1, BAR] += 1
            lasts[found] = source
            found += 1
    return found


@njit(cache=True)
def candidates(own, other, high, low, states, lasts):
    """Write every way to play a roll; return the first and the end of their rows.

    Of a double, sources never rise from one checker to the next: sorting a legal
    sequence so keeps it legal. As many dice are played as can be, the larger if only
    one can.
    """
    states[0, 0], states[0, 1] = own, other
    lasts[0] = BAR
    if high == low:
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
        return lows, both
    if highs > 1:
        return 1, highs
    if lows > highs:
        return highs, lows
    return 0, 1


@njit(cache=True)
def score(own, other, urge):
    """Return how well a position after a play pleases the side that played it.

    ``urge`` is how much it wants its rear checkers home, in fortieths of a quarter pip
    for each point that one stands beyond the midpoint's 12.
    """
    their_rear = _top(other)
    pips, their_pips, home_points, their_home_points = 0, 0, 0, 0
    for point in range(1, 26):
        pips += point * own[point]
        their_pips += point * other[point]
    for point in range(1, 7):
        home_points += own[point] > 1
        their_home_points += other[point] > 1
    total = PIP * (their_pips - pips) + 6 * home_points * other[BAR]
    haste = urge + min(max(their_pips - pips, 0), 40)
    made_below = False
    for point in range(1, 25):
        count = own[point]
        made = count > 1
        blocks = point > 12 or their_rear > 25 - point
        if made and blocks:
            total += _MADE[point]
            if made_below and 2 < point <= 9:
                total += 6
        made_below = made
        if count > 3:
            total -= 2 * (count - 3) * (count - 2)
        if point > 12:
            total -= count * (point - 12) * haste // 40
        if count == 1 and their_rear > 25 - point:
            shots = 0
            for away in range(1, 13):
                if away <= point:
                    shots += _SHOTS[away] * (other[25 - point + away] > 0)
            cost = PIP * (25 - point + 6 + 4 * their_home_points)
            total -= cost * min(shots, 36) // 36
    return total


@njit(cache=True)
def _order(a, b):
    """Compare two candidates as sequences of counts: -1, 0 or 1."""
    for side in range(2):
        for point in range(26):
            if a[side, point] != b[side, point]:
                return -1 if a[side, point] < b[side, point] else 1
    return 0


@njit(cache=True)
def _choose(states, begin, end, urge, slack, lot, scores, chosen):
    """Return the row of a candidate that scores within `slack` of the best, by lot."""
    best = score(states[begin, 0], states[begin, 1], urge)
    for k in range(begin, end):
        scores[k] = score(states[k, 0], states[k, 1], urge)
        best = max(best, scores[k])
    count = 0
    for k in range(begin, end):
        if scores[k] < best - slack:
            continue
        place = count
        order = 1
        while place > 0:
            order = _order(states[k], states[chosen[place - 1]])
            if order >= 0:
                break
            place -= 1
        if place > 0 and order == 0:
            continue  # Another sequence with the same result.
        for later in range(count, place, -1):
            chosen[later] = chosen[later - 1]
        chosen[place] = k
        count += 1
    return chosen[min(int(lot * count), count - 1)]


@njit(cache=True, nogil=True)
def play_turns(sides, outcomes, dice, urges, rolls, slacks, lots):
    """Play six turns of both sides of every game that is still in contact.

    Parameters
    ----------
    sides : ndarray of int8, shape (games, 2, 26)
        Changed in place.
    outcomes : ndarray of int8, shape (games,)
        One of the constants above, or the side on roll once the race has begun; changed.
    dice : ndarray of int64, shape (21, 2)
        The two numbers of each roll.
    urges : ndarray of int64, shape (2, games)
        Of each side and game; see `score`.
    rolls : ndarray of uint8, shape (2, turns, games)
        Of each side, turn and game.
    slacks, lots : ndarray of int64 and float64, shape (2, turns, games)
        How much worse than the best a play may score, and the lot between such plays.
    """
    states = np.empty((MOST_CANDIDATES, 2, 26), np.int8)
    lasts = np.empty(MOST_CANDIDATES, np.int64)
    scores = np.empty(MOST_CANDIDATES, np.int64)
    chosen = np.empty(MOST_CANDIDATES, np.int64)
    for g in range(sides.shape[0]):
        for turn in range(rolls.shape[1]):
            for side in range(2):
                roll = rolls[side, turn, g]
                high, low = dice[roll, 0], dice[roll, 1]
                if outcomes[g] == UNOPENED and high != low:
                    outcomes[g] = IN_CONTACT
                if outcomes[g] != IN_CONTACT:
                    break
                own, other = sides[g, side], sides[g, 1 - side]
                begin, end = candidates(own, other, high, low, states, lasts)
                k = _choose(
                    states,
                    begin,
                    end,
                    urges[side, g],
                    slacks[side, turn, g],
                    lots[side, turn, g],
                    scores,
                    chosen,
                )
                own[:] = states[k, 0]
                other[:] = states[k, 1]
                if own[0] == 15:
                    outcomes[g] = NO_RACE
                elif _top(own) + _top(other) <= 24:
                    outcomes[g] = 1 - side
