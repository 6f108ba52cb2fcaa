"""Compiled kernels of rollouts: one turn of many games, and the luck of its roll.

Sides are 0, the roller at the start, and 1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in import gammon_kernels
from bearoff.runtime import njit

HIGHEST_CUBE = 1024.0
"""Times its start from which on the cube is dead, so that sums in fixed point hold it."""

PIPS_PER_ROLL = 49 / 6

ROLLS = 21
_NON_DOUBLES = 15


@njit(cache=True, inline="always")
def _inside(plane, j, k, part, share):
    """Value of a plane within the bins from `j` and `k` on, straight in each direction."""
    low, high = plane[j, k], plane[j + 1, k]
    at_low = low + share * (plane[j, k + 1] - low)
    at_high = high + share * (plane[j + 1, k + 1] - high)
    return at_low + part * (at_high - at_low)


@njit(cache=True, inline="always")
def _between(plane, row, column):
    """Value of a plane between its bins."""
    j, k = int(row), int(column)
    return _inside(plane, j, k, row - j, column - k)


FARTHEST = 4.0
"""Most bins by which a lead is moved to meet a chance."""


@njit(cache=True, inline="always")
def _matched_place(plane, slopes, bins, other, after, cubeless):
    """Find bins whose typical sides are worth what a side and its opponent are.

    Of the other side, with `other` pips of EPC and on roll next, and the side that has
    played; `cubeless` is the best estimate of the other's equity without a cube, and
    `plane` has the model's. The lead is moved until that is about the same; `slopes` are
    the change by a bin of lead. Returns the two bins and the equity.
    """
    row, column = other * bins, after * bins
    equity = _between(plane, row, column)
    if column > 0:
        lead = (cubeless - equity) / _between(slopes, row, column)
        equity = cubeless
        # No side is moved below one roll, nor far: the slope holds nearby alone.
        room = min(min(row, column) - bins * PIPS_PER_ROLL, FARTHEST)
        lead = min(max(lead, -room), room)
        row, column = row - lead, column + lead
    return row, column, equity


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
    """The fast model: equities without a cube by EPC of both sides.

    Attributes
    ----------
    cubeless : ndarray of float32, shape (bins, bins)
        The first plane of `bearoff.race_model.RaceModel`.
    slopes : ndarray of float32, shape (bins, bins)
        How much a bin of lead changes it.
    bins : float
        Bins of a pip.
    """

    cubeless: NDArray[np.float32]
    slopes: NDArray[np.float32]
    bins: float


class StateArrays(NamedTuple):
    """What games are worth in each state of the cube; see `sim.rollouts.states`.

    Of the roller at the start, but for what is said to be a side's own.

    Attributes
    ----------
    planes : ndarray of float32, shape (planes, bins, bins)
        Values of typical races, own to the side on roll, by its bin and the other's.
    plane_of : ndarray of int64, shape (states, 2)
        Plane of each state with either side on roll; -1 where nobody may turn the cube.
    middle, half : ndarray of float64, shape (states,)
        What a game without gammons comes to there if the cube is not turned: `middle`
        plus `half` times the equity without a cube.
    doubled : ndarray of int64, shape (states, 2)
        State after a double of either side that is taken; -1 where it may not double.
    cash : ndarray of float64, shape (states, 2)
        What a double that is passed is worth, own to the side that doubles.
    gammons : ndarray of float64, shape (states, 2, 2)
        What a gammon is worth to either side beyond a game won, and a backgammon beyond
        a gammon, its own.
    times : float
        By how much values after a double count more than before it.
    """

    planes: NDArray[np.float32]
    plane_of: NDArray[np.int64]
    middle: NDArray[np.float64]
    half: NDArray[np.float64]
    doubled: NDArray[np.int64]
    cash: NDArray[np.float64]
    gammons: NDArray[np.float64]
    times: float


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
    won, lost : ndarray of float64, shape (games, 2)
        Before the roll, the chances that the side on roll wins and loses a gammon, and a
        backgammon.
    rolls : ndarray of uint8, shape (games,)
        The roll thrown.
    """

    others: NDArray[np.float64]
    after: NDArray[np.float64]
    cubeless: NDArray[np.float64]
    won: NDArray[np.float64]
    lost: NDArray[np.float64]
    rolls: NDArray[np.uint8]


class Games(NamedTuple):
    """Games under way, each from several states of the cube; shape (games, starts).

    Attributes
    ----------
    at : ndarray of int64
        State of the cube.
    times : ndarray of float64
        How many times their own value games in it count.
    alive : ndarray of bool
        Whether the game is still on.
    estimates : ndarray of float64
        The estimate so far, of the roller at the start.
    """

    at: NDArray[np.int64]
    times: NDArray[np.float64]
    alive: NDArray[np.bool_]
    estimates: NDArray[np.float64]


@njit(cache=True, inline="always")
def _mean_over_rolls(values, row):
    """Mean over the 36 throws of a row's values after the 21 rolls."""
    total = 0.0
    for roll in range(_NON_DOUBLES):
        total += values[row, roll]
    total *= 2.0
    for roll in range(_NON_DOUBLES, ROLLS):
        total += values[row, roll]
    return total / 36.0


@njit(cache=True, inline="always")
def _value_state(planes, plane, middle, half, bins, shares, values, row):
    """Fill in what games are worth after each roll in a state, and return the mean.

    Own to the other side, as `middle` is; ``values[0]`` are those without a cube.
    """
    if plane >= 0:
        for roll in range(ROLLS):
            values[row, roll] = _inside(
                planes[plane],
                bins[0, roll],
                bins[1, roll],
                shares[0, roll],
                shares[1, roll],
            )
    elif row > 0:
        for roll in range(ROLLS):
            values[row, roll] = middle + half * values[0, roll]
    return _mean_over_rolls(values, row)


@njit(cache=True, inline="always")
def _gammons(gammons, state, side, won, lost, game):
    """What the chances of gammons and backgammons are worth, own to `side`."""
    worth = won[game, 0] * gammons[state, side, 0] + won[game, 1] * gammons[state, side, 1]
    other = 1 - side
    worth -= lost[game, 0] * gammons[state, other, 0]
    return worth - lost[game, 1] * gammons[state, other, 1]


@njit(cache=True, nogil=True)
def turn(model, states, side, may_double, take_luck_out, played, games):
    """Turn the cube in games of which `side` is on roll, and take the luck of the roll.

    Doubles, takes and luck go by the values of typical races, doubles and takes by those
    of gammons besides; `model` is a `Model`, `states` are `StateArrays`, `played` are
    `Rolls`, and `games` are `Games`, which are brought up to date. A double that is passed
    ends the game; once a game counts `HIGHEST_CUBE` times there is none.
    """
    typical, slopes, bins = model
    planes, plane_of, middle, half, doubled, cash, gammons, factor = states
    others, after, cubeless, won, lost, rolls = played
    at, times, alive, estimates = games
    sign, other = 1.0 - 2.0 * side, 1 - side
    last = planes.shape[1] - 1.001  # What is beyond the planes is as their end.
    count = middle.size
    low, shares = np.empty((2, ROLLS), np.int64), np.empty((2, ROLLS))
    values = np.empty((count, ROLLS))
    means, known = np.empty(count), np.full(count, -1)
    for game in range(rolls.size):
        for roll in range(ROLLS):
            row, column, values[0, roll] = _matched_place(
                typical, slopes, bins, others[game], after[game, roll],
                cubeless[game, roll],
            )  # fmt: skip
            row, column = min(row, last), min(column, last)
            low[0, roll], low[1, roll] = int(row), int(column)
            shares[0, roll], shares[1, roll] = row - int(row), column - int(column)
        for start in range(at.shape[1]):
            if not alive[game, start]:
                continue
            state, taken = at[game, start], doubled[at[game, start], side]
            turnable = may_double and taken >= 0 and times[game, start] < HIGHEST_CUBE
            for row in (0, state, taken):
                # Values of a state are the same in all that a game is played from.
                if row < 0 or known[row] == game or (row == taken and not turnable):
                    continue
                known[row] = game
                means[row] = _value_state(
                    planes, plane_of[row, other], -sign * middle[row], half[row],
                    low, shares, values, row,
                )  # fmt: skip
            if turnable:
                passed, no_double = cash[state, side], -means[state]
                extra = _gammons(gammons, state, side, won, lost, game)
                if extra != 0.0:
                    # A later double, passed, gives no more; never doubling may.
                    never = sign * middle[state] + extra - half[state] * means[0]
                    no_double = max(min(no_double + extra, passed), never)
                extra = _gammons(gammons, taken, side, won, lost, game)
                double_take = factor * (extra - means[taken])
                if min(double_take, passed) >= no_double:
                    if double_take > passed:
                        estimates[game, start] += sign * times[game, start] * passed
                        alive[game, start] = False
                        continue
                    state = taken
                    at[game, start] = state
                    times[game, start] *= factor
            if take_luck_out:
                # Values are the other side's: what it gains by the roll is bad luck.
                bad_luck = values[state, rolls[game]] - means[state]
                estimates[game, start] += sign * times[game, start] * bad_luck
