"""Positions of one player in a race of No Chance Backgammon."""

from bearoff import CHECKERS, Position, unrank

POINTS = 6
ROOM = 4096
"""Upper bound on the number of intermediate positions for a pair of numbers."""


def position_of(number: int) -> Position:
    """Return the position with a given position number, for 15 checkers on six points."""
    return Position(tuple(int(count) for count in unrank(number)))


def is_full(side: Position) -> bool:
    """Return whether all checkers are on the board, so that a loss would be a gammon."""
    return sum(side.counts) == CHECKERS
