"""Two-sided values by a slow solver in exact fractions, without code of `bearoff`.

The stakes are money with the cube at 1, without gammons. A side is a list of checkers as in
`oracles.reference`; values belong to the side on roll, before it rolls.
"""

from fractions import Fraction
from functools import cache

from oracles.reference import THROWS, successors


def mean_of_best(value, roller, opponent):
    """Return the roller's mean, if every roll is played to minimise the opponent's
    value.
    """
    total = Fraction(0)
    for throw in THROWS:
        total -= min(value(opponent, after) for after in successors(roller, *throw))
    return total / 36


@cache
def cubeless(roller, opponent):
    """Return the equity without a cube: chance to win less chance to lose."""
    if not roller or not opponent:
        return Fraction(1 if not roller else -1)
    return mean_of_best(cubeless, roller, opponent)


@cache
def opponent_owns(roller, opponent):
    if not roller or not opponent:
        return Fraction(1 if not roller else -1)
    return mean_of_best(roller_owns, roller, opponent)


@cache
def roller_owns(roller, opponent):
    if not roller or not opponent:
        return Fraction(1 if not roller else -1)
    return max(no_redouble(roller, opponent), double(roller, opponent))


@cache
def centred(roller, opponent):
    if not roller or not opponent:
        return Fraction(1 if not roller else -1)
    return max(no_double(roller, opponent), double(roller, opponent))


def no_redouble(roller, opponent):
    return mean_of_best(opponent_owns, roller, opponent)


def no_double(roller, opponent):
    return mean_of_best(centred, roller, opponent)


def double_take(roller, opponent):
    """Return the equity after a take, with doubled stakes."""
    return 2 * opponent_owns(roller, opponent)


def double(roller, opponent):
    """Return the equity of a double; the opponent passes if that costs less."""
    return min(double_take(roller, opponent), Fraction(1))


def with_limit(roller, opponent, cube, growth):
    """Return equities of no double and double/take with a limited number of doubles.

    `cube` is ``centred``, ``owned`` or ``opponent``.
    """
    return limited(roller, opponent, cube, growth), 2 * limited(
        roller, opponent, "opponent", Fraction(growth, 2)
    )


_SEEN = {"centred": "centred", "owned": "opponent", "opponent": "owned"}


@cache
def limited(roller, opponent, cube, growth):
    """Return the equity without a double now."""
    if not roller or not opponent:
        return Fraction(1 if not roller else -1)
    return mean_of_best(
        lambda mine, theirs: decided(mine, theirs, _SEEN[cube], growth), roller, opponent
    )


@cache
def decided(roller, opponent, cube, growth):
    waits = limited(roller, opponent, cube, growth)
    if not roller or not opponent or cube == "opponent" or growth < 2:
        return waits
    taken = 2 * limited(roller, opponent, "opponent", growth / 2)
    return max(waits, min(Fraction(1), taken))
