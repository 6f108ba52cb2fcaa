"""Compiled kernels that throw dice, for one game or for many side by side.

Dice come from Philox4x32-10 (Salmon, Moraes, Dror and Shaw, *Parallel Random Numbers:
As Easy as 1, 2, 3*, 2011), a function of a 64-bit key and a 128-bit counter. The key is
the seed; the counter names the positions of both sides, the game and the draw. So each
throw has a place of its own: streams cannot overlap, and a game's dice depend on nothing
but its seed, its pair and its number.

One draw gives four 32-bit words. The first two, as a binary fraction of 64 bits, are
the roller's next `THROWS_PER_DRAW` throws, the last two the opponent's: multiplied by
36, the whole part is the throw and the fraction goes on to the next. The chance of a
throw is off by at most 36^6 / 2^64, about 1e-10. Many games take all six at once, as a
digit to the base 36^6, which has 32 bits, and split it in two to the base 36^3, which
have 16: the fewer bits, the more numbers a vector holds.
"""

import numpy as np

from bearoff.runtime import njit

THROWS_PER_DRAW = 6
"""Throws of each side that one draw of the generator serves."""

ROLL_BITS, ROLL = np.uint32(5), np.uint32(31)
"""Bits that a roll takes in a number with three, and all of them."""

_U = np.uint64
_U16 = np.uint16
_LOW = _U(0xFFFFFFFF)
_HALF = _U(32)
_MULTIPLIERS = _U(0xD2511F53), _U(0xCD9E8D57)
_WEYL = _U(0x9E3779B9), _U(0xBB67AE85)
_SIX = _U(36**6)
_THREE = np.uint32(36**3)
"""Bases whose digits are six throws, and three."""


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
def next_throw(fraction):
    """Return the next throw, 0 to 35, and the fraction that is left."""
    low = (fraction & _LOW) * _U(36)
    high = (fraction >> _HALF) * _U(36) + (low >> _HALF)
    return high >> _HALF, (high << _HALF) | (low & _LOW)


@njit(cache=True, inline="always")
def roll_of(throw):
    """Return the roll, 0 to 20, of a throw; see `bearoff.rolls`."""
    return throw >> _U(1) if throw < _U(30) else throw - _U(15)


@njit(cache=True, inline="always")
def _two_philox(a0, a1, b0, b1, c2, c3, k0, k1):
    """Return `philox` at two counters whose last words are the same.

    In turn, so that no multiplication waits for the one before it.
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
    """Return the six throws of a fraction as one number."""
    return np.uint32((high * _SIX + ((low * _SIX) >> _HALF)) >> _HALF)


@njit(cache=True, inline="always")
def draw_lanes(seed, roller, opponent, games, n, draw, sixes):
    """Draw for each lane: ``sixes[side, lane]`` are six throws in a number."""
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
    """Return the upper 16 of the 32 bits of a product."""
    return _U16((np.uint32(value) * np.uint32(factor)) >> np.uint32(16))


@njit(cache=True, inline="always")
def _short_roll(throw):
    """Return `roll_of` a throw of 16 bits, without a choice."""
    return _U16(max(np.int16(throw >> _U16(1)), np.int16(throw - _U16(15))))


@njit(cache=True, inline="always")
def lane_rolls(sixes, n, rolls):
    """Split six throws in a number, for each lane, into rolls.

    ``rolls[half, lane]`` gets three rolls of `ROLL_BITS` each, the first lowest. Divisions
    of 16 bits are written out, by 36^2 and by 36; a test tries them all.
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
    """Throw the dice of one draw for games side by side, that are played elsewhere.

    ``rolls[side, turn, lane]`` gets the rolls of both sides, the roller first, of the
    turns ``THROWS_PER_DRAW * draw`` and on of ``games[lane]``.
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
    """Throw as `throw_lanes` does, for those lanes of many pairs that `live` lists."""
    for i in live:
        x_fraction, y_fraction = words(seed, rollers[i], opponents[i], games[i], draw)
        for turn in range(THROWS_PER_DRAW):
            x_throw, x_fraction = next_throw(x_fraction)
            y_throw, y_fraction = next_throw(y_fraction)
            rolls[0, turn, i] = roll_of(x_throw)
            rolls[1, turn, i] = roll_of(y_throw)
