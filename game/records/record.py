"""What a record of a match says, whatever file it came from."""

from dataclasses import dataclass
from typing import Literal

from bearoff import BearoffError
from bearoff.game.rules import STARTS, Board

Kind = Literal["play", "roll", "set", "double", "take", "pass", "resign", "question"]


class RecordError(BearoffError):
    """A file that is no record of a match, or a record of what cannot have been played."""


@dataclass(frozen=True, slots=True)
class FileAnalysis:
    """What the program that wrote a file says there of a decision.

    Attributes
    ----------
    about : {"cube", "play"}
        Whether to double and to take, or how to play the roll.
    program : str
        Who says so, such as ``eXtreme Gammon``; empty if the file does not tell.
    level : str
        How it was found, in that program's words: ``3-ply``, ``XG Roller++``.
    equities : tuple of (str, float)
        What each alternative is worth to whoever is on roll, normalised to the cube as
        it stands before the decision (EMG). Of the cube ``no double``, ``double, take``
        and ``double, pass``; of a play the moves as the file has them, the best first.
    chances : tuple of (str, tuple of float)
        Of an alternative, if told: chances of the roller to win, to win a gammon, a
        backgammon, and to lose a gammon, a backgammon, without a cube.
    unit : {"EMG", "MWC"}
        MWC if `equities` are chances to win the match instead.
    """

    about: Literal["cube", "play"]
    program: str = ""
    level: str = ""
    equities: tuple[tuple[str, float], ...] = ()
    chances: tuple[tuple[str, tuple[float, ...]], ...] = ()
    unit: Literal["EMG", "MWC"] = "EMG"


@dataclass(frozen=True, slots=True)
class Action:
    """What a player did.

    Attributes
    ----------
    player : int
        0 or 1, as `MatchRecord.players` are numbered.
    kind : {"play", "roll", "set", "double", "take", "pass", "resign", "question"}
        What it is. A ``roll`` was thrown, but its play is not in the file, mostly because
        the game was given up. A ``set`` board follows from no legal play: of a roll, the
        illegal play that stood; without, a position that the file sets up. A question is a
        position with a roll or before it, to which the file does not say what was done.
    line : int
        Where it stands in the file, from 1: its line or, where a file has none, which
        action of the match it is.
    roll : tuple of int or None
        Of a play, a roll, an illegal play, and a question how to play it.
    text : str
        Of a play: the checkers moved, as `game.read_play` reads them; empty if none. Of an
        illegal play without a board, the checkers that were moved all the same.
    value : int
        Of a double: what the cube then shows; 0 if the file does not say. Of a resignation:
        1, 2 for a gammon, 3 for a backgammon.
    analyses : tuple of FileAnalysis
        What the file itself says of the decisions that the action shows: before a roll
        whether to double, then how to play it. Empty of files without an analysis.
    comment : str
        Text that somebody wrote there.
    board : Board or None
        Of a set board: the board from then on, from the side of player 0.
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
    """A game.

    Attributes
    ----------
    number : int
        Its place in the match, from 1.
    line : int
        Where it begins in the file.
    won : tuple of int
        Points that both players had before.
    crawford : bool
        Whether it is Crawford's game.
    actions : tuple of Action
        In the order in which they happened.
    winner : int or None
        0 or 1; None if the record breaks off.
    points : int
        Points won by the winner.
    comment : str
        Text that somebody wrote of it.
    board : Board or None
        Where it starts, from the side of player 0; None for the usual start.
    cube_value, cube_owner : int, int or None
        What the cube shows at the start, and which player has it; None if it is centred.
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
        """Whether it starts with an opening roll, in backgammon or a variant of it."""
        return self.board is None or self.board in STARTS.values()


def may_be_crawford(length: int, won: tuple[int, int]) -> bool:
    """Whether one side alone needs a point, so that Crawford's game may be played.

    Where both do, it was: by whoever came so far first.
    """
    return sorted(won)[1] == length - 1 > sorted(won)[0]


@dataclass(frozen=True)
class MatchRecord:
    """A match, or a session for money.

    Attributes
    ----------
    players : tuple of str
        Names of both.
    length : int
        Points of the match; 0 for money.
    jacoby : bool
        Whether gammons of a session count only once the cube is turned.
    games : tuple of GameRecord
        In order.
    source : str
        Name of the file.
    format : str
        What the file is: ``mat``, ``sgf``, ``xg``, ``bgf``, ``ogxm``, ``text``.
    date : str
        When it was played, as YYYY-MM-DD; another text if the file has another. Empty if
        it does not say, as all below.
    event, place : str
        What it was part of, and where.
    comment : str
        Text that somebody wrote of the match.
    complaints : tuple of str
        A sentence for each line that the reader did not understand and left out, and for
        what it assumed where the file leaves something open.
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
