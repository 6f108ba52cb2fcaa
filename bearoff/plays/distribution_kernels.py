"""Compiled kernels that compute distributions of the number of rolls.

These kernels generate no plays. They read arrays that `bearoff.plays.kernels` has computed.
"""

from typing import Any, NamedTuple

import numpy as np

from bearoff.runtime import njit


@njit(cache=True)
def fill_distributions(offsets, numbers, weights, rows):
    """Fill ``rows[x, n]`` with the probability that position ``x`` needs ``n`` rolls.

    All plays of a roll are equally probable. The positions after roll ``r`` in position
    ``x`` are ``numbers[offsets[x * rolls + r] : offsets[x * rolls + r + 1]]``, where
    ``rolls`` is the number of rolls.
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
    """Return the maximum number of rolls to bear off from each position."""
    rolls = 21
    longest = np.zeros((offsets.size - 1) // rolls, dtype=np.int64)
    for position in range(1, longest.size):
        most = 0
        for k in range(offsets[position * rolls], offsets[(position + 1) * rolls]):
            most = max(most, longest[numbers[k]])
        longest[position] = most + 1
    return longest


class LevelSuccessors(NamedTuple):
    """Positions of one pip count, and the positions after the best play of each roll."""

    numbers: Any
    place: Any
    picks: Any


class Codes(NamedTuple):
    """Distributions as 16-bit codes, with the lowest number of rolls and length of each."""

    codes: Any
    firsts: Any
    lengths: Any


@njit(cache=True, nogil=True)
def fill_level(choices, weights, longest, unit, rows, coded):
    """Compute and encode the distributions of rolls for positions with equal pip counts.

    Parameters
    ----------
    choices : LevelSuccessors
        Positions of one pip count, the index of every position of the table in the order of
        pip counts, and the position after the best play of each roll.
    weights : ndarray of float64
        Number of throws, out of 36, that each entry of `bearoff.ROLLS` represents.
    longest : int
        Maximum number of rolls that any of the positions may need.
    unit : float
        Integer that represents a probability of 1.
    rows : ndarray of float64, shape (rows, most rolls + 1)
        Work array for the distributions of solved positions. The distribution of the
        position with index ``k`` is in row ``k % len(rows)``.
    coded : Codes
        Output arrays. `codes` receives the codes of the positions one after another, as in
        `bearoff.one_sided.encoding`. `firsts` and `lengths` are indexed by position number.

    Returns
    -------
    int
        Number of codes written to ``coded.codes``.
    """
    numbers, place, picks = choices
    codes, firsts, lengths = coded
    # Only the first `longest` + 1 columns of a row are cleared before the row is used
    # again, because positions with more pips need at least as many columns.
    slots = rows.shape[0]
    used = 0
    for j in range(numbers.size):
        row = rows[np.int64(place[numbers[j]]) % slots]
        row[: longest + 1] = 0.0
        for roll in range(weights.size):
            after = rows[np.int64(place[picks[j, roll]]) % slots]
            weight = weights[roll] / 36.0
            for n in range(longest):
                row[n + 1] += weight * after[n]
        finished = 0.0
        first = 0
        length = 0
        for n in range(longest + 1):
            finished += row[n]
            code = np.int64(finished * unit + 0.5)
            if code <= 0:
                first = n + 1
            elif code < unit:
                codes[used] = code
                used += 1
                length += 1
            else:
                break
        firsts[numbers[j]] = first
        lengths[numbers[j]] = length
    return used


@njit(cache=True)
def gather_codes(froms, lengths, codes, out):
    """Sort encoded distributions by position number."""
    target = 0
    for position in range(lengths.size):
        source = froms[position]
        for k in range(lengths[position]):
            out[target] = codes[source + k]
            target += 1
