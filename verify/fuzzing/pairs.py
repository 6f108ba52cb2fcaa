"""Fuzzing of CSV files of pairs of positions, with independent readers as checks."""

import csv
import io
import random
import re

import bearoff
from bearoff.sim.config import pairs as sources
from bearoff.sim.pairs import read_pairs
from bearoff.sim.storage import RunError
from verify.fuzzing.case import Target, check, check_sentence
from verify.fuzzing.mutate import mutated, words
from verify.fuzzing.positions import Counts, carries_both, expected, make_position
from verify.fuzzing.yaml import scratch

_WORDS = (*words(', ,, " "" \' roller opponent 8887'), "\n", "\r\n", "\n\n", " ")


def make_pairs(chance: random.Random) -> bytes:
    """Create a CSV file of pairs of positions, usually with errors."""
    heading = chance.choice(("roller,opponent", "opponent,roller", "id,roller,opponent"))
    width = heading.count(",") + 1

    def cell() -> str:
        if chance.random() < 0.8:
            text = str(chance.randint(1, 54263))
        else:
            text = make_position(chance)[0]
        return '"' + text.replace('"', '""') + '"' if re.search('[,"\r\n]', text) else text

    rows = [",".join(cell() for _ in range(width)) for _ in range(chance.choice((1, 2, 5)))]
    text = chance.choice(("\n", "\n", "\r\n")).join([heading, *rows, ""])
    if chance.random() < 0.5:
        text = mutated(chance, text, _WORDS)
    data = text.encode("utf-8", "surrogatepass")
    return b"\xef\xbb\xbf" + data if chance.random() < 0.02 else data


def accepts_pairs(data: bytes) -> bool:
    """Read a CSV file of pairs; compare the result with an independent reading."""
    path = scratch() / "pairs.csv"
    path.write_bytes(data)
    file = sources.PairFile.model_validate({"path": str(path)})
    meant = _meant(data)
    try:
        numbers = read_pairs(file, 6, 15)
    except RunError as error:
        check_sentence(" ".join(str(error).split()))
        # A file without pairs may be rejected when read, or accepted with no pairs.
        check(
            not isinstance(meant, list) or not meant,
            f"refused, although the text means {meant}: {error}",
        )
        return False
    check(meant is not None, "accepted, but a row is not a pair")
    if isinstance(meant, list):
        got = [tuple(tuple(int(n) for n in c) for c in p) for p in bearoff.unrank(numbers)]
        check(got == meant, f"read as {got} instead of {meant}")
    return True


def _meant(data: bytes) -> list[tuple[Counts, ...]] | str | None:
    """Return the pairs of positions in a CSV file, as an independent reader reads them.

    An invalid row gives None, and an ambiguous file gives "unclear".

    The two readers of CSV treat stray quotes and line ends differently.
    """
    # Invalid UTF-8 is an error only in the two columns that are read.
    text = data.decode("utf-8-sig", "surrogateescape")
    if re.search("[\ud800-\udfff]", text.partition("\n")[0]):
        return "unclear"
    if re.search('[^,\r\n"]"[^,\r\n"]|""|\0|\r(?!\n)', text) or text.count('"') % 2:
        return "unclear"
    if re.search('"[^"\n]*\n[^"\n]*"', text):
        return "unclear"
    rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    if not rows or any(rows[0].count(name) != 1 for name in ("roller", "opponent")):
        return None
    if any(len(row) != len(rows[0]) for row in rows):
        return None
    places = [rows[0].index(name) for name in ("roller", "opponent")]
    pairs = []
    for row in rows[1:]:
        # Text with the positions of both sides is rejected as the position of one side,
        # because the other position would be lost.
        sides = tuple(
            None if carries_both(row[place]) else expected(row[place], 6, 15)
            for place in places
        )
        if not all(side is not None and any(side) for side in sides):
            return None
        pairs.append(sides)
    return pairs  # type: ignore[return-value]


TARGETS = (Target("pairs", "CSV of pairs", make_pairs, accepts_pairs, 0.003),)
