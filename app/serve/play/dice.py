"""Dice that can be checked: a seed decides them all, and its hash is told beforehand.

Throw `t` of game `g` comes from the SHA-256 digests of ``SEED g t 0``, ``SEED g t 1`` and
so on, read byte by byte: a byte below 252 is a die, its remainder by 6 and 1. Two bytes are
a throw. At the opening, throws of equal dice are passed over.
"""

import secrets
from collections.abc import Iterator
from hashlib import sha256

SEED = r"[0-9a-f]{32}"
"""What a seed looks like."""

FAIR = 252
"""Bytes below are 42 times each die; those above are left out."""


def new_seed() -> str:
    """Draw a seed that nobody can guess."""
    return secrets.token_hex(16)


def hash_of(seed: str) -> str:
    """Return what is told of a seed before the first throw."""
    return sha256(seed.encode()).hexdigest()


def thrown(seed: str, game: int, throw: int, *, opening: bool) -> tuple[int, int]:
    """Return a throw; of the opening the person's die and the other side's.

    Parameters
    ----------
    seed : str
    game : int
        From 1.
    throw : int
        Rolls played before in this game.
    opening : bool
        Whether equal dice are thrown again.

    Examples
    --------
    >>> thrown("0" * 32, 1, 0, opening=True)
    (5, 3)
    """
    dice = _dice(f"{seed} {game} {throw}")
    while True:
        first, second = next(dice), next(dice)
        if not opening or first != second:
            return first, second


def _dice(text: str) -> Iterator[int]:
    count = 0
    while True:
        for byte in sha256(f"{text} {count}".encode()).digest():
            if byte < FAIR:
                yield byte % 6 + 1
        count += 1
