"""Simple, slow implementation of the main functions of `bearoff`, without any of its code.

A position is the paper's list: the sorted points of the checkers on the board. The rules
are written as in a rule book, for any number of points, and solved in exact fractions. A
position's number is its index in a sorted list of all positions, without the perfect hash.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

Checkers = tuple[int, ...]
"""Points of the checkers on the board, in ascending order, such as (1, 1, 4)."""

HOME_BOARD = 6

THROWS = [(first, second) for first in range(1, 7) for second in range(1, 7)]
"""The 36 equally likely outcomes of two dice."""


def all_positions(points: int, checkers: int) -> list[Checkers]:
    """List all positions, as points of checkers, in the order of Benjamin and Ross."""
    lists = combinations_with_replacement(range(points + 1), checkers)
    return [tuple(point for point in one if point > 0) for one in lists]


def counts_of(position: Checkers, points: int) -> tuple[int, ...]:
    return tuple(position.count(point) for point in range(1, points + 1))


def checkers_of(counts: tuple[int, ...]) -> Checkers:
    return tuple(p for p, count in enumerate(counts, start=1) for _ in range(count))


def moves_of_one_die(position: Checkers, die: int) -> set[Checkers]:
    """Return the positions after one checker moves by one die, in every legal way."""
    results = set()
    for checker in set(position):
        others = list(position)
        others.remove(checker)
        if checker > die:
            results.add(tuple(sorted([*others, checker - die])))
            continue
        if max(position) > HOME_BOARD:
            continue  # no checker is borne off before all are home
        if checker == die or all(other <= checker for other in others):
            results.add(tuple(others))
    return results


@cache
def successors(position: Checkers, first: int, second: int) -> frozenset[Checkers]:
    """Return the positions after a roll, using as many of its numbers as possible.

    If only one of two dice can be played, it must be the larger if there is a choice.
    """
    both = [(first, second), (second, first)]
    orders = [(first,) * 4] if first == second else both
    ends = [end for order in orders for end in _play_out(position, order, ())]
    most = max(len(played) for played, _ in ends)
    if most == 1 and any(played == (max(first, second),) for played, _ in ends):
        ends = [(p, end) for p, end in ends if p == (max(first, second),) or not end]
    # A player who has borne off the last checker does not play the remaining dice.
    return frozenset(end for played, end in ends if len(played) == most or not end)


def _play_out(
    position: Checkers, dice: tuple[int, ...], played: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], Checkers]]:
    nexts = moves_of_one_die(position, dice[0]) if dice and position else set()
    if not nexts:
        yield played, position
    for after in nexts:
        yield from _play_out(after, dice[1:], (*played, dice[0]))


@cache
def mean_rolls(position: Checkers) -> Fraction:
    """Return the mean number of rolls to bear off all checkers with fewest-rolls play."""
    if not position:
        return Fraction(0)
    best = (min(map(mean_rolls, successors(position, *throw))) for throw in THROWS)
    return 1 + sum(best, Fraction(0)) / 36


@cache
def distribution(position: Checkers) -> tuple[Fraction, ...]:
    """Return the probabilities that fewest-rolls play bears off in 0, 1, 2, ... rolls.

    Ties go to the play that is first in the paper's order.
    """
    if not position:
        return (Fraction(1),)
    total: dict[int, Fraction] = {}
    for throw in THROWS:
        for n, chance in enumerate(distribution(fewest_rolls_play(position, *throw))):
            total[n + 1] = total.get(n + 1, Fraction(0)) + chance / 36
    return tuple(total.get(n, Fraction(0)) for n in range(max(total) + 1))


def fewest_rolls_play(position: Checkers, first: int, second: int) -> Checkers:
    return min(
        successors(position, first, second),
        key=lambda after: (mean_rolls(after), paper_list(after, len(position))),
    )


def paper_list(position: Checkers, checkers: int) -> tuple[int, ...]:
    """Return a list of all checkers' points, in which a borne-off checker counts as 0."""
    return (0,) * (checkers - len(position)) + position


@cache
def win_probability(roller: Checkers, opponent: Checkers) -> Fraction:
    """Return the roller's exact winning chance if both sides play for the fewest rolls.

    Two sides take turns, without distributions or convolutions.
    """
    if not roller:
        return Fraction(1)
    if not opponent:
        return Fraction(0)
    lost = (
        win_probability(opponent, fewest_rolls_play(roller, *throw)) for throw in THROWS
    )
    return 1 - sum(lost, Fraction(0)) / 36
