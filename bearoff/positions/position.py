"""Positions of one player's checkers, and races between two players."""

from __future__ import annotations

import operator
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self, TypeAlias

from bearoff import checks
from bearoff.errors import PositionError
from bearoff.positions.numbering import (
    CHECKERS,
    POINTS,
    check_size,
    position_count,
    rank_one,
    unrank_one,
)
from bearoff.positions.setup import SETTLED, WITH_BAR, Setup, check_stakes
from bearoff.rolls import check_roll
from bearoff.scores import Score
from bearoff.stakes import CUBES, Cube, CubeOwner, cube_named

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

OneSide: TypeAlias = "Position | str | int | ArrayLike"
"""Types from which `Position.of` can make a position."""


@dataclass(frozen=True, order=True)
class Position:
    """Number of checkers of one player on each point; the others have been borne off.

    Attributes
    ----------
    counts : tuple of int
        Number of checkers on the 1 point, 2 point, ... from the player's own viewpoint.
    checkers : int
        Total number of checkers, on the board and borne off, from 1 to 15.

    Examples
    --------
    >>> position = Position((3, 3, 2, 0, 2, 1))
    >>> position.number, position.pips, position.off
    (8887, 31, 4)
    >>> position.vector
    (4, 3, 3, 2, 0, 2, 1)
    >>> Position.parse("(4,3,3,2,0,2,1)") == Position.parse("8887") == position
    True
    """

    counts: tuple[int, ...]
    checkers: int = CHECKERS

    def __post_init__(self) -> None:
        counts = self.counts
        if type(counts) is tuple and {*map(type, counts)} == {int}:
            check_size(len(counts), self.checkers)
            if min(counts) >= 0 and sum(counts) <= self.checkers:
                # Nearly all positions pass these fast checks. Errors are diagnosed below.
                return
        try:
            # Converting numpy integers to Python integers prevents an overflow of their
            # sum.
            counts = tuple(map(operator.index, self.counts))
            whole = bool not in map(type, self.counts)
        except TypeError:
            whole = False
        if not whole:
            raise PositionError(
                f"the counts of a position must be whole numbers, got {self.counts!r}"
            )
        object.__setattr__(self, "counts", counts)
        check_size(len(self.counts), self.checkers)
        for point, count in enumerate(self.counts, start=1):
            if not 0 <= count <= self.checkers:
                raise PositionError(
                    f"the number of checkers on point {point} must be from 0 to "
                    f"{self.checkers}, got {count}"
                )
        if self.on_board > self.checkers:
            raise PositionError(
                f"a side may have at most {self.checkers} checkers, got {self.on_board} in "
                f"{self.counts}"
            )

    @classmethod
    def of(cls, side: OneSide, checkers: int = CHECKERS) -> Position:
        """Return the position that a value in any supported form describes.

        Parameters
        ----------
        side : Position, str, int, or array_like of int, shape (points,)
            Position, text in any notation, Benjamin-Ross number for six points, or checkers
            on the 1 point, 2 point, ...
        checkers : int
            Total number of the player's checkers, on the board and borne off.

        Raises
        ------
        PositionError
            If `side` cannot be converted to a position.

        Examples
        --------
        >>> Position.of("3,3,2,0,2,1") == Position.of([3, 3, 2, 0, 2, 1])
        True
        >>> print(Position.of(8887))
        3,3,2,0,2,1
        """
        if isinstance(side, Position):
            return side
        if isinstance(side, str):
            return Position.parse(side, None, checkers)
        counts = checks.integers(side, "a side's checkers")
        if counts.ndim > 1:
            raise PositionError(
                "a side must be a Position, text, a position number or a tuple of "
                f"checkers by point, got {side!r}"
            )
        if counts.ndim == 0:
            return Position.from_number(int(counts), POINTS, checkers)
        return Position(tuple(counts.tolist()), checkers)

    @classmethod
    def parse(
        cls, text: str, points: int | None = POINTS, checkers: int = CHECKERS
    ) -> Self:
        """Parse a position in any notation; if a text has both sides, return the roller's.

        Parameters
        ----------
        text : str
            Benjamin-Ross number (``8887``), vector with checkers off first
            (``(4,3,3,2,0,2,1)``), list of points without checkers off
            (``[1,1,1,2,2,2,3,3,5,5,6]``), checkers per point from 1 to 6
            (``3,3,2,0,2,1``), GNU Backgammon position ID or XGID.
        points, checkers : int
            Number of points, and total number of checkers. If `points` is None, the
            notation determines the number of points.

        Raises
        ------
        PositionError, ScoreError
            If no notation fits the text, or its position or score is impossible.
        """
        from bearoff.positions.notation import parse_position

        counts = parse_position(text, points, checkers)
        return cls(counts, checkers)

    @classmethod
    def from_number(
        cls, number: int, points: int = POINTS, checkers: int = CHECKERS
    ) -> Self:
        """Return the position with a given Benjamin-Ross number."""
        last = position_count(points, checkers) - 1
        number = checks.integer(number, "a position number", 0, last, PositionError)
        return cls(unrank_one(number, points), checkers)

    @property
    def points(self) -> int:
        """Number of points of the board on which the position is given."""
        return len(self.counts)

    @property
    def on_board(self) -> int:
        """Number of checkers on the board."""
        return sum(self.counts)

    @property
    def off(self) -> int:
        """Number of checkers borne off."""
        return self.checkers - self.on_board

    @property
    def pips(self) -> int:
        """Pip count: total number of pips needed to bear off all checkers."""
        return sum(point * count for point, count in enumerate(self.counts, start=1))

    @property
    def highest(self) -> int:
        """Highest occupied point; 0 if all checkers are off."""
        return max((i for i, count in enumerate(self.counts, start=1) if count), default=0)

    @property
    def number(self) -> int:
        """Benjamin-Ross number of the position."""
        return rank_one(self.counts)

    @property
    def vector(self) -> tuple[int, ...]:
        """Benjamin and Ross's vector: checkers off, on the 1 point, on the 2 point, ..."""
        return (self.off, *self.counts)

    @property
    def list(self) -> tuple[int, ...]:
        """Benjamin and Ross's list: point of each checker in ascending order, 0 for off."""
        return tuple(p for p, count in enumerate(self.vector) for _ in range(count))

    def __str__(self) -> str:
        return ",".join(map(str, self.counts))


@dataclass(frozen=True)
class Race:
    """Race from the roller's viewpoint: both players' checkers, cube, score and rules.

    Attributes
    ----------
    roller, opponent : Position
        Positions of the roller and of the opponent, each numbered from the player's own
        viewpoint. Other forms are converted by `Position.of`.
    cube : {"centred", "owned", "opponent"}
        Owner of the cube from the roller's viewpoint. American spelling is also accepted.
    cube_value : int
        Value of the cube. In a match, a centred cube has the value 1, and an owned cube a
        higher value. In money play, the value does not affect equities, which are in points
        divided by the cube value.
    score : Score or None
        Match score with the roller's points first; None for money play.
    dice : (int, int) or None
        Roll to be played, the higher number first; None before the roll.
    jacoby : bool
        Whether the Jacoby rule applies: in money play, gammons count only after the cube
        has been turned.
    beavers : bool
        Whether beavers are allowed: in money play, a player who is doubled may redouble at
        once and keep the cube.
    cube_limit : int or None
        Largest value of the cube. None for the usual limit of 1,024, which does not affect
        equities.

    Raises
    ------
    PositionError, ScoreError, RollError, BearoffError
        If the positions have different numbers of points or checkers, or if the cube, the
        score or the roll is impossible.

    Examples
    --------
    >>> race = Race.parse("XGID=-CBA-------------------ad-:1:1:1:64:2:4:0:7:10")
    >>> str(race.roller), str(race.opponent), race.position_id
    ('3,2,1,0,0,0', '4,1,0,0,0,0', 'LwAAwC0AAAAAAA')
    >>> race.cube, race.cube_value, race.score.away, race.dice
    ('owned', 2, (5, 3), (6, 4))
    """

    roller: Position
    opponent: Position
    _: KW_ONLY
    cube: Cube = "centred"
    cube_value: int = 1
    score: Score | None = None
    dice: tuple[int, int] | None = None
    jacoby: bool = False
    beavers: bool = False
    cube_limit: int | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.roller, Position) and isinstance(self.opponent, Position)):
            self._read_sides()
        for name in ("points", "checkers"):
            ours, theirs = getattr(self.roller, name), getattr(self.opponent, name)
            if ours != theirs:
                raise PositionError(
                    f"both sides of a race must have the same number of {name}, got {ours} "
                    f"and {theirs}"
                )
        if self.cube not in CUBES:
            object.__setattr__(self, "cube", cube_named(self.cube))
        if self.dice is not None:
            object.__setattr__(self, "dice", check_roll(self.dice))
        check_stakes(self)

    def _read_sides(self) -> None:
        """Pad both players' positions to the same number of points."""
        sides = Position.of(self.roller), Position.of(self.opponent)
        points = max(side.points for side in sides)
        for name, side in zip(("roller", "opponent"), sides, strict=True):
            counts = side.counts + (0,) * (points - side.points)
            object.__setattr__(self, name, Position(counts, side.checkers))

    @classmethod
    def parse(cls, text: str, points: int | None = None, checkers: int = CHECKERS) -> Self:
        """Parse a race from a text that contains the positions of both players.

        Parameters
        ----------
        text : str
            XGID, GNU Backgammon's position ID with or without its match ID, OGID, or a
            board drawn as text by GNU Backgammon or eXtreme Gammon.
        points : int, optional
            Number of points. By default, the highest point with a checker, at least 6.
        checkers : int
            Total number of checkers per player, on the board and borne off.

        Raises
        ------
        PositionError, ScoreError
            If the text contains no position or several positions, or if the sides are in
            contact or a checker is on the bar or beyond `points`.
        """
        from bearoff.positions.notation import parse_setup

        found = parse_setup(text, points, checkers)
        return cls(
            Position(found.roller, checkers),
            Position(found.opponent, checkers),
            cube=found.cube,
            cube_value=found.cube_value,
            score=found.score,
            dice=found.dice,
            jacoby=found.jacoby,
            beavers=found.beavers,
            cube_limit=found.cube_limit,
        )

    def on_points(self, points: int | None = None) -> Self:
        """Return the same race on a board with a given number of points.

        Raises
        ------
        PositionError
            If a checker is beyond the given number of points.
        """
        highest = max(self.roller.highest, self.opponent.highest)
        if points is None:
            points = max(highest, POINTS)
        if highest > points:
            raise PositionError(
                f"all checkers must be on the {points} points of the table, but in "
                f"{self.roller} against {self.opponent} one is on point {highest}"
            )
        if points == self.roller.points:
            return self
        roller, opponent = (
            Position((side.counts + (0,) * points)[:points], side.checkers)
            for side in (self.roller, self.opponent)
        )
        return replace(self, roller=roller, opponent=opponent)

    def exchanged(self) -> Self:
        """Return the same race with the opponent on roll, and no dice rolled."""
        return replace(
            self,
            roller=self.opponent,
            opponent=self.roller,
            cube=CubeOwner.of(self.cube).exchanged.cube,
            score=self.score and self.score.exchanged(),
            dice=None,
        )

    @property
    def cube_at_limit(self) -> bool:
        """Whether the cube has reached its limit in money play; False in a match."""
        limit = self.cube_limit
        return self.score is None and limit is not None and self.cube_value >= limit

    @property
    def cube_growth(self) -> int | None:
        """Largest value of the cube, divided by its present value, in money play.

        The result is 1 if the cube has reached its limit, and None if the cube has no limit
        or a limit so high that equities are not affected.
        """
        if self.score is not None or self.cube_limit is None:
            return None
        growth = max(self.cube_limit // self.cube_value, 1)
        return growth if growth < SETTLED else None

    @property
    def position_id(self) -> str:
        """GNU Backgammon's position ID of the race."""
        from bearoff.positions.position_id import encode_position_id

        return encode_position_id(self.setup.roller, self.setup.opponent)

    @property
    def gnu_id(self) -> str:
        """GNU Backgammon's position ID and match ID of the race, joined by a colon."""
        from bearoff.positions.notation import format_gnu_id

        return format_gnu_id(self.setup)

    @property
    def xgid(self) -> str:
        """XGID of the race, with the roller as the player at the bottom."""
        from bearoff.positions.notation import format_xgid

        return format_xgid(self.setup)

    @property
    def ogid(self) -> str:
        """OGID of the race, with the roller as White; it cannot state the Jacoby rule."""
        from bearoff.positions.notation import write_ogid

        return write_ogid(self.setup)

    @cached_property
    def setup(self) -> Setup:
        """Boards of both players, with 24 points and the bar, and the state of the game."""
        both = self.roller.counts, self.opponent.counts
        return Setup(
            *(side + (0,) * (WITH_BAR - len(side)) for side in both),
            cube=self.cube,
            cube_value=self.cube_value,
            score=self.score,
            dice=self.dice,
            jacoby=self.jacoby,
            beavers=self.beavers,
            cube_limit=self.cube_limit,
        )
