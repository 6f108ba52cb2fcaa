"""Second implementation of values for money without gammons, in exact fractions.

A side is a tuple of its checkers' points, as in `oracles.reference`. Values are equities of
the side on roll before its roll, in points with the cube at 1.
"""

from fractions import Fraction
from functools import cache

from oracles.reference import THROWS, successors
from oracles.two_sided_reference import ONE, exact


def value_of(plane):
    """Return a function that gives the exact value `plane` of two sides, in points."""
    return lambda roller, opponent: Fraction(getattr(exact(roller, opponent), plane), ONE)


cubeless = value_of("cubeless")
BY_OWNER = {cube: value_of(cube) for cube in ("centred", "owned", "opponent")}
KEPT = BY_OWNER | {cube: value_of(f"{cube}_kept") for cube in ("centred", "owned")}
"""Values if the roller does not double, by owner of the cube."""


def with_limit(roller, opponent, cube, growth):
    """Return the equities of no double and of double/take if the cube has a maximum value.

    `cube` is ``centred``, ``owned`` or ``opponent``.
    """
    taken = limited(roller, opponent, "opponent", Fraction(growth, 2))
    return limited(roller, opponent, cube, growth), 2 * taken


SEEN = {"centred": "centred", "owned": "opponent", "opponent": "owned"}
"""Owner of the cube from the other side's viewpoint."""


@cache
def limited(roller, opponent, cube, growth):
    """Return the equity if the roller does not double in this turn."""
    if not roller or not opponent:
        return Fraction(1 if not roller else -1)
    least = (
        min(decided(opponent, end, SEEN[cube], growth) for end in successors(roller, *dice))
        for dice in THROWS
    )
    return -sum(least, Fraction(0)) / 36


@cache
def decided(roller, opponent, cube, growth):
    """Return the equity if the roller makes the best cube decision."""
    waits = limited(roller, opponent, cube, growth)
    if not roller or not opponent or cube == "opponent" or growth < 2:
        return waits
    taken = 2 * limited(roller, opponent, "opponent", growth / 2)
    return max(waits, min(Fraction(1), taken))
