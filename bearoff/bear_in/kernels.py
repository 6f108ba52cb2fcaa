"""Compiled kernels of the bear-in model, which find the best play of every roll.

A position is packed into two words of twelve 4-bit fields: the checkers on points 1 to 12
and on points 13 to 24, with the lowest point in the highest bits. The bits above these
fields of the first word are the number of checkers borne off. Of two positions after a
roll, the one with the larger words has the lower position number, so one comparison breaks
ties. The 24 points form eight triples, and three adjacent fields of a word are the code of
a triple.

All arithmetic is in integers: hidden units fit into 16 bits and outputs into 32
(`research.training.bear_in.rounded` ensures this). Explicit casts let compilers keep 16
hidden units in a register of 256 bits.
"""

from typing import Any, NamedTuple

import numpy as np

from bearoff.bear_in.coefficients import CEILING, CODES, HIDDEN, OUTPUT_PIP, PIP
from bearoff.runtime import njit

NEVER = 1 << 62

# The kernels create no arrays, so numba's reference counting is turned off, which saves
# time. Inlining by LLVM compiles faster than inlining by numba.
PLAIN: Any = {"cache": True, "_nrt": False, "forceinline": True}

_I = np.int64  # Numba would compile a function twice for an integer literal and a variable.

OUTPUT_SCALE = PIP // OUTPUT_PIP
_HOME, _POINTS, _ROLLS = 6, 24, 21
# A position is packed into two 64-bit words. `_UNIT_0[p]` and `_UNIT_1[p]` are the amounts
# that a checker on point p adds to the first and the second word. Index 0 is for a checker
# borne off.
_UNIT_0 = np.array([1 << 48] + [1 << 4 * (12 - p) for p in range(1, 13)] + [0] * 12)
_UNIT_1 = np.array([0] * 13 + [1 << 4 * (24 - p) for p in range(13, 25)])
_ON_BOARD, _OUTFIELD = (1 << 48) - 1, (1 << 24) - 1
# Columns of the array that describes a position. In arrays of best plays, column 2 holds
# the score instead of the pip count.
_WORD_0, _WORD_1, _PIPS, _OUTSIDE, _LINE = 0, 1, 2, 3, 4
_SCORE = 2


class _Search(NamedTuple):
    """Work arrays for finding the best plays of a position."""

    state: Any
    sums: Any
    sources: Any
    best: Any


@njit(**PLAIN)
def _checkers(word_0, word_1, point):
    if point <= 12:
        return (word_0 >> 4 * (12 - point)) & 15
    return (word_1 >> 4 * (24 - point)) & 15


@njit(**PLAIN)
def _row(word_0, word_1, triple):
    """Return the row of the model's arrays for the checkers on three adjacent points."""
    word = word_0 if triple < 4 else word_1
    return triple * CODES + ((word >> 12 * (3 - (triple & 3))) & (CODES - 1))


@njit(**PLAIN)
def _home_number(word_0, terms):
    """Return the position number of a packed position with all checkers home."""
    number = 0
    above = 0
    for point in range(_HOME, 0, -1):
        above += (word_0 >> 4 * (12 - point)) & 15
        number += terms[point, above]
    return number


@njit(**PLAIN)
def _moved(word_0, word_1, source, target):
    """Return the packed position after the move of a checker from `source` to `target`."""
    return (
        word_0 + _UNIT_0[target] - _UNIT_0[source],
        word_1 + _UNIT_1[target] - _UNIT_1[source],
    )


@njit(**PLAIN)
def _rows_of(word_0, word_1, new_0, new_1, source, target):
    """Return the rows of coefficients for both points of a move, before and after the move.

    If both points are in the same triple, the last two row indices are equal, and their
    effects cancel each other.
    """
    triple, other = (source - 1) // 3, (target - 1) // 3
    after_2 = _row(new_0, new_1, other)
    return (
        _row(word_0, word_1, triple),
        _row(new_0, new_1, triple),
        after_2 if triple == other else _row(word_0, word_1, other),
        after_2,
    )


@njit(**PLAIN)
def _score_move(model, home, sums, position, source, target):
    """Compute the score after a move by updating the hidden units of the model."""
    word_0, word_1, pips, outside, line = position
    new_0, new_1 = _moved(word_0, word_1, source, target)
    left = outside - (source > _HOME and target <= _HOME)
    if left == 0:
        return home.scores[_home_number(new_0, home.terms)]
    rows, lines, weights = model.rows, model.lines, model.weights
    group = model.groups[left]
    # No checker may be borne off while another checker is outside the home board, so the
    # move ends on a point of the board.
    old, new, old_2, new_2 = _rows_of(word_0, word_1, new_0, new_1, source, target)
    line += lines[new] - lines[old] + lines[new_2] - lines[old_2]
    total = np.int32(0)
    for h in range(HIDDEN):
        value = sums[h] - rows[old, h] + rows[new, h]
        value = np.int16(value - rows[old_2, h] + rows[new_2, h])
        value = min(max(value, np.int16(0)), np.int16(CEILING))
        total = np.int32(total + np.int32(weights[group, h]) * np.int32(value))
    return (pips - source + target) * PIP + (total + line) * OUTPUT_SCALE


@njit(**PLAIN)
def _play(model, search, depth, source, target):
    """Store the position after a move, from which the search continues."""
    rows, lines, state, sums = model.rows, model.lines, search.state, search.sums
    word_0, word_1 = state[depth, _WORD_0], state[depth, _WORD_1]
    new_0, new_1 = _moved(word_0, word_1, source, target)
    left = state[depth, _OUTSIDE] - (source > _HOME and target <= _HOME)
    state[depth + 1, _WORD_0] = new_0
    state[depth + 1, _WORD_1] = new_1
    state[depth + 1, _PIPS] = state[depth, _PIPS] - source + target
    state[depth + 1, _OUTSIDE] = left
    if left == 0:
        return  # The table evaluates later positions, so hidden units are not needed.
    old, new, old_2, new_2 = _rows_of(word_0, word_1, new_0, new_1, source, target)
    line = state[depth, _LINE] + lines[new] - lines[old]
    line += lines[new_2] - lines[old_2]
    for h in range(HIDDEN):
        value = sums[depth, h] - rows[old, h] + rows[new, h]
        sums[depth + 1, h] = value - rows[old_2, h] + rows[new_2, h]
    state[depth + 1, _LINE] = line


@njit(**PLAIN)
def _list_sources(search, depth, start):
    """List the points with checkers from `start` downwards; return their number."""
    state, sources = search.state, search.sources
    word_0, word_1 = state[depth, _WORD_0], state[depth, _WORD_1]
    found = 0
    # Both loops avoid branches, because the processor could not predict which points have
    # checkers.
    for point in range(start, 12, -1):
        sources[depth, found] = point
        found += (word_1 >> 4 * (24 - point)) & 15 != 0
    for point in range(min(start, 12), 0, -1):
        sources[depth, found] = point
        found += (word_0 >> 4 * (12 - point)) & 15 != 0
    return found


@njit(**PLAIN)
def _may_bear_off(word_0, outside, point, die):
    """Return whether a die may bear off a checker from an equal or lower point."""
    higher = word_0 & ((1 << 4 * (12 - point)) - 1)
    return outside == 0 and (point == die or higher == 0)


@njit(**PLAIN)
def _keep(best, roll, score, word_0, word_1):
    """Store a play if it is the best so far; ties go to the lower position number."""
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


@njit(**PLAIN)
def _finish(model, home, search, depth, die, count, roll):
    """Find the best last move of a roll, and store the complete play."""
    state, sums, best = search.state, search.sums, search.best
    word_0, word_1 = state[depth, _WORD_0], state[depth, _WORD_1]
    outside = state[depth, _OUTSIDE]
    position = (word_0, word_1, state[depth, _PIPS], outside, state[depth, _LINE])
    for k in range(count):
        source = search.sources[depth, k]
        if source <= die and not _may_bear_off(word_0, outside, source, die):
            continue
        target = max(source - die, 0)
        score = _score_move(model, home, sums[depth], position, source, target)
        if score <= best[roll, _SCORE]:
            new_0, new_1 = _moved(word_0, word_1, source, target)
            _keep(best, roll, score, new_0, new_1)


@njit(**PLAIN)
def _finish_double(model, home, search, die, count, start):
    """Try all second to fourth moves of a roll of doubles, from point `start` downwards.

    The order of the moves does not matter, so each move is tried only from the same point
    as the previous move and from lower points.
    """
    for k in range(count):
        second = search.sources[1, k]
        if second > start or not _play_on(model, search, _I(1), second, die):
            continue
        for m in range(_list_sources(search, _I(2), second)):
            third = search.sources[2, m]
            if _play_on(model, search, _I(2), third, die):
                left = _list_sources(search, _I(3), third)
                _finish(model, home, search, _I(3), die, left, 14 + die)


@njit(**PLAIN)
def _play_on(model, search, depth, source, die):
    """Make one move of a roll of doubles; return whether the search continues after it."""
    state = search.state
    word_0, outside = state[depth, _WORD_0], state[depth, _OUTSIDE]
    if source <= die and not _may_bear_off(word_0, outside, source, die):
        return False
    _play(model, search, depth, source, max(source - die, 0))
    word_0, word_1 = state[depth + 1, _WORD_0], state[depth + 1, _WORD_1]
    if word_0 & _ON_BOARD == 0 and word_1 == 0:
        _keep(search.best, 14 + die, 0, word_0, word_1)
        return False
    return True


@njit(**PLAIN)
def _best_plays(model, home, search, top):
    """Find the best play of each roll for a position with a checker outside home."""
    for roll in range(_ROLLS):
        search.best[roll, _SCORE] = NEVER
    for k in range(_list_sources(search, _I(0), top)):
        source = search.sources[0, k]
        for die in range(1, min(source, 7)):
            _play(model, search, _I(0), source, source - die)
            count = _list_sources(search, _I(1), top)
            # The order of the two dice matters only if the second die can bear off a
            # checker.
            for second in range(1, die if search.state[1, _OUTSIDE] else 7):
                if second == die:
                    continue
                high, low = max(die, second), min(die, second)
                roll = (high - 1) * (high - 2) // 2 + low - 1
                _finish(model, home, search, _I(1), second, count, roll)
            _finish_double(model, home, search, die, count, source)


@njit(**PLAIN)
def _load(model, positions, n, search):
    """Load the position that a search starts from; return its highest occupied point."""
    state, sums = search.state, search.sums
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
    line = model.constant
    for h in range(HIDDEN):
        sums[0, h] = model.start[h]
    for triple in range((top + 2) // 3):
        row = _row(word_0, word_1, triple)
        line += model.lines[row]
        for h in range(HIDDEN):
            sums[0, h] += model.rows[row, h]
    state[0, _WORD_0], state[0, _WORD_1] = word_0, word_1
    state[0, _PIPS], state[0, _OUTSIDE], state[0, _LINE] = pips, outside, line
    return top


@njit(cache=True)
def _new_search():
    return _Search(
        np.zeros((4, 5), dtype=np.int64),
        np.zeros((4, HIDDEN), dtype=np.int16),
        np.zeros((4, _POINTS + 1), dtype=np.int64),
        np.zeros((_ROLLS, 3), dtype=np.int64),
    )


@njit(cache=True, nogil=True)
def score(model, home, positions, out):
    """Compute effective pip counts (EPCs) as integers, in units of 1 / `PIP` pips."""
    search = _new_search()
    state, sums = search.state, search.sums
    for n in range(positions.shape[0]):
        _load(model, positions, n, search)
        outside = state[0, _OUTSIDE]
        if outside == 0:
            out[n] = home.scores[_home_number(state[0, _WORD_0], home.terms)]
            continue
        total = np.int32(0)
        for h in range(HIDDEN):
            value = min(max(sums[0, h], np.int16(0)), np.int16(CEILING))
            total += np.int32(model.weights[model.groups[outside], h]) * np.int32(value)
        out[n] = state[0, _PIPS] * PIP + (total + state[0, _LINE]) * OUTPUT_SCALE


@njit(cache=True, nogil=True)
def expand(model, home, positions, after, means):
    """Compute the position and the mean number of rolls after each roll's best play."""
    search = _new_search()
    state, best = search.state, search.best
    per_score = 6.0 / 49.0 / PIP
    for n in range(positions.shape[0]):
        top = _load(model, positions, n, search)
        if state[0, _OUTSIDE] == 0:
            number = _home_number(state[0, _WORD_0], home.terms)
            for roll in range(_ROLLS):
                left = np.int64(home.policy[number, roll])
                means[n, roll] = home.means[left]
                _set_home(home.terms, left, after, n, roll)
            continue
        _best_plays(model, home, search, top)
        for roll in range(_ROLLS):
            word_0, word_1 = best[roll, _WORD_0], best[roll, _WORD_1]
            for point in range(1, _POINTS + 1):
                after[n, roll, point - 1] = _checkers(word_0, word_1, point)
            if word_0 & _OUTFIELD == 0 and word_1 == 0:
                means[n, roll] = home.means[_home_number(word_0, home.terms)]
            else:
                means[n, roll] = best[roll, _SCORE] * per_score


@njit(**PLAIN)
def _set_home(terms, number, after, n, roll):
    """Write the checker counts of a home-board position number to ``after[n, roll]``."""
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
