"""Reader of match files in the formats BGF (BGBlitz) and OGXM.

The package `gvformat` converts the files to documents in the form of JSON objects, and this
module converts the documents to match records. In a document, points are counted from
White's 1 point, White is player 0, and equities are normalised (EMG).
"""

import json
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import gvformat
import numpy as np
from gvformat.bgf import decode_smile, read_bgf

from bearoff import BearoffError
from bearoff.checks import unique_keys
from bearoff.game.records.record import (
    Action,
    FileAnalysis,
    GameRecord,
    Kind,
    MatchRecord,
    RecordError,
)
from bearoff.game.records.unpacking import streams
from bearoff.game.rules import Board

Document = dict[str, Any]

_PROGRAMS = {"xg": "eXtreme Gammon", "bgblitz": "BGBlitz", "gnubg": "GNU Backgammon"}
_CUBES: dict[int, Kind] = {21: "double", 22: "take", 23: "pass", 32: "double", 33: "double"}
_SET, _RESIGNS, _PLAYS = 31, (27, 28), range(21)
_NOBODY = 255
_VARIANTS = (0, 1, 3)
"""Codes of the variants that are supported: backgammon, Nackgammon and Longgammon."""

_Bad = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
"""Exceptions that `gvformat` may raise for a damaged file."""


def read_bgblitz(data: bytes, source: str) -> MatchRecord:
    """Read a match that was saved by BGBlitz; raise `RecordError` for damaged data."""
    head, _, packed = data.partition(b"\n")
    body = b"".join(streams(packed, source)) or packed
    plain = head + b"\n" + body
    try:
        document = gvformat.convert_bgf(plain)
        match = _match(document, source, "bgf")
        return _with_comments(match, decode_smile(read_bgf(plain)[1]))
    except _Bad as error:
        raise _damaged(source, "BGBlitz's .bgf", error) from None


def read_ogxm(data: bytes, source: str) -> MatchRecord:
    """Read a match in either version of OGXM, or in GammonView's JSON.

    Raises `RecordError` for damaged data and for other formats.
    """
    try:
        if data.lstrip()[:1] == b"{":
            document = gvformat.canonicalize(_parsed(data, source))
        else:
            document = gvformat.read_gvab(data)
        return _match(document, source, "ogxm")
    except _Bad as error:
        raise _damaged(source, "OGXM", error) from None


def _parsed(data: bytes, source: str) -> Any:
    """Parse JSON; raise `RecordError` if an object has the same key twice."""
    try:
        return json.loads(data, object_pairs_hook=unique_keys)
    except BearoffError as error:
        raise RecordError(f"{source}: {error}") from None


def _damaged(source: str, kind: str, error: Exception) -> RecordError:
    if isinstance(error, RecordError):
        return error
    return RecordError(
        f"{source} begins like {kind}, but is damaged or incomplete; copy it again"
    )


def _match(document: Document, source: str, kind: str) -> MatchRecord:
    length = int(document["match_length"])
    if not 0 <= length <= 640:
        raise RecordError(
            f"{source}: the match length must be from 1 to 640 points, got {length:,}"
        )
    variant = document.get("variant") or 0
    if variant not in _VARIANTS:
        raise RecordError(
            f"{source} uses the OGXM variant {variant!r:.20}; only backgammon, nackgammon "
            "and longgammon are supported"
        )
    blocks = document.get("analyses_info") or [document.get("analysis_info") or {}]
    games: list[GameRecord] = []
    won = (0, 0)
    line = 1
    for number, told in enumerate(document["games"], start=1):
        game = _game(told, number, line, won, blocks)
        line += len(told["plies"])
        games.append(game)
        if game.winner is not None:
            won = (
                game.won[0] + game.points * (game.winner == 0),
                game.won[1] + game.points * (game.winner == 1),
            )
    if not games:
        raise RecordError(f"{source} contains no games")
    return MatchRecord(
        players=(_text(document.get("player_white")), _text(document.get("player_black"))),
        length=length,
        jacoby=length == 0 and bool(document.get("jacoby")),
        games=tuple(games),
        source=source,
        format=kind,
        date=_date(document),
        event=_text(document.get("event")),
        place=_text(document.get("site")),
        comment=_notes(document),
    )


def _game(
    told: Document, number: int, line: int, won: tuple[int, int], blocks: list[Document]
) -> GameRecord:
    plies = told["plies"]
    start = _start(plies[0].get("ogid_before", "")) if plies else None
    won = won if start is None else start.won
    cube = 1 if start is None else start.cube_value
    winner = told.get("winner", _NOBODY)
    points = int(told.get("points_won") or 0)
    actions = _actions(plies, line, points, cube, blocks)
    return GameRecord(
        number=number,
        line=line,
        won=won,
        crawford=bool(told.get("is_crawford")),
        actions=tuple(actions),
        winner=None if winner not in (0, 1) else winner,
        points=points,
        comment=_notes(told),
        board=None if start is None else start.board,
        cube_value=cube,
        cube_owner=None if start is None else start.cube_owner,
    )


@dataclass(frozen=True)
class _Start:
    """Start of a game, parsed from the OGID of the game's first position."""

    won: tuple[int, int]
    board: Board | None
    cube_value: int
    cube_owner: int | None


def _start(ogid: str) -> _Start | None:
    """Parse the board, the cube, and the points of both players from an OGID."""
    parts = ogid.split(":")
    if len(parts) < 8:
        return None
    board = _board(ogid)
    cube = re.fullmatch(r"([WBN])([0-9a-u])[A-Z]", parts[2])
    shows = int(cube[2], 36) if cube else 0
    owner = {"W": 0, "B": 1}.get(cube[1]) if cube else None
    won = (int(parts[6]), int(parts[7]))
    return _Start(won, None if board == Board.start() else board, 1 << shows, owner)


def _board(ogid: str) -> Board:
    counts = [0] * 26
    for sign, places in zip((1, -1), ogid.split(":"), strict=False):
        for place in places:
            counts[25 - int(place, 36)] += sign
    return Board(tuple(counts))


def _actions(
    plies: list[Document], line: int, points: int, cube: int, blocks: list[Document]
) -> Iterator[Action]:
    for place, ply in enumerate(plies, start=line):
        kind = int(ply.get("action_id", 30))
        player = 1 - int(ply.get("color", 0))
        said = tuple(_analyses(ply, player, blocks))
        note = _notes(ply, *_judged(ply))
        if kind in _PLAYS or (kind == _SET and ply.get("d1")):
            roll = (int(ply["d1"]), int(ply["d2"]))
            if kind != _SET:
                text = _moves(ply.get("moves", ()), player)
                yield Action(player, "play", place, roll, text, 0, said, note)
            else:  # An illegal play is recorded as the board after it.
                board = _board(ply["ogid_after"])
                yield Action(player, "set", place, roll, "", 0, said, note, board)
        elif kind == _SET:
            yield Action(
                player, "set", place, comment=note, board=_board(ply["ogid_after"])
            )
        elif kind in _CUBES:
            yield Action(player, _CUBES[kind], place, analyses=said, comment=note)
            cube *= 2 if _CUBES[kind] == "take" else 1
        elif kind in _RESIGNS:
            worth = min(max(int(ply.get("resign_value") or points // cube), 1), 3)
            yield Action(player, "resign", place, value=worth, comment=note)


def _moves(steps: Any, player: int) -> str:
    """Format a play from the viewpoint of the player who made it."""
    moves = []
    for step in steps:
        source = int(step["from"])
        # White moves upwards from the bar at 0. Black moves downwards from the bar at 25.
        start = source if player else 25 - source
        target = start - int(step["pips"])
        moves.append(f"{'bar' if start == 25 else start}/{max(target, 0) or 'off'}")
    return " ".join(moves)


def _judged(ply: Document) -> Iterator[Document]:
    """Yield the parts of a turn's record that may contain analyses or comments."""
    for analysis in ply.get("analyses") or [ply.get("analysis") or {}]:
        yield analysis
        yield from (analysis.get(n) or {} for n in ("missed_double", "cube_decision"))


def _analyses(ply: Document, player: int, blocks: list[Document]) -> Iterator[FileAnalysis]:
    several = ply.get("analyses")
    for told in several if several else [ply.get("analysis") or {}]:
        block = blocks[int(told.get("analysis_index", 0))]
        model = block.get("model_name") or block.get("model_id") or ""
        program = _PROGRAMS.get(model, _text(model))
        level = _text(block.get("eval_level"))
        cube = told.get("missed_double") or told.get("cube_decision")
        cube = told if "double_take_equity" in told else cube
        if cube and "double_take_equity" in cube:
            known = _chances(cube.get("eval"))
            yield FileAnalysis(
                "cube",
                program,
                _level(cube, level),
                (
                    ("no double", float(cube.get("no_double_equity", 0.0))),
                    ("double, take", float(cube["double_take_equity"])),
                    ("double, pass", float(cube.get("double_pass_equity", 1.0))),
                ),
                (("no double", known),) if known else (),
            )
        plays = told.get("alternatives")
        if plays:
            named = [(_moves(one.get("move", ()), player), one) for one in plays]
            yield FileAnalysis(
                "play",
                program,
                _level(plays[0], level),
                tuple((name, float(one["equity"])) for name, one in named),
                tuple((n, c) for n, one in named if (c := _chances(one.get("eval")))),
            )


def _level(told: Document, otherwise: str) -> str:
    return _text(told.get("eval_level")) or otherwise


def _chances(told: Document | None) -> tuple[float, ...]:
    names = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
    return () if not told else tuple(float(told.get(name, 0.0)) for name in names)


def _text(value: object) -> str:
    """Return a text with line breaks and repeated spaces replaced by single spaces."""
    return "" if value is None else " ".join(str(value).split())


def _notes(*told: Document) -> str:
    notes = (note for one in told for note in one.get("annotations") or ())
    texts = (str(note.get("value", "")) for note in notes if not note.get("key"))
    return "\n".join(filter(None, texts))


def _date(document: Document) -> str:
    seconds = int(document.get("timestamp") or 0)
    if not 0 < seconds < 1 << 33:
        return ""
    units = {1: "M", 2: "Y"}
    unit = units.get(document.get("date_precision", 0), "D")
    return str(np.datetime64(seconds, "s").astype(f"datetime64[{unit}]"))


def _with_comments(match: MatchRecord, raw: Any) -> MatchRecord:
    """Add the comments of BGBlitz's users, which `gvformat` leaves out of the document."""
    games = []
    for game, told in zip(match.games, raw["games"], strict=True):
        # In a list of moves, an entry without a play or a double marks the end of the game.
        kept = [
            one
            for one in told["moves"]
            if one["from"][0] != -1
            or ((one.get("equity") or {}).get("cubeDecision") or {}).get("hasDoubled")
            is not None
        ]
        words = [_text(one.get("comment")) for one in kept]
        words += [""] * (len(game.actions) - len(words))
        actions = tuple(
            replace(action, comment=word) if word else action
            for action, word in zip(game.actions, words, strict=False)
        )
        games.append(replace(game, actions=actions, comment=_text(told.get("comment"))))
    place = match.place or _text(raw.get("location"))
    comment = _text(raw.get("comment"))
    return replace(match, games=tuple(games), comment=comment, place=place)
