"""Reader of analysed positions in the text formats of eXtreme Gammon and BGBlitz.

eXtreme Gammon writes an XGID, the names, a drawn board, and then plays such as ``1. XG
Roller+ 8/5 6/5 eq:+0.159`` or three cube actions, each with a line of probabilities.
BGBlitz writes the names, the board, GNU Backgammon's IDs, the XGID, and then plays such as
``1. 0.124 mwp / -0.492 19/18, 14/12``. Its cube actions have a column of match-winning
chances and a column of EMG. English, German, French and Japanese texts differ only in their
words, so lines are recognised by the numbers that they contain. Each position becomes a
game with a single action of the kind ``question``.
"""

import re
from collections.abc import Iterator

from bearoff import BearoffError
from bearoff.game.records.record import (
    Action,
    FileAnalysis,
    GameRecord,
    MatchRecord,
    RecordError,
)
from bearoff.game.rules import Board
from bearoff.positions import Xgid, as_written

_EXTREME_GAMMON, _BGBLITZ = "eXtreme Gammon", "BGBlitz"

_XGID = re.compile(r"XGID[ \t]*=[ \t]*([-A-Oa-o]{26}(?::[-0-9A-Za-z]{1,4}){8,9})")
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

_IDS = re.compile(r"\s*Position-ID:\s*\S+\s+Match-ID:\s*\S+\s*$")
"""Regular expression of the line with GNU Backgammon's IDs that BGBlitz writes above an
XGID."""

_TOP = re.compile(r"\+13-14-15-16-17-18-")
_SIDE = re.compile(r".*-\+\s+([XO]):\s*(.*?)\s+\d+\s*$")
_SIGNED = r"([-+−]?\d+[.,]\d+)"
_LOSS = r"\(\s*[-+−]?\d+[.,]\d+\)"
_BGBLITZ_PLAY = re.compile(
    rf"\s*\d{{1,2}}[.)]\s+(?:\d[.,]\d+ mwp /\s+)?{_SIGNED}\s+(?:{_LOSS}\s+)?"
    r"(\S*/.{0,60}?)\s*$"
)
_BGBLITZ_CUBE = re.compile(
    rf"\s*(\S[^:]{{0,40}}?)\s*:\s*{_SIGNED}\s*{_LOSS}(?:\s*{_SIGNED}\s*{_LOSS})?\s*$"
)
_SHARES = re.compile(r"\s*" + r"\s+".join([r"(\d[.,]\d+)"] * 3))
_PERCENT = re.compile(r"\s*\S.{0,60}?\s+" + r"\s+".join([r"(\d+[.,]\d)"] * 3) + r"\s*$")


def looks_like_positions(text: str) -> bool:
    """Return whether a text has XGIDs together with names, a drawn board or an analysis.

    A text that contains only XGIDs is a list of positions, not a match.
    """
    text = as_written(text)
    head = _XGID.search(text)
    if head is None:
        return False
    if any(map(_IDS.match, text[: head.start()].splitlines()[-2:])):
        return True
    rest = text[head.end() :].splitlines()
    told = any(_DRAWN.search(line) or _NAMES.match(line) for line in rest)
    return told or _analysis(rest) is not None


def read_positions(text: str, source: str) -> MatchRecord:
    """Read positions as games of one session or match; each game has its own score.

    Raises `RecordError` if a position is damaged, or if positions are from matches of
    different lengths.
    """
    lines = as_written(text).splitlines()
    heads = [(k, m) for k, line in enumerate(lines) if (m := _XGID.search(line))]
    games = []
    lengths = set()
    players = ("", "")
    jacoby = False
    begins = [_begin(lines, k) for k, _ in heads]
    ends = [*begins[1:], len(lines)]
    for number, ((at, head), begin, end) in enumerate(
        zip(heads, begins, ends, strict=True), start=1
    ):
        ours = lines[begin:end]
        try:
            xgid = Xgid.parse(head[1])
            analysis = _analysis(ours) if begin == at else _bgblitz_analysis(ours, xgid)
            games.append(_game(xgid, number, at, analysis))
        except BearoffError as error:
            raise RecordError(f"{source}, line {at + 1}: {error}") from None
        lengths.add(xgid.match_length)
        jacoby |= xgid.setup.jacoby
        players = _names(ours) or players
    if len(lengths) > 1:
        raise RecordError(
            f"{source} has positions of matches to {', '.join(map(str, sorted(lengths)))}; "
            "use one file for each match length"
        )
    return MatchRecord(players, lengths.pop(), jacoby, tuple(games), source, format="text")


def _begin(lines: list[str], at: int) -> int:
    """Return the index of the first line of the position with its XGID in line `at`."""
    if not at or not _IDS.match(lines[at - 1]):
        return at
    tops = (k for k in range(at - 1, max(at - 30, -1), -1) if _TOP.search(lines[k]))
    return next(tops, at - 1)


def _names(lines: list[str]) -> tuple[str, str] | None:
    """Return the names of the lower and the upper player; None if names are missing."""
    if named := next(filter(None, map(_NAMES.match, lines)), None):
        return named[1], named[2]
    sides = {found[1]: found[2] for found in map(_SIDE.match, lines) if found}
    return (sides["X"], sides["O"]) if len(sides) == 2 else None


def _game(xgid: Xgid, number: int, line: int, analysis: FileAnalysis | None) -> GameRecord:
    setup = xgid.setup
    turn = int(xgid.turn == -1)
    board = Board.of_sides(setup.roller, setup.opponent)
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
    """Parse eXtreme Gammon's analysis of the plays or, if none are listed, of the cube."""
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
        return FileAnalysis("play", _EXTREME_GAMMON, level, tuple(plays), tuple(chances))
    found_three = next(_threes(lines), None)
    if found_three is None:
        return None
    levels = (_LEVEL.search(line) for line in lines)
    level = next((one[1] for one in levels if one), "")
    known = next((c for k in range(len(lines)) if (c := _chances(lines[k : k + 2]))), ())
    return FileAnalysis(
        "cube",
        _EXTREME_GAMMON,
        level,
        tuple(zip(_DECISIONS, found_three, strict=True)),
        (("no double", known),) if known else (),
    )


def _bgblitz_analysis(lines: list[str], xgid: Xgid) -> FileAnalysis | None:
    """Parse BGBlitz's analysis of the plays or, if none are listed, of the cube."""
    plays: list[tuple[str, float]] = []
    chances: list[tuple[str, tuple[float, ...]]] = []
    for k, line in enumerate(lines):
        if found := _BGBLITZ_PLAY.match(line):
            name = _in_notation(found[2].replace(",", " "))
            plays.append((name, _value(found[1])))
            if shares := _shares(lines[k + 1 : k + 2]):
                chances.append((name, shares))
    if plays:
        return FileAnalysis("play", _BGBLITZ, "", tuple(plays), tuple(chances))
    # At a match score, the first column contains match-winning chances and the second
    # contains EMG.
    cube = [
        m for m in map(_BGBLITZ_CUBE.match, lines) if m and (m[3] or not xgid.match_length)
    ]
    if len(cube) != 3:
        return None
    worth = {m[1]: _value(m[3] or m[2]) for m in cube}
    waiting = [name for name in worth if "/" not in name]
    # Sort the equity after a take before the equity after a pass, which is exactly 1.
    doubled = sorted((n for n in worth if "/" in n), key=lambda n: worth[n] == 1)
    if len(waiting) != 1 or len(doubled) != 2 or worth[doubled[1]] != 1:
        return None
    equities = [worth[name] for name in (*waiting, *doubled)]
    sides = [
        [_value(m[k]) / 100 for k in (1, 2, 3)] for m in map(_PERCENT.match, lines) if m
    ]
    known: tuple[float, ...] = ()
    if len(sides) == 2:  # The player in the upper half comes first.
        mine, theirs = sides[::-1] if xgid.turn == 1 else sides
        known = (*mine, *theirs[1:])
    return FileAnalysis(
        "cube",
        _BGBLITZ,
        "",
        tuple(zip(_DECISIONS, equities, strict=True)),
        (("no double", known),) if known else (),
    )


def _shares(lines: list[str]) -> tuple[float, ...]:
    """Parse both players' outcome probabilities in one line; the roller's are first."""
    found = [_SHARES.match(part) for line in lines for part in line.split(" - ")]
    if len(found) != 2 or not all(found):
        return ()
    mine, theirs = ([_value(one[k]) for k in (1, 2, 3)] for one in found if one)
    return (*mine, *theirs[1:])


def _threes(lines: list[str]) -> Iterator[tuple[float, ...]]:
    """Yield the three equities of a cube decision, which are on consecutive lines."""
    for k in range(len(lines) - 2):
        found = [_CUBE.match(line) for line in lines[k : k + 3]]
        if all(found):
            yield tuple(_value(one[1]) for one in found if one)


def _chances(lines: list[str]) -> tuple[float, ...]:
    """Parse the outcome probabilities of the roller and of the opponent from two lines."""
    found = [_CHANCES.match(line) for line in lines]
    if len(found) != 2 or not all(found):
        return ()
    mine, theirs = ([_value(one[k]) / 100 for k in (1, 2, 3)] for one in found if one)
    return (*mine, *theirs[1:])


def _value(text: str) -> float:
    return float(text.replace(",", ".").replace("−", "-"))


def _in_notation(play: str) -> str:
    """Translate foreign words for the bar and for bearing off into English."""
    words = []
    for word in play.split():
        word = re.sub(r"^[^\d\s/]+(?=/)", "bar", word)
        words.append(re.sub(r"/[^\d\s/*(]+", "/off", word))
    return " ".join(words)
