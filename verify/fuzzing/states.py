"""Fuzzing of OGIDs, FIBS board lines, JSON questions, and XML or CSV match equity tables.

Accepted inputs are read again, with string methods and regular expressions only.
"""

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import bearoff
from bearoff.answers import read_question
from bearoff.game.state import read_fibs
from bearoff.positions.ogid import format_ogid, parse_ogid
from bearoff.scores.readers import parse_numbers
from verify.fuzzing.case import Target, check, check_sentence
from verify.fuzzing.mutate import ODD, mutated
from verify.fuzzing.positions import make_id, make_position, make_xgid, random_counts

_POINTS = "0123456789abcdefghijklmnop"


def _spoilt(chance: random.Random, text: str, words: tuple[str, ...] = ()) -> str:
    return mutated(chance, text, words) if chance.random() < 0.6 else text


def make_ogid(chance: random.Random) -> str:
    """Create an OGID, usually with errors."""
    deep = chance.randint(1, 24)
    white = random_counts(chance, deep, 15)
    black = random_counts(chance, 25 - deep, 15)
    fields = [
        "".join(_POINTS[25 - point] * n for point, n in enumerate(white, start=1)),
        "".join(_POINTS[point] * n for point, n in enumerate(black, start=1)),
        chance.choice("WBN") + str(chance.choice((0, 1, 2, 9))) + chance.choice("NOTP"),
        chance.choice(("", "61", "33", "00")),
        chance.choice(("", "W", "B")),
        chance.choice(("IW", "R", "C", "A", "D", "G")),
        *(str(chance.choice((0, 1, 2, 6))) for _ in range(2)),
        chance.choice(("0", "7", "7C", "25")),
    ]
    text = ":".join(fields[: chance.choice((3, 5, 9, 9))])
    return _spoilt(chance, chance.choice(("", "OGID=")) + text, ("W1N", ":::", "OGID:"))


def accepts_ogid(text: str) -> bool:
    """Read an OGID; if it is accepted, check the position and write the OGID again."""
    try:
        setup = parse_ogid(text)
    except bearoff.BearoffError as error:
        check_sentence(str(error))
        return False
    # Only before an equals sign or a colon are the letters `ogid` a prefix. Otherwise they
    # stand for four checkers.
    named = text[:4].upper() == "OGID" and text[4:].lstrip()[:1] in ("=", ":")
    bare = re.split("[=:]", text, maxsplit=1)[1] if named else text
    white, black = bare.split(":")[:2]
    sides = [
        tuple(white.strip().count(_POINTS[25 - point]) for point in range(1, 26)),
        tuple(black.count(_POINTS[point]) for point in range(1, 26)),
    ]
    got = [setup.roller, setup.opponent]
    check(got in (sides, sides[::-1]), f"read as {got} instead of {sides}")
    check(
        parse_ogid(format_ogid(setup)) == setup,
        f"another setup was written: {format_ogid(setup)}",
    )
    return True


def make_fibs(chance: random.Random) -> str:
    """Create a FIBS board line, usually with errors."""
    deep = chance.randint(1, 24)
    mine, theirs = (random_counts(chance, k, 15) for k in (deep, 25 - deep))
    points = [0] * 26
    for point, n in enumerate(mine, start=1):
        points[point] = n
    for point, n in enumerate(theirs, start=1):
        points[25 - point] -= n
    colour = chance.choice((1, -1))
    rights = chance.choice(((1, 1), (1, 0), (0, 1)))
    numbers = [
        chance.choice((0, 1, 5, 7)),
        *(chance.choice((0, 1, 4)) for _ in range(2)),
        *(colour * n for n in points),
        chance.choice((1, -1)),
        *chance.choice(((0, 0), (3, 1), (6, 6))),
        *chance.choice(((0, 0), (3, 1))),
        chance.choice((1, 2, 4, 64)),
        *rights,
        chance.choice((0, 0, 1)),
        colour,
        chance.choice((1, -1)),
        *(0, 25, 0, 0, 0, 0, 0, 0, 0, chance.choice((0, 1))),
    ]
    line = ":".join(["board", "You", "Opponent", *map(str, numbers)])
    return _spoilt(chance, line, (":", ":-1:", ":99:", "board:"))


def accepts_fibs(line: str) -> bool:
    """Read a FIBS board line; if it is accepted, check the checkers on each point."""
    try:
        state = read_fibs(line)
    except bearoff.BearoffError as error:
        check_sentence(str(error))
        return False
    points = [int(field) for field in line.strip().split(":")[6:32]]
    stacks = [sorted(abs(n) for n in points if n * sign > 0) for sign in (1, -1)]
    board = state.board.points
    got = [sorted(abs(n) for n in board if n * sign > 0) for sign in (1, -1)]
    check(got in (stacks, stacks[::-1]), f"read as {board} instead of {points}")
    return True


_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 64, 10**30, 1.5, 1e300, "", " ", "x", [], {}, [[]]),
    *([6, 1], [3, 5], "6-1", "33", "3-5", "2a4a", "owned", "centred", "take", "no double"),
    *("2/1 1/off", "crawford", "yes", ["a"], [None], {"a": 1}, "9" * 5000, 10**4000),
    *("٣-٥", "²"),
    *ODD[:8],
)
_PARTS = (
    *("dice", "cube", "cube_value", "score", "match", "crawford", "money", "jacoby"),
    *("played", "decided", "roller", "opponent", "position", "other"),
)


def make_question(chance: random.Random) -> str:
    """Create a question about a race in JSON, from valid and invalid parts."""
    body: dict[str, Any] = {}
    if chance.random() < 0.3:
        body["position"] = chance.choice((make_xgid, make_id))(chance)[0]
    else:
        for side in ("roller", "opponent"):
            body[side] = (
                random_counts(chance, 6, 15)
                if chance.random() < 0.6
                else make_position(chance)[0]
            )
    good = {
        "dice": chance.choice(("61", [3, 3], "5-4")),
        "score": chance.choice(("3-5", [2, 4])),
        "cube": chance.choice(("owned", "centred", "opponent")),
        "decided": chance.choice(("double", "take", "no double")),
    }
    for name in chance.sample(list(good), chance.choice((0, 1, 2))):
        body[name] = good[name]
    for _ in range(chance.choice((0, 0, 1, 2))):
        body[chance.choice(_PARTS)] = chance.choice(_VALUES)
    text = json.dumps(body)
    return (
        mutated(chance, text, ("null", "[[", '"dice":')) if chance.random() < 0.3 else text
    )


def accepts_question(text: str) -> bool:
    """Read a question in JSON; if it is accepted, check the sides of the race."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if not isinstance(body, dict):
        return False
    try:
        question = read_question(body)
    except bearoff.BearoffError as error:
        check_sentence(str(error))
        return False
    race = question.race
    for name in ("roller", "opponent"):
        given, got = body.get(name), getattr(race, name).counts
        # An empty list counts as a missing position. A list that starts with the number of
        # checkers borne off is not compared, because such a list is in another notation.
        if isinstance(given, list) and given and sum(given) != race.roller.checkers:
            means, has = (list(side) + [0] * (25 - len(side)) for side in (given, got))
            check(has == means, f"{name} is read as {got} instead of {given}")
    if question.decided is not None:
        known = ("double", "no double", "take", "pass")
        check(question.decided in known, f"decided {question.decided!r}")
    return True


@cache
def _equities() -> tuple[str, str]:
    """Return a match equity table for matches up to 4 points, as XML and as CSV."""
    rows = [["0.5", "0.7", "0.75", "0.82"], ["0.3", "0.5", "0.6", "0.67"]]
    rows += [["0.25", "0.4", "0.5", "0.57"], ["0.18", "0.33", "0.43", "0.5"]]
    behind = ["0.5", "0.488", "0.32", "0.31"]
    inner = "".join(f"<row>{''.join(f'<me>{n}</me>' for n in row)}</row>" for row in rows)
    xml = (
        '<?xml version="1.0"?>\n<met><info><name>own</name></info>'
        f'<pre-crawford-table type="explicit">{inner}</pre-crawford-table>'
        '<post-crawford-table player="both"><row>'
        f"{''.join(f'<me>{n}</me>' for n in behind)}</row></post-crawford-table></met>"
    )
    lines = ["# name: own", "away,1,2,3,4"]
    lines += [",".join([str(k), *row]) for k, row in enumerate(rows, start=1)]
    return xml, "\n".join([*lines, ",".join(["post-Crawford", *behind])]) + "\n"


_MARKS = ("<me>", "</me>", "<row>", "<!--", "]]>", "&amp;", "&a;", "<!DOCTYPE a [", "0.5")


def make_equities(chance: random.Random) -> str:
    """Create the text of a match equity table as XML or CSV, usually with errors."""
    text = _spoilt(chance, chance.choice(_equities()), _MARKS)
    # Lone surrogates are replaced, because text read from a file contains none.
    return text.encode(errors="replace").decode()


def accepts_equities(text: str) -> bool:
    """Read a match equity table; if it is accepted, check its numbers."""
    try:
        table = parse_numbers(Path("equities"), text)
    except bearoff.BearoffError as error:
        check_sentence(str(error))
        return False
    check(bool(((table.before >= 0) & (table.before <= 1)).all()), "no chances")
    plain = re.sub(r"(?s)<!--.*?-->", "", text)
    if "<" in text[:200] and not re.search("[&!]", plain):
        inner = plain.partition("<pre-crawford-table")[2]
        part = inner.partition("<post-crawford-table")[0]
        numbers = [float(n) for n in re.findall(r"<me\b[^>]*>\s*([^<\s]+)", part)]
        check(
            table.before.ravel().tolist() == numbers,
            f"other match equities were read: {table.before}",
        )
    return True


TARGETS = (
    Target("ogid", "OGID", make_ogid, accepts_ogid, 0.12),
    Target("fibs", "line of FIBS", make_fibs, accepts_fibs, 0.1),
    Target("question", "question in JSON", make_question, accepts_question, 0.08),
    Target(
        "equities", "match equities, XML and CSV", make_equities, accepts_equities, 0.03
    ),
)
