"""Check that no two dice rolls with one seed use the same random numbers.

A random number is a function of a key and a counter, which is one-to-one for a given key.
The key is the seed. The counter consists of the game, the index of the draw, the roller and
the opponent. Two draws of a seed are therefore equal only if their addresses are equal. To
show this, `addresses` converts draws of the kernels back to their addresses.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import stats

from bearoff.sim.play import choice_kernels, dice_kernels
from bearoff.sim.play.replay import _MULTIPLIERS, _WEYL

_U = np.uint64
_LOW = _U(0xFFFFFFFF)
_words, _turn = dice_kernels.words, choice_kernels.next_turn
Words = NDArray[np.uint64]

FIELDS = {"seed": 64, "roller": 32, "opponent": 32, "game": 40, "draw": 24}
"""For each part of a random number's address, the number of bits."""

MASK = 0xFFFFFFFF


@njit(nogil=True)
def _draw(addresses, words):
    for i in range(addresses.shape[0]):
        seed, roller, opponent, game, draw = addresses[i]
        words[i, 0], words[i, 1] = _words(seed, roller, opponent, game, draw)


@njit(nogil=True)
def _stream_words(seeds, rollers, opponents, games, words):
    """For each game, write the random words of two draws and of one choice of a play."""
    for i in range(seeds.size):
        args = seeds[i], rollers[i], opponents[i], games[i]
        words[i, 0], words[i, 1] = _words(args[0], args[1], args[2], args[3], _U(0))
        words[i, 2], words[i, 3] = _words(args[0], args[1], args[2], args[3], _U(1))
        words[i, 4], words[i, 5] = _words(args[0], args[1], args[2], args[3], _U(1 << 23))


def random_addresses(size: int, seed: int) -> Words:
    """Draw random addresses, shape (size, 5), with columns as in `FIELDS`."""
    bits = np.random.Philox(key=seed).random_raw(size * len(FIELDS))
    drops = np.array([64 - width for width in FIELDS.values()], dtype=np.uint64)
    return np.asarray(bits.reshape(size, -1) >> drops)


def words_at(addresses: Words) -> Words:
    """Return the 64-bit random words of both sides that kernels draw at each address."""
    words = np.empty((len(addresses), 2), dtype=np.uint64)
    _draw(addresses, words)
    return words


def addresses(words: Words, seeds: Words) -> Words:
    """Invert the random number generator: return the counter that gave each random word."""
    inverses = [pow(multiplier, -1, 1 << 32) for multiplier in _MULTIPLIERS]
    found = []
    for (x, y), seed in zip(words.tolist(), seeds.tolist(), strict=True):
        c = [x >> 32, x & MASK, y >> 32, y & MASK]
        for turn in reversed(range(10)):
            k0, k1 = (
                (key + turn * step) & MASK
                for key, step in zip((seed & MASK, seed >> 32), _WEYL, strict=True)
            )
            old0, old2 = c[3] * inverses[0] & MASK, c[1] * inverses[1] & MASK
            high0, high2 = old0 * _MULTIPLIERS[0] >> 32, old2 * _MULTIPLIERS[1] >> 32
            c = [old0, c[0] ^ high2 ^ k0, old2, c[2] ^ high0 ^ k1]
        game = c[0] | (c[1] & 0xFF) << 32
        found.append((seed, c[2], c[3], game, c[1] >> 8))
    return np.array(found, dtype=np.uint64)


def repeats(games: int, seed: int) -> dict[str, tuple[int, float]]:
    """Count repeated 64-bit words, and repeated 40-bit parts, in games' random numbers.

    As in runs, the numbers of seeds, positions and games are consecutive. Six words of each
    game are compared: two draws of both players, and two words that choose a play.

    Returns
    -------
    dict of str to (int, float)
        Number of equal pairs of words, and the number expected by chance, for each
        comparison.
    """
    number = np.arange(games, dtype=np.uint64)
    words = np.empty((games, 6), dtype=np.uint64)
    _stream_words(
        _U(seed) + number % _U(8),
        _U(1) + number // _U(8) % _U(64),
        _U(1) + number // _U(512) % _U(64),
        number // _U(32768),
        words,
    )
    whole = words.ravel()
    part = whole[: min(whole.size, 1 << 24)]
    return {
        "whole number": _equal(whole, 64),
        "40 high bits": _equal(part >> _U(24), 40),
        "40 low bits": _equal(part & _U((1 << 40) - 1), 40),
    }


def _equal(words: Words, bits: int) -> tuple[int, float]:
    _, counts = np.unique(words, return_counts=True)
    again = counts[counts > 1].astype(np.int64)
    return int((again * (again - 1) // 2).sum()), len(words) * (len(words) - 1) / 2 ** (
        bits + 1
    )


def poisson_chance(found: int, expected: float) -> float:
    """Return the two-sided p-value of a count with a Poisson distribution."""
    law = stats.poisson(expected)
    return float(min(1.0, 2 * min(law.cdf(found), law.sf(found - 1))))
