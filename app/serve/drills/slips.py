"""Typical wrong answers to questions, such as a pip count that is off by ten."""

from collections.abc import Iterable
from random import Random

from bearoff import Position

OFFERED = 4
"""Number of answers offered for a question, including the correct answer."""


def pip_slips(side: Position) -> list[float]:
    """Return wrong pip counts, each of which results from one counting mistake.

    Examples
    --------
    >>> sorted(pip_slips(Position((0, 2, 0, 0, 0, 1))))
    [0, 4, 8, 9, 11, 12, 16, 20]
    """
    pips = side.pips
    found: list[float] = [pips - 10, pips + 10]
    for point, count in enumerate(side.counts, start=1):
        if count:
            # Typical mistakes in pip counts: a checker is forgotten or counted twice, or a
            # stack is counted one point too high or too low.
            found += [pips - point, pips + point, pips + count, pips - count]
    return list(dict.fromkeys(found))


def around(
    truth: float, slips: Iterable[float], within: float, rng: Random, most: float
) -> list[str]:
    """Return the correct answer and some wrong answers, in ascending order.

    Wrong answers are left out if they would count as correct, or are close to another
    answer.
    """
    wrong: list[int] = []
    apart = max(2 * within, 0.5)
    slips = list(slips)
    if len(slips) > 2 * OFFERED:
        rng.shuffle(slips)
    near = [truth + sign * apart * by for by in (1.5, 2.5, 4) for sign in (1, -1)]
    # The correct answer is offered as a whole number, so the others are rounded, too.
    for one in map(round, [*slips, *near]):
        if 0 < one < most and all(abs(one - other) > apart for other in (truth, *wrong)):
            wrong.append(one)
        if len(wrong) == OFFERED - 1:
            break
    return [str(one) for one in sorted([round(truth), *wrong])]
