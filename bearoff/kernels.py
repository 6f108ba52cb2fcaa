"""Compiled kernels of the one-sided table; `one_sided` is their documented face.

Kernels that call each other live in this one file, because numba's cache does not
notice an edit of a callee in another. All take contiguous arrays, write into arrays
they are given, and read no mutable global.

A position is held as ``above``, where ``above[i]`` is the checkers on point ``i`` or
higher (``above[0]`` unused, ``above[points + 1] = 0``). A checker played from ``i`` to
``j`` lowers ``above[j + 1 .. i]`` by one, and the number by the matching differences
of the rank terms, ``steps[k, above[k]]``: successors are numbered without ranking.
"""

import numpy as np
from numba import njit


@njit(cache=True, inline="always")
def _may_leave(above, home, highest, source, die):
    """Whether a checker on `source` may be played with `die`."""
    if above[source] == above[source + 1]:
        return False
    if source > die:
        return True
    # Bearing off: exactly only once all are home, with a larger number only from the
    # highest point.
    return highest <= home and (source in (die, highest))


@njit(cache=True, inline="always")
def _fall(above, steps, source, die):
    """Return by how much the number falls when a checker is played from `source`."""
    fall = 0
    for k in range(max(source - die, 0) + 1, source + 1):
        fall += steps[k, above[k]]
    return fall


@njit(cache=True, inline="always")
def _shift(above, source, die, change):
    """Play a checker from `source` (change -1) or take that play back (change 1)."""
    for k in range(max(source - die, 0) + 1, source + 1):
        above[k] += change


@njit(cache=True, inline="always")
def _top(above, start):
    """Return the highest point that holds a checker, at most `start`; 0 if none does."""
    while start > 0 and above[start] == 0:
        start -= 1
    return start


@njit(cache=True)
def _two_dice(above, steps, home, number, first, second, out, found):
    """Write the successors of `first` played before `second`, from out[found] on."""
    highest = _top(above, above.size - 2)
    for i in range(highest, 0, -1):
        if not _may_leave(above, home, highest, i, first):
            continue
        halfway = number - _fall(above, steps, i, first)
        _shift(above, i, first, -1)
        top = _top(above, highest)
        if top == 0:
            out[found] = halfway
            found += 1
        for j in range(top, 0, -1):
            if _may_leave(above, home, top, j, second):
                out[found] = halfway - _fall(above, steps, j, second)
                found += 1
        _shift(above, i, first, 1)
    return found


@njit(cache=True)
def _double(above, steps, home, number, die, sources, out):
    """Write the successors of four plays of `die`.

    A checker may always be played before one that stands lower, so sequences of
    nonincreasing sources reach every successor. ``sources[d]`` is the source now tried
    for play ``d``.
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
            _shift(above, sources[played], die, 1)
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
                _shift(above, source, die, -1)
                number = after
                played += 1
                sources[played] = source


@njit(cache=True)
def _successors(above, steps, home, number, high, low, sources, out):
    """Write the successors of one roll, some more than once, and return how many."""
    if high == low:
        return _double(above, steps, home, number, high, sources, out)
    found = _two_dice(above, steps, home, number, high, low, out, 0)
    return _two_dice(above, steps, home, number, low, high, out, found)


@njit(cache=True)
def _set_above(above, terms, number):
    """Fill `above` for a position number (unrank)."""
    points = above.size - 2
    r = terms.shape[1] - 1
    for i in range(1, points + 1):
        while terms[i, r] > number:
            r -= 1
        number -= terms[i, r]
        above[i] = r


@njit(cache=True, nogil=True)
def solve(terms, steps, home, dice, weights, tie, level, mean, second, policy):
    """Solve the positions of one level, all of whose successors are solved.

    For each position in `level` and each roll the play with the fewest mean rolls is
    chosen; of plays within `tie` of it, the one with the lowest number.
    """
    points = terms.shape[0] - 1
    above = np.zeros(points + 2, dtype=np.int64)
    sources = np.zeros(4, dtype=np.int64)
    out = np.empty(successor_room(points), dtype=np.int64)
    for position in level:
        _set_above(above, terms, position)
        total = 0.0
        total_second = 0.0
        for roll in range(dice.shape[0]):
            found = _successors(
                above, steps, home, position, dice[roll, 0], dice[roll, 1], sources, out
            )
            fewest = np.inf
            for k in range(found):
                fewest = min(fewest, mean[out[k]])
            best = position
            for k in range(found):
                if mean[out[k]] <= fewest + tie:
                    best = min(best, out[k])
            policy[position, roll] = best
            total += weights[roll] * mean[best]
            total_second += weights[roll] * (second[best] + 2.0 * mean[best])
        mean[position] = 1.0 + total / 36.0
        second[position] = 1.0 + total_second / 36.0


@njit(cache=True)
def successor_room(points):
    """Return room enough for the successors of any roll, repeats included."""
    # Four plays from nonincreasing sources, or two orders of two dice.
    return max(points * (points + 1) * (points + 2) * (points + 3) // 24, 2 * points**2)


@njit(cache=True)
def choose_least(terms, steps, home, dice, scores, policy):
    """Fill `policy` with the successor of least score, of equals the lowest number."""
    points = terms.shape[0] - 1
    above = np.zeros(points + 2, dtype=np.int64)
    sources = np.zeros(4, dtype=np.int64)
    out = np.empty(successor_room(points), dtype=np.int64)
    for position in range(1, policy.shape[0]):
        _set_above(above, terms, position)
        for roll in range(dice.shape[0]):
            found = _successors(
                above, steps, home, position, dice[roll, 0], dice[roll, 1], sources, out
            )
            best = out[0]
            for k in range(1, found):
                after = out[k]
                if scores[after] < scores[best] or (
                    scores[after] == scores[best] and after < best
                ):
                    best = after
            policy[position, roll] = best


@njit(cache=True)
def list_successors(terms, steps, home, dice, write, offsets, numbers):
    """Count the distinct successors into ``offsets[1:]`` or, given offsets, write them."""
    points = terms.shape[0] - 1
    rolls = dice.shape[0]
    above = np.zeros(points + 2, dtype=np.int64)
    sources = np.zeros(4, dtype=np.int64)
    out = np.empty(successor_room(points), dtype=np.int64)
    positions = (offsets.size - 1) // rolls
    seen = np.full(positions, -1)  # Where each successor was last listed.
    for position in range(positions):
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
                if seen[out[k]] != at:
                    seen[out[k]] = at
                    out[distinct] = out[k]
                    distinct += 1
            if write:
                listed = numbers[offsets[at] : offsets[at + 1]]
                listed[:] = out[:distinct]
                listed.sort()
            else:
                offsets[at + 1] = distinct


@njit(cache=True)
def fill_distributions(offsets, numbers, weights, rows):
    """Fill ``rows[x, n]``, the chance that position ``x`` needs exactly ``n`` rolls.

    Of the successors of a roll, ``numbers[offsets[x * rolls + roll]...]``, each is
    played equally often.
    """
    rolls = weights.size
    longest = rows.shape[1] - 1
    rows[0, 0] = 1.0
    for position in range(1, rows.shape[0]):
        for roll in range(rolls):
            start, end = (
                offsets[position * rolls + roll],
                offsets[position * rolls + roll + 1],
            )
            weight = weights[roll] / (36.0 * (end - start))
            for k in range(start, end):
                after = numbers[k]
                for n in range(longest):
                    rows[position, n + 1] += weight * rows[after, n]


@njit(cache=True)
def longest_bear_off(offsets, numbers):
    """Return the most rolls that each position may need."""
    rolls = 21
    longest = np.zeros((offsets.size - 1) // rolls, dtype=np.int64)
    for position in range(1, longest.size):
        most = 0
        for k in range(offsets[position * rolls], offsets[(position + 1) * rolls]):
            most = max(most, longest[numbers[k]])
        longest[position] = most + 1
    return longest
