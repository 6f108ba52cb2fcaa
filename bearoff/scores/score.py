"""Match score: the points that each player needs, and the kind of game.

The first player with ``n`` points wins a match to ``n`` points. The *Crawford game* is the
first game after a player has come within one point of winning. It is played without the
cube. Later games are *post-Crawford*, and earlier games are *normal*.
"""

import re
from dataclasses import dataclass
from typing import Literal, Self, get_args

from bearoff import checks
from bearoff.errors import ScoreError

Game = Literal["normal", "crawford", "post-crawford"]

GAMES: tuple[Game, ...] = get_args(Game)
"""Kinds of games in a match: normal, Crawford and post-Crawford."""

LONGEST = 64
"""Maximum number of points that a player may need, as in every match equity table."""

_FORMS = "3-5, '2-4 to 7', '1-3 Crawford', '1-3 post-Crawford' or DMP"


@dataclass(frozen=True)
class Score:
    """Points that the roller and the opponent need to win the match, and the kind of game.

    Parameters
    ----------
    away : tuple of int
        Points that the roller and the opponent need to win the match.
    game : {"normal", "crawford", "post-crawford"}
        Kind of game. If exactly one player is 1-away, it must be ``crawford`` or
        ``post-crawford``. If both players are 1-away, the kind of game does not matter.
    length : int or None
        Length of the match in points; None if unknown. The length affects only the text of
        the score.

    Raises
    ------
    ScoreError
        If the score is impossible.

    Examples
    --------
    >>> Score((3, 5))
    Score(away=(3, 5), game='normal', length=None)
    >>> print(Score.of_match(7, (2, 6), game="crawford"))
    5-away 1-away (2-6 to 7), Crawford
    """

    away: tuple[int, int]
    game: Game = "normal"
    length: int | None = None

    def __post_init__(self) -> None:
        away = self.away
        if not isinstance(away, (tuple, list)) or len(away) != 2:
            raise ScoreError(
                "a score must be the points that the roller and the opponent need, such "
                f"as (3, 5), got {away!r}"
            )
        names = ("points the roller needs", "points the opponent needs")
        pair = [
            checks.integer(points, name, 1, LONGEST, ScoreError)
            for points, name in zip(away, names, strict=True)
        ]
        object.__setattr__(self, "away", tuple(pair))
        if self.game not in GAMES:
            raise ScoreError(
                f"game must be normal, crawford or post-crawford, got {self.game!r}"
            )
        if self.game != "normal" and 1 not in pair:
            raise ScoreError(
                f"a {self.game} game requires a side that needs exactly 1 point, got "
                f"{pair[0]}-away {pair[1]}-away; omit {self.game!r}"
            )
        if self.game == "normal" and 1 in pair and max(pair) > 1:
            raise ScoreError(
                f"a game at {pair[0]}-away {pair[1]}-away cannot be normal; use 'crawford' "
                "or 'post-crawford'"
            )
        if self.game == "crawford" and pair == [1, 1] and self.length not in (None, 1):
            raise ScoreError(
                f"in a match to {self.length}, the Crawford game is over at 1-away 1-away; "
                "omit 'crawford'"
            )
        if self.length is not None:
            checks.integer(
                self.length, "the match's length", max(pair), 10 * LONGEST, ScoreError
            )

    @classmethod
    def of_match(cls, length: int, won: tuple[int, int], game: Game = "normal") -> Self:
        """Return the score after the roller and the opponent have won the given points.

        Raises
        ------
        ScoreError
            If the match would be over, or the kind of game is impossible at that score.
        """
        length = checks.integer(length, "the match's length", 1, LONGEST, ScoreError)
        if not isinstance(won, (tuple, list)) or len(won) != 2:
            raise ScoreError(
                f"the points won must be two numbers such as (2, 4), got {won!r}"
            )
        needed = []
        for points, side in zip(won, ("the roller", "the opponent"), strict=True):
            name = f"points {side} has won of {length}"
            points = checks.integer(points, name, 0, length - 1, ScoreError)
            needed.append(length - points)
        return cls((needed[0], needed[1]), game, length)

    @classmethod
    def parse(
        cls, text: str, length: int | None = None, crawford: bool | None = None
    ) -> Self:
        """Parse a score in which the roller's number comes before the opponent's.

        Parameters
        ----------
        text : str
            Points away as in ``3-5``, ``3 5`` or ``3-away 5-away``, or points won and the
            length as in ``2-4 to 7``; optionally followed by ``Crawford`` or
            ``post-Crawford``. ``DMP`` is double match point, 1-away for both. The output of
            `str` is also accepted.
        length : int or None
            Length of the match in points. If given, the numbers in the text are points won.
        crawford : bool or None
            True for the Crawford game, False for a game after the Crawford game. Used only
            if the text does not state the kind of game.

        Raises
        ------
        ScoreError
            If the text cannot be parsed, the score is impossible, or the arguments
            contradict the text.

        Examples
        --------
        >>> Score.parse("2-4 to 7") == Score.parse("2-4", length=7)
        True
        >>> Score.parse("1-3 post-Crawford")
        Score(away=(1, 3), game='post-crawford', length=None)
        >>> str(Score.parse("3-away 1-away (2-4 to 5), Crawford"))
        '3-away 1-away (2-4 to 5), Crawford'
        """
        checks.instance(text, "a score", str, ScoreError)
        found = re.fullmatch(
            r"\s*(?:(?P<dmp>DMP)|(?P<a>\d{1,6})(?P<away>-?\s?a(?:way)?)?"
            r"(?:\s*[-:,/]\s*|\s+)(?P<b>\d{1,6})(?(away)-?\s?a(?:way)?)"
            r"(?:\s*(?:to|/)\s*(?P<to>\d{1,6}))?"
            r"(?(away)(?: \((?P<won>\d{1,3}-\d{1,3}) to (?P<of>\d{1,3})\))?))"
            r"(?:\s*,?\s*(?P<game>(?:post[- ]?)?crawford))?\s*",
            text,
            flags=re.ASCII | re.IGNORECASE,
        )
        if found is None:
            raise ScoreError(f"a score must be written like {_FORMS}, got {text!r}")
        game: Game = "normal"
        if found["game"]:
            game = "post-crawford" if found["game"][0] in "pP" else "crawford"
        if crawford is not None:
            asked: Game = "crawford" if crawford else "post-crawford"
            if found["game"] and game != asked:
                raise ScoreError(f"the score {text!r} cannot be that of a {asked} game")
            game = asked
        if found["dmp"]:
            return cls((1, 1), game, length)
        pair = (int(found["a"]), int(found["b"]))
        to = found["to"] or found["of"]
        if to is not None:
            stated = int(to)
            if found["won"] not in (None, f"{stated - pair[0]}-{stated - pair[1]}"):
                raise ScoreError(f"the points won contradict the points needed in {text!r}")
            if length not in (None, stated):
                raise ScoreError(
                    f"{text!r} is not a possible score in a match to {length} points"
                )
            length = stated
        if length is None:
            return cls(pair, game)
        if found["away"]:
            return cls(pair, game, length)
        return cls.of_match(length, pair, game)

    def exchanged(self) -> "Score":
        """Return the same score from the opponent's viewpoint."""
        return Score((self.away[1], self.away[0]), self.game, self.length)

    @property
    def has_cube(self) -> bool:
        """Whether players may double; false in the Crawford game."""
        return self.game != "crawford"

    def __str__(self) -> str:
        text = f"{self.away[0]}-away {self.away[1]}-away"
        if self.length is not None:
            won = (self.length - self.away[0], self.length - self.away[1])
            text += f" ({won[0]}-{won[1]} to {self.length})"
        named = {"normal": "", "crawford": ", Crawford", "post-crawford": ", post-Crawford"}
        return text + named[self.game]


def check_cube_value(value: int) -> int:
    """Check the value of a cube, and return it as an integer.

    Raises
    ------
    ScoreError
        If the value is not a power of two, or is too large.
    """
    value = checks.integer(value, "the cube", 1, 1 << 15, ScoreError)
    if value & (value - 1):
        raise ScoreError(f"the cube value must be a power of 2 (1, 2, 4, ...), got {value}")
    return value
