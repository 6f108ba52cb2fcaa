"""Verifiable dice: a seed determines all rolls, and its hash is published before them.

Throw `t` of game `g` comes from the SHA-256 digests of ``SEED g t 0``, ``SEED g t 1`` and
so on, read byte by byte. A byte below 252 gives the die ``byte % 6 + 1``; other bytes are
skipped. A throw has two dice. At the opening, throws of equal dice are skipped.
"""

import secrets
from collections.abc import Iterator
from hashlib import sha256

SEED = r"[0-9a-f]{32}"
"""Regular expression for the text of a seed."""

FAIR = 252
"""Only random bytes below this limit are used for dice. It is a multiple of 6, so that the
dice are fair."""


def new_seed() -> str:
    """Return a random seed that cannot be guessed."""
    return secrets.token_hex(16)


def hash_of(seed: str) -> str:
    """Return the hash of a seed, which is published before the first roll."""
    return sha256(seed.encode()).hexdigest()


def thrown(seed: str, game: int, throw: int, *, opening: bool) -> tuple[int, int]:
    """Return the dice of a throw; at the opening, the user's die and then the opponent's.

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
