"""The chance to bear off the last checkers in one roll, or in two, counted exactly.

Of 36 throws in one roll, of 1,296 in two; each roll played so that the chance is greatest.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bearoff import POINTS, ROLLS, WEIGHTS, Position, legal_plays
from bearoff.rolls import THROWS


@dataclass(frozen=True)
class LastCheckers:
    """A side with one or two checkers left.

    Attributes
    ----------
    high, low : int
        The points they stand on, the higher first; `low` is 0 with one checker.
    in_one : int
        Throws of 36 that bear all off.
    in_two : int
        Throws of 1,296 after which all are off.

    Examples
    --------
    >>> LastCheckers.on(5, 2).in_one, LastCheckers.on(6).in_one
    (19, 27)
    """

    high: int
    low: int
    in_one: int
    in_two: int

    @classmethod
    def on(cls, high: int, low: int = 0) -> "LastCheckers":
        """Count for checkers on these points, from 1 to 6; `low` of 0 is off already."""
        side = Position(
            tuple((point == high) + (point == low) for point in range(1, POINTS + 1))
        )
        return cls(high, low, throws_off(side, 1), throws_off(side, 2))


def throws_off(side: Position, rolls: int) -> int:
    """Count the throws of so many rolls after which a side can be off, of 36 ** rolls."""
    if side.on_board == 0:
        return int(THROWS**rolls)
    if rolls == 0:
        return 0
    return sum(
        weight * max(throws_off(play.after, rolls - 1) for play in legal_plays(side, roll))
        for roll, weight in zip(ROLLS, WEIGHTS, strict=True)
    )


def last_checkers() -> Iterator[LastCheckers]:
    """Count for every one and two checkers at home, by high and low point."""
    for high in range(1, POINTS + 1):
        for low in range(high + 1):
            yield LastCheckers.on(high, low)
