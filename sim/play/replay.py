"""Dice of single simulated games, for replaying games and checking kernels.

This module is the plain Python version of `kernels`, which generates the same dice for many
games. A game's dice depend only on the seed, the two positions and the game number.
"""

from collections.abc import Iterator

from bearoff import PositionError

Words = tuple[int, int, int, int]

THROWS_PER_DRAW = 6
_MASK = 0xFFFFFFFF
_MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
_WEYL = 0x9E3779B9, 0xBB67AE85


def philox(counter: Words, key: tuple[int, int]) -> Words:
    """Return the four 32-bit words of the Philox4x32-10 generator for a counter.

    References
    ----------
    Salmon, Moraes, Dror and Shaw, *Parallel Random Numbers: As Easy as 1, 2, 3*, SC11.

    Examples
    --------
    >>> [hex(word) for word in philox((0, 0, 0, 0), (0, 0))]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        p0, p1 = _MULTIPLIERS[0] * c0, _MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & _MASK, (p0 >> 32) ^ c3 ^ k1, p0 & _MASK
        k0, k1 = (k0 + _WEYL[0]) & _MASK, (k1 + _WEYL[1]) & _MASK
    return c0, c1, c2, c3


def throws_of_game(
    seed: int, roller: int, opponent: int, game: int
) -> Iterator[tuple[int, int]]:
    """Yield the throws of both sides in each turn of a game, without end.

    Parameters
    ----------
    seed : int
        Seed of the run, from 0 to 2**64 - 1.
    roller, opponent : int
        Position numbers at the start of the game.
    game : int
        Index of the game among all games of its pair of positions, from 0 to 2**40 - 1.

    Yields
    ------
    tuple of int
        The roller's and the opponent's throw, from 0 to 35; `bearoff.rolls` converts a
        throw to a roll.

    Raises
    ------
    PositionError
        If a number is out of range.

    Examples
    --------
    >>> from itertools import islice
    >>> list(islice(throws_of_game(1, 8887, 8887, 0), 3))
    [(23, 25), (34, 33), (34, 28)]
    """
    for name, value, bits in (
        ("seed", seed, 64),
        ("roller", roller, 32),
        ("opponent", opponent, 32),
        ("game", game, 40),
    ):
        if not 0 <= value < 1 << bits:
            raise PositionError(f"{name} must be from 0 to 2**{bits} - 1, got {value}")
    key = seed & _MASK, seed >> 32
    draw = 0
    while True:
        counter = game & _MASK, (game >> 32) | (draw << 8), roller, opponent
        a, b, c, d = philox(counter, key)
        fractions = [a << 32 | b, c << 32 | d]
        for _ in range(THROWS_PER_DRAW):
            scaled = [fraction * 36 for fraction in fractions]
            yield scaled[0] >> 64, scaled[1] >> 64
            fractions = [value & (1 << 64) - 1 for value in scaled]
        draw += 1


def race_key(seed: int, roller: int, opponent: int) -> int:
    """Return the random generator's key for a race with position numbers above 32 bits.

    Position numbers on 24 points have 35 bits. The dice of games on 24 points use this key
    instead of the seed, and 0 for both position numbers.

    Parameters
    ----------
    seed : int
        Seed of the run, 0 to 2**64 - 1.
    roller, opponent : int
        Position numbers on 24 points, 0 to 2**64 - 1.

    Returns
    -------
    int
        Key of 64 bits: the first two words that the generator returns for a counter made of
        both position numbers.

    Examples
    --------
    >>> hex(race_key(0, 0, 0))
    '0xe169c58d6627e8d5'
    """
    words = (roller & _MASK, roller >> 32, opponent & _MASK, opponent >> 32)
    low, high, _, _ = philox(words, (seed & _MASK, seed >> 32))
    return high << 32 | low
