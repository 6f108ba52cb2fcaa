"""Compiled kernels of rollouts: one turn of many games, and the luck of its roll."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in import gammon_kernels
from bearoff.runtime import njit

CUBELESS, OPPONENT_OWNS, OWNED, CENTRED = range(4)
"""Planes of `bearoff.race_model.model.RaceModel`, seen by the side on roll."""

NO_CUBE = 2
"""Owner where there is no cube; else 1 the roller at the start, -1 the other, 0."""

HIGHEST_CUBE = 1024.0
"""Times its start from which on the cube is dead, so that sums in fixed point hold it."""

PIPS_PER_ROLL = 49 / 6

ROLLS = 21
_NON_DOUBLES = 15


@njit(cache=True, inline="always")
def mean_over_rolls(values, plane):
    """Mean over the 36 throws of a plane's values after the 21 rolls."""
    total = 0.0
    for roll in range(_NON_DOUBLES):
        total += values[plane, roll]
    total *= 2.0
    for roll in range(_NON_DOUBLES, ROLLS):
        total += values[plane, roll]
    return total / 36.0


@njit(cache=True, inline="always")
def _plane_of(owner, side):
    """Plane that the other side faces after `side` has played."""
    if owner == NO_CUBE:
        return CUBELESS
    if owner == 0:
        return CENTRED
    return OPPONENT_OWNS if owner == side else OWNED


@njit(cache=True, inline="always")
def between(plane, row, column):
    """Value of a plane between its bins, straight in each direction."""
    j, k = int(row), int(column)
    part, share = row - j, column - k
    low, high = plane[j, k], plane[j + 1, k]
    at_low = low + share * (plane[j, k + 1] - low)
    at_high = high + share * (plane[j + 1, k + 1] - high)
    return at_low + part * (at_high - at_low)


FARTHEST = 4.0
"""Most bins by which a lead is moved to meet a chance."""


@njit(cache=True, inline="always")
def matched_place(plane, slopes, bins, other, after, cubeless):
    """Find bins whose typical sides are worth what a side and its opponent are.

    Of the other side, with `other` pips of EPC and on roll next, and the side that has
    played; `cubeless` is the best estimate of the other's equity without a cube, and
    `plane` has the model's. The lead is moved until that is about the same; `slopes` are
    the change by a bin of lead. Returns the two bins and the equity.
    """
    row, column = other * bins, after * bins
    equity = between(plane, row, column)
    if column > 0:
        lead = (cubeless - equity) / between(slopes, row, column)
        equity = cubeless
        # No side is moved below one roll, nor far: the slope holds nearby alone.
        room = min(min(row, column) - bins * PIPS_PER_ROLL, FARTHEST)
        lead = min(max(lead, -room), room)
        row, column = row - lead, column + lead
    return row, column, equity


@njit(cache=True)
def _values_after(planes, slopes, bins, other, after, cubeless, values):
    """Look up what the other side, with `other` pips of EPC, is worth after each roll.

    `after` is the EPC of the side that has played, for each roll; see `matched_place`.
    """
    for roll in range(ROLLS):
        row, column, values[CUBELESS, roll] = matched_place(
            planes[CUBELESS], slopes, bins, other, after[roll], cubeless[roll]
        )
        for plane in range(1, 4):
            values[plane, roll] = between(planes[plane], row, column)


@njit(cache=True, inline="always")
def _product(row, column):
    """Sum of products; of chances to need exactly and at least n rolls, that to win."""
    total = 0.0
    for n in range(row.size):
        total += row[n] * column[n]
    return total


@njit(cache=True, nogil=True)
def equities_after(exactly, at_least, others, after, equities):
    """Work out the other side's equity without a cube after each roll, by convolution.

    Of sides that are home: ``exactly[x, n]`` and ``at_least[x, n]`` are the chances that
    position ``x`` needs so many rolls; ``others`` and ``after`` are positions as in
    `turn`.
    """
    for game in range(others.size):
        row = exactly[others[game]]
        for roll in range(ROLLS):
            chance = _product(row, at_least[after[game, roll]])
            equities[game, roll] = 2.0 * chance - 1.0


SURER = 1e-6
"""Chance to win that a play must gain to be preferred, so that rounding decides nothing."""


@njit(cache=True, nogil=True)
def win_most(exactly, at_least, others, movers, policy, choices, after, equities):
    """Make the play of each roll that wins most if both make the fewest rolls then.

    Of sides that are home, as in `equities_after`; ``policy`` are the fewest-rolls plays,
    and ``choices`` offsets and numbers of those tried beside it. Fills ``after`` and the
    other side's equity.
    """
    offsets, numbers = choices
    for game in range(others.size):
        row = exactly[others[game]]
        mover = movers[game]
        for roll in range(ROLLS):
            chosen = np.int64(policy[mover, roll])
            least = _product(row, at_least[chosen])
            place = mover * ROLLS + roll
            for k in range(offsets[place], offsets[place + 1]):
                chance = _product(row, at_least[numbers[k]])
                if chance < least - SURER:
                    chosen, least = np.int64(numbers[k]), chance
            after[game, roll] = chosen
            equities[game, roll] = 2.0 * least - 1.0


@njit(cache=True, nogil=True)
def equities_by_spread(others, others_std, after, after_std, equities):
    """Estimate the other side's equity without a cube after each roll of a side.

    As if the rolls that the sides need were normal, with their means and standard
    deviations: ``others`` and ``after`` are in pips of EPC, as in `turn`, the spreads in
    rolls. The side on roll wins if it needs no more rolls than the other.
    """
    for game in range(others.size):
        for roll in range(ROLLS):
            lead = (after[game, roll] - others[game]) / PIPS_PER_ROLL
            spread = np.sqrt(others_std[game] ** 2 + after_std[game, roll] ** 2)
            if spread == 0.0:
                equities[game, roll] = 1.0 if lead >= 0.0 else -1.0
            else:
                equities[game, roll] = (
                    2.0 * gammon_kernels.below((lead + 0.5) / spread) - 1.0
                )


class Model(NamedTuple):
    """The fast model: values by EPC of both sides.

    Attributes
    ----------
    planes : ndarray of float32, shape (4, bins, bins)
        Of `bearoff.race_model.RaceModel`.
    slopes : ndarray of float32, shape (bins, bins)
        How much a bin of lead changes the first plane.
    bins : float
        Bins of a pip.
    """

    planes: NDArray[np.float32]
    slopes: NDArray[np.float32]
    bins: float


class Rolls(NamedTuple):
    """What a turn leads to in each game.

    Attributes
    ----------
    others : ndarray of float64, shape (games,)
        EPC of the side not on roll.
    after : ndarray of float64, shape (games, 21)
        EPC of the side on roll after its play of each roll.
    cubeless : ndarray of float64, shape (games, 21)
        The best estimate of the other side's equity then, without a cube.
    gammons_won, gammons_lost : ndarray of float64, shape (games,)
        Before the roll, the chances that the side on roll wins and loses a gammon.
    rolls : ndarray of uint8, shape (games,)
        The roll thrown.
    """

    others: NDArray[np.float64]
    after: NDArray[np.float64]
    cubeless: NDArray[np.float64]
    gammons_won: NDArray[np.float64]
    gammons_lost: NDArray[np.float64]
    rolls: NDArray[np.uint8]


class Games(NamedTuple):
    """Games under way, each for several states of the cube; shape (games, states).

    Attributes
    ----------
    owners : ndarray of int8
        Who owns the cube: `NO_CUBE`, or 1 the roller at the start, -1 the other, 0 nobody.
    stakes : ndarray of float64
        How high the cube is.
    alive : ndarray of bool
        Whether the game is still on.
    estimates : ndarray of float64
        The estimate so far, in points of the roller at the start.
    """

    owners: NDArray[np.int8]
    stakes: NDArray[np.float64]
    alive: NDArray[np.bool_]
    estimates: NDArray[np.float64]


@njit(cache=True, nogil=True)
def turn(model, side, may_double, jacoby, take_luck_out, played, games):
    """Turn the cube in games of which `side` is on roll, and take the luck of the roll.

    Doubles, takes and luck go by the values of `Model`, doubles and takes by those of
    gammons besides; `played` are `Rolls`, `games` are `Games` and are brought up to date.
    A double that is passed ends the game; from `HIGHEST_CUBE` on there is none.
    """
    planes, slopes, bins = model
    others, after, cubeless, gammons_won, gammons_lost, rolls = played
    owners, stakes, alive, estimates = games
    values = np.empty((4, ROLLS))
    for game in range(rolls.size):
        _values_after(
            planes, slopes, bins, others[game], after[game], cubeless[game], values
        )
        for state in range(owners.shape[1]):
            if not alive[game, state]:
                continue
            owner = owners[game, state]
            turnable = may_double and stakes[game, state] < HIGHEST_CUBE
            if turnable and (owner == 0 or owner == side):
                excess = gammons_won[game] - gammons_lost[game]
                no_double = -mean_over_rolls(values, _plane_of(owner, side))
                double_take = -2.0 * (mean_over_rolls(values, OWNED) - excess)
                if excess != 0.0 and (owner != 0 or not jacoby):
                    # A later double, passed, gives 1 at most; never doubling may give more.
                    never = excess - mean_over_rolls(values, CUBELESS)
                    no_double = max(min(no_double + excess, 1.0), never)
                if min(double_take, 1.0) >= no_double:
                    if double_take > 1.0:
                        estimates[game, state] += side * stakes[game, state]
                        alive[game, state] = False
                        continue
                    stakes[game, state] *= 2.0
                    owner = -side
                    owners[game, state] = owner
            if take_luck_out:
                plane = _plane_of(owner, side)
                # Values are the other side's: what it gains by the roll is bad luck.
                bad_luck = values[plane, rolls[game]] - mean_over_rolls(values, plane)
                estimates[game, state] += side * stakes[game, state] * bad_luck
