"""What a record of a match says, whatever file it came from."""

from dataclasses import dataclass
from typing import Literal

from bearoff import BearoffError

Kind = Literal["play", "double", "take", "pass", "resign"]


class RecordError(BearoffError):
    """A file that is no record of a match, or a record of what cannot have been played."""


@dataclass(frozen=True)
class Action:
    """What a player did.

    Attributes
    ----------
    player : int
        0 or 1, as `MatchRecord.players` are numbered.
    kind : {"play", "double", "take", "pass", "resign"}
        What it is.
    line : int
        Where it stands in the file, from 1.
    roll : tuple of int or None
        Of a play.
    text : str
        Of a play: the checkers moved, as `game.read_play` reads them; empty if none.
    value : int
        Of a double: what the cube then shows; 0 if the file does not say. Of a resignation:
        1, 2 for a gammon, 3 for a backgammon.
    """

    player: int
    kind: Kind
    line: int
    roll: tuple[int, int] | None = None
    text: str = ""
    value: int = 0


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
    """

    number: int
    line: int
    won: tuple[int, int]
    crawford: bool
    actions: tuple[Action, ...]
    winner: int | None = None
    points: int = 0


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
    """

    players: tuple[str, str]
    length: int
    jacoby: bool
    games: tuple[GameRecord, ...]
    source: str = ""
