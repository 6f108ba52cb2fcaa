"""Backgammon board: 26 integers from the roller's viewpoint."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import CHECKERS, Position, PositionError, Race, checks
from bearoff.positions import Xgid, encode_position_id, find_setup

BAR = 25
BoardArray = NDArray[np.int8]

_OPENINGS = {
    "backgammon": {24: 2, 13: 5, 8: 3, 6: 5},
    "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    "longgammon": {24: 15},
}
"""Number of a player's checkers on each point at the start, for variants that differ from
backgammon only in the starting position."""


@dataclass(frozen=True, slots=True)
class Board:
    """Checkers of both players on the board, from the roller's viewpoint.

    Attributes
    ----------
    points : tuple of int
        The 26 counts. ``[1]`` to ``[24]`` are the roller's points; the roller's checkers
        are positive, and the opponent's are negative. ``[25]`` is the roller's bar, at
        least 0, and ``[0]`` the opponent's bar, at most 0. All other checkers, up to 15 per
        player, are borne off.

    Raises
    ------
    PositionError
        If the board is impossible.

    Examples
    --------
    >>> board = Board.start()
    >>> board.points[24], board.points[1], board.pips
    (2, -2, (167, 167))
    >>> Board.parse("4HPwATDgc/ABMA") == board == board.turned
    True
    """

    points: tuple[int, ...]

    def __post_init__(self) -> None:
        if type(self.points) is not tuple or set(map(type, self.points)) != {int}:
            counts = checks.integers(self.points, "a board's counts")
            object.__setattr__(self, "points", tuple(np.atleast_1d(counts).tolist()))
        # In a two-dimensional array, every element is a list, so it is enough to check the
        # type of the first element.
        if len(self.points) != 26 or type(self.points[0]) is not int:
            raise PositionError(
                "a board must have 26 counts (the opponent's bar, 24 points and the "
                f"roller's bar), got shape {np.shape(self.points)}"
            )
        if self.points[0] > 0 or self.points[BAR] < 0:
            raise PositionError(
                "the first count of a board (the opponent's bar) must be at most 0, and "
                f"the last (the roller's bar) at least 0; got {self.points[0]} and "
                f"{self.points[BAR]}"
            )
        roller = sum([count for count in self.points if count > 0])
        opponent = roller - sum(self.points)
        for name, checkers in (("the roller", roller), ("the opponent", opponent)):
            if checkers > CHECKERS:
                raise PositionError(
                    f"a side may have at most {CHECKERS} checkers, but {name} has "
                    f"{checkers}"
                )

    @classmethod
    def start(cls) -> Self:
        """Return the board at the start of a game."""
        return cls._opening("backgammon")

    @classmethod
    def _opening(cls, variant: str) -> Self:
        points = [0] * 26
        for point, count in _OPENINGS[variant].items():
            points[point], points[25 - point] = count, -count
        return cls(tuple(points))

    @classmethod
    def of_sides(cls, roller: ArrayLike, opponent: ArrayLike) -> Self:
        """Return the board, given each player's checkers on points 1 to 24 and the bar."""
        own, other = np.array(roller, np.int64), np.array(opponent, np.int64)
        points = np.zeros(26, np.int64)
        points[1:] += own
        points[:25] -= other[::-1]
        if (own[:24] * other[23::-1]).any():
            point = int(np.flatnonzero(own[:24] * other[23::-1])[0]) + 1
            raise PositionError(f"both sides have checkers on the roller's {point} point")
        return cls(tuple(points.tolist()))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a board in any notation that describes both players' checkers.

        Parameters
        ----------
        text : str
            GNU Backgammon position ID with or without its match ID, an XGID, an OGID, a
            drawn board, a text that contains one of these, or 26 counts separated by
            commas.

        Raises
        ------
        PositionError
            If no form fits the text, or the board is impossible.
        """
        text = checks.instance(text, "a board", str).strip()
        if text.count(",") == 25:
            return cls(_numbers(text))
        setup = find_setup(text)
        if setup is None:
            raise PositionError(
                "a board must be a position ID, an XGID, an OGID, a drawn board or 26 "
                f"counts, got {text[:60]!r}"
            )
        return cls.of_sides(setup.roller, setup.opponent)

    @property
    def array(self) -> BoardArray:
        """The 26 counts as an int8 array."""
        return np.array(self.points, dtype=np.int8)

    @property
    def roller(self) -> tuple[int, ...]:
        """The roller's checkers on the roller's points 1 to 24 and on the bar."""
        return tuple([count if count > 0 else 0 for count in self.points[1:]])

    @property
    def opponent(self) -> tuple[int, ...]:
        """The opponent's checkers on the opponent's points 1 to 24 and on the bar."""
        return tuple([-count if count < 0 else 0 for count in self.points[24::-1]])

    @property
    def turned(self) -> "Board":
        """The same board, from the opponent's viewpoint."""
        return Board(tuple([-count for count in self.points[::-1]]))

    @property
    def pips(self) -> tuple[int, int]:
        """Pip count of the roller, and pip count of the opponent."""
        roller, opponent = (
            sum(point * count for point, count in enumerate(side, start=1))
            for side in (self.roller, self.opponent)
        )
        return roller, opponent

    @property
    def off(self) -> tuple[int, int]:
        """Number of checkers borne off, of the roller and of the opponent."""
        return CHECKERS - sum(self.roller), CHECKERS - sum(self.opponent)

    @property
    def race(self) -> Race | None:
        """Race if contact is over; None during contact and after the game."""
        own = [place for place, count in enumerate(self.points) if count > 0]
        other = [place for place, count in enumerate(self.points) if count < 0]
        if not own or not other or own[-1] > other[0]:
            return None
        return Race(*(Position(side[:24]) for side in (self.roller, self.opponent)))

    @property
    def points_won(self) -> int:
        """Points for the winner: 1, 2 for a gammon, 3 for a backgammon; 0 before the end.

        The result is 0 if neither player has borne off all checkers.
        """
        for winner, loser in (("roller", "opponent"), ("opponent", "roller")):
            if sum(getattr(self, winner)) == 0:
                side = getattr(self, loser)
                if sum(side) < CHECKERS:
                    return 1
                return 3 if any(side[18:]) else 2
        return 0

    @property
    def is_stuck(self) -> bool:
        """Whether neither player can ever move again, with any roll.

        Neither can move if both have checkers on the bar, and both have made all six points
        of their home boards. No game can lead to such a board.
        """
        if not self.points[0] or not self.points[BAR]:
            return False
        own, other = self.points[1:7], self.points[19:BAR]
        return min(own) >= 2 and max(other) <= -2

    @property
    def position_id(self) -> str:
        """GNU Backgammon's position ID of the board."""
        return encode_position_id(self.roller, self.opponent)

    @property
    def xgid(self) -> str:
        """XGID of the board, for money play and before the roll."""
        return str(Xgid(self.roller, self.opponent))

    def __str__(self) -> str:
        return ",".join(map(str, self.points))


STARTS = {variant: Board._opening(variant) for variant in _OPENINGS}
"""Starting boards of the variants, whose other rules are those of backgammon."""


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise PositionError(
            f"a board must have 26 whole numbers, got {text[:60]!r}"
        ) from None
