"""Compiled kernels of the dynamic program for a race between two given players.

All equities are player A's, in points at a cube value of 1. ``planes[x, 3 * y + k]`` is A's
equity with B on roll, if A has position index ``x`` and B has position index ``y``. The
cube is centred (k = 0), owned by A (k = 1) or owned by B (k = 2). A *row* contains the
equities with A on roll, for one position of A and all positions of B. Position index 0 has
no checkers.

The rolls of all positions are numbered one after another. Position ``x`` has the rolls
``firsts[x]`` to ``firsts[x + 1] - 1``. Roll ``g`` has the probability ``chances[g]``, and
the player may choose among the positions ``plays[options[g]]`` to ``plays[options[g + 1] -
1]``. See `bearoff.matchup.sides.Turns`.
"""

from typing import NamedTuple

import numpy as np

from bearoff.matchup.sides import CUBES, DOUBLE, REDOUBLE, TAKE
from bearoff.runtime import njit

CENTRED, OF_A, OF_B = 0, 1, 2

_BLOCK = 1024 * CUBES
"""Number of equities that are averaged over the rolls at a time. They must fit into the
processor's cache."""


class FreeSides(NamedTuple):
    """Whether to optimise A's and B's cube actions, and the equity difference of a tie."""

    free_a: bool
    free_b: bool
    tie: float


@njit(cache=True)
def _roll_of_a(x, planes, turns, best, row):
    """Compute A's equities before A's roll, which are means over all rolls."""
    firsts, chances, options, plays = turns
    for start in range(0, row.size, _BLOCK):
        total = row[start : start + _BLOCK]
        total[:] = 0.0
        most = best[: total.size]
        for turn in range(firsts[x], firsts[x + 1]):
            chance = chances[turn]
            first, last = options[turn], options[turn + 1]
            after = planes[plays[first], start : start + _BLOCK]
            if last == first + 1:
                for k in range(total.size):
                    total[k] += chance * after[k]
                continue
            for k in range(total.size):
                most[k] = after[k]
            for option in range(first + 1, last):
                after = planes[plays[option], start : start + _BLOCK]
                for k in range(total.size):
                    most[k] = max(most[k], after[k])
            for k in range(total.size):
                total[k] += chance * most[k]


@njit(cache=True)
def _cube_of_a(row, decisions, lost, rules):
    """Convert A's equities if A does not double to equities before A's cube action.

    If A's cube actions are optimised, the best cube action is chosen and stored in
    `decisions`. Otherwise `decisions` already contains A's action. B's replies are treated
    in the same way. If two equities differ by at most `tie`, doubling and taking are
    preferred. `lost` is the number of points that A loses if B bears off.
    """
    free_a, free_b, tie = rules
    row[:CUBES] = -lost
    for y in range(1, decisions.size):
        at = CUBES * y
        decision = decisions[y]
        taken = 2.0 * row[at + OF_B]
        if free_b:
            decision = decision & ~TAKE | (TAKE if taken <= 1.0 + tie else 0)
        doubled = taken if decision & TAKE else 1.0
        if free_a:
            decision &= TAKE
            decision |= DOUBLE if doubled >= row[at + CENTRED] - tie else 0
            decision |= REDOUBLE if doubled >= row[at + OF_A] - tie else 0
        if decision & DOUBLE:
            row[at + CENTRED] = doubled
        if decision & REDOUBLE:
            row[at + OF_A] = doubled
        decisions[y] = decision


@njit(cache=True)
def _turn_of_b(row, turns, decisions, lost, rules, out):
    """Compute A's equities before player B's cube decision and roll."""
    firsts, chances, options, plays = turns
    free_a, free_b, tie = rules
    out[:CUBES] = -lost
    for y in range(1, decisions.size):
        centred = 0.0
        of_a = 0.0
        of_b = 0.0
        for turn in range(firsts[y], firsts[y + 1]):
            at = CUBES * plays[options[turn]]
            least_centred = row[at + CENTRED]
            least_of_a = row[at + OF_A]
            least_of_b = row[at + OF_B]
            for option in range(options[turn] + 1, options[turn + 1]):
                at = CUBES * plays[option]
                least_centred = min(least_centred, row[at + CENTRED])
                least_of_a = min(least_of_a, row[at + OF_A])
                least_of_b = min(least_of_b, row[at + OF_B])
            centred += chances[turn] * least_centred
            of_a += chances[turn] * least_of_a
            of_b += chances[turn] * least_of_b
        decision = decisions[y]
        taken = 2.0 * of_a
        if free_a:
            decision = decision & ~TAKE | (TAKE if taken >= -1.0 - tie else 0)
        doubled = taken if decision & TAKE else -1.0
        if free_b:
            decision &= TAKE
            decision |= DOUBLE if doubled <= centred + tie else 0
            decision |= REDOUBLE if doubled <= of_b + tie else 0
        at = CUBES * y
        out[at + CENTRED] = doubled if decision & DOUBLE else centred
        out[at + OF_A] = of_a
        out[at + OF_B] = doubled if decision & REDOUBLE else of_b
        decisions[y] = decision


@njit(cache=True, nogil=True)
def solve_rows(rows, planes, turns_a, turns_b, on_roll_a, on_roll_b, lost, rules):
    """Compute the equities of some positions of A from the equities of A's later positions.

    ``on_roll_a[x, y]`` and ``on_roll_b[x, y]`` are the cube decisions with A on roll and
    with B on roll. ``lost[x]`` is the number of points that A loses in position ``x`` once
    B has borne off all checkers.
    """
    best = np.empty(_BLOCK)
    row = np.empty(planes.shape[1])
    for x in rows:
        _roll_of_a(x, planes, turns_a, best, row)
        # A cube decision depends on the equities before the roll that follows, so the
        # roll's equities are computed first.
        _cube_of_a(row, on_roll_a[x], lost[x], rules)
        _turn_of_b(row, turns_b, on_roll_b[x], lost[x], rules, planes[x])


@njit(cache=True, nogil=True)
def rows_of_a(rows, planes, turns, on_roll_a, lost, out):
    """Compute A's equities with A on roll from known cube actions, for some positions."""
    best = np.empty(_BLOCK)
    for i in range(rows.size):
        x = rows[i]
        if x == 0:
            for k in range(out.shape[1]):
                out[i, k] = planes[0, k]
            out[i, :CUBES] = 1.0
            continue
        _roll_of_a(x, planes, turns, best, out[i])
        _cube_of_a(out[i], on_roll_a[x], lost[x], FreeSides(False, False, 0.0))
