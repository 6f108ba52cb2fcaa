"""Reader of matches in Jellyfish's text format ``.mat`` and its many dialects.

The text has two columns, one per player, and numbered lines; ``31: 8/5 6/5`` is a roll and
its play. The format was never specified, so the parser accepts the output of many programs
and servers, with the `words` of four languages:

- The **head** has the length, tags such as ``; [Event "Club night"]`` and remarks.
- The **body** of a game has the turns, as cells in two columns. In a play, each word with a
  digit must be a move. If a cell has only words without digits, nothing was moved.
- The **tail** ends a game in which nobody passed a double or bore off all checkers. The
  tail is a roll without a play, ``????``, or a word such as ``Resigned``.
- The **settlement** states the winner and the points of a game: the words ``Wins`` and
  ``Losses``. If these words are missing or incomplete, the score at which the next game
  starts shows the result.

Text that cannot be parsed is skipped, with a complaint that states the line.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from statistics import median

from bearoff import BearoffError
from bearoff.game.records.record import (
    Action,
    GameRecord,
    MatchRecord,
    RecordError,
    may_be_crawford,
)
from bearoff.game.records.replay import moments
from bearoff.game.records.words import CELL, GAME, LENGTH, MONEY
from bearoff.game.rules import STARTS, Board
from bearoff.positions import Xgid

_TAG = re.compile(r"\s*;?\s*\[\s*(\w[\w ]*?)\s+\"(.*)\"\s*\]\s*$")
_SCORE = re.compile(r"\s*(.*?)\s*:\s*(\d{1,4})\s+(.*?)\s*:\s*(\d{1,4})\s*$")
_NUMBERED = re.compile(r"\s*\d+\s*(?:\)|\.(?!\d))")
_SET = re.compile(r"\W*Set Pos\s*=\s*([-a-oA-O]{26})", re.I)
_SETTING = re.compile(r"\W*Set \w+\s*=", re.I)
_ILLEGAL = re.compile(r"Illegal play\s*(\([^)]*\))?", re.I)
_ASIDE = re.compile(r"\s*\(([1-4])\)(?!\d)|[({[][^)}\]]*[)}\]]")
"""Regular expression that matches the number of checkers of a move, such as ``(2)``, or a
remark in brackets."""

_RIGHT = 20
"""Column from which a text belongs to the right player, if no line has text for both
players."""

_FORFEIT = 1000
"""Smallest number of points won for which a game counts as forfeited. Some servers record
forfeits in this way."""

_WORTH = {"gammon": 2, "backgammon": 3}

_SHOWN = 40
"""Maximum number of characters of a line that a complaint quotes."""


@dataclass
class _Cell:
    """Text in one column of a line: an action or the end of a game.

    `alone` is true if the other column of the line is empty.
    """

    kind: str
    found: re.Match[str]
    text: str
    line: int
    column: int
    player: int = 0
    alone: bool = True


@dataclass
class _ColumnGame:
    """Game that is being read from its lines, with the result that the lines state."""

    number: int
    line: int
    names: tuple[str, str] | None = None
    won: tuple[int, int] = (0, 0)
    actions: list[Action] = field(default_factory=list)
    board: Board | None = None
    winner: int | None = None
    points: int = 0
    # True if the text of the result is not clearly in one player's column, so that the
    # winner is uncertain.
    doubtful: bool = False
    resigned: Action | None = None
    """Resignation by the player in whose column the text is; None if nobody resigned."""
    open: bool = False
    """Whether the text leaves open which player resigned; its column is then ignored."""


def looks_like_jellyfish(text: str) -> bool:
    """Return whether a text begins like a match in Jellyfish's format."""
    head = text[:20_000].splitlines()
    return any(map(_SCORE.match, head)) and any(map(_turns, head))


def _turns(line: str) -> bool:
    numbered = _NUMBERED.match(line)
    return GAME.match(line) is not None or bool(numbered and CELL.search(line))


class _ColumnReader:
    """Reader of a match, which collects complaints about lines that it cannot parse."""

    def __init__(self, text: str, source: str) -> None:
        self.lines = [line.rstrip().expandtabs(8) for line in text.splitlines()]
        self.source = source
        self.complaints: list[str] = []
        self.tags = {m[1].lower(): m[2].strip() for m in map(_TAG.match, self.lines) if m}

    def complain(self, line: int, what: str) -> None:
        self.complaints.append(f"{self.source}, line {line}: {what}")

    def not_understood(self, line: int, text: str) -> None:
        short = " ".join(text.split())[:_SHOWN]
        self.complain(line, f"{short!r} is not understood, and left out")

    def match(self) -> MatchRecord:
        starts: Sequence[int] = [k for k, line in enumerate(self.lines) if GAME.match(line)]
        if not starts:
            # A part of a match may begin below the line "Game 1", with the score.
            starts = [k for k, line in enumerate(self.lines) if _SCORE.match(line)][:1]
        if not starts:
            raise RecordError(
                f"{self.source} contains no games; each must begin with a line such as "
                "'Game 1'"
            )
        head = self.lines[: starts[0]]
        length = self.length(head)
        starts = self.first_match(starts, length)
        start = self.start()
        games: list[_ColumnGame] = []
        for begin, end in zip(starts, [*starts[1:], len(self.lines)], strict=True):
            game = self.game(begin, end, games)
            if game is not None:
                games.append(game)
        if not games:
            raise RecordError(self.complaints[0])
        names = games[0].names or ("", "")
        match = MatchRecord(
            names,
            length,
            length == 0 and self.tags.get("jacoby", "Off").lower() == "on",
            (),
            self.source,
            format="mat",
            date=_date(self.tags.get("eventdate", self.tags.get("date", ""))),
            event=self.tags.get("event", ""),
            place=self.tags.get("site", ""),
            comment="\n".join(_remarks(head)),
        )
        records = [
            self.settled(match, replace(game, board=game.board or start), after)
            for game, after in zip(games, [*games[1:], None], strict=True)
        ]
        records = self.with_crawford(length, records)
        return replace(match, games=tuple(records), complaints=tuple(self.complaints))

    def length(self, head: Sequence[str]) -> int:
        """Return the match length stated before the first game; 0 for money play."""
        tagged = (self.tags.get(name) for name in ("length", "match length", "matchlength"))
        plain = [line for line in head if not _TAG.match(line)]
        for line in [
            *sorted(plain, key=lambda line: ";" in line[:4]),
            *filter(None, tagged),
        ]:
            if found := LENGTH.search(line):
                length = int(next(filter(None, found.groups())))
                if length < 0:
                    raise RecordError(
                        f"{self.source}: the match length {length} is not possible; use 0 "
                        "for money play"
                    )
                return length
            if MONEY.search(line):
                return 0
            if line.strip().isdecimal() and line not in plain:
                return int(line)
        unknown = next((line.strip() for line in plain[::-1] if line.strip(" ;|+-")), "")
        got = f", got {unknown[:_SHOWN]!r}" if unknown else ""
        raise RecordError(
            f"{self.source}: the length of the match is missing before the first "
            f"game{got}; add a line '7 point match', or '0 point match' for money play"
        )

    def first_match(self, starts: Sequence[int], length: int) -> Sequence[int]:
        """Return the first line of each game of the file's first match.

        A second match begins at a line that states a match length, if the length differs
        from that of the first match or if the next game has the number 1. The lines from
        there on are left out with a complaint.
        """
        for k in range(starts[0] + 1, len(self.lines)):
            found = LENGTH.fullmatch(self.lines[k].strip(" ;.|"))
            if found is None:
                continue
            said = int(next(filter(None, found.groups())))
            game = next(
                (GAME.match(self.lines[start]) for start in starts if start > k), None
            )
            if said == length and not (game and int(game[1]) == 1):
                continue
            self.complain(
                k + 1,
                f"another match, to {said} points, begins here and is left out; put it "
                "into its own file",
            )
            del self.lines[k:]
            return [start for start in starts if start < k]
        return starts

    def start(self) -> Board | None:
        """Return the starting board of the variant; None for ordinary backgammon."""
        said = self.tags.get("variation", self.tags.get("variant", "")) or "backgammon"
        name = re.sub(r"\W", "", said).lower()
        if name not in STARTS:
            raise RecordError(
                f"{self.source} has the variant {said[:_SHOWN]!r}; only "
                f"{', '.join(STARTS)} are supported"
            )
        return None if name == "backgammon" else STARTS[name]

    def game(
        self, begin: int, end: int, before: Sequence[_ColumnGame]
    ) -> _ColumnGame | None:
        """Read a game from its lines; return None if the score is unknown."""
        head = GAME.match(self.lines[begin])
        number = int(head[1]) if head else 1
        game = _ColumnGame(number, begin + 1)
        body = begin + 1 if head else begin
        rows = [k for k in range(body, end) if self.lines[k].strip()]
        turns = next((k for k in rows if _NUMBERED.match(self.lines[k])), end)
        score = next((k for k in rows if k < turns and _SCORE.match(self.lines[k])), None)
        if not self.score(game, score, before, body):
            return None
        cells = list(self.cells([k for k in rows if k != score], game))
        _assign_columns(cells)
        for cell in cells:
            self.act(game, cell)
        return game

    def score(
        self, game: _ColumnGame, line: int | None, before: Sequence[_ColumnGame], body: int
    ) -> bool:
        """Read names and points; without such a line, use the previous game's result."""
        last = before[-1] if before else None
        if line is not None:
            found = _SCORE.match(self.lines[line])
            assert found is not None  # The caller has chosen a line that matches.
            game.won = int(found[2]), int(found[4])
            game.names = found[1].strip(" ;"), found[3]
            if last is not None and last.names and game.names != last.names:
                now, earlier = (
                    f"{one[:_SHOWN]!r} and {other[:_SHOWN]!r}"
                    for one, other in (game.names, last.names)
                )
                raise RecordError(
                    f"{self.source}, line {line + 1}: the players change from {earlier} to "
                    f"{now}; use one file for each match"
                )
            return True
        what = "names and points of both players, as in 'Ann : 0    Bob : 2', are missing"
        if last is None and game.number == 1:
            self.complain(body, f"{what}; the score 0-0 is assumed for the first game")
            return True
        if last is not None and last.winner is not None and game.number == last.number + 1:
            gained = [last.points * (last.winner == player) for player in (0, 1)]
            game.won = last.won[0] + gained[0], last.won[1] + gained[1]
            game.names = last.names
            self.complain(
                body,
                f"{what}; game {game.number} is assumed to start at the score after "
                "the previous game",
            )
            return True
        self.complain(body, f"{what}, and game {game.number} is left out")
        return False

    def cells(self, rows: Sequence[int], game: _ColumnGame) -> Iterator[_Cell]:
        """Yield the actions and results in a game's lines; report other text."""
        for k in rows:
            line = self.lines[k]
            if found := _SET.match(line):
                self.set_up(game, found[1], k + 1)
                continue
            if _SETTING.match(line):
                self.not_understood(k + 1, line)
                continue
            if _TAG.match(line) or line.lstrip().startswith(";"):
                continue
            numbered = _NUMBERED.match(line)
            text = (
                line if numbered is None else " " * numbered.end() + line[numbered.end() :]
            )
            hidden = _ILLEGAL.sub(lambda found: "_" * len(found[0]), text)
            starts = list(CELL.finditer(hidden))
            if not starts:
                if text.strip(" |+-_=*"):
                    self.not_understood(k + 1, line)
                continue
            rest = [text[: starts[0].start()]]
            ends = [*(one.start() for one in starts[1:]), len(text)]
            several: list[_Cell] = []
            for found, end in zip(starts, ends, strict=True):
                said = text[found.end() : end]
                # `lastgroup` is the name of the group that closes last, which is the
                # outermost group, so it is the kind of the cell.
                kind = found.lastgroup or ""
                if kind != "roll":
                    rest.append(said)
                several.append(_Cell(kind, found, said.strip(), k + 1, found.start()))
            more = " ".join(rest).strip(" /|,;.!-_:*")
            if more and not self.named(game, several, more):
                self.not_understood(k + 1, more)
                if numbered is None:
                    continue
            yield from several

    def named(self, game: _ColumnGame, cells: Sequence[_Cell], more: str) -> bool:
        """Return whether the words next to a result name a player, who is then stored."""
        names = [name.casefold() for name in game.names or ()]
        who = more.casefold()
        settles = [cell for cell in cells if cell.kind in ("wins", "loses", "resigns")]
        if len(settles) != len(cells) or names.count(who) != 1:
            return False
        for cell in settles:
            cell.column = -1 - names.index(who)
        return True

    def set_up(self, game: _ColumnGame, letters: str, line: int) -> None:
        board = _lettered(letters)
        if game.actions:
            game.actions.append(Action(0, "set", line, board=board))
        elif board != Board.start():
            game.board = board

    def act(self, game: _ColumnGame, cell: _Cell) -> None:
        """Add the action or result in a cell to the game."""
        player, line, found = cell.player, cell.line, cell.found
        match cell.kind:
            case "roll":
                for action in self.rolled(game, cell):
                    kinds = [one.kind for one in game.actions[-2:]]
                    # A roll directly after a beaver means that the doubler accepted the
                    # beaver.
                    if kinds == ["double", "double"]:
                        game.actions.append(Action(player, "take", line))
                    game.actions.append(action)
            case "double":
                value = int(found["value"] or 0)
                game.actions.append(Action(player, "double", line, value=value))
            case "take" | "pass" as kind:
                if game.actions and game.actions[-1].kind == "double":
                    # The answer to a double is always an action of the opponent, even if
                    # the answer is written in the doubler's column.
                    player = 1 - game.actions[-1].player
                game.actions.append(Action(player, kind, line))
            case "wins":
                game.winner = player
                game.points = int(found["points"] or found["won"] or 0)
                game.doubtful = not cell.alone
            case "loses":
                # If the text contains "Wins" as well as "Loses", only "Wins" is used.
                if game.winner is None:
                    game.winner, game.points = 1 - player, int(found["lost"])
                    game.doubtful = not cell.alone
            case "resigns":
                worth = {"gammon": 2, "backgammon": 3}.get(
                    (found["worth"] or "").lower(), 0
                )
                game.resigned = Action(player, "resign", line, value=worth)
            case "resigned":
                game.resigned, game.open = Action(player, "resign", line), True

    def rolled(self, game: _ColumnGame, cell: _Cell) -> Iterator[Action]:
        """Yield a roll with its play, or only the roll; yield nothing for ``00:``."""
        player, line = cell.player, cell.line
        high, low = map(int, cell.found["dice"])
        if not high or not low:
            if high or low:
                self.not_understood(line, f"{cell.found[0]} {cell.text}")
            return
        if (illegal := _ILLEGAL.search(cell.text)) is not None:
            board = self.dumped(game, illegal[1] or "")
            if board is None:
                yield Action(player, "roll", line, (high, low))
            else:
                yield Action(player, "set", line, (high, low), board=board)
            return
        if cell.text.startswith("?"):
            yield Action(player, "roll", line, (high, low))
            return
        moves, rest = _play(cell.text)
        if moves and rest:
            self.not_understood(line, rest)
        yield Action(player, "play", line, (high, low), moves)

    def dumped(self, game: _ColumnGame, dump: str) -> Board | None:
        """Return the board after an illegal play, from the left player's viewpoint.

        `dump` is a list of values, separated by semicolons. The sixth value is the name of
        the player whose checker counts are positive, and values 13 to 38 are the board's
        26 counts.
        """
        values = dump.strip("()").split(";")
        with suppress(ValueError, BearoffError):
            counts = tuple(int(value) for value in values[12:38])
            # The 26 counts begin with the checkers on the second player's bar.
            board = Board(counts)
            names = game.names or ("", "")
            return board.turned if values[5] == names[1] != names[0] else board
        return None

    def settled(
        self, match: MatchRecord, game: _ColumnGame, after: _ColumnGame | None
    ) -> GameRecord:
        """Return a game with its result, from the text, the board or the next score."""
        winner, points = game.winner, game.points
        gained = None
        if after is not None and after.number == game.number + 1:
            gains = after.won[0] - game.won[0], after.won[1] - game.won[1]
            if sorted(gains)[0] == 0 < sorted(gains)[1]:
                gained = int(gains[1] > 0), max(gains)
        if winner is None and gained is not None:
            winner, points = gained
        record = GameRecord(
            game.number,
            game.line,
            game.won,
            False,
            tuple(game.actions),
            winner,
            points,
            board=game.board,
        )
        last = game.actions[-1] if game.actions else None
        if last is not None and last.kind == "double" and winner == last.player:
            record = _with(record, Action(1 - last.player, "pass", last.line))
        if winner is None or game.doubtful or not points:
            record = _by_the_board(match, record, gained)
        cube = _cube(record)
        if match.length and record.winner is not None and record.points >= _FORFEIT:
            needed = match.length - record.won[record.winner]
            sure = min(needed, 3 * cube) if gained is None else gained[1]
            record = replace(record, points=sure)
        if game.resigned is None:
            return record
        if game.open and record.winner is None:
            self.complain(
                game.resigned.line,
                f"the file does not state who resigned game {game.number}",
            )
            return record
        return _given_up(record, game.resigned, cube)

    def with_crawford(self, length: int, games: list[GameRecord]) -> list[GameRecord]:
        """Mark the Crawford game, the first game in which a player needs one point.

        If a file contains only part of a match, a double shows that a game is not the
        Crawford game.
        """
        if length < 2 or self.tags.get("crawford", "On").lower() == "off":
            return games
        near = next((k for k, game in enumerate(games) if length - 1 in game.won), None)
        if near is None or not may_be_crawford(length, games[near].won):
            return games
        if any(action.kind == "double" for game in games[near:] for action in game.actions):
            if near == 0 and any(action.kind == "double" for action in games[0].actions):
                return games
        elif near == 0 and games[0].number > 1:
            self.complain(
                games[0].line,
                f"game {games[0].number}, the first in the file, is assumed to be the "
                "Crawford game",
            )
        games[near] = replace(games[near], crawford=True)
        return games


def read_jellyfish(text: str, source: str) -> MatchRecord:
    """Read a match in Jellyfish's format or one of its dialects.

    Raises `RecordError` if no game can be read, or if the match length is missing.
    """
    return _ColumnReader(text, source).match()


def _remarks(head: Sequence[str]) -> Iterator[str]:
    for line in head:
        known = _TAG.match(line) or LENGTH.search(line) or MONEY.search(line)
        text = line.lstrip("; \t").rstrip()
        if text and not known:
            yield text


def _date(text: str) -> str:
    """Convert a date with dots or slashes to the form 2024-05-01."""
    parts = re.fullmatch(r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})", text.strip())
    return f"{parts[1]}-{parts[2]:0>2}-{parts[3]:0>2}" if parts else text.strip()


def _assign_columns(cells: Sequence[_Cell]) -> None:
    """Determine which player each text in a column belongs to.

    The first text of a line belongs to the right player if it begins closer to the usual
    start of the right column than to that of the left column. A second text of a line
    always belongs to the right player.
    """
    rows: dict[int, list[_Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.line, []).append(cell)
    pairs = [row for row in rows.values() if len(row) == 2]
    middle = float(_RIGHT)
    if pairs:
        middle = (
            median(p[0].column for p in pairs) + median(p[1].column for p in pairs)
        ) / 2
    for row in rows.values():
        for place, cell in enumerate(row):
            cell.alone = len(row) == 1
            if cell.column < 0:  # The text contains the player's name.
                cell.player = -1 - cell.column
            else:
                cell.player = int(place > 0 or cell.column >= middle)


def _play(text: str) -> tuple[str, str]:
    """Split a play into its moves, which contain digits, and its words without digits."""
    text = _ASIDE.sub(lambda found: f"({found[1]})" if found[1] else "", text)
    words = [word.strip("!?,;.|") for word in text.split()]
    # If a line break is missing, the number of the next line, such as "12)", follows the
    # play.
    words = [word for word in words if not re.fullmatch(r"0/0|\d{1,3}\)", word)]
    moves = [word for word in words if any(map(str.isdigit, word))]
    return " ".join(moves), " ".join(w for w in words if w.isalpha())


def _lettered(letters: str) -> Board:
    """Parse a board as in the first field of an XGID; capitals are the left player's."""
    xgid = Xgid.parse(f"{letters}:0:0:1:00:0:0:0:0:10")
    return Board.of_sides(xgid.lower, xgid.upper)


def _with(record: GameRecord, action: Action) -> GameRecord:
    return replace(record, actions=(*record.actions, action))


def _given_up(record: GameRecord, resigned: Action, cube: int) -> GameRecord:
    """Return a game with the loser's resignation added as the last action."""
    loser = resigned.player if record.winner is None else 1 - record.winner
    worth = resigned.value or record.points // cube
    resigned = replace(resigned, player=loser, value=worth if 0 < worth < 4 else 0)
    points = record.points or cube * max(worth, 1)
    return _with(replace(record, winner=1 - loser, points=points), resigned)


def _cube(record: GameRecord) -> int:
    """Return the value of the cube at the end of a recorded game."""
    shows, offers = record.cube_value, 0
    for action in record.actions:
        if action.kind == "double":
            offers += 1
        elif action.kind == "take":
            shows, offers = shows << offers, 0
    return shows << max(offers - 1, 0)


def _by_the_board(
    match: MatchRecord, record: GameRecord, gained: tuple[int, int] | None
) -> GameRecord:
    """Return a game with the result that its final board shows, if the game is over."""
    with suppress(BearoffError):
        *_, last = (None, *moments(match, record))
        if last is not None and last.then.winner is not None:
            points = record.points or last.then.points
            record = replace(record, winner=last.then.winner, points=points)
    if record.winner is not None and not record.points:
        sure = gained is not None and gained[0] == record.winner
        record = replace(record, points=gained[1] if gained and sure else _cube(record))
    return record
