"""Reader of games that GNU Backgammon has exported as text, with analyses.

A file has one or several games. A game begins with ``The score (after 0 games) is: Ann 0,
Bob 0 (match to 5 points)``. Each move has its number, GNU Backgammon's IDs, a drawn board,
``* Ann moves 8/5 6/5``, and the analyses of the cube and of the plays. A game ends with
``Ann wins 1 point``. A position without a move becomes an action of the kind ``question``.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from bearoff import BearoffError
from bearoff.game.records.record import (
    Action,
    FileAnalysis,
    GameRecord,
    Kind,
    MatchRecord,
    RecordError,
)
from bearoff.game.rules import Board
from bearoff.positions import find_setup

PROGRAM = "GNU Backgammon"

_HEAD = re.compile(r"The score \(after (\d{1,4}) games?\) is: (.*?)\s*$")
_MATCH = re.compile(r"\(match to (\d{1,3}) points?\)(, Crawford game)?")
_IDS = re.compile(r"\s*GNU Backgammon\s+Position ID: (\S+)")
_MATCH_ID = re.compile(r"\s*Match ID\s*: (\S+)")
_NAME = re.compile(r" \+1[23]-.*?-\+\s+([OX]): ?(.*?)\s*(?:\(Cube: \d+\)\s*)?$")
_ON_ROLL = re.compile(
    r"Move number \d+:\s+(.*?) (?:to play ([1-6])([1-6])|on roll|doubles)"
)
_DONE = re.compile(
    r"\* (?P<who>.*) (?:moves (?P<play>\S.*?)|cannot move"
    r"|(?P<double>(?:re)?doubles|beavers)|(?P<take>accepts|takes)|(?P<pass>rejects|passes|drops)"
    r"|(?P<resign>resigns|offers to resign)\b(?P<worth>.*?))\s*$"
)
_WINS = re.compile(r"(.*) wins (?:a )?(\d+|single|gammon|backgammon)? ?(?:points?|game)?")
_CUBE = re.compile(
    r"\s*\d\. (No double|Double, take|Double, pass|Double, beaver|Redouble, take|"
    r"Redouble, pass|No redouble)\s+(-?\+?\d+\.\d+)(%?)"
)
_LEVEL = re.compile(r"(\d-ply|Rollout) cubeless equity|^(Rollout)")
_PLAY = re.compile(
    r"\*?\s*\d{1,3}\. (?:Cube(?:ful|less) )?(\S+)\s+(\S.*?)\s+"
    r"(?:Eq\.|MWC):\s*([-+]?\d+\.\d+)(%?)"
)
_SHARES = " ".join([r"(\d\.\d+)"] * 3)
_CHANCES = re.compile(rf"\s*{_SHARES} - {_SHARES}")
_TOLD = re.compile(r"(Date|Event|Place|Comments): (\S.*)")


def looks_like_gnubg_text(text: str) -> bool:
    """Return whether a text has GNU Backgammon's positions with a move or an analysis."""
    return "Position ID: " in text and (
        re.search(r"^(Move number \d|The score \(after )", text, re.M) is not None
    )


@dataclass
class _TextGame:
    """Game that is being read: its first line, starting position and actions."""

    number: int
    line: int
    head: str = ""
    names: dict[str, str] = field(default_factory=dict)
    ids: str = ""
    first: str = ""
    actions: list[Action] = field(default_factory=list)
    asked: Action | None = None
    wins: tuple[str, str] | None = None

    @property
    def players(self) -> tuple[str, str]:
        return self.names.get("O", ""), self.names.get("X", "")

    def player(self, name: str) -> int:
        return int(name == self.players[1] != self.players[0])


def read_gnubg_text(text: str, source: str) -> MatchRecord:
    """Read the games of a text file exported by GNU Backgammon.

    Raises `RecordError` if a position is damaged, or if the games are from different
    matches.
    """
    games: list[_TextGame] = []
    told: dict[str, str] = {}
    for place, line in enumerate(text.splitlines(), start=1):
        if found := _HEAD.match(line):
            games.append(_TextGame(int(found[1]) + 1, place, found[2]))
        elif found := _TOLD.match(line):
            told.setdefault(found[1], found[2].strip())
        elif line.startswith("Move number") and not games:
            games.append(_TextGame(1, place))
        if games:
            _read_line(games[-1], line, place)
    records = []
    lengths, rules = set(), set()
    for game in games:
        if game.asked is not None:
            game.actions.append(game.asked)
        try:
            record, length, jacoby = _record(game)
        except BearoffError as error:
            raise RecordError(f"{source}, line {game.line}: {error}") from None
        records.append(record)
        lengths.add(length)
        rules.add(jacoby)
    if len(lengths) > 1 or len({game.players for game in games}) > 1:
        raise RecordError(
            f"{source} has games of several matches; use one file for each match"
        )
    return MatchRecord(
        games[0].players,
        lengths.pop(),
        rules == {True},
        tuple(records),
        source,
        format="text",
        date=_date(told.get("Date", "")),
        event=told.get("Event", ""),
        place=told.get("Place", ""),
        comment=told.get("Comments", ""),
    )


def _read_line(game: _TextGame, line: str, place: int) -> None:
    """Add the contents of a line to the game that is being read."""
    actions = game.actions
    if found := _IDS.match(line):
        game.ids = game.ids or found[1]
    elif found := _MATCH_ID.match(line):
        if ":" not in game.ids:
            game.ids += f":{found[1]}"
    elif found := _NAME.match(line):
        game.names.setdefault(found[1], found[2])
    elif found := _ON_ROLL.match(line):
        # The names of both players come later in the file, so this name cannot be assigned
        # to a player yet.
        game.first = game.first or found[1]
        roll = (int(found[2]), int(found[3])) if found[2] else None
        game.asked = Action(-1, "question", place, roll, comment=found[1])
    elif found := _DONE.match(line):
        asked = game.asked or Action(-1, "question", place)
        player = game.player(found["who"])
        before = actions[-1] if actions else asked
        if (before.player, before.roll, before.text, found["play"]) == (
            player,
            asked.roll,
            "",
            None,
        ) and before.kind == "play":
            game.asked = None  # Files may repeat a roll without a legal play.
            return
        kinds: tuple[Kind, ...] = ("double", "take", "pass", "resign")
        kind: Kind = next((kind for kind in kinds if found[kind]), "play")
        worth = 3 if "backgammon" in (found["worth"] or "") else 2
        worth = worth if "gammon" in (found["worth"] or "") else 1
        actions.append(
            replace(
                asked,
                player=player,
                kind=kind,
                roll=asked.roll if kind == "play" else None,
                text=found["play"] or "",
                value=worth if kind == "resign" else 0,
                comment="",
            )
        )
        game.asked = None
    elif line.startswith("Cube analysis"):
        _add(game, FileAnalysis("cube", PROGRAM))
    elif line.startswith("Rolled ") or line.startswith("* Rolled"):
        _add(game, FileAnalysis("play", PROGRAM))
    elif found := _WINS.fullmatch(line.rstrip()):
        game.wins = found[1], found[2] or ""
    else:
        _analyse(game, line)


def _last(game: _TextGame) -> Action | None:
    """Return the action to which the analysis in the next lines belongs."""
    return game.asked or (game.actions[-1] if game.actions else None)


def _change(game: _TextGame, action: Action) -> None:
    if game.asked is not None:
        game.asked = action
    else:
        game.actions[-1] = action


def _add(game: _TextGame, analysis: FileAnalysis) -> None:
    if (action := _last(game)) is not None:
        _change(game, replace(action, analyses=(*action.analyses, analysis)))


def _analyse(game: _TextGame, line: str) -> None:
    action = _last(game)
    if action is None or not action.analyses:
        return
    analysis = action.analyses[-1]
    if analysis.about == "cube":
        # For a take or pass, the file states equities of the player who answers, but a
        # record states those of the doubler.
        sign = -1 if action.kind in ("take", "pass") else 1
        if found := _CUBE.match(line):
            name = found[1].lower().replace("redouble", "double").replace("beaver", "take")
            value, unit = _value(found[2], found[3])
            value = 1 - value if sign < 0 and unit == "MWC" else sign * value
            equities = (*analysis.equities, (name, value))
            analysis = replace(analysis, equities=equities, unit=unit)
        elif found := _LEVEL.search(line):
            analysis = replace(analysis, level=found[1] or found[2])
        elif (found := _CHANCES.match(line)) and not analysis.chances:
            known = _chances(found)
            if sign < 0:
                won, gammon, backgammon, lost, backgammon_lost = known
                known = (1 - won, lost, backgammon_lost, gammon, backgammon)
            analysis = replace(analysis, chances=(("no double", known),))
    elif found := _PLAY.match(line):
        value, unit = _value(found[3], found[4])
        analysis = replace(
            analysis,
            level=analysis.level or found[1],
            equities=(*analysis.equities, (found[2], value)),
            unit=unit,
        )
    elif (found := _CHANCES.match(line)) and analysis.equities:
        name = analysis.equities[-1][0]
        chances = (*analysis.chances, (name, _chances(found)))
        analysis = replace(analysis, chances=chances)
    _change(game, replace(action, analyses=(*action.analyses[:-1], analysis)))


def _value(text: str, percent: str) -> tuple[float, Literal["EMG", "MWC"]]:
    return (float(text) / 100, "MWC") if percent else (float(text), "EMG")


def _chances(found: re.Match[str]) -> tuple[float, ...]:
    win, gammon, backgammon, _, lost, backgammon_lost = map(float, found.groups())
    return win, gammon, backgammon, lost, backgammon_lost


def _record(game: _TextGame) -> tuple[GameRecord, int, bool]:
    """Return a game, its match length, and whether the Jacoby rule applies."""
    setup = find_setup(game.ids)
    if setup is None:
        raise RecordError(
            f"no position can be read from the position ID and match ID of a "
            f"game, got {game.ids[:40]!r}"
        )
    turn = game.player(game.first)
    board = Board.of_sides(setup.roller, setup.opponent)
    board = board.turned if turn else board
    found = _MATCH.search(game.head)
    length = int(found[1]) if found else 0
    if not found and setup.score is not None and setup.score.length:
        length = setup.score.length
    won = _points(game)
    winner = points = None
    if game.wins is not None and game.wins[0] in game.players:
        winner, points = game.player(game.wins[0]), int(game.wins[1] or 0)
    owner = {"owned": turn, "opponent": 1 - turn}.get(setup.cube)
    actions = [
        replace(action, player=game.player(action.comment), comment="")
        if action.player < 0
        else action
        for action in game.actions
    ]
    record = GameRecord(
        game.number,
        game.line,
        won,
        setup.score is not None and setup.score.game == "crawford",
        tuple(actions),
        winner,
        points or 0,
        board=None if board == Board.start() else board,
        cube_value=setup.cube_value,
        cube_owner=owner,
    )
    return record, length, setup.jacoby


def _points(game: _TextGame) -> tuple[int, int]:
    first, second = map(re.escape, game.players)
    found = re.match(rf"{first} (\d{{1,4}}), {second} (\d{{1,4}})(?: |$)", game.head)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _date(text: str) -> str:
    """Convert a date such as 24/12/2024 to 2024-12-24; leave other texts unchanged."""
    if found := re.fullmatch(r"(\d\d)/(\d\d)/(\d{4})", text):
        return f"{found[3]}-{found[2]}-{found[1]}"
    return text
