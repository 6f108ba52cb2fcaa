"""What a notation of both sides holds: two boards, and whatever it says of the game."""

from dataclasses import KW_ONLY, dataclass

from bearoff import checks
from bearoff.errors import PositionError, ScoreError
from bearoff.scores import Game, Score
from bearoff.stakes import CUBES, Cube

Board = tuple[int, ...]
"""Checkers of one side on its ace to 24 points and, last, on its bar."""

WITH_BAR = 25
"""Length of a board."""


@dataclass(frozen=True)
class Setup:
    """Both boards and the state of the game, from the side of who is on roll.

    A side who has been doubled and has not answered is the opponent: the cube is where it
    was before.

    Attributes
    ----------
    roller, opponent : tuple of int
        See `Board`.
    cube : {"centred", "owned", "opponent"}
        Where the cube is.
    cube_value : int
        What it shows.
    score : Score or None
        None for money play.
    dice : (int, int) or None
        The roll to be played, larger number first; None before the roll.
    jacoby : bool
        Whether gammons count only once the cube has been turned.
    beavers : bool
        Whether who is doubled may double back at once and keep the cube.
    cube_limit : int or None
        The most that the cube may show; None if nothing else is said than is usual.
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


def cube_named(text: str) -> Cube:
    """Return where a cube is, in British or American spelling and any case.

    Examples
    --------
    >>> cube_named("Centered")
    'centred'
    """
    checks.instance(text, "the cube", str)
    cube = text.strip().lower().replace("centered", "centred").replace("center", "centred")
    found = next((one for one in CUBES if one == cube), None)
    if found is None:
        raise PositionError(
            f"the cube is centred, owned (by the roller) or opponent, got {text!r}"
            f"{checks.did_you_mean(text, CUBES)}"
        )
    return found


def match_score(
    length: int, won: tuple[int, int], *, crawford: bool, text: str
) -> Score | None:
    """Return the score of a match, the roller's points first; None for money play.

    Raises
    ------
    ScoreError
        If no match has it.
    """
    if length == 0:
        return None
    game: Game = "normal"
    if length > 1 and max(won) == length - 1:
        game = "crawford" if crawford else "post-crawford"
    elif crawford and length > 1:
        raise ScoreError(
            f"{text!r} says Crawford's game at {won[0]}-{won[1]} to {length}, where "
            "nobody is a point away"
        )
    return Score.of_match(length, won, game)


def dice_from(text: str) -> tuple[int, int] | None:
    """Return the roll of two digits, larger first; None if they are not both thrown."""
    if len(text) == 2 and set(text) <= set("123456"):
        first, second = int(text[0]), int(text[1])
        return max(first, second), min(first, second)
    return None


def written_score(score: Score | None) -> tuple[int, int, int]:
    """Return the length and both sides' points won, of a score of unknown length too."""
    if score is None:
        return 0, 0, 0
    length = score.length or max(score.away)
    return length, length - score.away[0], length - score.away[1]
