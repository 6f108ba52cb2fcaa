"""Function that lists the positions after each roll with numpy, without a compiler.

A roll of two different numbers consists of two moves, in either order. A double consists of
up to four moves of the same die. The function tries all these moves, so it reaches the
position after every play.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from bearoff.positions import position_count, rank_terms, unrank
from bearoff.rolls import DICE, HOME

Int64Array = NDArray[np.int64]


def list_successors(points: int, checkers: int) -> tuple[Int64Array, Int64Array]:
    """List the distinct positions after each roll, in the form of `Successors`."""
    size = position_count(points, checkers)
    steps = {die: _steps(die, points, checkers) for die in range(1, 7)}
    twice = {die: _distinct([step[step]]) for die, step in steps.items()}
    ends = []
    for high, low in DICE.tolist():
        if high == low:
            ways = [twice[high][twice[high]]]
        else:
            ways = [steps[low][steps[high]], steps[high][steps[low]]]
        ends.append(_distinct(ways)[:size])
    counts = np.stack([(end < size).sum(axis=1) for end in ends], axis=1)
    offsets = np.concatenate([[0], np.cumsum(counts.ravel())])
    numbers = np.empty(offsets[-1], dtype=np.int64)
    for roll, end in enumerate(ends):
        places = offsets[roll : -1 : len(DICE), None] + np.arange(end.shape[1])
        numbers[places[end < size]] = end[end < size]
    return offsets, numbers


def _steps(die: int, points: int, checkers: int) -> Int64Array:
    """Return the position number after a checker on each point has been moved by `die`.

    The result has the shape (positions + 1, points). The position number ``position_count``
    marks an illegal move. After an illegal move, all further moves are illegal.
    """
    size = position_count(points, checkers)
    counts = unrank(np.arange(size), points, checkers)
    above = counts[:, ::-1].cumsum(axis=1)[:, ::-1]
    falls = np.diff(rank_terms(points, checkers), axis=1, prepend=0)
    highest = (above > 0).sum(axis=1)
    found = np.full((size + 1, points), size)
    for source in range(1, points + 1):
        plays = counts[:, source - 1] > 0
        if source <= die:
            plays &= (highest <= HOME) & ((source == die) | (source == highest))
        on = np.flatnonzero(plays)
        passed = range(max(source - die, 0) + 1, source + 1)
        found[on, source - 1] = on - sum(falls[k, above[on, k - 1]] for k in passed)
    found[0, 0] = 0  # A position without checkers does not change.
    return found


def _distinct(ways: Iterable[Int64Array]) -> Int64Array:
    """Return the distinct position numbers of each row, in ascending order."""
    found = np.concatenate([way.reshape(len(way), -1) for way in ways], axis=1)
    none = len(found) - 1
    found.sort(axis=1)
    found[:, 1:][found[:, 1:] == found[:, :-1]] = none
    found.sort(axis=1)
    return found[:, : max(int((found < none).sum(axis=1).max()), 1)]
