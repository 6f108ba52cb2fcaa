"""Matches as Jellyfish wrote them: ``.mat`` and the text that other programs export.

Two columns, a player each, numbered lines, ``31: 8/5 6/5`` for a roll and its play. The
format was never specified; read is what GNU Backgammon 1.07, eXtreme Gammon 2 and servers
write, with the words of `foreign_words` too. Who acted is said by the column; of a line
with one action, by where it begins. What stands in ``; [Event "Club night"]`` and its like
is kept, and what stands behind a semicolon alone as a comment.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from game.records.foreign_words import in_english
from game.records.record import (
    Action,
    GameRecord,
    Kind,
    MatchRecord,
    RecordError,
    may_be_crawford,
)

_LENGTH = re.compile(r"\s*(-?\d+)[ -]point match", re.I)
_MONEY = re.compile(r"\s*(unlimited|money) (match|session|game)", re.I)
_TAG = re.compile(r"\s*;?\s*\[(\w[\w ]*) \"(.*)\"\]\s*$")
_REMARK = re.compile(r"\s*;(?!\s*\[)")
_GAME = re.compile(r"\s*Game (\d+)\s*$", re.I)
_SCORE = re.compile(r"\s*(.*?)\s*:\s*(\d+)\s\s+(.*?)\s*:\s*(\d+)\s*$")
_TURN = re.compile(r"(\s*\d+\))(.*)$")
_WINS = re.compile(r"(.*?)\bWins (\d+) points?.*", re.I)
_ACTION = re.compile(
    r"(?P<roll>[1-6]{2}):(?P<play>(?:\S++|\s++(?![1-6]{2}:|\?\?|doubles|redoubles|takes|drops|"
    r"passes|resigns|beavers|raccoons))*)"
    r"|(?P<double>((?:re)?doubles|beavers|raccoons)(?:\s*=>\s*(?P<value>\d+))?)"
    r"|(?P<take>takes)|(?P<pass>drops|passes)|(?P<resign>resigns\w*)"
    r"|(?P<unknown>\S+)",
    re.I,
)
_RIGHT = 16
"""A line's only action that begins behind so many blanks is the right player's."""


def looks_like_jellyfish(text: str) -> bool:
    """Whether a text begins as such a record does."""
    head = in_english(text[:20_000]).splitlines()
    return any(map(_GAME.match, head)) and any(
        _LENGTH.match(line) or _MONEY.match(line) or _SCORE.match(line) for line in head
    )


def read_jellyfish(text: str, source: str) -> MatchRecord:
    """Read a match.

    Raises
    ------
    RecordError
        If a line is none of what the format knows.
    """
    lines = in_english(text).splitlines()
    tags = {m[1].lower(): m[2] for m in map(_TAG.match, lines) if m}
    lengths = [int(m[1]) for m in map(_LENGTH.match, lines) if m]
    length = lengths[0] if lengths else 0
    if length < 0:
        raise RecordError(f"{source}: no match has {length} points; 0 is for money")
    starts = [k for k, line in enumerate(lines) if _GAME.match(line)]
    if not starts:
        raise RecordError(f"{source} holds no game: no line says 'Game 1'")
    games: list[GameRecord] = []
    players = ("", "")
    for begin, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        names, game = _read_game(lines, begin, end, source)
        if games and names != players:
            now, earlier = (
                f"{first[:40]!r} and {second[:40]!r}" for first, second in (names, players)
            )
            raise RecordError(
                f"{source}, line {game.line}: the players are {now}, before they were "
                f"{earlier}"
            )
        players = names
        games.append(game)
    rule = tags.get("crawford", "On").lower() != "off"
    if rule and length > 1:
        # Crawford's is the first game in which one side needs a point.
        near = next((k for k, game in enumerate(games) if length - 1 in game.won), None)
        if near is not None and may_be_crawford(length, games[near].won):
            games[near] = replace(games[near], crawford=True)
    jacoby = length == 0 and tags.get("jacoby", "Off").lower() == "on"
    before = lines[: starts[0]]
    said = (line.lstrip("; \t").rstrip() for line in before if _REMARK.match(line))
    return MatchRecord(
        players,
        length,
        jacoby,
        tuple(games),
        source,
        format="mat",
        date=_date(tags.get("eventdate", tags.get("date", ""))),
        event=tags.get("event", ""),
        place=tags.get("site", ""),
        comment="\n".join(filter(None, said)),
    )


def _date(text: str) -> str:
    """Return a date as 2024-05-01, if it is one with points or slashes."""
    parts = re.fullmatch(r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})", text.strip())
    return f"{parts[1]}-{parts[2]:0>2}-{parts[3]:0>2}" if parts else text.strip()


def _read_game(
    lines: list[str], begin: int, end: int, source: str
) -> tuple[tuple[str, str], GameRecord]:
    number = int(_GAME.match(lines[begin])[1])  # type: ignore[index]
    rows = [k for k in range(begin + 1, end) if lines[k].strip()]
    score = _SCORE.match(lines[rows[0]]) if rows else None
    if score is None:
        raise RecordError(
            f"{source}, line {begin + 2}: names and points of both players follow "
            f"'Game {number}', as in 'Ann : 0    Bob : 2'"
        )
    actions: list[Action] = []
    winner, points = None, 0
    for k in rows[1:]:
        line = lines[k].rstrip().expandtabs(8)
        if found := _WINS.fullmatch(line):  # Alone, or behind the other player's pass.
            winner, points = int(len(found[1]) >= _RIGHT), int(found[2])
            line = found[1].rstrip()
        if not line:
            continue
        if found := _TURN.match(line):
            for action in _read_turn(found[2], k + 1, source):
                if _takes_beaver(actions, action):
                    actions.append(Action(action.player, "take", k + 1))
                actions.append(action)
        elif _TAG.match(line) or line.lstrip().startswith(";"):
            continue
        else:
            raise RecordError(
                f"{source}, line {k + 1}: a game's lines are numbered turns and 'Wins 1 "
                f"point', got {line.strip()[:40]!r}"
            )
    won = (int(score[2]), int(score[4]))
    record = GameRecord(number, begin + 1, won, False, tuple(actions), winner, points)
    return (score[1], score[3]), record


def _takes_beaver(actions: list[Action], action: Action) -> bool:
    """Whether an action is one of who has taken a beaver, which is not written."""
    kinds = [one.kind for one in actions[-2:]]
    return kinds == ["double", "double"] and action.kind == "play"


def _read_turn(text: str, line: int, source: str) -> Iterator[Action]:
    """Yield the actions of a numbered line, the left player's first."""
    found = [m for m in _ACTION.finditer(text) if m[0].strip()]
    where = f"{source}, line {line}"
    # eXtreme Gammon writes question marks for a play that nobody entered.
    unknown = next((m[0] for m in found if (m["unknown"] or "").strip("?")), None)
    if unknown is not None:
        raise RecordError(
            f"{where}: a turn is a roll and its play, or Doubles, Takes, Drops; got "
            f"{unknown[:40]!r}"
        )
    if len(found) > 2:
        raise RecordError(
            f"{where}: a line holds an action of each player, got {len(found)}: "
            f"{text.strip()[:60]!r}"
        )
    left = len(found) == 2 or (found and len(text[: found[0].start()]) < _RIGHT)
    for player, action in enumerate(found, start=0 if left else 1):
        if action["unknown"]:
            continue
        if action["roll"]:
            roll = (int(action["roll"][0]), int(action["roll"][1]))
            yield Action(player, "play", line, roll, action["play"].strip())
            continue
        kinds: tuple[Kind, ...] = ("double", "take", "pass", "resign")
        kind = next(kind for kind in kinds if action[kind])
        yield Action(player, kind, line, value=int(action["value"] or 0))
