"""Match records, independent of the file format."""

from dataclasses import dataclass
from typing import Literal

from bearoff import BearoffError
from bearoff.game.rules import STARTS, Board

Kind = Literal["play", "roll", "set", "double", "take", "pass", "resign", "question"]


class RecordError(BearoffError):
    """Raised if a file is not a match record, or the match cannot have been played."""


@dataclass(frozen=True, slots=True)
class FileAnalysis:
    """Analysis of a decision by the program that wrote the file.

    Attributes
    ----------
    about : {"cube", "play"}
        Whether the decision is about the cube or about the play of a roll.
    program : str
        Name of the program, such as ``eXtreme Gammon``; empty if not stated.
    level : str
        Level of the analysis in the program's words, such as ``3-ply`` or ``XG Roller++``.
    equities : tuple of (str, float)
        Equity of each alternative for the player on roll, normalised to the cube value
        before the decision (EMG). Cube alternatives are ``no double``, ``double, take`` and
        ``double, pass``; plays are written as in the file, best first.
    chances : tuple of (str, tuple of float)
        The roller's cubeless probabilities after an alternative, if stated: of winning, of
        winning a gammon, of winning a backgammon, of losing a gammon, of losing a
        backgammon.
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
    """Action of a player in a game.

    Attributes
    ----------
    player : int
        Player 0 or 1, in the order of `MatchRecord.players`.
    kind : {"play", "roll", "set", "double", "take", "pass", "resign", "question"}
        Kind of action. A ``roll`` has no play in the file, usually because the game was
        resigned. A ``set`` has a board that no legal play leads to: with a roll, it is the
        result of an accepted illegal play; without a roll, a position set up in the file. A
        ``question`` is a position, with or without a roll, whose decision is not in the
        file.
    line : int
        Line number in the file, from 1; in files without lines, the number of the
        action in the match.
    roll : tuple of int or None
        Roll, if the action is a play, a roll, an illegal play or a question about a play.
    text : str
        For a play, the moves in a form that `game.read_play` reads; empty without moves.
        For an illegal play without a board, the moves that were made.
    value : int
        For a double, the cube value after it; 0 if not stated. For a resignation, 1 for a
        game, 2 for a gammon, 3 for a backgammon.
    analyses : tuple of FileAnalysis
        Analyses of the decisions in this action: first whether to double, then how to play.
        Empty for files without analyses.
    comment : str
        Comment on the action.
    board : Board or None
        For ``set``, the new board from the viewpoint of player 0.
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
    """Game of a match.

    Attributes
    ----------
    number : int
        Number of the game in the match, from 1.
    line : int
        Line number in the file at which the game begins.
    won : tuple of int
        Points of both players before the game.
    crawford : bool
        Whether the game is the Crawford game.
    actions : tuple of Action
        Actions in chronological order.
    winner : int or None
        Winner, 0 or 1; None if the record is incomplete.
    points : int
        Points won by the winner.
    comment : str
        Comment on the game.
    board : Board or None
        Starting board from the viewpoint of player 0; None for the usual one.
    cube_value, cube_owner : int, int or None
        Cube value and owner at the start; the owner is None for a centred cube.
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
        """Whether the game starts with an opening roll, in backgammon or a variant."""
        return self.board is None or self.board in STARTS.values()


def may_be_crawford(length: int, won: tuple[int, int]) -> bool:
    """Check whether a game may be the Crawford game: exactly one player needs one point.

    If both players need one point, the Crawford game has been played.
    """
    return sorted(won)[1] == length - 1 > sorted(won)[0]


@dataclass(frozen=True)
class MatchRecord:
    """Match, or session for money.

    Attributes
    ----------
    players : tuple of str
        Names of both players.
    length : int
        Length of the match in points; 0 for money.
    jacoby : bool
        Whether gammons count only after the cube has been turned, for money.
    games : tuple of GameRecord
        Games in chronological order.
    source : str
        Name of the file.
    format : str
        Format of the file: ``mat``, ``sgf``, ``xg``, ``bgf``, ``ogxm`` or ``text``.
    date : str
        Date of the match as YYYY-MM-DD, or another text from the file; empty if the file
        has no date.
    event, place : str
        Event and place of the match; empty if the file does not state them.
    comment : str
        Comment on the match.
    complaints : tuple of str
        One sentence for each line that the reader skipped, and for each assumption that it
        made.
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
