"""Damaged match files, which the program must replay or reject with a one-sentence message.

The undamaged files are public matches from the tests. Compressed content is damaged before
it is compressed, because otherwise nearly all files would fail at the first checksum. There
is no independent reader for damaged files; the tests of undamaged files check what each
format means.
"""

import gzip
import random
import zlib
from functools import cache

from bearoff import BearoffError
from bearoff.game.records import parse_match, race_decisions
from research.public_matches import HEAD, contents
from verify.fuzzing.case import Target, check, check_sentence
from verify.fuzzing.mutate import mutated, spoilt

_NAME = "B4_SrGcsKAQmoTyHlgJCbM"
"""Name of the shortest public match that exists in all formats."""

_RECORD = 2560
"""Number of bytes of a record in an eXtreme Gammon file; the record's ninth byte is its
type."""

_WORDS = ("Doubles => 2", "Takes", "Drops", "Game 9", " 64: 24/14", "bar/24*", "\n  3) ")
_SGF = """(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:3][game:0][ws:0][bs:0]
PW[Ann]PB[Bob]RU[Crawford]RE[W+1];W[31hefe]A[0][hefe E ver 3 .5 .1 0 .1 0 .05 2C]C[good]
;B[42lqms];W[double]DA[E ver 3 2C 0 0 0 .5 .1 0 .1 0 .1 .5 .5 .1 0 .1 0 .1 .6];B[drop])
"""
_POSITION = """XGID=-CBA-------------------ad-:0:0:1:52:0:0:0:0:10

X:Ann   O:Bob
X to play 52

    1. XG Roller+  3/off 2/off                  eq:+0,589
      Player:   79,46% (G:0,00% B:0,00%)
      Opponent: 20,54% (G:0,00% B:0,00%)
"""


@cache
def _whole() -> dict[str, bytes]:
    """Return the decompressed contents of the match files, by type of compression."""
    files = contents()
    packed = files[f"{_NAME}.xg"]
    match = packed[:HEAD] + zlib.decompress(packed[HEAD:])
    starts = range(HEAD, len(match) - _RECORD + 1, _RECORD)
    kinds = [match[start + 8] for start in starts]
    first = [starts[kinds.index(kind)] for kind in range(4)]
    head, _, body = files[f"{_NAME}.bgf"].partition(b"\n")
    return {
        "mat": files[f"{_NAME}.mat"],
        "sgf": _SGF.encode(),
        "txt": _POSITION.encode(),
        "ogxm": files[f"{_NAME}.gvab"],
        "gva": files[f"{_NAME}.gva"][:20_000],
        "xg": match,
        "xgp": match[:HEAD] + b"".join(match[at : at + _RECORD] for at in first),
        "bgf": head + b"\n" + gzip.decompress(body),
    }


def make_match(chance: random.Random) -> bytes:
    """Create a match file in a random format, usually damaged."""
    kind = chance.choice(("mat", "mat", "sgf", "txt", "ogxm", "gva", "xg", "xgp", "bgf"))
    data = _whole()[kind]
    if kind in ("mat", "sgf", "txt") and chance.random() < 0.9:
        return mutated(chance, data.decode(), _WORDS).encode("utf-8", "surrogatepass")
    if kind in ("ogxm", "gva", "xg", "xgp", "bgf") and chance.random() < 0.9:
        data = spoilt(chance, data)
    if kind in ("xg", "xgp"):
        return data[:HEAD] + zlib.compress(data[HEAD:], 1)
    if kind == "bgf":
        head, _, body = data.partition(b"\n")
        return head + b"\n" + gzip.compress(body, 1, mtime=0)
    return data


def accepts_match(data: bytes) -> bool:
    """Read a match file and replay the match; return whether the file was accepted."""
    try:
        match = parse_match(data, "fuzzed")
    except BearoffError as error:
        check_sentence(str(error))
        return False
    decisions, problems = race_decisions(match)
    for problem in problems:
        check_sentence(problem)
    for decision in decisions:
        check(decision.moment.action.kind != "resign", "a resignation is not a decision")
    return True


TARGETS = (Target("match", "matches of every format", make_match, accepts_match, 0.001),)
