"""One side of a race: its position, by number, and whether it has borne off nothing."""

from bearoff import CHECKERS, Position, unrank

POINTS = 6
ROOM = 4096
"""Positions that one pair of numbers leads to on its way, more than there can be."""


def position_of(number: int) -> Position:
    """Return the position of 15 checkers on six points that has a number."""
    return Position(tuple(int(count) for count in unrank(number)))


def is_full(side: Position) -> bool:
    """Whether a side has borne off nothing: to lose is a gammon."""
    return sum(side.counts) == CHECKERS
