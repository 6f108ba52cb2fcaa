"""Parser and writer of GNU Backgammon's match ID: score, cube, dice and rules.

The ID has 12 characters, the base 64 code of 67 bits with the lowest bit first. The bits
contain, among other fields: from bit 0 the cube's exponent (4 bits), its owner (2 bits; 3
if centred), the player on roll (1 bit) and a Crawford flag (1 bit); from bit 15 the dice (3
bits each); from bit 21 the match length and both scores (15 bits each); and in bit 66
whether the Jacoby rule is *not* used. The source is GNU Backgammon's manual, "A technical
description of the Match ID".
"""

import base64
import re
from dataclasses import dataclass
from functools import lru_cache

from bearoff.errors import ScoreError
from bearoff.positions.setup import (
    Board,
    Setup,
    dice_from,
    match_score,
    written_score,
)
from bearoff.scores import Score
from bearoff.stakes import Cube, CubeOwner

_CENTRED = 3
_PLAYING = 1

_FIELDS = {
    "exponent": (0, 4),
    "owner": (4, 2),
    "roller": (6, 1),
    "crawford": (7, 1),
    "state": (8, 3),
    "turn": (11, 1),
    "first": (15, 3),
    "second": (18, 3),
    "length": (21, 15),
    "score_0": (36, 15),
    "score_1": (51, 15),
    "no_jacoby": (66, 1),
}
"""For each field of a match ID: the index of its first bit, and its number of bits."""


@dataclass(frozen=True)
class MatchId:
    """Fields of GNU Backgammon's match ID; `str` formats them as an ID.

    Attributes
    ----------
    exponent, owner, roller, crawford, state, turn, first, second, length, score_0, \
score_1, no_jacoby : int
        Fields of the match ID as unsigned integers.

    Examples
    --------
    >>> found = MatchId.parse("UQnzACAAIAAE")
    >>> found.length, found.first, found.second, str(found)
    (7, 6, 4, 'UQnzACAAIAAE')
    """

    exponent: int = 0
    owner: int = _CENTRED
    roller: int = 0
    crawford: int = 0
    state: int = _PLAYING
    turn: int = 0
    first: int = 0
    second: int = 0
    length: int = 0
    score_0: int = 0
    score_1: int = 0
    no_jacoby: int = 1

    @classmethod
    def parse(cls, text: str) -> "MatchId":
        """Parse the fields of a match ID; raise `ScoreError` for other texts."""
        if not re.fullmatch(r"[A-Za-z0-9+/]{12}", text):
            raise ScoreError(
                "a match ID must be 12 characters out of A-Z, a-z, 0-9, + and /, got "
                f"{text!r}"
            )
        bits = int.from_bytes(base64.b64decode(text), "little")
        found = cls(
            **{
                name: bits >> start & (1 << size) - 1
                for name, (start, size) in _FIELDS.items()
            }
        )
        if found.owner == 2:
            raise ScoreError(
                f"the match ID {text!r} has an invalid cube owner; check the ID"
            )
        return found

    def __str__(self) -> str:
        bits = 0
        for name, (start, _) in _FIELDS.items():
            bits |= getattr(self, name) << start
        return base64.b64encode(bits.to_bytes(9, "little")).decode()


def setup_of(text: str, roller: Board, opponent: Board) -> Setup:
    """Return two boards together with the cube, score and dice of a match ID.

    Raises `ScoreError` if the text is not a match ID or its score is impossible.
    """
    found = MatchId.parse(text)
    owner = 0 if found.owner == _CENTRED else 1 if found.owner == found.roller else -1
    scores = found.score_0, found.score_1
    won = scores[::-1] if found.roller else scores
    return Setup(
        roller,
        opponent,
        cube=CubeOwner(owner).cube,
        cube_value=1 << found.exponent,
        score=match_score(found.length, won, crawford=bool(found.crawford), text=text),
        dice=dice_from(f"{found.first}{found.second}"),
        jacoby=found.length == 0 and not found.no_jacoby,
    )


def format_match_id(setup: Setup) -> str:
    """Return the match ID of a game, with the roller as GNU Backgammon's player 1."""
    return _written(
        setup.cube, setup.cube_value, setup.score, setup.dice or (0, 0), setup.jacoby
    )


@lru_cache(maxsize=1024)
def _written(
    cube: Cube, value: int, score: Score | None, dice: tuple[int, int], jacoby: bool
) -> str:
    length, mine, theirs = written_score(score)
    found = MatchId(
        exponent=value.bit_length() - 1,
        owner={1: 1, -1: 0, 0: _CENTRED}[CubeOwner.of(cube)],
        roller=1,
        turn=1,
        crawford=int(score is not None and score.game == "crawford"),
        length=length,
        score_0=theirs,
        score_1=mine,
        first=dice[0],
        second=dice[1],
        no_jacoby=int(not jacoby),
    )
    return str(found)
