"""Sources of throws for the battery: the product's, and bad ones that it must find out."""

from collections.abc import Callable

import numpy as np
from numba import njit

from sim.play import kernels, uniforms
from verify.chance.battery import DRAWS, TURNS, Slab, Source, Stream

_U = np.uint64
_LOW = _U(0xFFFFFFFF)
_words, _next_throw, _turn = kernels.words, kernels.next_throw, kernels.next_turn


@njit(nogil=True)
def _throw(seed, roller, opponent, first, draws, slab):
    for game in range(slab.shape[2]):
        for draw in range(draws):
            x, y = _words(seed, roller, opponent, first + _U(game), _U(draw))
            for turn in range(6 * draw, 6 * draw + 6):
                slab[0, turn, game], x = _next_throw(x)
                slab[1, turn, game], y = _next_throw(y)


@njit(nogil=True)
def _choose(seed, roller, opponent, first, slab):
    zero = _U(0)
    for game in range(slab.shape[2]):
        for turn in range(slab.shape[1]):
            _, _, x, y, _, _ = _turn(
                seed, roller, opponent, first + _U(game), turn, zero, zero
            )
            slab[0, turn, game] = (x * _U(36)) >> _U(32)
            slab[1, turn, game] = (y * _U(36)) >> _U(32)


def _address(stream: Stream) -> tuple[np.uint64, ...]:
    return tuple(
        map(np.uint64, (stream.seed, stream.roller, stream.opponent, stream.first))
    )


def dice(stream: Stream, games: int) -> Slab:
    """Throw the dice of games by the functions that all kernels are compiled from."""
    slab = np.empty((2, TURNS, games), dtype=np.uint8)
    _throw(*_address(stream), DRAWS, slab)
    return slab


def choices(stream: Stream, games: int) -> Slab:
    """Turn the words that random play chooses by into one of 36."""
    slab = np.empty((2, TURNS, games), dtype=np.uint8)
    _choose(*_address(stream), slab)
    return slab


def sampling(stream: Stream, games: int) -> Slab:
    """Turn the numbers that pairs are drawn by into one of 36."""
    number = (stream.first << 20) ^ (stream.roller << 32) ^ stream.opponent
    draws = uniforms(stream.seed, number % (1 << 64), 2 * TURNS * games)
    return np.floor(36 * draws).astype(np.uint8).reshape(2, TURNS, games)


GOOD: dict[str, Source] = {
    "dice": dice,
    "words of random play": choices,
    "draws of pairs": sampling,
}


@njit(nogil=True)
def _fewer_rounds(seed, roller, opponent, first, draws, rounds, slab):
    for game in range(slab.shape[2]):
        number = first + _U(game)
        for draw in range(draws):
            c0, c1 = number & _LOW, (number >> _U(32)) | (_U(draw) << _U(8))
            c2, c3 = roller, opponent
            k0, k1 = seed & _LOW, seed >> _U(32)
            for _ in range(rounds):
                p0, p1 = _U(0xD2511F53) * c0, _U(0xCD9E8D57) * c2
                c0, c1, c2, c3 = (
                    (p1 >> _U(32)) ^ c1 ^ k0,
                    p1 & _LOW,
                    (p0 >> _U(32)) ^ c3 ^ k1,
                    p0 & _LOW,
                )
                k0, k1 = (k0 + _U(0x9E3779B9)) & _LOW, (k1 + _U(0xBB67AE85)) & _LOW
            x, y = c0 << _U(32) | c1, c2 << _U(32) | c3
            for turn in range(6 * draw, 6 * draw + 6):
                slab[0, turn, game], x = _next_throw(x)
                slab[1, turn, game], y = _next_throw(y)


@njit(nogil=True)
def _congruential(state, slab):
    for game in range(slab.shape[2]):
        for turn in range(slab.shape[1]):
            for side in range(2):
                state = (state * _U(1664525) + _U(1013904223)) & _LOW
                slab[side, turn, game] = state % _U(36)


@njit(nogil=True)
def _short_fractions(seed, roller, opponent, first, draws, slab):
    for game in range(slab.shape[2]):
        for draw in range(draws):
            x, y = _words(seed, roller, opponent, first + _U(game), _U(draw))
            for turn in range(6 * draw, 6 * draw + 6):
                if turn % 3 == 0:
                    # Of what is left of 64 bits the first 16 serve three throws.
                    u, v = x >> _U(48) << _U(48), y >> _U(48) << _U(48)
                    x, y = x << _U(16), y << _U(16)
                slab[0, turn, game], u = _next_throw(u)
                slab[1, turn, game], v = _next_throw(v)


@njit(nogil=True)
def _draw_as_game(seed, roller, opponent, first, draws, slab):
    for game in range(slab.shape[2]):
        for draw in range(draws):
            at = first + _U(game + draw)
            x, y = _words(seed, roller, opponent, at, _U(0))
            for turn in range(6 * draw, 6 * draw + 6):
                slab[0, turn, game], x = _next_throw(x)
                slab[1, turn, game], y = _next_throw(y)


def philox_of(rounds: int) -> Source:
    """Return the dice with fewer rounds of the generator than the ten it has."""

    def throw(stream: Stream, games: int) -> Slab:
        slab = np.empty((2, TURNS, games), dtype=np.uint8)
        _fewer_rounds(*_address(stream), DRAWS, rounds, slab)
        return slab

    return throw


def _filled(kernel: Callable[..., None]) -> Source:
    def throw(stream: Stream, games: int) -> Slab:
        slab = np.empty((2, TURNS, games), dtype=np.uint8)
        kernel(*_address(stream), DRAWS, slab)
        return slab

    return throw


def _low_bits(stream: Stream, games: int) -> Slab:
    slab = np.empty((2, TURNS, games), dtype=np.uint8)
    mixed = hash((stream.seed, stream.roller, stream.opponent, stream.first))
    _congruential(np.uint64(mixed & 0xFFFFFFFF), slab)
    return slab


def _sorted_sides(stream: Stream, games: int) -> Slab:
    low, high = sorted((stream.roller, stream.opponent))
    slab = dice(Stream(stream.seed, low, high, stream.first), games)
    return slab if low == stream.roller else np.ascontiguousarray(slab[::-1])


def _deaf_to_opponent(stream: Stream, games: int) -> Slab:
    return dice(Stream(stream.seed, stream.roller, 1, stream.first), games)


def _coins(stream: Stream, games: int, chance: float) -> np.ndarray:
    """Throws of which one in so many is another's, from a stream apart."""
    seed = stream.seed ^ 0x5DEECE66D
    number = (stream.first << 20) ^ (stream.roller << 32) ^ stream.opponent
    bits = np.random.Philox(key=(number % (1 << 64)) << 64 | seed)
    halves = bits.random_raw(TURNS * games).view(np.uint32)
    return (halves < chance * 2**32).reshape(2, TURNS, games)


def biased(points: float) -> Source:
    """Return dice whose double six comes up with a chance that is so much above 1/36."""

    def throw(stream: Stream, games: int) -> Slab:
        slab = dice(stream, games)
        slab[_coins(stream, games, points / (35 / 36))] = 35
        return slab

    return throw


def echoing(chance: float) -> Source:
    """Return dice of which one throw in so many repeats the side's last."""

    def throw(stream: Stream, games: int) -> Slab:
        slab = dice(stream, games)
        again = _coins(stream, games, chance)[:, 1:]
        slab[:, 1:][again] = slab[:, :-1][again]
        return slab

    return throw


BAD: dict[str, Source] = {
    "Philox of 2 rounds": philox_of(2),
    "Philox of 4 rounds": philox_of(4),
    "Philox of 5 rounds": philox_of(5),
    "low bits of a congruential generator": _low_bits,
    "fractions of 16 bits for three throws": _filled(_short_fractions),
    "a game's second draw is the next game's first": _filled(_draw_as_game),
    "(a, b) and (b, a) share their dice": _sorted_sides,
    "pairs of one roller share their dice": _deaf_to_opponent,
    "a double six 1e-4 too likely": biased(1e-4),
    "one throw in 1,000 repeats the last": echoing(1e-3),
}
