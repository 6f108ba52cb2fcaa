"""Reader of files in which eXtreme Gammon saves matches (``.xg``) and positions (``.xgp``).

A file has a header of 8,232 bytes, a picture, and then compressed streams. The first stream
has records of 2,560 bytes, one for each action with the program's analysis. Another stream
has the comments. The layout was published with the program. Boards are from the first
player's viewpoint, as in `Board`. Plays, and the boards after plays, are from the viewpoint
of the player who moves, with points counted from 0 and the bar as 24.
"""

import struct
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bearoff.game.records.record import (
    Action,
    FileAnalysis,
    GameRecord,
    Kind,
    MatchRecord,
    RecordError,
)
from bearoff.game.records.rich_text import plain_text
from bearoff.game.records.unpacking import streams
from bearoff.game.rules import Board

MAGIC = b"RGMH"
PROGRAM = "eXtreme Gammon"

_HEAD = 8232
_SIZE = 2560
_MATCH, _GAME, _CUBE, _PLAY, _GAME_END = range(5)
_MONEY = 99_999
"""Number that a file states as the match length of a money session."""

_HYPERGAMMON = 2
"""Code of the variant hypergammon. Other variants differ from backgammon only in the
starting position, which is in the header of each game."""

_RESIGNED = 100
"""Smallest code by which the file says that a game ended by a resignation."""

_LEVELS = {
    **{number: f"{number + 1}-ply" for number in range(12)},
    12: "3-ply red",
    100: "Rollout",
    998: "Opening book",
    999: "Opening book",
    1000: "XG Roller",
    1001: "XG Roller+",
    1002: "XG Roller++",
}
_AGAINST_RULES = 2
"""Code in a record that marks the play as illegal."""

_SIDES = (1, -1)
"""Codes that stand for the first and the second player in the file."""

_MOST_COMMENTS = 100_000

_NONE = -1000.0
"""Number in the file that stands for an equity that was not computed."""

_MOST_PLAYS = 32
_START = Board.start().points


def read_extreme_gammon(data: bytes, source: str) -> MatchRecord:
    """Read a match, or read a single position as a match of one game.

    Raises `RecordError` if the data are in another format or incomplete.
    """
    if len(data) < _HEAD:
        raise RecordError(f"{source} ends within its header; copy the file again")
    picture = struct.unpack_from("<I", data, 20)[0]
    parts = list(streams(data[_HEAD + picture :], source))
    if not parts or len(parts[0]) < _SIZE or parts[0][8] != _MATCH:
        raise RecordError(f"{source} is a file of eXtreme Gammon, but contains no match")
    comments = _comments(parts[1:])
    records = [parts[0][k : k + _SIZE] for k in range(0, len(parts[0]) - _SIZE + 1, _SIZE)]
    head = records[0]
    length = _integer(head, 92)
    length = 0 if length == _MONEY else length
    if not 0 <= length <= 640:
        raise RecordError(
            f"{source}: the match length must be from 1 to 640 points, got {length:,}"
        )
    if _integer(head, 96) == _HYPERGAMMON:
        raise RecordError(
            f"{source} is a match of hypergammon (three checkers a side), which is not "
            "supported"
        )
    comments = _renumbered(comments, records)
    games = tuple(_games(records[1:], comments, source))
    if not games:
        raise RecordError(f"{source} is a file of eXtreme Gammon, but contains no games")
    said = (_comment(comments, head, 576), _comment(comments, head, 580))
    return MatchRecord(
        players=(
            _text(head, 880) or _short(head, 9),
            _text(head, 1138) or _short(head, 50),
        ),
        length=length,
        jacoby=length == 0 and head[101] != 0,
        games=games,
        source=source,
        format="xg",
        date=_date(struct.unpack_from("<d", head, 128)[0]),
        event=_text(head, 622) or _short(head, 136),
        place=_text(head, 1396) or _short(head, 283),
        comment="\n".join(filter(None, said)),
    )


def _games(records: list[bytes], comments: list[str], source: str) -> Iterator[GameRecord]:
    """Yield the games of a file; each game ends before the header of the next one."""
    heads = [k for k, record in enumerate(records) if record[8] == _GAME]
    ends = [*heads[1:], len(records)] if heads else []
    for number, (begin, end) in enumerate(zip(heads, ends, strict=True), start=1):
        head = records[begin]
        game = GameRecord(
            number=number,
            line=begin + 1,
            won=(_integer(head, 12), _integer(head, 16)),
            crawford=head[20] != 0,
            actions=(),
            comment=_comment(comments, head, 56),
        )
        start = struct.unpack_from("<26b", head, 21)
        if any(start) and start != _START:
            game = replace(game, board=_board(start, source))
            cubes = [r for r in records[begin + 1 : end] if r[8] in (_CUBE, _PLAY)]
            if cubes:
                shows, owner = _cube_at_start(cubes[0])
                game = replace(game, cube_value=shows, cube_owner=owner)
        yield _played(game, records[begin + 1 : end], begin + 2, comments, source)


def _played(
    game: GameRecord, records: list[bytes], line: int, comments: list[str], source: str
) -> GameRecord:
    """Return a game together with its actions and its result."""
    actions: list[Action] = []
    asked = _asked(records)
    held: list[FileAnalysis] = []  # analyses of decisions not to double
    said = ""
    for number, record in enumerate(records, start=line):
        player = int(_integer(record, 64 if record[8] == _PLAY else 12) != 1)
        if record[8] == _CUBE:
            analyses = _cube_analysis(record)
            comment = _comment(comments, record, 292)
            if _integer(record, 16) != 1:
                held, said = analyses, comment
                if record is asked:
                    actions.append(
                        Action(player, "question", number, None, "", 0, tuple(held), said)
                    )
                continue
            actions.append(
                Action(player, "double", number, analyses=tuple(analyses), comment=comment)
            )
            answer = _answer(_integer(record, 20))
            if answer is not None:
                actions.append(Action(1 - player, answer, number, analyses=tuple(analyses)))
            if answer == "double":  # The player who doubled first takes the beaver.
                actions.append(Action(player, "take", number))
        elif record[8] == _PLAY:
            roll = _roll(record)
            if roll is not None:
                comment = "\n".join(filter(None, (said, _comment(comments, record, 2524))))
                play = _moves(struct.unpack_from("<8i", record, 68))
                judged = (*held, *_play_analysis(record))
                kind: Kind = "play" if play or record is not asked else "question"
                board = None
                if _integer(record, 2480) == _AGAINST_RULES:
                    # eXtreme Gammon marked this play as illegal, so the stored board
                    # replaces the recorded moves.
                    after = _board(struct.unpack_from("<26b", record, 35), source)
                    kind, play, board = "set", "", after.turned if player else after
                actions.append(
                    Action(player, kind, number, roll, play, 0, judged, comment, board)
                )
            held, said = [], ""
        elif record[8] == _GAME_END and _integer(record, 24) in _SIDES:
            winner = int(_integer(record, 24) != 1)
            points, ended = _integer(record, 28), _integer(record, 32)
            if ended >= _RESIGNED and not _is_over(actions):
                worth = min(max(ended % _RESIGNED, 1), 3)
                actions.append(Action(1 - winner, "resign", number, value=worth))
            game = replace(game, winner=winner, points=points)
    return replace(game, actions=tuple(actions))


def _asked(records: list[bytes]) -> bytes | None:
    """Return an unfinished game's last decision record; None if the game is over.

    A file with a position from the cube window has a cube record, but no play record.
    """
    if any(r[8] == _GAME_END and _integer(r, 24) in _SIDES for r in records):
        return None
    return next((r for r in reversed(records) if r[8] in (_CUBE, _PLAY)), None)


def _is_over(actions: list[Action]) -> bool:
    return bool(actions) and actions[-1].kind == "pass"


def _answer(said: int) -> Kind | None:
    """Return the kind of the opponent's reply to a double; a beaver is another double."""
    answers: dict[int, Kind] = {0: "pass", 1: "take", 2: "double"}
    return answers.get(said)


def _cube_analysis(record: bytes) -> list[FileAnalysis]:
    """Return the analysis of a cube decision; empty if the record has no such analysis."""
    equities = struct.unpack_from("<3f", record, 152)
    level = _integer(record, 92)
    analysed = _integer(record, 232)
    if analysed < 0 or not all(_is_told(one) for one in equities):
        return []
    names = ("no double", "double, take", "double, pass")
    chances = []
    for name, place in (("no double", 124), ("double, take", 168)):
        known = _chances(struct.unpack_from("<7f", record, place))
        if known:
            chances.append((name, known))
    return [
        FileAnalysis(
            "cube",
            PROGRAM,
            _LEVELS.get(level, ""),
            tuple((n, float(e)) for n, e in zip(names, equities, strict=True)),
            tuple(chances),
        )
    ]


def _play_analysis(record: bytes) -> list[FileAnalysis]:
    """Return the analysis of a roll's plays; empty if the record has no such analysis."""
    count = min(max(_integer(record, 120), 0), _MOST_PLAYS)
    equities: list[tuple[str, float]] = []
    chances: list[tuple[str, tuple[float, ...]]] = []
    levels = []
    for k in range(count):
        play = _moves(struct.unpack_from("<8b", record, 1024 + 8 * k))
        said = struct.unpack_from("<7f", record, 1408 + 28 * k)
        if not _is_told(said[6]):
            continue
        equities.append((play, float(said[6])))
        levels.append(struct.unpack_from("<h", record, 1280 + 4 * k)[0])
        if known := _chances(said):
            chances.append((play, known))
    if not equities or struct.unpack_from("<d", record, 2312)[0] <= _NONE:
        return []
    return [
        FileAnalysis(
            "play", PROGRAM, _LEVELS.get(levels[0], ""), tuple(equities), tuple(chances)
        )
    ]


def _is_told(value: float) -> bool:
    return abs(value) < -_NONE  # For NaN, the comparison is false.


def _chances(said: tuple[float, ...]) -> tuple[float, ...]:
    """Return the probabilities of winning and of gammons; empty if all are 0."""
    backgammons_lost, gammons_lost, _, wins, gammons, backgammons, _ = said
    known = (wins, gammons, backgammons, gammons_lost, backgammons_lost)
    if not any(said[:6]) or not all(0 <= one <= 1 for one in known):
        return ()
    return known


def _moves(places: tuple[int, ...]) -> str:
    """Format moves from pairs of codes: 0 to 23 for the points 1 to 24, 24 for the bar."""
    moves = []
    for source, target in zip(places[::2], places[1::2], strict=True):
        if source < 0 or source == target:
            break
        start = "bar" if source >= 24 else str(source + 1)
        moves.append(f"{start}/{'off' if target < 0 else target + 1}")
    return " ".join(moves)


def _roll(record: bytes) -> tuple[int, int] | None:
    first, second = struct.unpack_from("<2i", record, 100)
    return (first, second) if 1 <= first <= 6 and 1 <= second <= 6 else None


def _board(counts: tuple[int, ...], source: str) -> Board:
    try:
        return Board(counts)
    except ValueError as error:
        raise RecordError(f"{source} has an impossible board: {error}") from None


def _cube_at_start(record: bytes) -> tuple[int, int | None]:
    """Decode the cube's value and owner; a negative code means that player 1 owns it."""
    code = _integer(record, 32 if record[8] == _CUBE else 108)
    if not 0 < abs(code) <= 30:
        return 1, None
    return 1 << abs(code), int(code < 0)


def _integer(record: bytes, place: int) -> int:
    return int(struct.unpack_from("<i", record, place)[0])


def _short(record: bytes, place: int) -> str:
    """Decode a text that is stored as a length byte and then a byte for each character."""
    return record[place + 1 : place + 1 + record[place]].decode("cp1252", "replace").strip()


def _text(record: bytes, place: int) -> str:
    """Return a text of at most 128 UTF-16 characters that ends with a null character."""
    text = record[place : place + 258].decode("utf-16-le", "replace")
    return text.partition("\0")[0].strip()


def _date(days: float) -> str:
    """Return the date a given number of days after 1899-12-30."""
    if not 1 <= days < 80_000:
        return ""
    return str(np.datetime64("1899-12-30") + np.timedelta64(int(days), "D"))


def _comments(parts: list[bytes]) -> list[str]:
    """Convert the comments from Rich Text Format to plain text, one comment per line."""
    for part in parts:
        if part.startswith(b"{\\rtf"):
            return [plain_text(line) for line in part.split(b"\r\n")]
    return []


def _renumbered(comments: list[str], records: list[bytes]) -> list[str]:
    """Shift the comments so that the records' comment numbers are valid indices.

    A file with a single position from a match contains only the comments on this position.
    However, the file's records still use the comment numbers of the whole match.
    """
    places = {_CUBE: 292, _PLAY: 2524}
    numbers = [_integer(r, places[r[8]]) for r in records if r[8] in places]
    largest = max(numbers, default=-1)
    if len(numbers) > 2 or largest > _MOST_COMMENTS:
        return comments
    return [""] * (largest + 1 - len(comments)) + comments


def _comment(comments: list[str], record: bytes, place: int) -> str:
    """Return the comment whose number the record contains; empty if the number is -1."""
    number = _integer(record, place)
    return comments[number] if 0 <= number < len(comments) else ""
