"""Compiled parser of positions in plain text, which `bearoff.answers.plain` uses."""

from bearoff.positions import CHECKERS, POINTS
from bearoff.runtime import njit

BOARD = 24
"""Number of points on a backgammon board."""


@njit(cache=True, nogil=True)
def read(text, sides):
    """Parse the checkers on each line; an invalid line gets -1 checkers on the 1 point."""
    row = numbers = digits = value = 0
    good = True
    for letter in text:
        if 48 <= letter <= 57:
            value, digits = 10 * value + letter - 48, digits + 1
            good &= digits <= 2
        elif letter == 44 or letter == 10:
            good &= digits > 0 and value <= CHECKERS and numbers < BOARD
            if good:
                sides[row, numbers] = value
            numbers, digits, value = numbers + 1, 0, 0
            if letter == 10:
                if not good or numbers < POINTS:
                    sides[row, 0] = -1
                row, numbers, good = row + 1, 0, True
        else:
            good = False


@njit(cache=True, nogil=True)
def check(rollers, opponents, good):
    """Check which pairs of sides are races: both have checkers, and there is no contact."""
    for k in range(good.size):
        good[k] = True
        reach = 0
        for sides in (rollers, opponents):
            total = highest = 0
            for point in range(BOARD):
                here = sides[k, point]
                total += here
                good[k] &= here >= 0
                if here:
                    highest = point + 1
            good[k] &= 1 <= total <= CHECKERS
            reach += highest
        good[k] &= reach <= BOARD
