"""Reader of matches that GNU Backgammon has saved in Smart Game Format (game 6).

Each game is a tree ``(;...)``. Its first node has ``MI`` with the match length and both
players' points (``ws`` for White, ``bs`` for Black), ``PW`` and ``PB`` with the names,
``RU`` with the rules, and ``RE`` with the winner and the points. Every other node is an
action. ``W[31hefe]`` is a roll of White with its moves: points are letters from ``a`` to
``x``, counted from White's 1 point, ``y`` is the bar and ``z`` means off. ``double``,
``take`` and ``drop`` are cube actions. White is player 0. ``A`` is the program's analysis
of the plays, which begins with the actual play, ``DA`` is the analysis of the cube, and
``C`` is a comment. A position is set up by ``AE``, ``AW`` and ``AB`` (points that are
cleared or receive a checker), ``CV`` and ``CP`` (cube), ``PL`` (turn) and ``DI`` (roll).
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from bearoff import BearoffError
from bearoff.game.records.record import (
    Action,
    FileAnalysis,
    GameRecord,
    Kind,
    MatchRecord,
    RecordError,
)
from bearoff.game.rules import STARTS, Board

_PROPERTY = re.compile(r"([A-Z]{1,2})((?:\s*\[(?:[^\]\\]|\\.)*\])+)", re.S)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.S)
_ROLL = re.compile(r"([1-6])([1-6])((?:[a-y][a-z])*)")
_PLAYS_EVALUATED = re.compile(r"((?:[a-y][a-z])*) ?E ver 3 ((?:\S+ ){5})(\S+) (\d+)C?")
_CUBES_EVALUATED = re.compile(r"E ver 3 (\d+)C? \S+ \S+ \S+ ([^\]]*)")
_CUBE: dict[str, Kind] = {"double": "double", "take": "take", "drop": "pass"}
_BOARD, _START = {"AE", "AW", "AB"}, {"CV", "CP"}
_SET_UP = _BOARD | _START | {"PL", "DI"}
_KNOWN = re.compile(
    "|".join(_SET_UP)
    + "|W|B|MI|GM|FF|CA|AP|ST|PW|PB|RU|RE|DT|EV|PC|GC|RO|C|GN|ON|OT|TM|[WB][RTL]|AN|SO"
    "|US|D?A|AR|GS|LU|MR|BM|DO|IT|TE|DM|G[BW]|UC|HO|N|V|O[BW]|VW"
)
"""Regular expression of the names of properties that are read, or that do not affect the
game."""

_NOT_READ = re.compile(r"hypergammon\d?|tapa|plakoto|gioul", re.I)


def looks_like_sgf(text: str) -> bool:
    """Return whether a text begins like a match in Smart Game Format."""
    return re.match(r"\s*\(\s*;", text) is not None


def read_sgf(text: str, source: str) -> MatchRecord:
    """Read a match in Smart Game Format.

    Raises `RecordError` if the game is not backgammon or an action is invalid.
    """
    games: list[GameRecord] = []
    heads = []
    complaints: list[str] = []
    for number, (line, nodes) in enumerate(_trees(text, source), start=1):
        head = nodes[0][1]
        if head.get("GM", ["6"]) != ["6"]:
            raise RecordError(
                f"{source}, line {line}: the game must be backgammon, GM[6], got "
                f"{head['GM']}"
            )
        heads.append(head)
        if variant := _NOT_READ.search(_plain(head, "RU")):
            raise RecordError(
                f"{source}, line {line}: the variant {variant[0]} is not supported"
            )
        games.append(_read_game(number, line, nodes, source, complaints))
    first = heads[0]
    names = (_plain(first, "PW"), _plain(first, "PB"))
    length = _number(_match(first).get("length", "0"), source)
    jacoby = length == 0 and "jacoby" in _plain(first, "RU").lower()
    return MatchRecord(
        names,
        length,
        jacoby,
        tuple(games),
        source,
        format="sgf",
        date=_plain(first, "DT"),
        event=_plain(first, "EV"),
        place=_plain(first, "PC"),
        comment=_plain(first, "GC"),
        complaints=tuple(complaints),
    )


def _trees(
    text: str, source: str
) -> Iterator[tuple[int, list[tuple[int, dict[str, list[str]]]]]]:
    """Yield each game's line number, and each node's line number and properties."""
    place, line = 0, 1
    nodes: list[tuple[int, dict[str, list[str]]]] = []
    start = 0
    found = False
    while place < len(text):
        letter = text[place]
        if letter == "(":
            if start:
                raise RecordError(
                    f"{source}, line {line}: the game that begins in line {start} has a "
                    "variation, which is not supported"
                )
            start, nodes = line, []
        elif letter == ")" and start:
            if not nodes:
                raise RecordError(f"{source}, line {line}: the game has no nodes")
            yield start, nodes
            start, found = 0, True
        elif letter == ";" and start:
            nodes.append((line, {}))
        elif letter.isspace():
            line += letter == "\n"
        else:
            entry = _PROPERTY.match(text, place)
            if entry is None and "]" not in text[place:]:
                break  # The file ends within a property.
            if entry is None or not nodes:
                raise RecordError(
                    f"{source}, line {line}: expected a property such as W[31hefe], got "
                    f"{text[place : place + 20]!r}"
                )
            nodes[-1][1][entry[1]] = _VALUE.findall(entry[2])
            line += entry[0].count("\n")
            place = entry.end() - 1
        place += 1
    if start:
        # If the file ends within a game, the game has no winner.
        if not nodes:
            raise RecordError(
                f"{source}, line {line}: the file ends before the first node of a game"
            )
        yield start, nodes
    elif not found:
        raise RecordError(f"{source} contains no games; each must begin with '(;'")


def _read_game(
    number: int,
    line: int,
    nodes: list[tuple[int, dict[str, list[str]]]],
    source: str,
    complaints: list[str],
) -> GameRecord:
    head = nodes[0][1]
    match = _match(head)
    won = (_number(match.get("ws", "0"), source), _number(match.get("bs", "0"), source))
    result = re.fullmatch(r"([WB])\+(\d+)(R?)", _plain(head, "RE"))
    length = _number(match.get("length", "0"), source)
    program = _plain(head, "AP").partition(":")[0]
    actions: list[Action] = []
    start: dict[str, list[str]] = {}
    rolled: Action | None = None
    for place, node in nodes:
        for name in node:
            if not _KNOWN.fullmatch(name):
                complaints.append(
                    f"{source}, line {place}: {name} is not supported, and is left out"
                )
        if not actions:
            start |= {name: node[name] for name in _SET_UP & set(node)}
        elif _BOARD & set(node):
            actions.append(Action(0, "set", place, board=_set_up(node, place, source)))
        elif _START & set(node):
            complaints.append(f"{source}, line {place}: the cube is set up within a game")
        if {"DI", "PL"} & set(node):
            rolled = _rolled(node, place, rolled)
        for player, name in enumerate(("W", "B")):
            if name in node:
                action = _action(player, node[name][0], place, source)
                said = tuple(_analyses(player, node, length, program))
                actions.append(replace(action, analyses=said, comment=_plain(node, "C")))
                rolled = None
    winner = None if result is None else "WB".index(result[1])
    points = 0 if result is None else int(result[2])
    crawford = "crawfordgame" in _plain(head, "RU").lower()
    board = _set_up(start, line, source) if _BOARD & set(start) else None
    if board is None and "nackgammon" in _plain(head, "RU").lower():
        board = STARTS["nackgammon"]
    if rolled is not None and (rolled.roll is not None or (board and not actions)):
        # The last roll has no play. If the game has a winner, the roller resigned instead
        # of playing. If not, the game ends before the roller's play.
        actions.append(rolled if winner is None else replace(rolled, kind="roll"))
    owner = _plain(start, "CP")[:1].lower()
    return GameRecord(
        number,
        line,
        won,
        crawford,
        tuple(actions),
        winner,
        points,
        _plain(head, "C"),
        board,
        _number(_plain(start, "CV") or "1", source),
        {"w": 0, "b": 1}.get(owner),
    )


def _rolled(node: dict[str, list[str]], line: int, before: Action | None) -> Action:
    """Return the decision to be made after a node that sets the turn or the dice."""
    player = "WB".find(_plain(node, "PL").upper()[:1] or "?")
    if player < 0:
        player = 0 if before is None else before.player
    found = re.fullmatch(r"([1-6])([1-6])", _plain(node, "DI"))
    roll = None if found is None else (int(found[1]), int(found[2]))
    return Action(player, "question", line, roll)


def _set_up(node: dict[str, list[str]], line: int, source: str) -> Board:
    """Return the board that a node sets up, from White's viewpoint."""
    sides = []
    for player, name in enumerate(("AW", "AB")):
        counts = [0] * 25
        for letter in node.get(name, ()):
            if not re.fullmatch("[a-y]", letter):
                raise RecordError(
                    f"{source}, line {line}: {name} must name a point from a to y, got "
                    f"{letter[:40]!r}"
                )
            point = _point(letter, player)
            counts[(25 if point == "bar" else int(point)) - 1] += 1
        sides.append(counts)
    try:
        return Board.of_sides(*sides)
    except BearoffError as error:
        raise RecordError(f"{source}, line {line}: {error}") from None


def _action(player: int, text: str, line: int, source: str) -> Action:
    if text in _CUBE:
        return Action(player, _CUBE[text], line)
    found = _ROLL.fullmatch(text)
    if found is None:
        raise RecordError(
            f"{source}, line {line}: an action must be a roll with moves such as 31hefe, "
            f"or double, take or drop; got {text[:40]!r}"
        )
    roll = (int(found[1]), int(found[2]))
    return Action(player, "play", line, roll, _moves(found[3], player))


def _moves(letters: str, player: int) -> str:
    points = [_point(letter, player) for letter in letters]
    return " ".join(map("/".join, zip(points[::2], points[1::2], strict=True)))


def _analyses(
    player: int, node: dict[str, list[str]], length: int, program: str
) -> Iterator[FileAnalysis]:
    """Yield a node's analysis of the cube (in MWC for a match), then that of the plays."""
    cube = _CUBES_EVALUATED.match(node.get("DA", [""])[0])
    if cube is not None:
        numbers = _floats(cube[2].split())
        if len(numbers) > 13:
            yield FileAnalysis(
                "cube",
                program,
                f"{cube[1]}-ply",
                (("no double", numbers[6]), ("double, take", numbers[13])),
                (("no double", tuple(numbers[:5])),),
                "MWC" if length else "EMG",
            )
    found = [
        (_moves(one[1], player), _floats([*one[2].split(), one[3]]), one[4])
        for one in map(_PLAYS_EVALUATED.match, node.get("A", [])[1:])
        if one is not None
    ]
    plays = [one for one in found if len(one[1]) == 6]
    if plays:
        plays.sort(key=lambda one: -one[1][5])
        yield FileAnalysis(
            "play",
            program,
            f"{plays[0][2]}-ply",
            tuple((name, numbers[5]) for name, numbers, _ in plays),
            tuple((name, tuple(numbers[:5])) for name, numbers, _ in plays),
        )


def _floats(texts: list[str]) -> list[float]:
    """Convert texts to numbers, up to the first text that is not a number."""
    found = []
    for text in texts:
        if not re.fullmatch(r"-?\d{1,6}(\.\d{1,20})?(e-\d{1,3})?", text, re.A):
            break
        found.append(float(text))
    return found


def _point(letter: str, player: int) -> str:
    if letter in "yz":
        return {"y": "bar", "z": "off"}[letter]
    point = ord(letter) - ord("a") + 1
    return str(25 - point if player else point)


def _match(head: dict[str, list[str]]) -> dict[str, str]:
    """Return the match information in the property MI, by name."""
    parts = (value.partition(":") for value in head.get("MI", []))
    return {name: value for name, _, value in parts}


def _plain(head: dict[str, list[str]], name: str) -> str:
    return re.sub(r"\\(.)", r"\1", head.get(name, [""])[0], flags=re.S)


def _number(text: str, source: str) -> int:
    if not re.fullmatch(r"\d{1,4}", text, re.A):
        raise RecordError(
            f"{source}: match lengths and points must be whole numbers, got {text[:40]!r}"
        )
    return int(text)
