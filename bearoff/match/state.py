"""Score and cube as XGIDs and GNU Backgammon's match IDs carry them.

A match ID is 12 characters of base 64 for 66 bits, lowest first, that hold among others
the cube's exponent (4 bits), its owner (2; 3 if centred), who rolls (1), whether the game
is Crawford's (1), and from bit 21 the match's length and both scores (15 bits each); see
GNU Backgammon's manual, "A technical description of the Match ID".
"""

import base64
import re
from dataclasses import dataclass
from typing import Self

from bearoff import checks
from bearoff.errors import ScoreError
from bearoff.match.table import CUBES, Cube
from bearoff.positions import Xgid
from bearoff.score import Game, Score, check_cube_value

_CENTRED = 3


@dataclass(frozen=True)
class MatchState:
    """A score, what the cube shows, and where it is, from the roller's side.

    Attributes
    ----------
    score : Score
        Before the game.
    cube_value : int
        What the cube shows.
    cube : {"centred", "owned", "opponent"}
        Where it is.

    Raises
    ------
    ScoreError
        If there is no such cube at that score.
    """

    score: Score
    cube_value: int = 1
    cube: Cube = "centred"

    def __post_init__(self) -> None:
        checks.instance(self.score, "a score", Score, ScoreError)
        check_cube_value(self.cube_value)
        checks.choice(self.cube, "cube", CUBES)
        if not self.score.has_cube and (self.cube_value, self.cube) != (1, "centred"):
            raise ScoreError(
                "the cube stays centred at 1 in Crawford's game, got "
                f"{self.cube} at {self.cube_value}"
            )

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read score and cube from an XGID or a match ID, alone or behind a position ID.

        Returns
        -------
        MatchState or None
            None for money play.

        Raises
        ------
        ScoreError, PositionError
            If the text is neither, or no match can be so.

        Examples
        --------
        >>> MatchState.parse("twAAgBcAAAAAAA:QQngACAAIAAE")
        MatchState(score=Score(away=(3, 5), game='normal', length=7), cube_value=2, \
cube='opponent')
        """
        text = checks.instance(text, "a match ID", str, ScoreError).strip()
        if found := re.fullmatch(r"(?:[A-Za-z0-9+/]{14}:)?([A-Za-z0-9+/]{12})", text):
            return cls._of_match_id(found[1])
        if text.startswith("XGID=") or text.count(":") == 9:
            return cls._of_xgid(Xgid.parse(text), text)
        raise ScoreError(
            f"score and cube are read from an XGID or 12 characters of a match ID, got "
            f"{text!r}"
        )

    @classmethod
    def _of_xgid(cls, xgid: Xgid, text: str) -> Self | None:
        if xgid.match_length == 0:
            return None
        won = (xgid.score_lower, xgid.score_upper)[:: xgid.turn]
        owner = xgid.cube_owner * xgid.turn
        # Behind a score, the rules flag says that the game is Crawford's.
        return cls._of_match(
            xgid.match_length, (won[0], won[1]), xgid.rules == 1, xgid.cube, owner, text
        )

    @classmethod
    def _of_match_id(cls, text: str) -> Self | None:
        bits = int.from_bytes(base64.b64decode(text), "little")
        exponent, owner, roller, crawford = (
            bits >> start & (1 << size) - 1
            for start, size in ((0, 4), (4, 2), (6, 1), (7, 1))
        )
        length, first, second = (bits >> start & 0x7FFF for start in (21, 36, 51))
        if length == 0:
            return None
        if owner == 2:
            raise ScoreError(f"no player owns the cube of {text!r}; check the match ID")
        side = 0 if owner == _CENTRED else 1 if owner == roller else -1
        won = (second, first) if roller else (first, second)
        return cls._of_match(length, won, bool(crawford), exponent, side, text)

    @classmethod
    def _of_match(
        cls,
        length: int,
        won: tuple[int, int],
        crawford: bool,
        exponent: int,
        owner: int,
        text: str,
    ) -> Self:
        """Make a state of numbers; `owner` is 1 for the roller, -1 for the opponent."""
        game: Game = "normal"
        if length > 1 and max(won) == length - 1:
            game = "crawford" if crawford else "post-crawford"
        elif crawford and length > 1:
            raise ScoreError(
                f"{text!r} says Crawford's game at {won[0]}-{won[1]} to {length}, where "
                "nobody is a point away"
            )
        cubes: tuple[Cube, ...] = ("centred", "owned", "opponent")
        return cls(Score.of_match(length, won, game), 1 << exponent, cubes[owner])
