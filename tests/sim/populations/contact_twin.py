"""Second implementation of games until contact ends, in plain Python."""

from itertools import count

import bearoff
from bearoff.sim.play.replay import race_key, throws_of_game
from bearoff.sim.populations.contact import BLOCK, lots_of, urges_of
from oracles.legal_ways import enumerated
from tests.sim.play.replay import ROLL_OF_THROW

Side = tuple[int, ...]  # numbers of checkers off, on points 1 to 24, and on the bar
Board = tuple[Side, Side]

SHOTS = {1: 11, 2: 12, 3: 14, 4: 15, 5: 15, 6: 17, 7: 6, 8: 6, 9: 5, 10: 3, 11: 2, 12: 3}
MADE = {3: 8, 4: 32, 5: 36, 6: 40, 7: 16, 8: 8, 9: 6, 10: 4, 11: 4, 12: 2, 13: 4, 14: 2}
MADE |= {15: 4, 16: 4, 17: 2, 18: 10, 19: 6, 20: 20, 21: 16, 22: 8, 23: 4, 24: 4}


def opening():
    side = [0] * 26
    for point, checkers in ((24, 2), (13, 5), (8, 3), (6, 5)):
        side[point] = checkers
    return tuple(side)


def rear(side):
    return max((p for p in range(1, 26) if side[p]), default=0)


def pips(side):
    return sum(p * n for p, n in enumerate(side))


def plays(board, roll):
    """Return every position that a roll can reach by the rules of backgammon."""
    own, other = board
    points = (-other[25], *(own[p] - other[25 - p] for p in range(1, 25)), own[25])
    found: set[Board] = set()
    for end in enumerated(points, roll):
        mine = [max(n, 0) for n in end[1:]]
        theirs = [max(-n, 0) for n in end[24:0:-1]]
        found.add(((15 - sum(mine), *mine), (other[0], *theirs, -end[0])))
    return found


def score(board, urge):
    own, other = board
    home = sum(own[p] >= 2 for p in range(1, 7))
    their_home = sum(other[p] >= 2 for p in range(1, 7))
    total = 4 * (pips(other) - pips(own)) + 6 * home * other[25]
    haste = urge + min(max(pips(other) - pips(own), 0), 40)
    for p in range(1, 25):
        behind = rear(other) > 25 - p
        if own[p] >= 2 and (behind or p > 12):
            total += MADE.get(p, 0)
            total += 6 * (3 <= p <= 9 and own[p - 1] >= 2)
        if own[p] > 3:
            total -= 2 * (own[p] - 3) * (own[p] - 2)
        if p > 12:
            total -= own[p] * (p - 12) * haste // 40
        if own[p] == 1 and behind:
            hitters = {away: 25 - p + away for away in range(1, min(p, 12) + 1)}
            shots = sum(SHOTS[away] for away, place in hitters.items() if other[place])
            total -= 4 * (25 - p + 6 + 4 * their_home) * min(shots, 36) // 36
    return total


def race_of_game(seed, game):
    """Play one game until contact ends; return the side on roll and the other side."""
    block, lane = divmod(game, BLOCK)
    urges = urges_of(seed, block)[:, lane].tolist()
    sides = [opening(), opening()]
    opened = False
    dice = throws_of_game(race_key(seed, 1, 0), 0, 0, game)
    for turn in count():
        if turn % 6 == 0:
            slacks, lots = (a[:, :, lane].tolist() for a in lots_of(seed, block, turn // 6))
        throws = next(dice)
        rolls = [bearoff.ROLLS[ROLL_OF_THROW[throw]] for throw in throws]
        opened = opened or rolls[0][0] != rolls[0][1]
        if not opened:
            continue
        for side in (0, 1):
            ends = plays((sides[side], sides[1 - side]), rolls[side])
            found = {after: score(after, urges[side]) for after in ends}
            best = max(found.values()) - slacks[side][turn % 6]
            close = sorted(after for after, value in found.items() if value >= best)
            chosen = close[int(lots[side][turn % 6] * len(close))]
            sides[side], sides[1 - side] = chosen
            if chosen[0][0] == 15:
                return None
            if rear(chosen[0]) + rear(chosen[1]) <= 24:
                return chosen[1], chosen[0]
    raise AssertionError
