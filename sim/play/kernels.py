"""Compiled kernels for races of players with one fixed play per position and roll."""

import numpy as np

from bearoff.runtime import njit
from bearoff.sim.play.arguments import IDLE_ROWS
from bearoff.sim.play.dice_kernels import (
    ROLL,
    ROLL_BITS,
    THROWS_PER_DRAW,
    draw_lanes,
    high_half,
    lane_rolls,
    next_throw,
    roll_of,
    words,
)

LANES = 512
"""Number of games that are played in parallel. Their arrays must fit into the first-level
cache of the processor."""

AHEAD_BINS = 8
"""Number of bins for the winning margin in rolls: 1 to 7, and 8 or more."""

WIDTH = 6 + 2 * AHEAD_BINS
"""Number of columns in a row of game statistics. The columns are named in `sim.play.tally`.
"""

_U = np.uint64
_U16 = np.uint16

_OFF = np.uint32(21 * IDLE_ROWS)
"""Index in a flat array of plays, `sim.play.players.OneSidedPlayer.places`, of a side that
has just borne off its last checker. In every further turn, the index decreases by one row
of 21 entries."""


@njit(cache=True, inline="always")
def tally_race(roller_rolls, opponent_rolls, row):
    """Add one race to the statistics, given the number of rolls that each side needed.

    The code has no branches on the winner, because the processor would often predict them
    wrongly.
    """
    ahead = opponent_rolls - roller_rolls
    lost = ahead >> 63  # -1 if the opponent is off first, else 0
    length = min(2 * roller_rolls - 1, 2 * opponent_rolls)
    row[0] += 1
    row[1] += 1 + lost
    row[2] += length
    row[3] += length * length
    row[6 - AHEAD_BINS * lost + min(ahead ^ lost, AHEAD_BINS - 1)] += 1


@njit(cache=True, inline="always")
def _lane_plays(policy, places, rolls, n):
    """Play six rolls of one side in each game, by looking up the fixed plays."""
    for i in range(n):
        place = places[i]
        for half in range(2):
            three = np.uint32(rolls[half, i])
            for _ in range(3):
                place = policy[place + (three & ROLL)]
                three >>= ROLL_BITS
        places[i] = place


@njit(cache=True, inline="always")
def _short(value):
    return np.int16(value)


@njit(cache=True, inline="always")
def _lane_columns(x, y, n, turns, columns):
    """Find the statistics column for each game's winning margin; 0 for an unfinished game.

    Each side has had `turns` turns. The computation is that of `tally_race` with 16-bit
    integers; a multiplication replaces the division by 21. Returns the sums of the lengths
    and squared lengths of the finished games.
    """
    lengths, squares = np.int32(0), np.int32(0)
    for i in range(n):
        ended = _short((x[i] <= _OFF) & (y[i] <= _OFF))
        x_rolls = _short(_short(turns) - _short(high_half(_U16(_OFF - x[i]), _U16(3121))))
        y_rolls = _short(_short(turns) - _short(high_half(_U16(_OFF - y[i]), _U16(3121))))
        ahead = _short(y_rolls - x_rolls)
        lost = _short(ahead >> _short(15))
        column = min(_short(ahead ^ lost), _short(AHEAD_BINS - 1))
        column = _short(column + _short(6 + (lost & _short(AHEAD_BINS))))
        columns[i] = np.uint8(column * ended)
        length = _short(min(_short(2 * x_rolls - 1), _short(2 * y_rolls)) * ended)
        lengths = np.int32(lengths + np.int32(length))
        squares = np.int32(squares + np.int32(length) * np.int32(length))
    return lengths, squares


@njit(cache=True, inline="always")
def _tally_ended(x, y, game, n, columns, margins):
    """Count the finished games by column, and remove them from the games in progress.

    The four rows of `margins` are used alternately, so that the processor can overlap the
    additions. Returns the number of unfinished games.
    """
    for i in range(n):
        margins[_U(i) & _U(3), columns[i]] += 1
    playing = 0
    for i in range(n):
        x[playing] = x[i]
        y[playing] = y[i]
        game[playing] = game[i]
        playing += columns[i] == 0
    return playing


@njit(cache=True, inline="always")
def _add_margins(margins, row):
    """Add finished games, counted by margin, to the statistics of a pair of positions."""
    for k in range(6, WIDTH):
        found = margins[0, k] + margins[1, k] + margins[2, k] + margins[3, k]
        row[0] += found
        row[1] += found * (k < 6 + AHEAD_BINS)
        row[k] += found


@njit(cache=True, inline="always")
def _copy_places(places, before, n):
    """Copy the index of one side in each game; return the largest index."""
    most = np.uint32(0)
    for i in range(n):
        before[i] = places[i]
        most = max(most, places[i])
    return most


@njit(cache=True, nogil=True)
def _gammon(roller_policy, opponent_policy, full, x, y, x_fraction, y_fraction):
    """Replay a game's last rolls; return 1 for a gammon won, -1 for one lost, else 0."""
    for _ in range(THROWS_PER_DRAW):
        throw, x_fraction = next_throw(x_fraction)
        x = roller_policy[x + roll_of(throw)]
        if x == _OFF:
            return np.int64(y >= full)
        throw, y_fraction = next_throw(y_fraction)
        y = opponent_policy[y + roll_of(throw)]
        if y == _OFF:
            return -np.int64(x >= full)
    return 0


@njit(cache=True, nogil=True)
def _lane_gammons(policies, dice, places, n, row):
    """Count the gammons among finished games, by replaying their last rolls.

    A game is replayed only if a gammon is possible: the loser still had all checkers on the
    board before the last six rolls, and the winner bore off during these rolls.
    """
    roller_policy, opponent_policy, full = policies
    seed, roller, opponent, game, draw = dice
    x_before, y_before, x, y = places
    for i in range(n):
        if x[i] > _OFF and y[i] > _OFF:
            continue
        wins = y_before[i] >= full and x_before[i] > _OFF and x[i] <= _OFF
        loses = x_before[i] >= full and y_before[i] > _OFF and y[i] <= _OFF
        if wins or loses:
            x_fraction, y_fraction = words(seed, roller, opponent, game[i], draw)
            points = _gammon(
                roller_policy,
                opponent_policy,
                full,
                x_before[i],
                y_before[i],
                x_fraction,
                y_fraction,
            )
            row[4] += points > 0
            row[5] += points < 0


@njit(cache=True, nogil=True)
def play_policies(roller_policy, opponent_policy, pairs, counts):
    """Play races between two players with fixed plays, many games in parallel.

    Both sides play until they have borne off, so the loser's remaining rolls are also
    known. `pairs` is a `PairGames`. Row ``k`` of `counts` receives the statistics of games
    ``firsts[k]`` to ``firsts[k] + games[k] - 1`` of pair ``k``. The plays of both sides are
    arrays such as `sim.play.players.OneSidedPlayer.places`.
    """
    seed, rollers, opponents, firsts, games, full = pairs
    full_place = _OFF + np.uint32(21 * full)
    x = np.empty(LANES, np.uint32)
    y = np.empty(LANES, np.uint32)
    x_before = np.empty(LANES, np.uint32)
    y_before = np.empty(LANES, np.uint32)
    game = np.empty(LANES, np.uint64)
    sixes = np.empty((2, LANES), np.uint32)
    rolls = np.empty((2, LANES), np.uint16)
    columns = np.empty(LANES, np.uint8)
    margins = np.empty((4, WIDTH), np.int64)
    for k in range(rollers.size):
        roller, opponent = _U(rollers[k]), _U(opponents[k])
        started = 0
        margins[:] = 0
        while started < games[k]:
            n = min(LANES, games[k] - started)
            for i in range(n):
                x[i] = _OFF + np.uint32(21 * rollers[k])
                y[i] = _OFF + np.uint32(21 * opponents[k])
                x_before[i] = x[i]
                y_before[i] = y[i]
                game[i] = firsts[k] + started + i
            started += n
            gammons = rollers[k] >= full or opponents[k] >= full
            draw = _U(0)
            while n > 0:
                draw_lanes(seed, roller, opponent, game, n, draw, sixes)
                lane_rolls(sixes[0], n, rolls)
                _lane_plays(roller_policy, x, rolls, n)
                lane_rolls(sixes[1], n, rolls)
                _lane_plays(opponent_policy, y, rolls, n)
                if gammons:
                    _lane_gammons(
                        (roller_policy, opponent_policy, full_place),
                        (seed, roller, opponent, game, draw),
                        (x_before, y_before, x, y),
                        n,
                        counts[k],
                    )
                draw += _U(1)
                turns = THROWS_PER_DRAW * np.int64(draw)
                lengths, squares = _lane_columns(x, y, n, turns, columns)
                if lengths:  # if at least one game has ended
                    counts[k, 2] += lengths
                    counts[k, 3] += squares
                    n = _tally_ended(x, y, game, n, columns, margins)
                if gammons:
                    x_full = _copy_places(x, x_before, n) >= full_place
                    gammons = _copy_places(y, y_before, n) >= full_place or x_full
        _add_margins(margins, counts[k])


@njit(cache=True, nogil=True)
def visit_pairs(policy, seed, starts, first_game, visited):
    """Play one game from each starting pair, and record every pair of positions in it.

    Each row of `visited` receives the position number of the side on roll and that of its
    opponent. Returns the number of rows that were written.
    """
    found = 0
    for k in range(starts.shape[0]):
        sides = starts[k].copy()
        fractions = np.zeros(2, np.uint64)
        turn = 0
        on_roll = 0
        while sides[0] and sides[1]:
            visited[found, 0] = sides[on_roll]
            visited[found, 1] = sides[1 - on_roll]
            found += 1
            if on_roll == 0 and turn % THROWS_PER_DRAW == 0:
                fractions[0], fractions[1] = words(
                    seed,
                    _U(starts[k, 0]),
                    _U(starts[k, 1]),
                    _U(first_game + k),
                    _U(turn // THROWS_PER_DRAW),
                )
            throw, fractions[on_roll] = next_throw(fractions[on_roll])
            sides[on_roll] = policy[sides[on_roll], roll_of(throw)]
            turn += on_roll
            on_roll = 1 - on_roll
    return found
