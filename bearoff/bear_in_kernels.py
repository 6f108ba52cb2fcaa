"""Compiled kernels of the bear-in model; `bear_in` is their documented face.

A side is held as two words of twelve nibbles, the checkers on points 1 to 12 and on
13 to 24, the lowest point leftmost; above them the first word counts the checkers
borne off. Of two positions a roll can lead to, the one with the larger words, compared
in that order, has the lower number: ties are one comparison. The 24 points are eight
triples; three nibbles of a word are the code of a triple.

All arithmetic is of whole numbers. Sums of rows stay within 16 bits and outputs within
32 (`bear_in_fit.rounded` sees to that), and the casts say so: compilers then keep 16
of the sums in a register of 256 bits.
"""

from typing import Any

import numpy as np

from bearoff.compiled import njit

HIDDEN = 32
"""Sums that every row adds to."""

CEILING = 1024
"""Sums are clipped to 0..CEILING before they are weighed."""

TRIPLES, CODES = 8, 4096

PIP = 1 << 23
"""Score units of a pip."""

OUTPUT_PIP = 1 << 17
"""Units of the model's output in a pip."""

NEVER = 1 << 62

# Handing arrays on costs a counted reference each, more than a move's value; these
# kernels make no arrays, so they can do without the counting. LLVM joins them to their
# callers in a fraction of the time that numba's own inlining takes to compile.
_PLAIN: Any = {"cache": True, "_nrt": False, "forceinline": True}

_I = np.int64  # A number written out would be compiled as a type of its own.

_SCALE = PIP // OUTPUT_PIP
_HOME, _POINTS, _ROLLS = 6, 24, 21
# What a checker on a point adds to the words; on point 0 it is off.
_UNIT_0 = np.array([1 << 48] + [1 << 4 * (12 - p) for p in range(1, 13)] + [0] * 12)
_UNIT_1 = np.array([0] * 13 + [1 << 4 * (24 - p) for p in range(13, 25)])
_ON_BOARD, _OUTFIELD = (1 << 48) - 1, (1 << 24) - 1
# Columns of a position's state; the best plays keep their score instead of pips.
_WORD_0, _WORD_1, _PIPS, _OUTSIDE, _LINE = 0, 1, 2, 3, 4
_SCORE = 2


@njit(**_PLAIN)
def _checkers(word_0, word_1, point):
    """Return the checkers on a point."""
    if point <= 12:
        return (word_0 >> 4 * (12 - point)) & 15
    return (word_1 >> 4 * (24 - point)) & 15


@njit(**_PLAIN)
def _row(word_0, word_1, triple):
    """Return the row of a triple's code."""
    word = word_0 if triple < 4 else word_1
    return triple * CODES + ((word >> 12 * (3 - (triple & 3))) & (CODES - 1))


@njit(**_PLAIN)
def _home_number(word_0, terms):
    """Number a position whose checkers are all home."""
    number = 0
    above = 0
    for point in range(_HOME, 0, -1):
        above += (word_0 >> 4 * (12 - point)) & 15
        number += terms[point, above]
    return number


@njit(**_PLAIN)
def _moved(word_0, word_1, source, target):
    """Return the words after a checker's move."""
    return (
        word_0 + _UNIT_0[target] - _UNIT_0[source],
        word_1 + _UNIT_1[target] - _UNIT_1[source],
    )


@njit(**_PLAIN)
def _left_outside(outside, source, target):
    """Return the checkers outside home after a move."""
    return outside - (source > _HOME and target <= _HOME)


@njit(**_PLAIN)
def _rows_of(word_0, word_1, new_0, new_1, source, target):
    """Return the rows that a move exchanges, before and after, for both points.

    Two points of one triple exchange one pair of rows; the other is twice the same.
    """
    triple, other = (source - 1) // 3, (target - 1) // 3
    after_2 = _row(new_0, new_1, other)
    return (
        _row(word_0, word_1, triple),
        _row(new_0, new_1, triple),
        after_2 if triple == other else _row(word_0, word_1, other),
        after_2,
    )


@njit(**_PLAIN)
def _score_move(
    rows, lines, weights, groups, terms, home_scores,
    sums, depth, word_0, word_1, pips, outside, line, source, target,
):  # fmt: skip
    """Return the score of the position after a move."""
    new_0, new_1 = _moved(word_0, word_1, source, target)
    left = _left_outside(outside, source, target)
    if left == 0:
        return home_scores[_home_number(new_0, terms)]
    group = groups[left]
    # A checker is outside, so none is borne off: the target is a point.
    before, after, before_2, after_2 = _rows_of(
        word_0, word_1, new_0, new_1, source, target
    )
    line += lines[after] - lines[before] + lines[after_2] - lines[before_2]
    total = np.int32(0)
    for h in range(HIDDEN):
        value = sums[depth, h] - rows[before, h] + rows[after, h]
        value = np.int16(value - rows[before_2, h] + rows[after_2, h])
        value = min(max(value, np.int16(0)), np.int16(CEILING))
        total = np.int32(total + np.int32(weights[group, h]) * np.int32(value))
    return (pips - source + target) * PIP + (total + line) * _SCALE


@njit(**_PLAIN)
def _play(rows, lines, state, sums, depth, source, target):
    """Write the position after a move one depth further."""
    word_0, word_1 = state[depth, _WORD_0], state[depth, _WORD_1]
    new_0, new_1 = _moved(word_0, word_1, source, target)
    left = _left_outside(state[depth, _OUTSIDE], source, target)
    state[depth + 1, _WORD_0] = new_0
    state[depth + 1, _WORD_1] = new_1
    state[depth + 1, _PIPS] = state[depth, _PIPS] - source + target
    state[depth + 1, _OUTSIDE] = left
    if left == 0:
        return  # The table scores whatever follows; sums are not needed.
    before, after, before_2, after_2 = _rows_of(
        word_0, word_1, new_0, new_1, source, target
    )
    line = state[depth, _LINE] + lines[after] - lines[before]
    line += lines[after_2] - lines[before_2]
    for h in range(HIDDEN):
        value = sums[depth, h] - rows[before, h] + rows[after, h]
        sums[depth + 1, h] = value - rows[before_2, h] + rows[after_2, h]
    state[depth + 1, _LINE] = line


@njit(**_PLAIN)
def _list_sources(state, depth, start, sources):
    """List the points from `start` down that hold checkers; return how many."""
    word_0, word_1 = state[depth, _WORD_0], state[depth, _WORD_1]
    found = 0
    # Without a branch: which points hold checkers is hard to predict.
    for point in range(start, 12, -1):
        sources[depth, found] = point
        found += (word_1 >> 4 * (24 - point)) & 15 != 0
    for point in range(min(start, 12), 0, -1):
        sources[depth, found] = point
        found += (word_0 >> 4 * (12 - point)) & 15 != 0
    return found


@njit(**_PLAIN)
def _may_bear_off(word_0, outside, point, die):
    """Whether a checker on a point no higher than `die` may be played with it."""
    # Exactly, or with a larger number from the highest point: below its nibble the
    # word is empty.
    higher = word_0 & ((1 << 4 * (12 - point)) - 1)
    return outside == 0 and (point == die or higher == 0)


@njit(**_PLAIN)
def _keep(best, roll, score, word_0, word_1):
    """Keep the better of two plays of a roll, of equals the lower number."""
    if score < best[roll, _SCORE] or (
        score == best[roll, _SCORE]
        and (
            word_0 > best[roll, _WORD_0]
            or (word_0 == best[roll, _WORD_0] and word_1 > best[roll, _WORD_1])
        )
    ):
        best[roll, _SCORE] = score
        best[roll, _WORD_0] = word_0
        best[roll, _WORD_1] = word_1


@njit(**_PLAIN)
def _finish(
    rows, lines, weights, groups, terms, home_scores,
    state, sums, sources, depth, die, count, roll, best,
):  # fmt: skip
    """Keep the best last move of a roll from the sources listed at a depth."""
    word_0, word_1 = state[depth, _WORD_0], state[depth, _WORD_1]
    pips, outside = state[depth, _PIPS], state[depth, _OUTSIDE]
    line = state[depth, _LINE]
    for k in range(count):
        source = sources[depth, k]
        if source <= die and not _may_bear_off(word_0, outside, source, die):
            continue
        target = max(source - die, 0)
        score = _score_move(
            rows, lines, weights, groups, terms, home_scores,
            sums, depth, word_0, word_1, pips, outside, line, source, target,
        )  # fmt: skip
        if score <= best[roll, _SCORE]:
            new_0, new_1 = _moved(word_0, word_1, source, target)
            _keep(best, roll, score, new_0, new_1)


@njit(**_PLAIN)
def _finish_double(
    rows, lines, weights, groups, terms, home_scores,
    state, sums, sources, die, count, start, best,
):  # fmt: skip
    """Play the rest of a double from the position at depth 1, from `start` down.

    A checker may always be played before one that stands lower, so sequences of
    nonincreasing sources reach every successor.
    """
    for k in range(count):
        second = sources[1, k]
        if second > start or not _play_on(
            rows, lines, state, sums, _I(1), second, die, best
        ):
            continue
        found = _list_sources(state, _I(2), second, sources)
        for m in range(found):
            third = sources[2, m]
            if _play_on(rows, lines, state, sums, _I(2), third, die, best):
                left = _list_sources(state, _I(3), third, sources)
                _finish(
                    rows, lines, weights, groups, terms, home_scores,
                    state, sums, sources, _I(3), die, left, 14 + die, best,
                )  # fmt: skip


@njit(**_PLAIN)
def _play_on(rows, lines, state, sums, depth, source, die, best):
    """Play one more of a double if it may be; return whether to play on from there."""
    word_0, outside = state[depth, _WORD_0], state[depth, _OUTSIDE]
    if source <= die and not _may_bear_off(word_0, outside, source, die):
        return False
    _play(rows, lines, state, sums, depth, source, max(source - die, 0))
    word_0, word_1 = state[depth + 1, _WORD_0], state[depth + 1, _WORD_1]
    if word_0 & _ON_BOARD == 0 and word_1 == 0:
        _keep(best, 14 + die, 0, word_0, word_1)
        return False
    return True


@njit(**_PLAIN)
def _best_plays(
    rows, lines, weights, groups, terms, home_scores, state, sums, sources, top, best
):
    """Find the best play of every roll from the position at depth 0, not all home."""
    for roll in range(_ROLLS):
        best[roll, _SCORE] = NEVER
    for k in range(_list_sources(state, _I(0), top, sources)):
        source = sources[0, k]
        for die in range(1, min(source, 7)):
            _play(rows, lines, state, sums, _I(0), source, source - die)
            count = _list_sources(state, _I(1), top, sources)
            # Which die comes first matters only where the second may bear off.
            for second in range(1, die if state[1, _OUTSIDE] else 7):
                if second == die:
                    continue
                high, low = max(die, second), min(die, second)
                roll = (high - 1) * (high - 2) // 2 + low - 1
                _finish(
                    rows, lines, weights, groups, terms, home_scores,
                    state, sums, sources, _I(1), second, count, roll, best,
                )  # fmt: skip
            _finish_double(
                rows, lines, weights, groups, terms, home_scores,
                state, sums, sources, die, count, source, best,
            )  # fmt: skip


@njit(**_PLAIN)
def _load(rows, lines, start, constant, positions, n, state, sums):
    """Set the state at depth 0; return the highest point."""
    word_0 = word_1 = pips = outside = np.int64(0)
    top = 0
    for point in range(1, _POINTS + 1):
        checkers = np.int64(positions[n, point - 1])
        if checkers:
            top = point
            word_0 += checkers * _UNIT_0[point]
            word_1 += checkers * _UNIT_1[point]
            pips += point * checkers
            if point > _HOME:
                outside += checkers
    line = constant
    for h in range(HIDDEN):
        sums[0, h] = start[h]
    for triple in range((top + 2) // 3):
        row = _row(word_0, word_1, triple)
        line += lines[row]
        for h in range(HIDDEN):
            sums[0, h] += rows[row, h]
    state[0, _WORD_0], state[0, _WORD_1] = word_0, word_1
    state[0, _PIPS], state[0, _OUTSIDE], state[0, _LINE] = pips, outside, line
    return top


@njit(cache=True, nogil=True)
def score(model, terms, home_scores, positions, out):
    """Score positions in `PIP`; those whose checkers are all home by the table."""
    rows, lines, weights, groups, start, constant = model
    state = np.zeros((4, 5), dtype=np.int64)
    sums = np.zeros((4, HIDDEN), dtype=np.int16)
    for n in range(positions.shape[0]):
        _load(rows, lines, start, constant, positions, n, state, sums)
        outside = state[0, _OUTSIDE]
        if outside == 0:
            out[n] = home_scores[_home_number(state[0, _WORD_0], terms)]
            continue
        total = np.int32(0)
        for h in range(HIDDEN):
            value = min(max(sums[0, h], np.int16(0)), np.int16(CEILING))
            total += np.int32(weights[groups[outside], h]) * np.int32(value)
        output = total + state[0, _LINE]
        out[n] = state[0, _PIPS] * PIP + output * _SCALE


@njit(cache=True, nogil=True)
def expand(model, terms, home_scores, home_means, policy, positions, after, means):
    """Fill the position after the play of every roll, and the mean rolls left there."""
    rows, lines, weights, groups, start, constant = model
    # A position, and those a double leads through: words, pips, ... and sums of each.
    state = np.zeros((4, 5), dtype=np.int64)
    sums = np.zeros((4, HIDDEN), dtype=np.int16)
    sources = np.zeros((4, _POINTS + 1), dtype=np.int64)
    best = np.zeros((_ROLLS, 3), dtype=np.int64)
    per_score = 6.0 / 49.0 / PIP
    for n in range(positions.shape[0]):
        top = _load(rows, lines, start, constant, positions, n, state, sums)
        if state[0, _OUTSIDE] == 0:
            number = _home_number(state[0, _WORD_0], terms)
            for roll in range(_ROLLS):
                left = np.int64(policy[number, roll])
                means[n, roll] = home_means[left]
                _set_home(terms, left, after, n, roll)
            continue
        _best_plays(
            rows, lines, weights, groups, terms, home_scores,
            state, sums, sources, top, best,
        )  # fmt: skip
        for roll in range(_ROLLS):
            word_0, word_1 = best[roll, _WORD_0], best[roll, _WORD_1]
            for point in range(1, _POINTS + 1):
                after[n, roll, point - 1] = _checkers(word_0, word_1, point)
            if word_0 & _OUTFIELD == 0 and word_1 == 0:
                means[n, roll] = home_means[_home_number(word_0, terms)]
            else:
                means[n, roll] = best[roll, _SCORE] * per_score


@njit(**_PLAIN)
def _set_home(terms, number, after, n, roll):
    """Write the checkers of a position whose checkers are all home."""
    above = terms.shape[1] - 1
    previous = 0
    for point in range(1, _HOME + 1):
        while terms[point, above] > number:
            above -= 1
        number -= terms[point, above]
        if point > 1:
            after[n, roll, point - 2] = previous - above
        previous = above
    after[n, roll, _HOME - 1] = previous
    for point in range(_HOME, _POINTS):
        after[n, roll, point] = 0
