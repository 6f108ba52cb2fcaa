"""Positions that eXtreme Gammon copies or exports as text, with its analysis of each.

An XGID, the names, a drawn board, then plays such as ``1. XG Roller+  8/5 6/5  eq:+0.159``
or three cube decisions, each with a line of chances. English, German, French and Japanese
texts differ in their words alone: the lines are told apart by their numbers. Each position
becomes a game of one action, a question that nobody has answered.
"""

import re
from collections.abc import Iterator

from bearoff import BearoffError
from bearoff.positions import Xgid
from game.records.record import (
    Action,
    FileAnalysis,
    GameRecord,
    MatchRecord,
    RecordError,
)
from game.rules import Board

PROGRAM = "eXtreme Gammon"

_XGID = re.compile(r"XGID[ \t]*=[ \t]*([-A-Oa-o]{26}(?::[-0-9A-Za-z]{1,4}){9})")
_DRAWN = re.compile(r"\+(13-14-15|12-11-10)")
_NAMES = re.compile(r"\s*X\s*:\s*(.*?)\s{2,}O\s*:\s*(.*?)\s*$")
_NUMBER = r"([-+−]\d+[.,]\d+)"
_PLAY = re.compile(
    rf"\s*\d{{1,2}}\.\s+(\S.{{0,30}}?)\s{{2,}}(\S*/.{{0,60}}?)\s+\S{{1,12}}\s*[:：]\s*{_NUMBER}"
)
_LEVEL = re.compile(r"(XG Roller\+{0,2}|Rollout|\d+-[^\W\d]\w*)")
_CHANCES = re.compile(
    r".{0,60}?(\d+[.,]\d+) ?% \(G:(\d+[.,]\d+) ?% B:(\d+[.,]\d+) ?%\)\s*$"
)
_CUBE = re.compile(rf"\s*\S.{{0,40}}?[:：]\s*{_NUMBER}(?:\s*\([-+−]\d+[.,]\d+\))?\s*$")
_DECISIONS = ("no double", "double, take", "double, pass")


def looks_like_positions(text: str) -> bool:
    """Whether a text has such positions, with names, a drawn board or an analysis.

    XGIDs alone are a list of positions, which is no match.
    """
    head = _XGID.search(text)
    if head is None:
        return False
    rest = text[head.end() :].splitlines()
    told = any(_DRAWN.search(line) or _NAMES.match(line) for line in rest)
    return told or _analysis(rest) is not None


def read_positions(text: str, source: str) -> MatchRecord:
    """Read positions as the games of a session; each has the score of its own.

    Raises
    ------
    RecordError
        If one is damaged, or they are of matches of several lengths.
    """
    lines = text.splitlines()
    heads = [(k, m) for k, line in enumerate(lines) if (m := _XGID.search(line))]
    games = []
    lengths = set()
    players = ("", "")
    jacoby = False
    ends = [k for k, _ in heads[1:]] + [len(lines)]
    for number, ((begin, head), end) in enumerate(zip(heads, ends, strict=True), start=1):
        try:
            xgid = Xgid.parse(head[1])
            games.append(_game(xgid, number, begin, lines[begin + 1 : end]))
        except BearoffError as error:
            raise RecordError(f"{source}, line {begin + 1}: {error}") from None
        lengths.add(xgid.match_length)
        jacoby |= xgid.setup.jacoby
        named = next(filter(None, map(_NAMES.match, lines[begin:end])), None)
        players = (named[1], named[2]) if named else players
    if len(lengths) > 1:
        raise RecordError(
            f"{source} has positions of matches to {', '.join(map(str, sorted(lengths)))}; "
            "put those of one length into a file"
        )
    return MatchRecord(players, lengths.pop(), jacoby, tuple(games), source, format="text")


def _game(xgid: Xgid, number: int, line: int, lines: list[str]) -> GameRecord:
    setup = xgid.setup
    turn = int(xgid.turn == -1)
    board = Board.of_sides(setup.roller, setup.opponent)
    analysis = _analysis(lines)
    asked = Action(
        turn,
        "question",
        line + 1,
        setup.dice,
        analyses=() if analysis is None else (analysis,),
    )
    owner = {1: 0, -1: 1}.get(xgid.cube_owner)
    return GameRecord(
        number=number,
        line=line + 1,
        won=(xgid.score_lower, xgid.score_upper),
        crawford=setup.score is not None and setup.score.game == "crawford",
        actions=(asked,),
        board=board.turned if turn else board,
        cube_value=setup.cube_value,
        cube_owner=owner,
    )


def _analysis(lines: list[str]) -> FileAnalysis | None:
    """Return what is said of the plays, or else of the cube."""
    plays: list[tuple[str, float]] = []
    chances: list[tuple[str, tuple[float, ...]]] = []
    level = ""
    for k, line in enumerate(lines):
        if found := _PLAY.match(line):
            level = level or found[1]
            name = _in_notation(found[2])
            plays.append((name, _value(found[3])))
            if known := _chances(lines[k + 1 : k + 3]):
                chances.append((name, known))
    if plays:
        return FileAnalysis("play", PROGRAM, level, tuple(plays), tuple(chances))
    found_three = next(_threes(lines), None)
    if found_three is None:
        return None
    levels = (_LEVEL.search(line) for line in lines)
    level = next((one[1] for one in levels if one), "")
    known = next((c for k in range(len(lines)) if (c := _chances(lines[k : k + 2]))), ())
    return FileAnalysis(
        "cube",
        PROGRAM,
        level,
        tuple(zip(_DECISIONS, found_three, strict=True)),
        (("no double", known),) if known else (),
    )


def _threes(lines: list[str]) -> Iterator[tuple[float, ...]]:
    """Yield equities of three decisions in lines one below another."""
    for k in range(len(lines) - 2):
        found = [_CUBE.match(line) for line in lines[k : k + 3]]
        if all(found):
            yield tuple(_value(one[1]) for one in found if one)


def _chances(lines: list[str]) -> tuple[float, ...]:
    """Return both sides' chances from two lines, the roller's first."""
    found = [_CHANCES.match(line) for line in lines]
    if len(found) != 2 or not all(found):
        return ()
    mine, theirs = ([_value(one[k]) / 100 for k in (1, 2, 3)] for one in found if one)
    return (*mine, *theirs[1:])


def _value(text: str) -> float:
    return float(text.replace(",", ".").replace("−", "-"))


def _in_notation(play: str) -> str:
    """Put the words for the bar and for off into English."""
    words = []
    for word in play.split():
        word = re.sub(r"^[^\d\s/]+(?=/)", "bar", word)
        words.append(re.sub(r"/[^\d\s/*(]+", "/off", word))
    return " ".join(words)
