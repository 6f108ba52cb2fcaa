"""Compiled kernels that list one player's plays, and solve one-sided tables.

Kernels that call each other are in one file, because numba's cache does not notice the
change of a kernel in another file. All kernels take contiguous arrays, write only to arrays
that they are given, and read no mutable global variables.

A position is represented by ``above``: ``above[i]`` is the number of checkers on point
``i`` or higher (``above[0]`` is unused, and ``above[points + 1] = 0``). Moving a checker
from ``i`` to ``j`` lowers ``above[j + 1 .. i]`` by one. The position number decreases by
the differences ``steps[k, above[k]]`` of the rank terms, so the number after a move is
found without computing a rank.
"""

from typing import Any, NamedTuple

import numpy as np

from bearoff.runtime import njit

# The functions with these options create no arrays, so numba's reference counting is turned
# off. Inlining by LLVM compiles faster than inlining by numba.
_JOINED: Any = {"cache": True, "_nrt": False, "forceinline": True}

_I = np.int64  # Numba would compile a function twice for an integer literal and a variable.


@njit(**_JOINED)
def _may_leave(above, home, highest, source, die):
    """Return whether a checker on point `source` may be moved by `die`."""
    if above[source] == above[source + 1]:
        return False
    if source > die:
        return True
    # A die larger than the point's number may bear off only from the highest point with a
    # checker.
    return highest <= home and (source in (die, highest))


@njit(**_JOINED)
def _fall(above, steps, source, die):
    """Return the decrease in position number when `die` moves a checker from `source`."""
    fall = 0
    for k in range(max(source - die, 0) + 1, source + 1):
        fall += steps[k, above[k]]
    return fall


@njit(**_JOINED)
def _shift(above, source, die, change):
    """Move a checker from `source` (`change` -1), or undo that move (`change` 1)."""
    for k in range(max(source - die, 0) + 1, source + 1):
        above[k] += change


@njit(**_JOINED)
def _top(above, start):
    """Return the highest occupied point from `start` downwards, or 0 if there is none."""
    while start > 0 and above[start] == 0:
        start -= 1
    return start


@njit(cache=True)
def _two_dice(above, steps, home, number, first, second, out, found):
    """Append to `out` the positions after playing die `first` and then die `second`."""
    highest = _top(above, above.size - 2)
    for i in range(highest, 0, -1):
        if not _may_leave(above, home, highest, i, first):
            continue
        halfway = number - _fall(above, steps, i, first)
        _shift(above, i, first, _I(-1))
        top = _top(above, highest)
        if top == 0:
            out[found] = halfway
            found += 1
        for j in range(top, 0, -1):
            if _may_leave(above, home, top, j, second):
                out[found] = halfway - _fall(above, steps, j, second)
                found += 1
        _shift(above, i, first, _I(1))
    return found


@njit(cache=True)
def _double(above, steps, home, number, die, sources, out):
    """Write the positions after a roll of doubles, which allows up to four equal moves.

    The order of the moves does not matter, so each move starts from the same point as the
    previous move or from a lower point. ``sources[d]`` is the point from which move ``d``
    is tried.
    """
    found = 0
    played = 0
    highest = _top(above, above.size - 2)
    sources[0] = highest
    while True:
        source = sources[played]
        if source == 0:
            if played == 0:
                return found
            played -= 1
            _shift(above, sources[played], die, _I(1))
            number += _fall(above, steps, sources[played], die)
            sources[played] -= 1
        elif not _may_leave(above, home, _top(above, highest), source, die):
            sources[played] -= 1
        else:
            after = number - _fall(above, steps, source, die)
            if played == 3 or after == 0:
                out[found] = after
                found += 1
                sources[played] -= 1
            else:
                _shift(above, source, die, _I(-1))
                number = after
                played += 1
                sources[played] = source


@njit(cache=True)
def _successors(above, steps, home, number, high, low, sources, out):
    """Write the positions after a roll, perhaps with duplicates; return their number."""
    if high == low:
        return _double(above, steps, home, number, high, sources, out)
    found = _two_dice(above, steps, home, number, high, low, out, _I(0))
    return _two_dice(above, steps, home, number, low, high, out, found)


@njit(cache=True)
def mark_reachable(offsets, numbers, found):
    """Mark all positions that can be reached from positions that are already marked.

    Plays lower the position number, so the loop visits each position once, in descending
    order.
    """
    for number in range(found.size - 1, 0, -1):
        if found[number]:
            for k in range(offsets[21 * number], offsets[21 * (number + 1)]):
                found[numbers[k]] = True


@njit(cache=True)
def _set_above(above, terms, number):
    """Fill `above` with the number of checkers on or above each point of a position."""
    points = above.size - 2
    r = terms.shape[1] - 1
    for i in range(1, points + 1):
        while terms[i, r] > number:
            r -= 1
        number -= terms[i, r]
        above[i] = r


@njit(**_JOINED)
def _is_better(score, number, best_score, best, tie):
    """Return whether a score is better: lower, or tied with a lower position number."""
    return score < best_score - tie or (score <= best_score + tie and number < best)


class LevelConstants(NamedTuple):
    """Constants of `solve_level`: position numbering, dice and tolerance for ties."""

    terms: Any
    steps: Any
    home: int
    dice: Any
    weights: Any
    tie: float


class Solved(NamedTuple):
    """Results of `solve_level` for the positions that have been solved."""

    mean: Any
    second: Any
    scores: Any
    ends: Any


@njit(cache=True, nogil=True)
def solve_level(rules, numbers, place, solved, picks):
    """Solve all positions of one pip count, after all positions with lower pip counts.

    For every position and die, the best positions after one, two and three moves of the die
    are stored. To find the best position after k moves, only the first move is tried. The
    best position after the other k - 1 moves has already been stored.

    The position after the best play in position ``numbers[j]`` is written to ``picks[j,
    roll]``. For the best position after k moves of a die, the mean number of rolls is in
    ``scores[s, k - 1, die - 1]`` and the position number in ``ends[s, k - 1, die - 1]``. A
    position has the row ``s = place[position] % len(scores)``.
    """
    terms, steps, home, dice, weights, tie = rules
    mean, second, scores, ends = solved
    points = terms.shape[0] - 1
    slots = scores.shape[0]
    above = np.zeros(points + 2, dtype=np.int64)
    best_score = np.empty((7, 7))  # Axes: higher die, lower die.
    best = np.empty((7, 7), dtype=np.int64)
    for j in range(numbers.size):
        position = np.int64(numbers[j])
        own = np.int64(place[position]) % slots
        _set_above(above, terms, position)
        highest = _top(above, points)
        best_score[:] = np.inf
        best[:] = position
        scores[own] = np.inf
        for die in range(1, 7):
            for source in range(highest, 0, -1):
                if not _may_leave(above, home, highest, source, die):
                    continue
                after = position - _fall(above, steps, source, die)
                slot = np.int64(place[after]) % slots
                if _is_better(
                    mean[after], after, scores[own, 0, die - 1], ends[own, 0, die - 1], tie
                ):
                    scores[own, 0, die - 1] = mean[after]
                    ends[own, 0, die - 1] = after
                for k in range(2):
                    score, end = scores[slot, k, die - 1], ends[slot, k, die - 1]
                    if _is_better(
                        score, end, scores[own, k + 1, die - 1], ends[own, k + 1, die - 1],
                        tie,
                    ):  # fmt: skip
                        scores[own, k + 1, die - 1] = score
                        ends[own, k + 1, die - 1] = end
                score, end = scores[slot, 2, die - 1], np.int64(ends[slot, 2, die - 1])
                if _is_better(score, end, best_score[die, die], best[die, die], tie):
                    best_score[die, die] = score
                    best[die, die] = end
                for other in range(1, 7):
                    if other == die:
                        continue
                    high, low = max(die, other), min(die, other)
                    score = scores[slot, 0, other - 1]
                    end = np.int64(ends[slot, 0, other - 1])
                    if _is_better(score, end, best_score[high, low], best[high, low], tie):
                        best_score[high, low] = score
                        best[high, low] = end
        total = 0.0
        total_second = 0.0
        for roll in range(dice.shape[0]):
            after = best[dice[roll, 0], dice[roll, 1]]
            picks[j, roll] = after
            total += weights[roll] * mean[after]
            total_second += weights[roll] * (second[after] + 2.0 * mean[after])
        mean[position] = 1.0 + total / 36.0
        second[position] = 1.0 + total_second / 36.0


@njit(cache=True)
def successor_room(points):
    """Return an upper bound on the number of positions after a roll, with duplicates."""
    # A double makes four moves in descending order of points. Any other roll makes two
    # moves in either order.
    return max(points * (points + 1) * (points + 2) * (points + 3) // 24, 2 * points**2)


@njit(cache=True, nogil=True)
def choose_least(terms, steps, home, dice, scores, tie, numbers, picks):
    """Choose the position with the lowest score after each roll, for the given positions.

    Among positions within `tie` of the lowest score, the lowest position number is chosen.
    """
    points = terms.shape[0] - 1
    above = np.zeros(points + 2, dtype=np.int64)
    sources = np.zeros(4, dtype=np.int64)
    out = np.zeros(successor_room(points), dtype=np.int64)
    for j in range(numbers.size):
        position = numbers[j]
        if position == 0:
            picks[j] = 0
            continue
        _set_above(above, terms, position)
        for roll in range(dice.shape[0]):
            found = _successors(
                above, steps, home, position, dice[roll, 0], dice[roll, 1], sources, out
            )
            least = np.inf
            for k in range(found):
                least = min(least, scores[out[k]])
            best = position
            for k in range(found):
                if scores[out[k]] <= least + tie:
                    best = min(best, out[k])
            picks[j, roll] = best


@njit(**_JOINED)
def _write_sorted(values, count, target, start):
    """Write the first `count` values in ascending order, beginning at ``target[start]``."""
    # Array slices and `sort` would double the compile time of this module.
    for k in range(count):
        place = start + k
        while place > start and target[place - 1] > values[k]:
            target[place] = target[place - 1]
            place -= 1
        target[place] = values[k]


@njit(cache=True)
def list_successors(terms, steps, home, dice, first, offsets, numbers):
    """List the distinct positions after each roll, for all positions from `first` on.

    Returns
    -------
    int
        First position whose successors did not fit into the output arrays.
    """
    points = terms.shape[0] - 1
    rolls = dice.shape[0]
    above = np.zeros(points + 2, dtype=np.int64)
    sources = np.zeros(4, dtype=np.int64)
    out = np.zeros(successor_room(points), dtype=np.int64)
    positions = (offsets.size - 1) // rolls
    # `seen[position]` is 1 plus the index of the last roll that reached this position.
    seen = np.zeros(positions, dtype=np.int64)
    for position in range(first, positions):
        if offsets[position * rolls] + rolls * out.size > numbers.size:
            return position
        _set_above(above, terms, position)
        for roll in range(rolls):
            out[0] = 0
            found = 1
            if position > 0:
                found = _successors(
                    above, steps, home, position, dice[roll, 0], dice[roll, 1], sources, out
                )
            at = position * rolls + roll
            distinct = 0
            for k in range(found):
                if seen[out[k]] <= at:
                    seen[out[k]] = at + 1
                    out[distinct] = out[k]
                    distinct += 1
            _write_sorted(out, distinct, numbers, offsets[at])
            offsets[at + 1] = offsets[at] + distinct
    return positions


@njit(cache=True)
def list_successors_of(terms, steps, home, dice, some, first, offsets, numbers):
    """List the distinct positions after each roll, for the position numbers in `some`.

    On a board of many points, `list_successors` would need too much memory, because its
    array has an entry for every position number.

    Returns
    -------
    int
        Index in `some` of the first position that did not fit into the output arrays.
    """
    points = terms.shape[0] - 1
    rolls = dice.shape[0]
    above = np.zeros(points + 2, dtype=np.int64)
    sources = np.zeros(4, dtype=np.int64)
    out = np.zeros(successor_room(points), dtype=np.int64)
    for j in range(first, some.size):
        if offsets[j * rolls] + rolls * out.size > numbers.size:
            return j
        position = some[j]
        _set_above(above, terms, position)
        for roll in range(rolls):
            out[0] = 0
            found = 1
            if position > 0:
                found = _successors(
                    above, steps, home, position, dice[roll, 0], dice[roll, 1], sources, out
                )
            start = offsets[j * rolls + roll]
            end = start
            for k in range(found):
                end = _insert(out[k], numbers, start, end)
            offsets[j * rolls + roll + 1] = end
    return some.size


@njit(**_JOINED)
def _insert(value, target, start, end):
    """Insert a value into sorted ``target[start:end]`` if missing; return the new `end`."""
    place = end
    while place > start and target[place - 1] > value:
        place -= 1
    if place > start and target[place - 1] == value:
        return end
    for k in range(end, place, -1):
        target[k] = target[k - 1]
    target[place] = value
    return end + 1
