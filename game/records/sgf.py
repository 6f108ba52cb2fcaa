"""Matches as GNU Backgammon saves them: Smart Game Format, game 6.

A tree ``(;...)`` a game. Its first node has ``MI`` with the match's length and both points
(``ws`` of White, ``bs`` of Black), ``PW`` and ``PB`` the names, ``RU`` the rules, ``RE``
who won how many points. Every other node is an action: ``W[31hefe]`` a roll and the moves,
points ``a`` to ``x`` from White's ace point, ``y`` the bar, ``z`` off; ``double``,
``take``, ``drop``. White is player 0. Properties of analysis are passed over.
"""

import re
from collections.abc import Iterator

from game.records.record import Action, GameRecord, Kind, MatchRecord, RecordError

_PROPERTY = re.compile(r"([A-Z]{1,2})((?:\s*\[(?:[^\]\\]|\\.)*\])+)", re.S)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.S)
_ROLL = re.compile(r"([1-6])([1-6])((?:[a-y][a-z])*)")
_CUBE: dict[str, Kind] = {"double": "double", "take": "take", "drop": "pass"}


def looks_like_sgf(text: str) -> bool:
    """Whether a text begins as such a record does."""
    return re.match(r"\s*\(\s*;", text) is not None


def read_sgf(text: str, source: str) -> MatchRecord:
    """Read a match.

    Raises
    ------
    RecordError
        If it is no backgammon, or an action is none.
    """
    games: list[GameRecord] = []
    heads = []
    for number, (line, nodes) in enumerate(_trees(text, source), start=1):
        head = nodes[0][1]
        if head.get("GM", ["6"]) != ["6"]:
            raise RecordError(
                f"{source}, line {line}: GM[6] is backgammon, got {head['GM']}"
            )
        heads.append(head)
        games.append(_read_game(number, line, nodes, source))
    first = heads[0]
    names = (_plain(first, "PW"), _plain(first, "PB"))
    length = _number(_match(first).get("length", "0"), source)
    jacoby = length == 0 and "jacoby" in _plain(first, "RU").lower()
    return MatchRecord(names, length, jacoby, tuple(games), source)


def _trees(
    text: str, source: str
) -> Iterator[tuple[int, list[tuple[int, dict[str, list[str]]]]]]:
    """Yield for each game its line, and line and properties of each node."""
    place, line = 0, 1
    nodes: list[tuple[int, dict[str, list[str]]]] = []
    start = 0
    found = False
    while place < len(text):
        letter = text[place]
        if letter == "(":
            if start:
                raise RecordError(
                    f"{source}, line {line}: variations are not read, and the game of line "
                    f"{start} has not ended"
                )
            start, nodes = line, []
        elif letter == ")" and start:
            if not nodes:
                raise RecordError(f"{source}, line {line}: a game without a node")
            yield start, nodes
            start, found = 0, True
        elif letter == ";" and start:
            nodes.append((line, {}))
        elif letter.isspace():
            line += letter == "\n"
        else:
            entry = _PROPERTY.match(text, place)
            if entry is None and "]" not in text[place:]:
                break  # The file is cut off within a property.
            if entry is None or not nodes:
                raise RecordError(
                    f"{source}, line {line}: a property such as W[31hefe] is expected, got "
                    f"{text[place : place + 20]!r}"
                )
            nodes[-1][1][entry[1]] = _VALUE.findall(entry[2])
            line += entry[0].count("\n")
            place = entry.end() - 1
        place += 1
    if start:
        # What was recorded until the file breaks off is a game without a winner.
        if not nodes:
            raise RecordError(f"{source}, line {line}: the file ends before its first node")
        yield start, nodes
    elif not found:
        raise RecordError(f"{source} holds no game: none begins with '(;'")


def _read_game(
    number: int, line: int, nodes: list[tuple[int, dict[str, list[str]]]], source: str
) -> GameRecord:
    head = nodes[0][1]
    match = _match(head)
    won = (_number(match.get("ws", "0"), source), _number(match.get("bs", "0"), source))
    result = re.fullmatch(r"([WB])\+(\d+)(R?)", _plain(head, "RE"))
    actions = []
    for place, node in nodes[1:]:
        for player, name in enumerate(("W", "B")):
            if name in node:
                actions.append(_action(player, node[name][0], place, source))
    winner = None if result is None else "WB".index(result[1])
    points = 0 if result is None else int(result[2])
    crawford = "crawfordgame" in _plain(head, "RU").lower()
    return GameRecord(number, line, won, crawford, tuple(actions), winner, points)


def _action(player: int, text: str, line: int, source: str) -> Action:
    if text in _CUBE:
        return Action(player, _CUBE[text], line)
    found = _ROLL.fullmatch(text)
    if found is None:
        raise RecordError(
            f"{source}, line {line}: an action is a roll and moves such as 31hefe, or "
            f"double, take or drop; got {text[:40]!r}"
        )
    points = [_point(letter, player) for letter in found[3]]
    play = " ".join(map("/".join, zip(points[::2], points[1::2], strict=True)))
    return Action(player, "play", line, (int(found[1]), int(found[2])), play)


def _point(letter: str, player: int) -> str:
    if letter in "yz":
        return {"y": "bar", "z": "off"}[letter]
    point = ord(letter) - ord("a") + 1
    return str(25 - point if player else point)


def _match(head: dict[str, list[str]]) -> dict[str, str]:
    """Return what MI says, by name."""
    parts = (value.partition(":") for value in head.get("MI", []))
    return {name: value for name, _, value in parts}


def _plain(head: dict[str, list[str]], name: str) -> str:
    return re.sub(r"\\(.)", r"\1", head.get(name, [""])[0], flags=re.S)


def _number(text: str, source: str) -> int:
    if not re.fullmatch(r"\d{1,4}", text, re.A):
        raise RecordError(f"{source}: lengths and points are whole numbers, got {text!r}")
    return int(text)
