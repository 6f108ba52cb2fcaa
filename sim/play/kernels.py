"""Compiled kernels that throw dice and play races; see `sim.play.match.play_games`.

Dice come from Philox4x32-10 (Salmon, Moraes, Dror and Shaw, *Parallel Random Numbers:
As Easy as 1, 2, 3*, 2011), a function of a 64-bit key and a 128-bit counter. The key is
the seed; the counter names the positions of both sides, the game and the draw. So each
throw has a place of its own: streams cannot overlap, and a game's dice depend on nothing
but its seed, its pair and its number.

One draw gives four 32-bit words. The first two, as a binary fraction of 64 bits, are
the roller's next `THROWS_PER_DRAW` throws, the last two the opponent's: multiplied by
36, the whole part is the throw and the fraction goes on to the next. The chance of a
throw is off by at most 36^6 / 2^64, about 1e-10. Many games take three throws at once, as
a digit to the base 36^3, which has 16 bits: vectors hold four times as many of these.
"""

import numpy as np

from bearoff.runtime import njit
from sim.play.arguments import IDLE_ROWS

THROWS_PER_DRAW = 6
"""Throws of each side that one draw of the generator serves."""

LANES = 512
"""Games played in lockstep; their state stays in the first-level cache."""

AHEAD_BINS = 8
"""Bins of the finishing margins: 1 to 7 rolls, and 8 or more."""

WIDTH = 6 + 2 * AHEAD_BINS
"""Columns of a row of counts; `sim.play.tally` names them."""

_U = np.uint64
_U16 = np.uint16
_LOW = _U(0xFFFFFFFF)
_HALF = _U(32)
_MULTIPLIERS = _U(0xD2511F53), _U(0xCD9E8D57)
_WEYL = _U(0x9E3779B9), _U(0xBB67AE85)
_THREE = _U(36**3)
"""Base whose digits are three throws."""

_OFF = np.uint32(21 * IDLE_ROWS)
"""Place of a side that has just borne off its last checker; those below it did before."""


@njit(cache=True, inline="always")
def philox(c0, c1, c2, c3, k0, k1):
    """Return the four words at a counter; all are 32-bit values held as uint64."""
    for _ in range(10):
        p0 = _MULTIPLIERS[0] * c0
        p1 = _MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = (
            (p1 >> _HALF) ^ c1 ^ k0,
            p1 & _LOW,
            (p0 >> _HALF) ^ c3 ^ k1,
            p0 & _LOW,
        )
        k0 = (k0 + _WEYL[0]) & _LOW
        k1 = (k1 + _WEYL[1]) & _LOW
    return c0, c1, c2, c3


@njit(cache=True, inline="always")
def words(seed, roller, opponent, game, draw):
    """Return the roller's and the opponent's 64-bit fractions of one draw of a game."""
    a, b, c, d = philox(
        game & _LOW,
        ((game >> _HALF) | (draw << _U(8))) & _LOW,
        roller,
        opponent,
        seed & _LOW,
        seed >> _HALF,
    )
    return a << _HALF | b, c << _HALF | d


@njit(cache=True, inline="always")
def next_digit(fraction, base):
    """Return the next digit of a fraction to a base, and the fraction that is left."""
    low = (fraction & _LOW) * base
    high = (fraction >> _HALF) * base + (low >> _HALF)
    return high >> _HALF, (high << _HALF) | (low & _LOW)


@njit(cache=True, inline="always")
def next_throw(fraction):
    """Return the next throw, 0 to 35, and the fraction that is left."""
    return next_digit(fraction, _U(36))


@njit(cache=True, inline="always")
def roll_of(throw):
    """Return the roll, 0 to 20, of a throw; see `bearoff.rolls`."""
    return throw >> _U(1) if throw < _U(30) else throw - _U(15)


@njit(cache=True, inline="always")
def tally_race(roller_rolls, opponent_rolls, row):
    """Count one race in which the sides need so many rolls.

    Without a branch, which would be guessed wrong in every other race.
    """
    ahead = opponent_rolls - roller_rolls
    lost = ahead >> 63  # -1 if the opponent is off first, else 0.
    length = min(2 * roller_rolls - 1, 2 * opponent_rolls)
    row[0] += 1
    row[1] += 1 + lost
    row[2] += length
    row[3] += length * length
    row[6 - AHEAD_BINS * lost + min(ahead ^ lost, AHEAD_BINS - 1)] += 1


@njit(cache=True, inline="always")
def _draw_lanes(seed, roller, opponent, games, n, draw, threes):
    """Draw for each lane: ``threes[side, half, lane]`` are three throws in a number."""
    for i in range(n):
        x_fraction, y_fraction = words(seed, roller, opponent, games[i], draw)
        threes[0, 0, i], x_fraction = next_digit(x_fraction, _THREE)
        threes[0, 1, i], _ = next_digit(x_fraction, _THREE)
        threes[1, 0, i], y_fraction = next_digit(y_fraction, _THREE)
        threes[1, 1, i], _ = next_digit(y_fraction, _THREE)


@njit(cache=True, inline="always")
def _high(value, factor):
    """Return the upper 16 of the 32 bits of a product."""
    return _U16((np.uint32(value) * np.uint32(factor)) >> np.uint32(16))


@njit(cache=True, inline="always")
def _short_roll(throw):
    """Return `roll_of` a throw of 16 bits, without a choice."""
    return np.uint8(max(np.int16(throw >> _U16(1)), np.int16(throw - _U16(15))))


@njit(cache=True, inline="always")
def _lane_rolls(threes, n, rolls):
    """Turn each lane's threes of throws into rolls, ``rolls[turn, lane]``.

    All in 16 bits; the divisions by 36^2 and by 36 are exact, a test tries them all.
    """
    for half in range(2):
        for i in range(n):
            three = threes[half, i]
            first = _U16(_high(_U16(three >> _U16(4)), _U16(51782)) >> _U16(6))
            rest = _U16(three - _U16(first * _U16(36 * 36)))
            second = _U16(_high(_U16(rest >> _U16(2)), _U16(58255)) >> _U16(3))
            third = _U16(rest - _U16(second * _U16(36)))
            rolls[3 * half, i] = _short_roll(first)
            rolls[3 * half + 1, i] = _short_roll(second)
            rolls[3 * half + 2, i] = _short_roll(third)


@njit(cache=True, inline="always")
def _lane_plays(policy, places, rolls, n):
    """Play the rolls in every lane; a side that is off goes on to idle."""
    for i in range(n):
        place = places[i]
        for turn in range(THROWS_PER_DRAW):
            place = policy[place + rolls[turn, i]]
        places[i] = place


@njit(cache=True, inline="always")
def _tally_ended(x, y, game, n, turns, row):
    """Count the races in which both sides are off, and close up the others.

    Both have had so many turns; returns how many races go on.
    """
    ended = 0
    for i in range(n):
        ended += (x[i] <= _OFF) & (y[i] <= _OFF)
    if ended == 0:  # As early on: in vectors, and nothing to move.
        return n
    playing = 0
    for i in range(n):
        if x[i] > _OFF or y[i] > _OFF:
            x[playing] = x[i]
            y[playing] = y[i]
            game[playing] = game[i]
            playing += 1
        else:
            x_idle, y_idle = (_OFF - x[i]) // np.uint32(21), (_OFF - y[i]) // np.uint32(21)
            tally_race(turns - np.int64(x_idle), turns - np.int64(y_idle), row)
    return playing


@njit(cache=True, inline="always")
def _copy_places(places, before, n):
    """Note where each lane is before its throws, and return the highest place."""
    most = np.uint32(0)
    for i in range(n):
        before[i] = places[i]
        most = max(most, places[i])
    return most


@njit(cache=True, nogil=True)
def _gammon(roller_policy, opponent_policy, full, x, y, x_fraction, y_fraction):
    """Return 1 if the throws of a draw win the roller a gammon, -1 if they lose one."""
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
    """Count the gammons among games that end within a draw, whose dice are thrown again.

    A lane is looked at if a side has all its checkers on the board before the draw, and
    the other bears off within it.
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
    """Play races between two policies, many games in lockstep.

    Both sides are played until off, so that the loser's remaining rolls count too. Row
    ``k`` of `counts` gets games ``firsts[k]`` to ``firsts[k] + games[k] - 1`` of pair
    ``k`` of `pairs`, a `PairGames`. Policies are `sim.play.players.Player.places`.
    """
    seed, rollers, opponents, firsts, games, full = pairs
    full_place = _OFF + np.uint32(21 * full)
    x = np.empty(LANES, np.uint32)
    y = np.empty(LANES, np.uint32)
    x_before = np.empty(LANES, np.uint32)
    y_before = np.empty(LANES, np.uint32)
    game = np.empty(LANES, np.uint64)
    threes = np.empty((2, 2, LANES), np.uint16)
    rolls = np.empty((THROWS_PER_DRAW, LANES), np.uint8)
    for k in range(rollers.size):
        roller, opponent = _U(rollers[k]), _U(opponents[k])
        started = 0
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
                _draw_lanes(seed, roller, opponent, game, n, draw, threes)
                _lane_rolls(threes[0], n, rolls)
                _lane_plays(roller_policy, x, rolls, n)
                _lane_rolls(threes[1], n, rolls)
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
                n = _tally_ended(x, y, game, n, turns, counts[k])
                if gammons:
                    x_full = _copy_places(x, x_before, n) >= full_place
                    gammons = _copy_places(y, y_before, n) >= full_place or x_full


@njit(cache=True, nogil=True)
def throw_lanes(seed, roller, opponent, games, draw, rolls):
    """Throw the dice of one draw for games side by side, that are played elsewhere.

    ``rolls[side, turn, lane]`` gets the rolls of both sides, the roller first, of the
    turns ``THROWS_PER_DRAW * draw`` and on of ``games[lane]``.
    """
    threes = np.empty((2, 2, games.size), np.uint16)
    _draw_lanes(seed, roller, opponent, games, games.size, draw, threes)
    for side in range(2):
        _lane_rolls(threes[side], games.size, rolls[side])


@njit(cache=True, nogil=True)
def throw_games(seed, rollers, opponents, games, live, draw, rolls):
    """Throw as `throw_lanes` does, for those lanes of many pairs that `live` lists."""
    for i in live:
        x_fraction, y_fraction = words(seed, rollers[i], opponents[i], games[i], draw)
        for turn in range(THROWS_PER_DRAW):
            x_throw, x_fraction = next_throw(x_fraction)
            y_throw, y_fraction = next_throw(y_fraction)
            rolls[0, turn, i] = roll_of(x_throw)
            rolls[1, turn, i] = roll_of(y_throw)


@njit(cache=True, nogil=True)
def visit_pairs(policy, seed, starts, first_game, visited):
    """Play one game from each start and list the pairs it meets, the side on roll first.

    Returns how many rows of `visited` were written.
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
