"""Compiled kernels of an expectiminimax search with Star1 and Star2 pruning.

A chance node is a board before a roll. Its value is the mean, over all rolls, of the value
of the best play. The value of a play is minus the value of the opponent's chance node after
it. All values are within `bounds`, so the search can often leave a node before it has
searched all rolls:

- Star1: the search assumes that every roll not yet searched has the largest, or the
  smallest, possible value. It leaves the node if the node's value is then outside the
  search window.
- Star2: the search first tries the most promising play of each roll. The value of this play
  is a lower bound for the roll, which narrows the windows and may complete the node at
  once.
"""

from typing import Any, NamedTuple

import numpy as np

from bearoff.game.evaluation import net_kernels as net
from bearoff.game.rules import kernels as rules
from bearoff.runtime import njit
from bearoff.stakes import ladder_kernels as cube

PLAIN, STAR1, STAR2 = 0, 1, 2

NODES, LEAVES, HITS, LEFT, METHOD, SAMPLE, SEED, ASKER, OWNER, SALT = range(10)
"""Indices of the entries of `SearchArrays.state`. `NODES`: visited chance nodes. `LEAVES`:
positions evaluated. `HITS`: positions found in the transposition table. `LEFT`: positions
that may still be evaluated. `METHOD`: search method. `SAMPLE`: rolls per node, 0 for all.
`SEED`: random seed of the sample of rolls. `ASKER`: 0 if the player who searches is on roll
at even depths, 1 if at odd depths. `OWNER`: owner of the cube, 1 for the player who
searches, -1 for the opponent, 0 for a centred cube. `SALT`: number that identifies the
stakes."""

EXACT, LOWER, UPPER = 0, 1, 2

_MOST = 1e9
"""Upper bound on the absolute value of any position, in points."""

_KEYS = np.random.default_rng(2).integers(1, 1 << 63, 27).astype(np.uint64) | np.uint64(1)


class SearchArrays(NamedTuple):
    """Work arrays and settings of a search, in the form that compiled code reads.

    ``weights`` and ``tables`` are the network and the race tables that evaluate positions,
    and ``room`` has their work arrays. ``widths[d]`` is the number of plays that are
    searched for each roll at depth d. ``kept``, ``values`` and ``counts`` contain these
    plays, by depth and roll. ``keys``, ``found`` and ``kinds`` form the transposition
    table. ``ladders`` contains both players' equities for each cube value and result, first
    those of the player who searches; ``filled`` is a work array for ``ladders``. ``lives``
    contains the cube efficiency in finished games, races and contact.
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
    ladders: Any
    filled: Any
    lives: Any


@njit(cache=True, nogil=True)
def _key(s, board, depth):
    """Return the key of a position in the transposition table, which is never 0."""
    what = depth + 8 * s.state[ASKER] + 16 * s.state[SALT]
    key = np.uint64(what) * _KEYS[26]
    for point in range(26):
        mixed = key ^ (np.uint64(board[point] + 16) * _KEYS[point])
        key = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return key | np.uint64(1)


@njit(cache=True, nogil=True)
def _asks(s, depth):
    """Return 0 if the player who searches is on roll at `depth`, otherwise 1."""
    return (depth + s.state[ASKER]) & 1


@njit(cache=True, nogil=True)
def bounds(s, board, depth):
    """Return the smallest and the largest possible value of a game for the roller."""
    own, other = 0, 0
    for point in range(26):
        own += max(board[point], 0)
        other -= min(board[point], 0)
    rung = s.ladders[_asks(s, depth), 0]
    return (rung[5] if own == 15 else rung[3]), (rung[2] if other == 15 else rung[0])


@njit(cache=True, nogil=True)
def value(s, board, turned, depth):
    """Evaluate a position before the roll, from the roller's viewpoint."""
    stage = net.chances(s.weights, s.tables, board, turned, s.room, s.out)
    s.state[LEAVES] += 1
    side = _asks(s, depth)
    owner = -s.state[OWNER] if side else s.state[OWNER]
    return cube.worth(s.ladders[side], s.filled, 0, owner, s.out, s.lives[stage])


@njit(cache=True, nogil=True)
def look(s, board, found):
    """Compute the values of not doubling and of doubling, by trying all rolls and plays.

    The values are from the viewpoint of the player on roll. ``found``, of shape (2,),
    receives the value without a double, and the value after a double and a take. Each value
    is the mean, over all rolls, of the value of the best play. The best plays without and
    with a double may differ.
    """
    found[:] = 0.0
    doubled = s.ladders.shape[1] > 1
    for roll in range(21):
        high, low = s.dice[roll]
        begin, end = rules.plays_of_roll(board, high, low, s.states, s.numbers)
        waits, taken = -_MOST, -_MOST
        for k in range(begin, end):
            stage = net.chances(s.weights, s.tables, s.states[k], True, s.room, s.out)
            live = s.lives[stage]
            cube.fill(s.ladders[1], s.out, s.filled)
            other = -s.state[OWNER]
            worth = cube.on_roll(s.ladders[1], s.filled, 0, other, s.out, live)
            waits = max(waits, -worth)
            if doubled:
                worth = cube.on_roll(s.ladders[1], s.filled, 1, 1, s.out, live)
                taken = max(taken, -worth)
        s.state[LEAVES] += end - begin
        found[0] += s.shares[roll] * waits
        found[1] += s.shares[roll] * taken


@njit(cache=True, nogil=True)
def _store(s, key, value, kind):
    """Store the value of a position, or a bound, in the transposition table."""
    if s.keys.shape[0] > 1:
        slot = key >> np.uint64(8) & np.uint64(s.keys.shape[0] - 1)
        s.keys[slot], s.found[slot], s.kinds[slot] = key, value, kind
    return value


@njit(cache=True, nogil=True)
def _choose_rolls(s, key, depth):
    """Choose all rolls or a sample of rolls for a node, and write their probabilities.

    The sample depends only on the board and the seed, so a node always has the same sample.
    """
    shares = s.chosen[depth]
    count = s.state[SAMPLE]
    if count == 0:
        for roll in range(shares.size):
            shares[roll] = s.shares[roll]
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
    """Write the boards after the most promising plays of a roll, best first."""
    high, low = s.dice[roll]
    begin, end = rules.plays_of_roll(board, high, low, s.states, s.numbers)
    count = 0
    for k in range(begin, end):
        worth = -value(s, s.states[k], True, depth - 1)
        if count == width and worth <= s.values[depth, roll, count - 1]:
            continue
        place = min(count, width - 1)
        while place > 0 and s.values[depth, roll, place - 1] < worth:
            s.values[depth, roll, place] = s.values[depth, roll, place - 1]
            s.kept[depth, roll, place] = s.kept[depth, roll, place - 1]
            place -= 1
        s.values[depth, roll, place] = worth
        net.turn(s.states[k], s.kept[depth, roll, place])
        count = min(count + 1, width)
    s.state[LEFT] -= end - begin
    s.counts[depth, roll] = count
    return s.values[depth, roll, 0]


@njit(cache=True, nogil=True)
def _last_chance(s, board, key, low, high, alpha, beta):
    """Return the value of a position one roll before the search ends, or a bound on it."""
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
    """Return the value of a position before the roll, or a bound on the value.

    If the result is at most `alpha`, it is an upper bound on the value. If the result is at
    least `beta`, it is a lower bound. The result is NaN if the search has evaluated the
    maximum number of positions.
    """
    if s.state[LEFT] <= 0:
        return np.nan
    s.state[NODES] += 1
    if depth == 0 or not _both_on(board):
        return value(s, board, False, depth)
    key = _key(s, board, depth)
    if s.keys.shape[0] > 1:
        slot = key >> np.uint64(8) & np.uint64(s.keys.shape[0] - 1)
        if s.keys[slot] == key:
            known, kind = s.found[slot], s.kinds[slot]
            if (
                kind == EXACT
                or (kind == LOWER and known >= beta)
                or (kind == UPPER and known <= alpha)
            ):
                s.state[HITS] += 1
                return known
    low, high = bounds(s, board, depth)
    _choose_rolls(s, key, depth)
    if depth == 1:
        return _last_chance(s, board, key, low, high, alpha, beta)
    shares, lows, highs = s.chosen[depth], s.lows[depth], s.highs[depth]
    own = s.boards[depth]
    for k in range(board.size):
        own[k] = board[k]
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
            first = s.kept[depth, roll, 0]
            worth = -chance(s, first, depth - 1, -min(need, high), -low)
            if np.isnan(worth):
                return worth
            least += shares[roll] * (worth - lows[roll])
            lows[roll] = worth
            if worth >= need:
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
                worth = -chance(
                    s, child, depth - 1, -min(over, high), -max(max(under, low), best)
                )
            else:
                worth = -chance(s, child, depth - 1, -_MOST, _MOST)
            if np.isnan(worth):
                return worth
            best = max(best, worth)
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
    """Check whether the opponent still has a checker on the board."""
    for point in range(25):  # noqa: SIM110 - generators are not compiled
        if board[point] < 0:
            return True
    return False
