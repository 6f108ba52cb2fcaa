"""Boards of both players and state of the game, as common notations describe them."""

from dataclasses import KW_ONLY, dataclass
from typing import Protocol

from bearoff import checks
from bearoff.errors import ScoreError
from bearoff.scores import Game, Score, check_cube_value
from bearoff.stakes import Cube

Board = tuple[int, ...]
"""Number of checkers of one player on points 1 to 24 and on the bar, from that player's
viewpoint."""

WITH_BAR = 25
"""Number of entries of a board: 24 points and the bar."""


SETTLED = 1 << 9
"""A cube limit is ignored if the limit divided by the present cube value is at least this
number. Such a limit changes equities by at most 1e-9."""


@dataclass(frozen=True)
class Setup:
    """Boards of both players and the state of the game, from the roller's viewpoint.

    If a double has been offered but not answered, the player who doubled is the roller, and
    the cube has its value before the double.

    Attributes
    ----------
    roller, opponent : tuple of int
        Number of checkers on each point and on the bar; see `Board`.
    cube : {"centred", "owned", "opponent"}
        Owner of the cube from the roller's viewpoint.
    score : Score or None
        Match score with the roller's points first; None for money play.
    dice : (int, int) or None
        Roll to be played, the higher number first; None before the roll.
    jacoby : bool
        Whether the Jacoby rule applies: gammons count only after the cube has been turned.
    beavers : bool
        Whether beavers are allowed: a player who is doubled may redouble at once and keep
        the cube.
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


class HasStakes(Protocol):
    """Interface of objects that have stakes and a cube, such as `Setup` and `Race`."""

    @property
    def cube(self) -> Cube: ...

    @property
    def cube_value(self) -> int: ...

    @property
    def score(self) -> Score | None: ...

    @property
    def jacoby(self) -> bool: ...

    @property
    def beavers(self) -> bool: ...

    @property
    def cube_limit(self) -> int | None: ...


def check_stakes(one: HasStakes) -> None:
    """Raise an error if the stakes or the cube of a position are impossible.

    Raises
    ------
    ScoreError, BearoffError
        If the cube value is not 1, 2, 4, ..., or if the score does not allow the cube or a
        rule of money play.
    """
    if one.cube_value != 1:
        check_cube_value(one.cube_value)
    if one.jacoby is not False or one.beavers is not False:
        checks.choice(one.jacoby, "jacoby", (False, True))
        checks.choice(one.beavers, "beavers", (False, True))
    if one.cube_limit is not None:
        limit = one.cube_limit
        checks.integer(limit, "the limit of the cube", 1, 1 << 19, ScoreError)
        if limit & (limit - 1):
            raise ScoreError(f"the limit of the cube must be a power of 2, got {limit}")
    if one.score is not None:
        _check_score(one, one.score)


def _check_score(one: HasStakes, score: Score) -> None:
    checks.instance(score, "a score", Score, ScoreError)
    if one.jacoby:
        raise ScoreError("the Jacoby rule applies only to money play, not to matches")
    if one.beavers:
        raise ScoreError("beavers are allowed only in money play, not in matches")
    if not score.has_cube and (one.cube_value, one.cube) != (1, "centred"):
        raise ScoreError(
            f"in the Crawford game the cube must be centred at 1, got {one.cube} at "
            f"{one.cube_value}"
        )
    if (one.cube == "centred") != (one.cube_value == 1):
        raise ScoreError(
            "in a match, a centred cube must have the value 1 and an owned cube a higher "
            f"value, got {one.cube} at {one.cube_value}"
        )


def match_score(
    length: int, won: tuple[int, int], *, crawford: bool, text: str
) -> Score | None:
    """Return the match score, roller's points first; None for money play (length 0).

    Raises `ScoreError` if the score is impossible.
    """
    if length == 0:
        return None
    game: Game = "normal"
    if length > 1 and max(won) == length - 1:
        game = "crawford" if crawford else "post-crawford"
    elif crawford and length > 1:
        raise ScoreError(
            f"{text!r} marks the Crawford game at {won[0]}-{won[1]} in a match to "
            f"{length}, where neither side needs exactly 1 point"
        )
    return Score.of_match(length, won, game)


def dice_from(text: str) -> tuple[int, int] | None:
    """Parse a roll of two digits, and put the higher first; None if it is not a roll."""
    if len(text) == 2 and set(text) <= set("123456"):
        first, second = int(text[0]), int(text[1])
        return max(first, second), min(first, second)
    return None


def written_score(score: Score | None) -> tuple[int, int, int]:
    """Return the match length (or the shortest possible) and both players' points."""
    if score is None:
        return 0, 0, 0
    length = score.length or max(score.away)
    return length, length - score.away[0], length - score.away[1]
