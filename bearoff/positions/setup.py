"""Content of a two-sided notation: two boards and the state of the game."""

from dataclasses import KW_ONLY, dataclass

from bearoff.errors import ScoreError
from bearoff.scores import Game, Score
from bearoff.stakes import Cube

Board = tuple[int, ...]
"""Checkers of one side on its points 1 to 24 and, last, on its bar."""

WITH_BAR = 25
"""Length of a board, including the bar."""


@dataclass(frozen=True)
class Setup:
    """Both boards and the state of the game, from the roller's viewpoint.

    After an unanswered double the doubler is the roller, and the cube is where it was
    before.

    Attributes
    ----------
    roller, opponent : tuple of int
        Checkers on each point; see `Board`.
    cube : {"centred", "owned", "opponent"}
        Position of the cube.
    cube_value : int
        Value of the cube.
    score : Score or None
        Match score; None for money.
    dice : (int, int) or None
        Roll to play, larger number first; None before the roll.
    jacoby : bool
        Whether gammons count only after the cube has been turned.
    beavers : bool
        Whether a player who is doubled may redouble at once and keep the cube.
    cube_limit : int or None
        Largest value of the cube; None for the usual limit.
    """

    roller: Board
    opponent: Board
    _: KW_ONLY
    cube: Cube = "centred"
    cube_value: int = 1
    score: Score | None = None
    dice: tuple[int, int] | None = None
    jacoby: bool = False
    beavers: bool = False
    cube_limit: int | None = None


def match_score(
    length: int, won: tuple[int, int], *, crawford: bool, text: str
) -> Score | None:
    """Return a match score, the roller's points first; None for money.

    Raises `ScoreError` if the score is impossible.
    """
    if length == 0:
        return None
    game: Game = "normal"
    if length > 1 and max(won) == length - 1:
        game = "crawford" if crawford else "post-crawford"
    elif crawford and length > 1:
        raise ScoreError(
            f"{text!r} marks the Crawford game at {won[0]}-{won[1]} to {length}, "
            "where neither side is 1 point away"
        )
    return Score.of_match(length, won, game)


def dice_from(text: str) -> tuple[int, int] | None:
    """Parse a roll of two digits, larger first; None if the dice are not rolled yet."""
    if len(text) == 2 and set(text) <= set("123456"):
        first, second = int(text[0]), int(text[1])
        return max(first, second), min(first, second)
    return None


def written_score(score: Score | None) -> tuple[int, int, int]:
    """Return the match length, an assumed one if unknown, and the points won."""
    if score is None:
        return 0, 0, 0
    length = score.length or max(score.away)
    return length, length - score.away[0], length - score.away[1]
