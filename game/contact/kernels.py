"""Compiled functions of a player with hand-chosen weights, and of games with contact.

`sim.populations.contact` describes how the player chooses plays. Boards have the layout of
`game.rules` and are from the roller's viewpoint.
"""

import numpy as np

from bearoff.game.rules import kernels
from bearoff.runtime import njit

BAR = 25

IN_CONTACT, NO_RACE, UNOPENED = -1, -2, -3
"""Codes of a game's state. `IN_CONTACT`: contact is not over. `NO_RACE`: a player won
before a race began. `UNOPENED`: the opening roll, which cannot be a double, is still to
come."""

PIP = 4
"""Value of one pip in `score`, whose unit is a quarter pip."""

MOST_URGE = 480
"""Largest allowed value of `urge`, the weight of bringing rear checkers home; see `score`.
"""

_SHOTS = np.array([0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3], dtype=np.int64)
"""For each distance in pips, the number of throws, out of 36, that hit a blot."""

_MADE = np.array(
    [0, 0, 0, 8, 32, 36, 40, 16, 8, 6, 4, 4, 2, 4, 2, 4, 4, 2, 10, 6, 20, 16, 8, 4, 4, 0],
    dtype=np.int64,
)
"""Value of each made point in quarter pips, by the player's point number."""

_plays_of_roll = kernels.plays_of_roll
MOST_SEQUENCES = kernels.MOST_SEQUENCES


@njit(cache=True)
def rears(board):
    """Return each player's rearmost point in that player's numbering; 0 if all are off."""
    own, their = BAR, 0
    while own > 0 and board[own] <= 0:
        own -= 1
    while their < BAR and board[their] >= 0:
        their += 1
    return own, BAR - their


@njit(cache=True)
def score(board, urge):
    """Return a board's score in quarter pips, for the player who made the last play.

    Each pip that a checker is behind point 12 costs ``urge`` fortieths of a quarter pip.
    The cost rises by one fortieth for each pip that the player leads, up to 40.
    """
    their_rear = rears(board)[1]
    pips, their_pips, home_points, their_home_points = 0, 0, 0, 0
    for point in range(26):
        pips += point * max(board[point], 0)
        their_pips += (25 - point) * max(-board[point], 0)
    for point in range(1, 7):
        home_points += board[point] > 1
        their_home_points += board[25 - point] < -1
    total = PIP * (their_pips - pips) - 6 * home_points * board[0]
    haste = urge + min(max(their_pips - pips, 0), 40)
    made_below = False
    for point in range(1, 25):
        count = board[point] if board[point] > 0 else 0
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
                    shots += _SHOTS[away] * (board[point - away] < 0)
            cost = PIP * (25 - point + 6 + 4 * their_home_points)
            total -= cost * min(shots, 36) // 36
    return total


@njit(cache=True)
def _before(a, b):
    """Return whether board `a` is sorted before board `b`.

    Boards are sorted by the number of own checkers borne off, then by the numbers of own
    checkers on the 1 point, 2 point and so on, then by the numbers of opposing checkers on
    the opponent's 1 point, 2 point and so on. Smaller numbers come first.
    """
    on_a, on_b = 0, 0
    for point in range(1, 26):
        on_a += max(a[point], 0)
        on_b += max(b[point], 0)
    if on_a != on_b:
        return on_a > on_b
    for point in range(1, 26):
        if max(a[point], 0) != max(b[point], 0):
            return max(a[point], 0) < max(b[point], 0)
    for point in range(24, -1, -1):
        if min(a[point], 0) != min(b[point], 0):
            return min(a[point], 0) > min(b[point], 0)
    return False


@njit(cache=True)
def choose(states, begin, end, urge, slack, lot, scores, chosen):
    """Choose a random play whose score is at most `slack` below the best; return its row.

    Parameters
    ----------
    states : ndarray of int8, shape (n, 26)
        Boards after the plays, in the rows from `begin` to ``end - 1``.
    urge, slack : int
        Weight of bringing rear checkers home (see `score`), and the largest accepted amount
        by which a play's score is below the best score.
    lot : float
        Random number from [0, 1) that chooses among the plays.
    scores, chosen : ndarray of int64, shape (n,)
        Work arrays.
    """
    best = score(states[begin], urge)
    for k in range(begin, end):
        scores[k] = score(states[k], urge)
        best = max(best, scores[k])
    count = 0
    for k in range(begin, end):
        if scores[k] < best - slack:
            continue
        place = count
        while place > 0 and _before(states[k], states[chosen[place - 1]]):
            chosen[place] = chosen[place - 1]
            place -= 1
        chosen[place] = k
        count += 1
    return chosen[min(int(lot * count), count - 1)]


@njit(cache=True, nogil=True)
def play_turns(boards, outcomes, dice, urges, rolls, slacks, lots):
    """Play the given rolls of both players in every game that still has contact.

    Parameters
    ----------
    boards : ndarray of int8, shape (games, 26)
        Boards from the roller's viewpoint; changed in place.
    outcomes : ndarray of int8, shape (games,)
        State of each game: a negative code such as `IN_CONTACT`, or the player on roll (0
        or 1) if the race has begun. The array is changed in place.
    dice : ndarray of int64, shape (21, 2)
        The two numbers of each roll, higher number first.
    urges : ndarray of int64, shape (2, games)
        Each player's weight of bringing rear checkers home, for each game; see `score`.
    rolls : ndarray of uint8, shape (2, turns, games)
        For each player, turn and game, the row of `dice` that contains the roll.
    slacks, lots : ndarray of int64 and float64, shape (2, turns, games)
        For each player, turn and game: the largest accepted amount by which a play's score
        is below the best score, and a random number that chooses among the accepted plays.
    """
    states = np.empty((MOST_SEQUENCES, 26), np.int8)
    lasts = np.empty(MOST_SEQUENCES, np.int64)
    scores = np.empty(MOST_SEQUENCES, np.int64)
    chosen = np.empty(MOST_SEQUENCES, np.int64)
    for g in range(boards.shape[0]):
        for turn in range(rolls.shape[1]):
            for side in range(2):
                roll = rolls[side, turn, g]
                high, low = dice[roll, 0], dice[roll, 1]
                if outcomes[g] == UNOPENED and high != low:
                    outcomes[g] = IN_CONTACT
                if outcomes[g] != IN_CONTACT:
                    break
                begin, end = _plays_of_roll(boards[g], high, low, states, lasts)
                k = choose(
                    states,
                    begin,
                    end,
                    urges[side, g],
                    slacks[side, turn, g],
                    lots[side, turn, g],
                    scores,
                    chosen,
                )
                for point in range(26):
                    boards[g, point] = -states[k, 25 - point]
                theirs, own = rears(boards[g])
                if own == 0:
                    outcomes[g] = NO_RACE
                elif own + theirs <= 24:
                    outcomes[g] = 1 - side
