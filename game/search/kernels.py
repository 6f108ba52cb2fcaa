"""Compiled kernels of expectiminimax over chance nodes; `search` is their documented face.

A chance node is a board whose roller is about to roll; its value is the mean over the
rolls of the best play's, and that of a play what the opponent's chance node is worth, with
its sign changed. Values lie between `bounds`, so a window of values that matter closes
before all rolls are looked at:

- Star1: a roll's window is what its value must pass for the node to pass its own, if all
  rolls not yet looked at are worth the most, or the least, they can be;
- Star2: first one play of each roll is valued, the one that looks best. Each is a lower
  bound; with them the windows are narrow, and the node may be done at once.
"""

from typing import Any, NamedTuple

import numpy as np

from bearoff.runtime import njit
from game.evaluation import net_kernels as net
from game.rules import kernels as rules

PLAIN, STAR1, STAR2 = 0, 1, 2

NODES, LEAVES, HITS, LEFT, METHOD, SAMPLE, SEED = range(7)
"""Places of `Search.state`: chance nodes met, positions valued, table hits, positions
that may still be valued, the method, rolls that a node takes (0 for all), and the seed."""

EXACT, LOWER, UPPER = 0, 1, 2

_KEYS = np.random.default_rng(2).integers(1, 1 << 63, 27).astype(np.uint64) | np.uint64(1)


class Search(NamedTuple):
    """All that a search works with.

    ``weights`` and ``tables`` value leaves, in ``room``; ``widths[d]`` plays are tried
    above a node of depth d; ``kept``, ``values`` and ``counts`` are the plays of each
    depth and roll; ``keys``, ``found`` and ``kinds`` the transposition table.
    """

    weights: Any
    tables: Any
    room: Any
    out: Any
    states: Any
    numbers: Any
    boards: Any
    kept: Any
    values: Any
    counts: Any
    lows: Any
    highs: Any
    chosen: Any
    widths: Any
    dice: Any
    shares: Any
    keys: Any
    found: Any
    kinds: Any
    state: Any


@njit(cache=True, nogil=True)
def _key(board, depth):
    """Return the key of a node; 0 is no key."""
    key = np.uint64(depth) * _KEYS[26]
    for point in range(26):
        mixed = key ^ (np.uint64(board[point] + 16) * _KEYS[point])
        key = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return key | np.uint64(1)


@njit(cache=True, nogil=True)
def bounds(board):
    """Return the least and the most that a game can still be worth to the roller."""
    own, other = 0, 0
    for point in range(26):
        own += max(board[point], 0)
        other -= min(board[point], 0)
    return (-3.0 if own == 15 else -1.0), (3.0 if other == 15 else 1.0)


@njit(cache=True, nogil=True)
def _store(s, key, value, kind):
    """Put a value, or a bound of it, into the table."""
    if s.keys.shape[0] > 1:
        slot = key >> np.uint64(8) & np.uint64(s.keys.shape[0] - 1)
        s.keys[slot], s.found[slot], s.kinds[slot] = key, value, kind
    return value


@njit(cache=True, nogil=True)
def _choose_rolls(s, key, depth):
    """Fill the shares of the rolls a node takes: of all 36, or of those drawn for it.

    The rolls are drawn by the board and the seed, so that a node is always the same.
    """
    shares = s.chosen[depth]
    count = s.state[SAMPLE]
    if count == 0:
        shares[:] = s.shares
        return
    shares[:] = 0.0
    total = 0.0
    draw = key ^ np.uint64(s.state[SEED])
    taken = 0
    while taken < count:
        draw = draw * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        roll = (draw >> np.uint64(33)) % np.uint64(21)
        if shares[roll] == 0.0:
            shares[roll] = s.shares[roll]
            total += s.shares[roll]
            taken += 1
    for roll in range(21):
        shares[roll] /= total


@njit(cache=True, nogil=True)
def keep_best(s, depth, roll, board, width):
    """Keep the plays of a roll that look best, in their order; they lie turned."""
    high, low = s.dice[roll]
    begin, end = rules.plays_of_roll(board, high, low, s.states, s.numbers)
    count = 0
    for k in range(begin, end):
        net.chances(s.weights, s.tables, s.states[k], True, s.room, s.out)
        value = -net.equity(s.out)
        s.state[LEAVES] += 1
        if count == width and value <= s.values[depth, roll, count - 1]:
            continue
        place = min(count, width - 1)
        while place > 0 and s.values[depth, roll, place - 1] < value:
            s.values[depth, roll, place] = s.values[depth, roll, place - 1]
            s.kept[depth, roll, place] = s.kept[depth, roll, place - 1]
            place -= 1
        s.values[depth, roll, place] = value
        net.turn(s.states[k], s.kept[depth, roll, place])
        count = min(count + 1, width)
    s.state[LEFT] -= end - begin
    s.counts[depth, roll] = count
    return s.values[depth, roll, 0]


@njit(cache=True, nogil=True)
def _last_chance(s, board, key, low, high, alpha, beta):
    """Return the value of a node whose plays lead to leaves, or a bound of it."""
    shares = s.chosen[1]
    total, left = 0.0, 1.0
    for roll in range(21):
        if shares[roll] == 0.0:
            continue
        total += shares[roll] * keep_best(s, 1, roll, board, 1)
        left -= shares[roll]
        if s.state[METHOD] != PLAIN:
            if total + left * low >= beta:
                return _store(s, key, total + left * low, LOWER)
            if total + left * high <= alpha:
                return _store(s, key, total + left * high, UPPER)
    return _store(s, key, total, EXACT)


@njit(cache=True, nogil=True)
def chance(s, board, depth, alpha, beta):
    """Return the value of a chance node, or a bound of it outside the window.

    At most `alpha` is an upper bound, at least `beta` a lower one. Not a number if more
    positions had to be valued than may be.
    """
    if s.state[LEFT] <= 0:
        return np.nan
    s.state[NODES] += 1
    if depth == 0 or not _both_on(board):
        net.chances(s.weights, s.tables, board, False, s.room, s.out)
        s.state[LEAVES] += 1
        return net.equity(s.out)
    key = _key(board, depth)
    if s.keys.shape[0] > 1:
        slot = key >> np.uint64(8) & np.uint64(s.keys.shape[0] - 1)
        if s.keys[slot] == key:
            value, kind = s.found[slot], s.kinds[slot]
            if (
                kind == EXACT
                or (kind == LOWER and value >= beta)
                or (kind == UPPER and value <= alpha)
            ):
                s.state[HITS] += 1
                return value
    low, high = bounds(board)
    _choose_rolls(s, key, depth)
    if depth == 1:
        return _last_chance(s, board, key, low, high, alpha, beta)
    shares, lows, highs = s.chosen[depth], s.lows[depth], s.highs[depth]
    own = s.boards[depth]
    own[:] = board
    least, most = low, high
    for roll in range(21):
        if shares[roll] > 0.0:
            keep_best(s, depth, roll, own, s.widths[depth])
            lows[roll], highs[roll] = low, high
    cut = s.state[METHOD] != PLAIN
    if s.state[METHOD] == STAR2 and beta < high:
        for roll in range(21):
            if shares[roll] == 0.0:
                continue
            need = lows[roll] + (beta - least) / shares[roll]
            value = -chance(s, s.kept[depth, roll, 0], depth - 1, -min(need, high), -low)
            if np.isnan(value):
                return value
            least += shares[roll] * (value - lows[roll])
            lows[roll] = value
            if value >= need:
                return _store(s, key, least, LOWER)
    for roll in range(21):
        if shares[roll] == 0.0:
            continue
        under = highs[roll] - (most - alpha) / shares[roll]
        over = lows[roll] + (beta - least) / shares[roll]
        best = low
        for k in range(s.counts[depth, roll]):
            child = s.kept[depth, roll, k]
            if cut:
                value = -chance(
                    s, child, depth - 1, -min(over, high), -max(max(under, low), best)
                )
            else:
                value = -chance(s, child, depth - 1, -9.0, 9.0)
            if np.isnan(value):
                return value
            best = max(best, value)
            if cut and best >= over:
                break
        least += shares[roll] * (best - lows[roll])
        most += shares[roll] * (best - highs[roll])
        lows[roll] = highs[roll] = best
        if cut and best >= over:
            return _store(s, key, least, LOWER)
        if cut and best <= under:
            return _store(s, key, most, UPPER)
    return _store(s, key, least, EXACT)


@njit(cache=True, nogil=True)
def _both_on(board):
    """Whether the opponent still has a checker on the board."""
    for point in range(25):  # noqa: SIM110 - generators are not compiled
        if board[point] < 0:
            return True
    return False
