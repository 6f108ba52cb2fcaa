"""Compiled kernels that generate dice, for single games or for many in parallel.

Dice come from Philox4x32-10 (Salmon, Moraes, Dror and Shaw, *Parallel Random Numbers: As
Easy as 1, 2, 3*, 2011), a function of a 64-bit key and a 128-bit counter. The key is the
seed. The counter contains both positions, the game number and the draw number. Streams
therefore cannot overlap, and a game's dice depend only on its seed, its pair of positions
and its number.

Philox returns four 32-bit words. The first two form a 64-bit binary fraction from 0 to 1
for the roller's next `THROWS_PER_DRAW` throws, and the last two form such a fraction for
the opponent. The integer part of 36 times the fraction is the next throw, from 0 to 35. The
remaining fraction gives the throws after it. The probability of a throw is off by at most
36^6 / 2^64, about 1e-10. Kernels for many games multiply by 36^6 and so obtain six throws
as one 32-bit integer. They split it into two 16-bit integers of three throws each, because
a vector register holds twice as many of these.
"""

import numpy as np

from bearoff.runtime import njit

THROWS_PER_DRAW = 6
"""Number of throws per side that one draw of the generator provides."""

ROLL_BITS, ROLL = np.uint32(5), np.uint32(31)
"""Number of bits for one roll in an integer that contains three rolls, and bit mask for one
roll."""

_U = np.uint64
_U16 = np.uint16
_LOW = _U(0xFFFFFFFF)
_HALF = _U(32)
_MULTIPLIERS = _U(0xD2511F53), _U(0xCD9E8D57)
_WEYL = _U(0x9E3779B9), _U(0xBB67AE85)
_SIX = _U(36**6)
_THREE = np.uint32(36**3)
"""Number of possible sequences of three throws of two dice."""


@njit(cache=True, inline="always")
def philox(c0, c1, c2, c3, k0, k1):
    """Return the four random 32-bit words that Philox generates from a counter."""
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
    """Return a random 64-bit fraction for each side, from which its dice are derived."""
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
def next_throw(fraction):
    """Return the next throw of two dice, 0 to 35, and the remaining random fraction."""
    low = (fraction & _LOW) * _U(36)
    high = (fraction >> _HALF) * _U(36) + (low >> _HALF)
    return high >> _HALF, (high << _HALF) | (low & _LOW)


@njit(cache=True, inline="always")
def roll_of(throw):
    """Convert a throw of two dice, 0 to 35, to a roll index; see `bearoff.rolls`."""
    return throw >> _U(1) if throw < _U(30) else throw - _U(15)


@njit(cache=True, inline="always")
def _two_philox(a0, a1, b0, b1, c2, c3, k0, k1):
    """Evaluate `philox` for two counters that have the same last two words.

    The multiplications for both counters alternate, so that the processor overlaps them.
    """
    a2 = b2 = c2
    a3 = b3 = c3
    for _ in range(10):
        a_first, a_second = _MULTIPLIERS[0] * a0, _MULTIPLIERS[1] * a2
        b_first, b_second = _MULTIPLIERS[0] * b0, _MULTIPLIERS[1] * b2
        a0, b0 = (a_second >> _HALF) ^ a1 ^ k0, (b_second >> _HALF) ^ b1 ^ k0
        a2, b2 = (a_first >> _HALF) ^ a3 ^ k1, (b_first >> _HALF) ^ b3 ^ k1
        a1, b1, a3, b3 = a_second & _LOW, b_second & _LOW, a_first & _LOW, b_first & _LOW
        k0 = (k0 + _WEYL[0]) & _LOW
        k1 = (k1 + _WEYL[1]) & _LOW
    return a0, a1, a2, a3, b0, b1, b2, b3


@njit(cache=True, inline="always")
def _six(high, low):
    return np.uint32((high * _SIX + ((low * _SIX) >> _HALF)) >> _HALF)


@njit(cache=True, inline="always")
def draw_lanes(seed, roller, opponent, games, n, draw, sixes):
    """Draw six throws per side for many games, as integers ``sixes[side, game]``."""
    half = n // 2
    k0, k1 = seed & _LOW, seed >> _HALF
    top = (draw << _U(8)) & _LOW
    for i in range(half):
        j = _U(half + i)
        a0, a1, a2, a3, b0, b1, b2, b3 = _two_philox(
            games[i] & _LOW,
            (games[i] >> _HALF) | top,
            games[j] & _LOW,
            (games[j] >> _HALF) | top,
            roller,
            opponent,
            k0,
            k1,
        )
        sixes[0, i] = _six(a0, a1)
        sixes[1, i] = _six(a2, a3)
        sixes[0, j] = _six(b0, b1)
        sixes[1, j] = _six(b2, b3)
    if n % 2:
        x_fraction, y_fraction = words(seed, roller, opponent, games[n - 1], draw)
        sixes[0, n - 1] = _six(x_fraction >> _HALF, x_fraction & _LOW)
        sixes[1, n - 1] = _six(y_fraction >> _HALF, y_fraction & _LOW)


@njit(cache=True, inline="always")
def high_half(value, factor):
    return _U16((np.uint32(value) * np.uint32(factor)) >> np.uint32(16))


@njit(cache=True, inline="always")
def _short_roll(throw):
    """Convert a 16-bit throw of two dice, 0 to 35, to a roll index, without branching."""
    return _U16(max(np.int16(throw >> _U16(1)), np.int16(throw - _U16(15))))


@njit(cache=True, inline="always")
def lane_rolls(sixes, n, rolls):
    """Convert six packed throws of each game to packed rolls.

    ``rolls[0, i]`` receives the first three rolls of game ``i``, and ``rolls[1, i]`` the
    next three. Each roll has `ROLL_BITS` bits, and the earliest roll has the lowest bits.
    Divisions of 16-bit integers by 36^2 and 36 are replaced by multiplications.
    """
    for i in range(n):
        first = sixes[i] // _THREE
        rolls[0, i] = first
        rolls[1, i] = sixes[i] - first * _THREE
    for half in range(2):
        for i in range(n):
            three = rolls[half, i]
            first = _U16(high_half(_U16(three >> _U16(4)), _U16(51782)) >> _U16(6))
            rest = _U16(three - _U16(first * _U16(36 * 36)))
            second = _U16(high_half(_U16(rest >> _U16(2)), _U16(58255)) >> _U16(3))
            third = _U16(rest - _U16(second * _U16(36)))
            found = _U16(_short_roll(first) | _U16(_short_roll(second) << _U16(5)))
            rolls[half, i] = _U16(found | _U16(_short_roll(third) << _U16(10)))


@njit(cache=True, nogil=True)
def throw_lanes(seed, roller, opponent, games, draw, rolls):
    """Generate six rolls per side for many games of one pair of positions.

    ``rolls[side, turn, lane]`` receives the rolls of game ``games[lane]``. Side 0 rolls
    first, and turn 0 stands for turn ``THROWS_PER_DRAW * draw`` of the game.
    """
    n = games.size
    sixes = np.empty((2, n), np.uint32)
    packed = np.empty((2, n), np.uint16)
    draw_lanes(seed, roller, opponent, games, n, draw, sixes)
    for side in range(2):
        lane_rolls(sixes[side], n, packed)
        for turn in range(THROWS_PER_DRAW):
            shift = ROLL_BITS * np.uint32(turn % 3)
            for i in range(n):
                rolls[side, turn, i] = (packed[turn // 3, i] >> shift) & ROLL


@njit(cache=True, nogil=True)
def throw_games(seed, rollers, opponents, games, live, draw, rolls):
    """Generate six rolls per side for games of many pairs of positions."""
    for i in live:
        x_fraction, y_fraction = words(seed, rollers[i], opponents[i], games[i], draw)
        for turn in range(THROWS_PER_DRAW):
            x_throw, x_fraction = next_throw(x_fraction)
            y_throw, y_fraction = next_throw(y_fraction)
            rolls[0, turn, i] = roll_of(x_throw)
            rolls[1, turn, i] = roll_of(y_throw)
