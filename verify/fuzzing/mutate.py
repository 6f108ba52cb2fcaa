"""Mutations of valid texts and bytes that often make parsers fail."""

import random
import struct
from collections.abc import Sequence

ODD = (
    # Control characters, and non-ASCII characters that resemble digits, signs or spaces.
    # Some are accepted by `int`, `str.isdigit` or `\s`.
    *"٣３²½Ⅷ−–＋，：（［\u00a0\u2003\u2028\u0085\ufeff\u202e\u200b\u0301İßǅ",
    *"\0\t\n\r\x0b\x1b\x1c\x7f\ud800\udcff\U0001f3b2",
)
PLAIN = (
    *"0123456789-+.,:;=()[]{}<>/\\|_#'\"!?*&%@~ aAoOpPxXzZ",
    "00", "16", "54263", "54264", "-1", "+1", "1e9", "1e999", "nan", "inf", "1_0", "0x1F",
    "9" * 30, "--", ",,", "XGID=", "\r\n", "[[", "{}", "null", "true", "''", '""', "%s",
)  # fmt: skip


def words(text: str) -> list[str]:
    """Return the words of a text, separated at white space."""
    return text.split()


def mutated(chance: random.Random, text: str, more: Sequence[str] = ()) -> str:
    """Return `text` after one to four mutations, which may insert words from `more`."""
    for _ in range(1 + min(int(chance.expovariate(0.9)), 3)):
        text = _one(chance, text, more)
    return text


def spoilt(chance: random.Random, data: bytes) -> bytes:
    """Return data after one to five random changes: replaced, removed or repeated bytes."""
    changed = bytearray(data)
    for _ in range(1 + min(int(chance.expovariate(0.7)), 4)):
        place = chance.randrange(len(changed))
        kind = chance.randrange(4)
        if kind == 0:
            changed[place] = chance.randrange(256)
        elif kind == 1 and place + 4 <= len(changed):
            number = chance.choice((-1, 0, 1, 2**31 - 1, -(2**31), 99_999))
            struct.pack_into("<i", changed, place // 4 * 4, number)
        elif kind == 2:
            del changed[place : place + chance.choice((1, 4, 2560, len(changed)))]
            if not changed:
                break
        else:
            changed[place:place] = changed[place : place + chance.choice((1, 4, 2560))]
    return bytes(changed)


def _one(chance: random.Random, text: str, words: Sequence[str]) -> str:
    start = chance.randrange(len(text) + 1)
    stop = min(len(text), start + min(int(chance.expovariate(0.4)) + 1, 200))
    kind = chance.randrange(9)
    if kind == 0:
        return text[:start] + text[stop:]
    if kind == 1:
        return text[:start] + _piece(chance, words) + text[start:]
    if kind == 2:
        return text[:start] + _piece(chance, words) + text[stop:]
    if kind == 3:  # Repeat a piece of the text, up to 300 times.
        times = chance.choice((2, 2, 3, 20, 300))
        return (text[:start] + text[start:stop] * times + text[stop:])[:20_000]
    if kind == 4:
        part = list(text[start:stop])
        chance.shuffle(part)
        return text[:start] + "".join(part) + text[stop:]
    if kind == 5:  # Insert another piece of the same text.
        other = chance.randrange(len(text) + 1)
        return text[:start] + text[other : other + stop - start] + text[stop:]
    if kind == 6 and start < len(text):  # Replace a character by a neighbouring one.
        code = (ord(text[start]) + chance.choice((-1, 1, 32, -32))) % 0x110000
        return text[:start] + chr(code) + text[start + 1 :]
    if kind == 7:
        old = text[start:stop]
        return text[:start] + (old.upper() if old.islower() else old.lower()) + text[stop:]
    return text[:start] + str(chance.randrange(-20, 20)) + text[stop:]


def _piece(chance: random.Random, words: Sequence[str]) -> str:
    kind = chance.random()
    if words and kind < 0.4:
        return chance.choice(words)
    if kind < 0.75:
        return chance.choice(PLAIN)
    if kind < 0.95:
        return chance.choice(ODD)
    return chr(chance.randrange(0x110000))
