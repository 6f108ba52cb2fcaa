"""Compiled kernel that solves races of No Chance Backgammon.

A state consists of the positions of the roller and the opponent, the number that each
player named last, and the number of doubles that each player may still name. The result of
best play is a signed byte: ``points * END - plies`` if the roller wins, and its negative if
the opponent wins. Larger results are better for the roller, so a gammon matters more than
speed, the winner hurries and the loser delays.

The roller may not name the same number twice in succession. To save memory, results are
stored without the roller's last number. Each state has the best result if all numbers were
allowed, the number that achieves this result, and the best result with any other number.
"""

import numpy as np

from bearoff.runtime import njit

END = 63
"""Upper bound on the number of turns in a race. A game with 15 checkers per player needs at
most 60 turns. Twice `END` must fit into a byte."""

WORST = -127


@njit(cache=True)
def single_moves(counts, number, sources):
    """Write the points from which a number may be played; return the count of points.

    A number larger than the rearmost point bears off from this point.
    """
    top = counts.size
    while top > 0 and counts[top - 1] == 0:
        top -= 1
    found = 0
    for point in range(1, top + 1):
        if counts[point - 1] and (point >= number or point == top):
            sources[found] = point
            found += 1
    return found


@njit(cache=True)
def _expand(moves, begin, end, number, found, targets):
    """Append the positions after playing a number again; return the end of `targets`."""
    for k in range(begin, end):
        position = targets[k]
        for s in range(moves.shape[2]):
            target = moves[position, number, s]
            if target < 0:
                break
            seen = False
            for other in range(end, found):
                if targets[other] == target:
                    seen = True
                    break
            if not seen:
                targets[found] = target
                found += 1
    return found


@njit(cache=True)
def after_pair(moves, position, named, met, targets):
    """Write the positions after playing a pair of numbers; return where they begin and end.

    Two different numbers are played in either order, and two equal numbers are played four
    times in all. After the last checker is off, remaining moves are dropped.
    """
    targets[0] = position
    if named == met:
        begin, end = 0, 1
        for _ in range(4):
            found = _expand(moves, begin, end, named, end, targets)
            if found == end:
                break
            begin, end = end, found
        return begin, end
    middle = _expand(moves, 0, 1, named, 1, targets)
    other = middle
    # Duplicate positions are kept, because removing them would take more time.
    for s in range(moves.shape[2]):
        target = moves[position, met, s]
        if target < 0:
            break
        targets[other] = target
        other += 1
    found = other
    for half in range(2):
        begin, end = (1, middle) if half == 0 else (middle, other)
        number = met if half == 0 else named
        for k in range(begin, end):
            played = targets[k]
            if moves[played, number, 0] < 0 and played == 0:
                found = _add(targets, other, found, played)
            for s in range(moves.shape[2]):
                target = moves[played, number, s]
                if target < 0:
                    break
                found = _add(targets, other, found, target)
    return other, found


@njit(cache=True)
def _add(targets, begin, found, target):
    """Append a position to `targets` unless it is a duplicate; return the new end."""
    for k in range(begin, found):
        if targets[k] == target:
            return found
    targets[found] = target
    return found + 1


@njit(cache=True)
def _solve_pair(offsets, plays, full, i, j, best, number, second, room):
    """Solve all states with the roller in position `i` and the opponent in position `j`."""
    won = (2 if full[j] else 1) * END - 1
    numbers = best.shape[2]
    doubles = best.shape[3]
    for met in range(numbers):
        for own in range(doubles):
            for other in range(doubles):
                best[i, j, met, own, other] = WORST
                second[i, j, met, own, other] = WORST
                number[i, j, met, own, other] = numbers
        for named in range(numbers):
            doubled = 1 if named == met else 0
            if doubled and doubles == 1:
                continue
            low, high = min(named, met), max(named, met)
            pair = i, high * (high + 1) // 2 + low
            room[:] = WORST
            for k in range(offsets[pair], offsets[pair[0], pair[1] + 1]):
                after = plays[k]
                if after == 0:
                    room[:] = won
                    break
                # After this play the opponent is on roll, and may not name `met`, which is
                # the opponent's own last number.
                for own in range(doubles):
                    for other in range(doubles):
                        result = best[j, after, named, other, own]
                        if number[j, after, named, other, own] == met:
                            result = second[j, after, named, other, own]
                        result = -result + (1 if result > 0 else -1)
                        room[own, other] = max(room[own, other], result)
            for own in range(doubled, doubles):
                for other in range(doubles):
                    result = room[own - doubled, other]
                    if result > best[i, j, met, own, other]:
                        second[i, j, met, own, other] = best[i, j, met, own, other]
                        best[i, j, met, own, other] = result
                        number[i, j, met, own, other] = named
                    elif result > second[i, j, met, own, other]:
                        second[i, j, met, own, other] = result


@njit(cache=True, nogil=True)
def solve_rows(offsets, plays, full, begin, end, best, number, second):
    """Solve the pairs of positions whose larger index is from `begin` to ``end - 1``.

    Positions are sorted by pip count, so a play leads to a position with a smaller index.
    Requires that all pairs with both indices below `begin` have been solved.

    Parameters
    ----------
    offsets : ndarray of int64, shape (positions, pairs + 1)
        Index of the first play of each pair of numbers. A pair (high, low), counted from 0,
        has the index ``high (high + 1) / 2 + low``.
    plays : ndarray of int32
        Index of the position that each play leads to.
    full : ndarray of bool, shape (positions,)
        Whether all checkers of the position are on the board, so that a loss would be a
        gammon.
    begin, end : int
        First position index of the range, at least 1, and the end of the range (exclusive).
    best, number, second : ndarray of int8, shape (positions, positions, N, D, D)
        Output arrays. The axes are the roller's position, the opponent's position, the
        number that the opponent named last, and how many doubles the roller and the
        opponent may still name.
    """
    doubles = best.shape[3]
    room = np.empty((doubles, doubles), np.int8)
    for i in range(begin, end):
        for j in range(1, i):
            _solve_pair(offsets, plays, full, i, j, best, number, second, room)
        for j in range(1, i + 1):
            _solve_pair(offsets, plays, full, j, i, best, number, second, room)
