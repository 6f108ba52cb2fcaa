"""Exact probabilities of bearing off one or two checkers within one or two rolls.

Probabilities are given as numbers of throws out of 36, or out of 1,296 for two rolls, that
bear off all checkers with the best plays.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bearoff import POINTS, ROLLS, WEIGHTS, Position, legal_plays
from bearoff.rolls import THROWS


@dataclass(frozen=True)
class LastCheckers:
    """Probabilities of bearing off one or two checkers within one or two rolls.

    Attributes
    ----------
    high, low : int
        Point numbers of the checkers, the higher one first; `low` is 0 for a single
        checker.
    in_one : int
        Number of the 36 throws of two dice that bear off all checkers.
    in_two : int
        Number of the 1,296 sequences of two throws of two dice that bear off all checkers.

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
        """Return the probabilities of bearing off checkers on one or two given points.

        For a single checker, the parameter `low` is 0.
        """
        side = Position(
            tuple((point == high) + (point == low) for point in range(1, POINTS + 1))
        )
        return cls(high, low, throws_off(side, 1), throws_off(side, 2))


def throws_off(side: Position, rolls: int) -> int:
    """Count how many of the 36 ** `rolls` throw sequences bear off all checkers."""
    if side.on_board == 0:
        return int(THROWS**rolls)
    if rolls == 0:
        return 0
    return sum(
        weight * max(throws_off(play.after, rolls - 1) for play in legal_plays(side, roll))
        for roll, weight in zip(ROLLS, WEIGHTS, strict=True)
    )


def last_checkers() -> Iterator[LastCheckers]:
    """Yield the probabilities of bearing off for all positions of one or two checkers."""
    for high in range(1, POINTS + 1):
        for low in range(high + 1):
            yield LastCheckers.on(high, low)
