"""Match records: the contents of a match file, independent of its format."""

from dataclasses import dataclass
from typing import Literal

from bearoff import BearoffError
from bearoff.game.rules import STARTS, Board

Kind = Literal["play", "roll", "set", "double", "take", "pass", "resign", "question"]


class RecordError(BearoffError):
    """Raised if a file is not a match record, or if a recorded action is impossible."""


@dataclass(frozen=True, slots=True)
class FileAnalysis:
    """Analysis of one decision by the program that wrote the match file.

    Attributes
    ----------
    about : {"cube", "play"}
        Whether the decision was about the cube or about the play of a roll.
    program : str
        Name of the program, such as ``eXtreme Gammon``; empty if the file does not state
        it.
    level : str
        Level of the analysis in the program's words, such as ``3-ply`` or ``XG Roller++``.
    equities : tuple of (str, float)
        Equity of each alternative for the player on roll, normalised to the cube value
        before the decision (EMG). The cube alternatives are ``no double``, ``double, take``
        and ``double, pass``. Plays are written as in the file, best first.
    chances : tuple of (str, tuple of float)
        For each alternative, the roller's cubeless probabilities: of winning, of winning a
        gammon, of winning a backgammon, of losing a gammon, and of losing a backgammon.
        Empty if the file does not state them.
    unit : {"EMG", "MWC"}
        Unit of `equities`; MWC means match-winning chances.
    """

    about: Literal["cube", "play"]
    program: str = ""
    level: str = ""
    equities: tuple[tuple[str, float], ...] = ()
    chances: tuple[tuple[str, tuple[float, ...]], ...] = ()
    unit: Literal["EMG", "MWC"] = "EMG"


@dataclass(frozen=True, slots=True)
class Action:
    """Action of a player in a recorded game.

    Attributes
    ----------
    player : int
        Player 0 or 1, as an index of `MatchRecord.players`.
    kind : {"play", "roll", "set", "double", "take", "pass", "resign", "question"}
        Kind of action. A ``roll`` has no recorded play, usually because a player resigned.
        A ``set`` has a board that no legal play leads to. If the action has a roll, the
        board is the result of an illegal play that the players accepted; otherwise, the
        board was set up. A ``question`` is a position, with or without a roll, for which
        the file does not state the player's decision.
    line : int
        Line number in the file, counted from 1. In files without lines, the number of the
        action in the match.
    roll : tuple of int or None
        Two numbers of the roll; None for an action without a roll.
    text : str
        For a play, the moves in a form that `game.read_play` reads; empty if nothing was
        moved. For an illegal play without a recorded board, the moves that were made.
    value : int
        For a double, the cube value after the double; 0 if the file does not state it. For
        a resignation, 1 for a single game, 2 for a gammon, 3 for a backgammon.
    analyses : tuple of FileAnalysis
        Analyses of the decisions in this action: the decision to double first, then the
        play. Empty if the file has no analyses.
    comment : str
        Comment on the action; empty if there is none.
    board : Board or None
        For a ``set``, the new board from the viewpoint of player 0.
    """

    player: int
    kind: Kind
    line: int
    roll: tuple[int, int] | None = None
    text: str = ""
    value: int = 0
    analyses: tuple[FileAnalysis, ...] = ()
    comment: str = ""
    board: Board | None = None


@dataclass(frozen=True)
class GameRecord:
    """Game of a recorded match.

    Attributes
    ----------
    number : int
        Number of the game in the match, counted from 1.
    line : int
        Line number in the file where the game begins.
    won : tuple of int
        Points of player 0 and player 1 before the game.
    crawford : bool
        Whether the game is the Crawford game of its match.
    actions : tuple of Action
        Actions of the game in chronological order.
    winner : int or None
        Player who won the game, 0 or 1; None if the record is incomplete.
    points : int
        Points won by the winner, including the cube.
    comment : str
        Comment on the game; empty if there is none.
    board : Board or None
        Starting board from the viewpoint of player 0; None for the usual starting position.
    cube_value, cube_owner : int, int or None
        Value and owner of the cube at the start of the game; the owner is None for a
        centred cube.
    """

    number: int
    line: int
    won: tuple[int, int]
    crawford: bool
    actions: tuple[Action, ...]
    winner: int | None = None
    points: int = 0
    comment: str = ""
    board: Board | None = None
    cube_value: int = 1
    cube_owner: int | None = None

    @property
    def opens(self) -> bool:
        """Whether the game starts with an opening roll, which also decides who begins."""
        return self.board is None or self.board in STARTS.values()


def may_be_crawford(length: int, won: tuple[int, int]) -> bool:
    """Return whether a game may be the Crawford game: exactly one player needs one point.

    If both players need one point, the Crawford game has already been played.
    """
    return sorted(won)[1] == length - 1 > sorted(won)[0]


@dataclass(frozen=True)
class MatchRecord:
    """Record of a match or of a money session.

    Attributes
    ----------
    players : tuple of str
        Names of player 0 and player 1.
    length : int
        Length of the match in points; 0 for money play.
    jacoby : bool
        Whether the Jacoby rule applies: in money play, gammons count only after the cube
        has been turned.
    games : tuple of GameRecord
        Games of the match in chronological order.
    source : str
        Name of the file from which the match was read.
    format : str
        Format of the file: ``mat``, ``sgf``, ``xg``, ``bgf``, ``ogxm`` or ``text``.
    date : str
        Date of the match as YYYY-MM-DD, or another text from the file; empty if the file
        does not state a date.
    event, place : str
        Event and place of the match; empty if the file does not state them.
    comment : str
        Comment on the match; empty if there is none.
    complaints : tuple of str
        Messages of the reader: one sentence for each line that it skipped and for each
        assumption that it made.
    """

    players: tuple[str, str]
    length: int
    jacoby: bool
    games: tuple[GameRecord, ...]
    source: str = ""
    format: str = ""
    date: str = ""
    event: str = ""
    place: str = ""
    comment: str = ""
    complaints: tuple[str, ...] = ()
