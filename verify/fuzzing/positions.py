"""Fuzzing of positions in all notations, with independent readers as checks.

The independent readers share no code with `bearoff`. They use regular expressions for whole
texts, strings of bits, and the list of positions in the paper that defines their numbers.
"""

import base64
import random
import re
from dataclasses import replace
from functools import cache
from math import comb

import bearoff
from bearoff.errors import PositionError
from bearoff.positions import Xgid, is_two_sided
from verify.fuzzing.case import Target, check, check_sentence
from verify.fuzzing.mutate import mutated

Sized = tuple[str, int, int]
Counts = tuple[int, ...]

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def expected(text: str, points: int, checkers: int) -> Counts | None:
    """Return the checkers of one side that a text describes; None if it is invalid."""
    text = text.strip()
    if not text or len(text) > 200:
        return None
    if re.fullmatch("[0-9]+", text):
        number = int(text)
        size = comb(points + checkers, points)
        if len(text) > 12 or number >= size:
            return None
        return _walk(number, points, checkers)
    if carries_both(text):
        both = expected_race(text, points, checkers)
        return None if both is None else both[0]
    inner, form = text, "counts"
    for left, right, name in (("[", "]", "list"), ("(", ")", "bare")):
        if len(text) > 1 and text[0] == left and text[-1] == right:
            inner, form = text[1:-1], name
    inner = inner.strip()
    if inner and not re.fullmatch(r"[0-9]{1,3}((\s*,\s*|\s+|-)[0-9]{1,3})*", inner):
        return None
    numbers = tuple(int(each) for each in re.findall("[0-9]+", inner))
    if form == "list":
        if len(numbers) > checkers or any(point > points for point in numbers):
            return None
        return tuple(numbers.count(point) for point in range(1, points + 1))
    if len(numbers) == points:
        return numbers if sum(numbers) <= checkers else None
    if len(numbers) == points + 1:
        return numbers[1:] if sum(numbers) == checkers else None
    return None


def carries_both(text: str) -> bool:
    """Return whether a text has the form of an XGID or of a position ID."""
    text = text.strip()
    if re.fullmatch("[0-9]+", text):
        return False
    form = re.fullmatch("[A-Za-z0-9+/]{14}", text)
    return ":" in text or text.startswith("XGID=") or form is not None


@cache
def _walk(number: int, points: int, checkers: int) -> Counts:
    """Return the position with a given number in the numbering of Benjamin and Ross.

    A position is written as the list of its checkers' points in ascending order, with 0 for
    checkers borne off. The numbers follow the alphabetical order of these lists, so the
    position with no checkers left has the number 0.
    """
    counts = [0] * (points + 1)
    left, least = checkers, 0
    while left:
        # `begin` is the number of ways to place the `left` remaining checkers on point
        # `least` or higher, with at least one on `least`.
        begin = comb(points - least + left - 1, left - 1)
        if number < begin:
            counts[least] += 1
            left -= 1
        else:
            number -= begin
            least += 1
    return tuple(counts[1:])


def expected_race(text: str, points: int, checkers: int) -> tuple[Counts, Counts] | None:
    """Return the roller's and the opponent's checkers that a text describes, or None."""
    text = text.strip()
    boards = _xgid_boards(text) if ":" in text else _id_boards(text)
    if boards is None or len(text) > 200:
        return None
    sides = []
    for board, bar in boards:
        if bar or sum(board) > checkers or any(board[points:]):
            return None
        sides.append(tuple(board[:points]))
    deepest = [max((p for p in range(1, 25) if b[p - 1]), default=0) for b, _ in boards]
    if sum(deepest) > 24:
        return None
    return sides[0], sides[1]


_XGID = re.compile(
    r"(?:XGID=)?([-a-o][-A-Oa-o]{24}[-A-O]):([0-9]{1,2}):(?:-1|0|1):(-1|1):"
    r"(?:00|D|B|R|[1-6][1-6]):[0-9]{1,3}:[0-9]{1,3}:([0-9]):([0-9]{1,3}):(1?[0-9])"
)


def _xgid_boards(text: str) -> list[tuple[list[int], int]] | None:
    found = _XGID.fullmatch(text)
    if found is None:
        return None
    squares, cube, turn, rules, length, largest = found.groups()
    if int(cube) > int(largest) or int(rules) > (1 if int(length) else 3):
        return None
    lower = [" ABCDEFGHIJKLMNO".find(c) for c in squares]
    upper = [" abcdefghijklmno".find(c) for c in squares]
    sides = [
        ([max(n, 0) for n in lower[1:25]], max(lower[25], 0)),
        ([max(n, 0) for n in upper[24:0:-1]], max(upper[0], 0)),
    ]
    if any(sum(board) + bar > 15 for board, bar in sides):
        return None
    return sides if turn == "1" else sides[::-1]


def _id_boards(text: str) -> list[tuple[list[int], int]] | None:
    if not re.fullmatch("[A-Za-z0-9+/]{14}", text):
        return None
    bits = "".join(f"{_ALPHABET.index(c):06b}" for c in text)
    octets, rest = [bits[i : i + 8] for i in range(0, 80, 8)], bits[80:]
    stream = "".join(octet[::-1] for octet in octets)
    runs = stream.split("0")
    if "1" in rest or len(runs) <= 50 or any(runs[50:]):
        return None
    numbers = [len(run) for run in runs[:50]]
    theirs, ours = numbers[:25], numbers[25:]
    if sum(theirs) > 15 or sum(ours) > 15:
        return None
    return [(ours[:24], ours[24]), (theirs[:24], theirs[24])]


def accepts_position(given: Sized) -> bool:
    """Compare `Position.parse` with an independent reader; write and reread positions."""
    text, points, checkers = given
    wanted = expected(text, points, checkers)
    try:
        position = bearoff.Position.parse(text, points, checkers)
    except bearoff.ScoreError as error:
        check_sentence(str(error))  # The independent reader does not check scores.
        return False
    except PositionError as error:
        check_sentence(str(error))
        check(wanted is None, f"refused, although the text means {wanted}: {error}")
        return False
    if wanted is None and _boards(text) is None and is_two_sided(text):
        # The reader used for comparison cannot read notations within other text, or texts
        # with a score.
        return True
    check(position.counts == wanted, f"read as {position.counts} instead of {wanted}")
    ways = (
        str(position),
        str(position.vector),
        str(list(position.list)),
        str(position.number),
    )
    # On a table with one point, the position would be written as a single number, which is
    # read as a position number.
    for way in ways[1 if points == 1 else 0 :]:
        again = bearoff.Position.parse(way, points, checkers)
        check(again == position, f"written as {way!r}, which is read as {again.counts}")
    return True


def accepts_race(given: Sized) -> bool:
    """Compare `Race.parse` with an independent reader; write the race and read it again."""
    text, points, checkers = given
    wanted = expected_race(text, points, checkers)
    try:
        race = bearoff.Race.parse(text, points, checkers)
    except bearoff.ScoreError as error:
        check_sentence(str(error))  # The independent reader does not check scores.
        return False
    except PositionError as error:
        check_sentence(str(error))
        check(wanted is None, f"refused, although the text means {wanted}: {error}")
        return False
    sides = race.roller.counts, race.opponent.counts
    # The reader used for comparison cannot read notations within other text, or texts with
    # a score.
    known = _boards(text) is not None
    check(sides == wanted or not known, f"read as {sides} instead of {wanted}")
    # GNU Backgammon's ID has no place for beavers or for a limit of the cube.
    bare = replace(race, beavers=False, cube_limit=None)
    for way, carried in ((race.gnu_id, bare), (race.xgid, race)):
        again = bearoff.Race.parse(way, points, checkers)
        check(again == carried, f"written as another race: {way!r}")
    for way in (race.position_id, race.xgid):
        check(
            not known or _boards(way) == _boards(text),
            f"written with other boards: {way!r}",
        )
    if known and ":" in text:
        xgid = Xgid.parse(text.strip())
        check(
            Xgid.parse(str(xgid)) == xgid,
            f"read as another XGID when written again: {xgid}",
        )
    return True


def _boards(text: str) -> list[tuple[list[int], int]] | None:
    text = text.strip()
    return _xgid_boards(text) if ":" in text else _id_boards(text)


def random_counts(chance: random.Random, points: int, checkers: int) -> list[int]:
    counts = [0] * points
    for _ in range(chance.randint(0, checkers)):
        counts[chance.randrange(points)] += 1
    return counts


def _size(chance: random.Random) -> tuple[int, int]:
    if chance.random() < 0.7:
        return 6, 15
    return chance.randint(1, 24), chance.randint(1, 15)


def make_position(chance: random.Random) -> Sized:
    """Create the text of one side's position in a random notation, usually with errors."""
    points, checkers = _size(chance)
    counts = random_counts(chance, points, checkers)
    off = checkers - sum(counts)
    stand = [p for p, n in enumerate([off, *counts]) for _ in range(n)]
    blank = chance.choice((",", ", ", " ", "-", " , "))
    text = chance.choice(
        (
            blank.join(map(str, counts)),
            f"({blank.join(map(str, [off, *counts]))})",
            f"[{blank.join(map(str, stand))}]",
            str(chance.randrange(comb(points + checkers, points) + 2)),
            make_xgid(chance)[0],
            make_id(chance)[0],
        )
    )
    if chance.random() < 0.6:
        text = mutated(chance, text)
    return text, points, checkers


def make_xgid(chance: random.Random) -> Sized:
    """Create an XGID, usually with errors."""
    deep = chance.randint(0, 24)
    lower = random_counts(chance, max(deep, 1), 15) if deep else []
    upper = random_counts(chance, max(24 - deep, 1), 15) if deep < 24 else []
    squares = ["-"] * 26
    for point, n in enumerate(lower, start=1):
        squares[point] = "-ABCDEFGHIJKLMNO"[n]
    for point, n in enumerate(upper, start=1):
        if n:
            squares[25 - point] = "-abcdefghijklmno"[n]
    fields = [
        "".join(squares),
        str(chance.randint(0, 11)),
        chance.choice(("-1", "0", "1")),
        chance.choice(("-1", "1")),
        chance.choice(("00", "D", "B", "R", "61", "33")),
        *(str(chance.choice((0, 1, 5, 24, 100))) for _ in range(2)),
        str(chance.randint(0, 3)),
        str(chance.choice((0, 7, 25))),
        str(chance.choice((10, 8, 0))),
    ]
    text = chance.choice(("XGID=", "XGID=", "")) + ":".join(fields)
    if chance.random() < 0.6:
        text = mutated(chance, text)
    return text, *((24, 15) if chance.random() < 0.7 else _size(chance))


def make_id(chance: random.Random) -> Sized:
    """Create a position ID, usually of random bits or with errors."""
    if chance.random() < 0.3:
        text = "".join(chance.choice(_ALPHABET) for _ in range(14))
    else:
        deep = chance.choice((6, 6, 12, 24))
        sides = [random_counts(chance, deep, 15) for _ in range(2)]
        stream = "".join("1" * n + "0" for s in sides for n in [*s, *[0] * (25 - len(s))])
        bits = stream.ljust(80, "0")[:80]
        octets = bytes(int(bits[i : i + 8][::-1], 2) for i in range(0, 80, 8))
        text = base64.b64encode(octets).decode()[:14]
        if chance.random() < 0.3:
            spot = chance.randrange(14)
            text = text[:spot] + chance.choice(_ALPHABET) + text[spot + 1 :]
    if chance.random() < 0.3:
        text = mutated(chance, text)
    return text, *((24, 15) if chance.random() < 0.5 else _size(chance))


TARGETS = (
    Target("position", "one side, any notation", make_position, accepts_position, 0.38),
    Target("xgid", "XGID of a race", make_xgid, accepts_race, 0.15),
    Target("position-id", "position ID of a race", make_id, accepts_race, 0.1304),
)
