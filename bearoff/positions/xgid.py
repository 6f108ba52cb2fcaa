"""Parser and writer of eXtreme Gammon's XGID: ``XGID=`` and ten fields joined by colons.

The first field has 26 characters: the upper player's bar, the 24 points as numbered by the
lower player, and the lower player's bar. ``-`` is an empty point. ``A`` to ``O`` are one to
fifteen checkers of the lower player, who moves towards point 1. ``a`` to ``o`` are checkers
of the upper player. The other fields are the cube's exponent, its owner (1 lower, -1 upper,
0 centred), the player to act, the dice (``00``, ``D``, ``B``, ``R`` or two numbers), both
scores, the rules, the match length and the exponent of the largest cube. The rules are 1 in
the Crawford game. For money, they are 1 for the Jacoby rule plus 2 for beavers.
"""

import re
from dataclasses import dataclass
from typing import Self

from bearoff import checks
from bearoff.errors import PositionError
from bearoff.positions.setup import (
    Board,
    Setup,
    dice_from,
    match_score,
    written_score,
)
from bearoff.stakes import CubeOwner

_FIELDS = (
    ("cube", r"\d{1,2}"),
    ("cube_owner", r"-1|0|1"),
    ("turn", r"-1|1"),
    ("dice", r"00|D{1,2}|B{1,2}|R{1,2}|[1-6]{2}"),
    ("score_lower", r"\d{1,3}"),
    ("score_upper", r"\d{1,3}"),
    ("rules", r"\d"),
    ("match_length", r"\d{1,3}"),
    ("largest_cube", r"\d|1\d"),
)

_LOWER = "-ABCDEFGHIJKLMNO"
_UPPER = ("", *"abcdefghijklmno")
"""Letter for each number of the upper player's checkers on a point; empty for no checkers.
"""

_JACOBY, _BEAVERS = 1, 2
"""Numbers that stand for the Jacoby rule and for beavers in an XGID for money; with both
rules, their sum is written."""

_USUAL = 10
"""Largest cube value in most XGIDs, as a power of 2."""

_SOON = 2
"""The usual largest cube value counts as a limit if at most this number of doubles remain
until the cube reaches the value. Otherwise, the limit would change no equity by more than
1e-5."""

_ONE_LETTER = {letter * 2: letter for letter in "DBR"}
"""Doubled letters that some programs write in the dice field of an XGID, with the single
letter that is meant."""


@dataclass(frozen=True)
class Xgid:
    """Fields of an XGID; `str` formats them as text.

    Attributes
    ----------
    lower, upper : tuple of int
        Number of checkers of each player on points 1 to 24 and on the bar, from that
        player's viewpoint.
    turn : int
        Player to act: 1 for the lower player, -1 for the upper player.
    cube, cube_owner, dice, score_lower, score_upper, rules, match_length, largest_cube
        Other fields of the XGID; numbers are integers.

    Examples
    --------
    >>> xgid = Xgid.parse("XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10")
    >>> xgid.lower[:4], xgid.upper[:4]
    ((3, 2, 1, 0), (4, 1, 0, 0))
    >>> str(xgid)
    'XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10'
    """

    lower: Board
    upper: Board
    cube: int = 0
    cube_owner: int = 0
    turn: int = 1
    dice: str = "00"
    score_lower: int = 0
    score_upper: int = 0
    rules: int = 0
    match_length: int = 0
    largest_cube: int = _USUAL

    @property
    def jacoby(self) -> bool:
        """Whether the Jacoby rule applies, which is possible only in money play."""
        return self.match_length == 0 and bool(self.rules & _JACOBY)

    @property
    def beavers(self) -> bool:
        """Whether beavers are allowed, which is possible only in money play."""
        return self.match_length == 0 and bool(self.rules & _BEAVERS)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an XGID, which may begin with ``XGID=`` in upper or lower case.

        Raises
        ------
        PositionError
            If the text does not have nine or ten fields, or a field has an impossible
            value.
        """
        checks.instance(text, "an XGID", str)
        bare = re.sub(r"^XGID\s*=\s*", "", text, flags=re.IGNORECASE)
        board, *fields = bare.split(":")
        if len(fields) == len(_FIELDS) - 1:
            fields.append(str(cls.largest_cube))  # Some programs leave out the last field.
        if len(fields) != len(_FIELDS):
            raise PositionError(
                f"an XGID must have 10 fields separated by colons, got {len(fields) + 1} "
                f"in {text!r}"
            )
        lower, upper = _parse_board(board)
        values: dict[str, str | int] = {}
        for (name, pattern), value in zip(_FIELDS, fields, strict=True):
            if not re.fullmatch(pattern, value, flags=re.ASCII):
                raise PositionError(f"{value!r} is not a valid {name} in the XGID {text!r}")
            values[name] = _ONE_LETTER.get(value, value) if name == "dice" else int(value)
        found = cls(lower, upper, **values)  # type: ignore[arg-type]
        found._check()
        return found

    def _check(self) -> None:
        """Raise an error if fields are impossible in combination."""
        if self.cube > self.largest_cube:
            raise PositionError(
                f"the cube {1 << self.cube} is larger than the largest cube "
                f"{1 << self.largest_cube} in the XGID {str(self)!r}"
            )
        rules, game = (1, "a match") if self.match_length else (_JACOBY + _BEAVERS, "money")
        if self.rules > rules:
            raise PositionError(
                f"the rules of {game} must be from 0 to {rules}, got {self.rules} in the "
                f"XGID {str(self)!r}"
            )

    def __str__(self) -> str:
        squares = zip((0, *self.lower), (*self.upper[::-1], 0), strict=True)
        board = "".join([_UPPER[theirs] or _LOWER[mine] for mine, theirs in squares])
        fields = [str(getattr(self, name)) for name, _ in _FIELDS]
        return f"XGID={board}:{':'.join(fields)}"

    @property
    def sides(self) -> tuple[Board, Board]:
        """Boards of the player who must act and of the opponent, in this order."""
        return (self.lower, self.upper) if self.turn == 1 else (self.upper, self.lower)

    @property
    def setup(self) -> Setup:
        """Boards and state of the game, from the viewpoint of the player who must act.

        Raises
        ------
        ScoreError
            If the score is impossible.
        """
        won = (self.score_lower, self.score_upper)[:: self.turn]
        crawford = self.rules == 1
        limited = self.largest_cube != _USUAL or self.cube >= _USUAL - _SOON
        return Setup(
            *self.sides,
            cube=CubeOwner(self.cube_owner * self.turn).cube,
            cube_value=1 << self.cube,
            score=match_score(
                self.match_length, (won[0], won[1]), crawford=crawford, text=str(self)
            ),
            dice=dice_from(self.dice),
            jacoby=self.jacoby,
            beavers=self.beavers,
            cube_limit=1 << self.largest_cube if limited else None,
        )

    @classmethod
    def of(cls, setup: Setup) -> Self:
        """Return the XGID of a game, with the roller as the lower player."""
        length, mine, theirs = written_score(setup.score)
        crawford = int(setup.score is not None and setup.score.game == "crawford")
        rules = _JACOBY * setup.jacoby + _BEAVERS * setup.beavers
        limit = setup.cube_limit or 1 << _USUAL
        return cls(
            setup.roller,
            setup.opponent,
            cube=setup.cube_value.bit_length() - 1,
            cube_owner=CubeOwner.of(setup.cube).value,
            dice="".join(map(str, setup.dice or (0, 0))),
            score_lower=mine,
            score_upper=theirs,
            rules=crawford if setup.score else rules,
            match_length=length,
            largest_cube=limit.bit_length() - 1,
        )


def _parse_board(board: str) -> tuple[Board, Board]:
    if not re.fullmatch(r"[-a-o][-A-Oa-o]{24}[-A-O]", board):
        raise PositionError(
            "the board of an XGID must have 26 characters: '-', A to O for the lower "
            "player and a to o for the upper player, with the bars at the ends; got "
            f"{board!r}"
        )
    lower, upper = [0] * 25, [0] * 25
    for square, letter in enumerate(board):
        if letter.isupper():
            lower[square - 1] = ord(letter) - ord("A") + 1
        elif letter.islower():
            upper[24 - square] = ord(letter) - ord("a") + 1
    for name, side in (("lower", lower), ("upper", upper)):
        if sum(side) > 15:
            raise PositionError(
                f"a side may have at most 15 checkers, but the {name} player of {board!r} "
                f"has {sum(side)}"
            )
    return tuple(lower), tuple(upper)
