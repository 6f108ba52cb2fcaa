"""Compiled kernels that compute outcome probabilities in a race."""

import math
from typing import Any, NamedTuple

from bearoff.bear_in import kernels as bear_in_kernels
from bearoff.runtime import njit


class RaceTables(NamedTuple):
    """Arrays from which `race_chances` computes outcome probabilities."""

    bear_in: Any
    saving: Any
    units: Any
    exactly: Any
    at_least: Any
    stds: Any
    first_off: Any


@njit(cache=True, nogil=True)
def _number(terms, side):
    """Return the one-sided table's index of a position with all checkers home."""
    number = 0
    above = 0
    for point in range(6, 0, -1):
        above += side[point]
        number += terms[point, above]
    return number


@njit(cache=True, nogil=True)
def _beyond(player, units, side, counts, score):
    """Estimate mean and variance of the number of rolls to bear off all checkers."""
    variance = player.constant_variance
    for triple in range(8):
        code = 0
        for point in range(3 * triple + 1, 3 * triple + 4):
            counts[0, point - 1] = side[point]
            code = code * 16 + side[point]
        variance += player.variance[triple * 4096 + code]
    bear_in_kernels.score(player.model, player.home, counts, score)
    return score[0] * units[0], max(variance * units[1], 0.05)


@njit(cache=True, nogil=True)
def _rolls(tables, side, top, counts, score):
    """Return mean and variance of the number of rolls to bear off, and the table index.

    The index is -1 if a checker is outside the home board.
    """
    if top <= 6:
        number = _number(tables.bear_in.home.terms, side)
        return tables.bear_in.home.means[number], tables.stds[number] ** 2, number
    mean, variance = _beyond(tables.bear_in, tables.units, side, counts, score)
    return mean, variance, -1


@njit(cache=True, nogil=True)
def _first_off(tables, side, number, last, counts, score):
    """Return mean and variance of the number of rolls until one checker is borne off.

    ``last`` is the mean number of rolls until all checkers are borne off.
    """
    if number >= 0:
        return tables.first_off[number], 0.1
    mean, variance = _beyond(tables.saving, tables.units, side, counts, score)
    return mean - tables.units[2] * last, variance


@njit(cache=True, nogil=True)
def _earlier(mean, other_mean, variance):
    """Return the probability that one normally distributed variable is below another."""
    return 0.5 * (1.0 + math.erf((other_mean - mean) / math.sqrt(2.0 * variance)))


@njit(cache=True, nogil=True)
def _escape(tables, side):
    """Return the table index for a player's checkers in the opponent's home board.

    Leaving the opponent's home board is treated like bearing off from the player's own home
    board, which takes nearly the same number of rolls. The only difference is that a number
    larger than needed can move any of the checkers, not only the rearmost.
    """
    number = 0
    above = 0
    for point in range(24, 18, -1):
        above += side[point]
        number += tables.bear_in.home.terms[point - 18, above]
    return number


@njit(cache=True, nogil=True)
def _caught(tables, mean, variance, number, escape, late):
    """Return the probability that the loser still has a checker in the winner's home board.

    ``number`` is the index of the winner's position in the one-sided table, or -1 if the
    winner has a checker outside the home board. When the winner bears off the last checker,
    the loser has rolled ``late`` times less often.
    """
    if number < 0:
        spread = variance + tables.stds[escape] ** 2
        out = tables.bear_in.home.means[escape]
        return _earlier(mean, out + late - 0.5, spread)
    caught = 0.0
    last = tables.exactly.shape[1]
    for n in range(1, last):
        then = n + 1 - late
        if then < last:
            caught += tables.exactly[number, n] * tables.at_least[escape, then]
    return caught


@njit(cache=True, nogil=True)
def race_chances(tables, own, other, top, their_top, counts, score, out):
    """Compute the roller's probabilities in a race: of winning, gammons and backgammons.

    `counts` is a work array of shape (1, 24), and `score` a work array of shape (1,).
    """
    mean, variance, number = _rolls(tables, own, top, counts, score)
    their_mean, their_variance, their_number = _rolls(
        tables, other, their_top, counts, score
    )
    total = variance + their_variance
    if number >= 0 and their_number >= 0:
        win = 0.0
        for n in range(1, tables.exactly.shape[1]):
            win += tables.exactly[number, n] * tables.at_least[their_number, n]
    else:
        win = _earlier(mean, their_mean + 0.5, total)
    out[0] = win
    out[1] = out[2] = out[3] = out[4] = 0.0
    if other[0] == 0:
        first, spread = _first_off(tables, other, their_number, their_mean, counts, score)
        out[1] = min(_earlier(mean, first + 0.5, variance + spread), win)
        if their_top > 18:
            escape = _escape(tables, other)
            out[2] = min(_caught(tables, mean, variance, number, escape, 1), out[1])
    if own[0] == 0:
        first, spread = _first_off(tables, own, number, mean, counts, score)
        out[3] = min(_earlier(their_mean, first - 0.5, their_variance + spread), 1 - win)
        if top > 18:
            escape = _escape(tables, own)
            caught = _caught(tables, their_mean, their_variance, their_number, escape, 0)
            out[4] = min(caught, out[3])
