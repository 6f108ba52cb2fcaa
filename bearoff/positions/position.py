"""Positions and races: one side's checkers, and two sides with one of them on roll."""

import operator
from dataclasses import dataclass
from typing import Self

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


@dataclass(frozen=True, order=True)
class Position:
    """One side's checkers; the rest of its `checkers` are off.

    Attributes
    ----------
    counts : tuple of int
        Checkers on the ace, deuce, ... of the side's own points.
    checkers : int
        Checkers of the side, on the board and off, 1 to 15.

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
        try:
            # Numbers of numpy become Python's, whose sums cannot wrap around.
            counts = tuple(map(operator.index, self.counts))
            whole = bool not in map(type, self.counts)
        except TypeError:
            whole = False
        if not whole:
            raise PositionError(
                f"a position's counts are whole numbers, got {self.counts!r}"
            )
        object.__setattr__(self, "counts", counts)
        check_size(len(self.counts), self.checkers)
        for point, count in enumerate(self.counts, start=1):
            if not 0 <= count <= self.checkers:
                raise PositionError(
                    f"point {point} holds 0 to {self.checkers} checkers, got {count}"
                )
        if self.on_board > self.checkers:
            raise PositionError(
                f"a side has at most {self.checkers} checkers, got {self.on_board} in "
                f"{self.counts}"
            )

    @classmethod
    def parse(cls, text: str, points: int = POINTS, checkers: int = CHECKERS) -> Self:
        """Read a position in any notation; of two sides, the one on roll.

        Parameters
        ----------
        text : str
            Benjamin-Ross number (``8887``), vector (``(4,3,3,2,0,2,1)``, off first) or
            list of points (``[1,1,1,2,2,2,3,3,5,5,6]``, those off implied), the checkers
            on ace to six (``3,3,2,0,2,1``), a GNU Backgammon position ID or an XGID.
        points, checkers : int
            Size of the table the position belongs to.

        Raises
        ------
        PositionError
            If the text is in none of these notations, or the position is impossible.
        """
        from bearoff.positions.notation import parse_position

        counts = parse_position(text, points, checkers)
        return cls(counts, checkers)

    @classmethod
    def from_number(
        cls, number: int, points: int = POINTS, checkers: int = CHECKERS
    ) -> Self:
        """Return the position with the Benjamin-Ross number `number`."""
        last = position_count(points, checkers) - 1
        number = checks.integer(number, "a position number", 0, last, PositionError)
        return cls(unrank_one(number, points), checkers)

    @property
    def points(self) -> int:
        """Points of the board that are counted, from the ace."""
        return len(self.counts)

    @property
    def on_board(self) -> int:
        """Checkers not yet borne off."""
        return sum(self.counts)

    @property
    def off(self) -> int:
        """Checkers borne off."""
        return self.checkers - self.on_board

    @property
    def pips(self) -> int:
        """Raw pip count."""
        return sum(point * count for point, count in enumerate(self.counts, start=1))

    @property
    def highest(self) -> int:
        """Highest point that holds a checker; 0 when all are off."""
        return max((i for i, count in enumerate(self.counts, start=1) if count), default=0)

    @property
    def number(self) -> int:
        """The Benjamin-Ross number."""
        return rank_one(self.counts)

    @property
    def vector(self) -> tuple[int, ...]:
        """Benjamin and Ross's vector: checkers off, then those on the ace, deuce, ..."""
        return (self.off, *self.counts)

    @property
    def list(self) -> tuple[int, ...]:
        """Benjamin and Ross's list: each checker's point, 0 for off, nondecreasing."""
        return tuple(p for p, count in enumerate(self.vector) for _ in range(count))

    def __str__(self) -> str:
        return ",".join(map(str, self.counts))


@dataclass(frozen=True, order=True)
class Race:
    """Two sides without contact, seen from the one on roll.

    Attributes
    ----------
    roller, opponent : Position
        The side on roll and the other, each on its own points.

    Examples
    --------
    >>> race = Race.parse("XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10")
    >>> str(race.roller), str(race.opponent), race.position_id
    ('3,2,1,0,0,0', '4,1,0,0,0,0', 'LwAAwC0AAAAAAA')
    """

    roller: Position
    opponent: Position

    def __post_init__(self) -> None:
        for name in ("roller", "opponent"):
            checks.instance(getattr(self, name), f"the {name}", Position)
        for name in ("points", "checkers"):
            ours, theirs = getattr(self.roller, name), getattr(self.opponent, name)
            if ours != theirs:
                raise PositionError(
                    f"both sides of a race have the same {name}, got {ours} and {theirs}"
                )

    @classmethod
    def parse(cls, text: str, points: int = POINTS, checkers: int = CHECKERS) -> Self:
        """Read a race from a GNU Backgammon position ID or an XGID.

        Raises
        ------
        PositionError
            If the text is neither, or the position has contact, a checker on the bar or
            one beyond the table's points.
        """
        from bearoff.positions.notation import parse_race

        roller, opponent = parse_race(text, points, checkers)
        return cls(Position(roller, checkers), Position(opponent, checkers))

    @property
    def position_id(self) -> str:
        """GNU Backgammon's position ID."""
        from bearoff.positions.notation import format_position_id

        return format_position_id(self.roller.counts, self.opponent.counts)

    @property
    def xgid(self) -> str:
        """The race as an XGID: the roller is the lower player, money play, no dice."""
        from bearoff.positions.notation import format_xgid

        return format_xgid(self.roller.counts, self.opponent.counts)
