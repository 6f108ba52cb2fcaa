"""Compiled kernels that play one turn of a rollout's games and compute the roll's luck.

Side 0 rolls first in the rollout, and side 1 is its opponent.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in import gammon_kernels
from bearoff.runtime import njit

HIGHEST_CUBE = 1024.0
"""Multiple of the initial cube value at which neither side may double any more. This limit
prevents an overflow of the integer sums over games."""

PIPS_PER_ROLL = 49 / 6

ROLLS = 21
_NON_DOUBLES = 15


@njit(cache=True, inline="always")
def _inside(plane, j, k, part, share):
    """Interpolate a table bilinearly between rows j and j + 1 and columns k and k + 1."""
    low, high = plane[j, k], plane[j + 1, k]
    at_low = low + share * (plane[j, k + 1] - low)
    at_high = high + share * (plane[j + 1, k + 1] - high)
    return at_low + part * (at_high - at_low)


@njit(cache=True, inline="always")
def _between(plane, row, column):
    """Interpolate a table bilinearly at a fractional row and column."""
    j, k = int(row), int(column)
    return _inside(plane, j, k, row - j, column - k)


MAX_SHIFT = 4.0
"""Maximum difference in lead, in table steps of EPC, between an actual race and the race of
the fast model that represents it."""


@njit(cache=True, inline="always")
def _matched_place(plane, slopes, bins, other, after, cubeless):
    """Find the EPCs for which the fast model has the cubeless equity of an actual race.

    `other` and `after` are the EPCs of the side that rolls next and of the side that has
    just played. `cubeless` is the best estimate of the cubeless equity of the side that
    rolls next. The fast model's table `plane` contains a different equity for these EPCs.
    The lead is therefore shifted by one Newton step, with the derivatives `slopes`, so that
    the equity in `plane` is close to `cubeless`. Returns both sides' table coordinates and
    the equity.
    """
    row, column = other * bins, after * bins
    equity = _between(plane, row, column)
    if column > 0:
        lead = (cubeless - equity) / _between(slopes, row, column)
        equity = cubeless
        # The shift of the lead is limited: `slopes` is accurate only for small shifts, and
        # each side needs at least one roll.
        room = min(min(row, column) - bins * PIPS_PER_ROLL, MAX_SHIFT)
        lead = min(max(lead, -room), room)
        row, column = row - lead, column + lead
    return row, column, equity


@njit(cache=True, inline="always")
def _product(row, column):
    total = 0.0
    for n in range(row.size):
        total += row[n] * column[n]
    return total


@njit(cache=True, nogil=True)
def equities_after(exactly, at_least, others, after, equities):
    """Compute the opponent's cubeless equity after each roll from exact distributions.

    Requires that the race board contains both sides. ``exactly[x, n]`` and ``at_least[x,
    n]`` are the probabilities that position ``x`` needs exactly ``n`` rolls, and at least
    ``n`` rolls. ``others`` contains position numbers of the opponent. ``after`` contains
    position numbers of the side on roll after its play of each roll.
    """
    for game in range(others.size):
        row = exactly[others[game]]
        for roll in range(ROLLS):
            chance = _product(row, at_least[after[game, roll]])
            equities[game, roll] = 2.0 * chance - 1.0


MIN_GAIN = 1e-6
"""Minimum gain in win probability for which a play replaces the fewest-rolls play, larger
than rounding errors."""


@njit(cache=True, nogil=True)
def win_most(exactly, at_least, others, movers, policy, choices, after, equities):
    """Choose the plays that win most often if both sides minimise rolls afterwards.

    Requires that the race board contains both sides. ``policy`` contains fewest-rolls
    plays, and ``choices``, a `sim.rollouts.boards.Choices`, all other plays that are
    considered. The positions after the chosen plays are written to ``after``, and the
    opponent's equities to ``equities``.
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
                if chance < least - MIN_GAIN:
                    chosen, least = np.int64(numbers[k]), chance
            after[game, roll] = chosen
            equities[game, roll] = 2.0 * least - 1.0


@njit(cache=True, nogil=True)
def equities_by_spread(others, others_std, after, after_std, equities):
    """Estimate the opponent's cubeless equity after each roll from normal distributions.

    The number of rolls that each side needs is assumed to be normally distributed.
    ``others`` contains the EPC of the opponent in pips, and ``after`` the EPC of the side
    on roll after its play of each roll. Standard deviations are in rolls. The side that
    rolls next wins if it needs no more rolls than the other side.
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
    """Cubeless equities that the fast model gives for both sides' EPCs.

    Attributes
    ----------
    cubeless : ndarray of float32, shape (bins, bins)
        Cubeless equities of the side on roll: the first table of
        `bearoff.race_model.RaceModel`.
    slopes : ndarray of float32, shape (bins, bins)
        Change in equity per table step of the lead of the side on roll.
    bins : float
        Number of steps of both tables per pip of EPC.
    """

    cubeless: NDArray[np.float32]
    slopes: NDArray[np.float32]
    bins: float


class StateArrays(NamedTuple):
    """Values of games for each state of the cube; a state is an owner and a value.

    Values are from the viewpoint of the side that rolls first in the rollout, unless stated
    otherwise.

    Attributes
    ----------
    planes : ndarray of float32, shape (planes, bins, bins)
        Equities that the fast model gives to the side on roll, by both sides' EPC in steps.
    plane_of : ndarray of int64, shape (states, 2)
        Index in `planes` of the table for each state of the cube and each side on roll; -1
        if neither side may double.
    middle, half : ndarray of float64, shape (states,)
        Mean of the values of a single win and a single loss, and half their difference. If
        no gammon occurs and neither side doubles, a game with the cubeless equity ``e`` has
        the value ``middle + half * e``.
    doubled : ndarray of int64, shape (states, 2)
        Index of the state of the cube after a side doubles and its opponent takes; -1 if
        the side may not double, or gains nothing by doubling.
    cash : ndarray of float64, shape (states, 2)
        Value of the game for the side that doubles, if its opponent passes.
    gammons : ndarray of float64, shape (states, 2, 2)
        Additional values for each side as winner: of a gammon over a single win, and of a
        backgammon over a gammon.
    times : float
        Factor by which a take multiplies equities: 2 for money, and 1 at a match score,
        where each state of the cube has its own equities.
    """

    planes: NDArray[np.float32]
    plane_of: NDArray[np.int64]
    middle: NDArray[np.float64]
    half: NDArray[np.float64]
    doubled: NDArray[np.int64]
    cash: NDArray[np.float64]
    gammons: NDArray[np.float64]
    times: float


class TurnPositions(NamedTuple):
    """EPCs, position numbers and gammon probabilities in one turn of each game.

    Attributes
    ----------
    others : ndarray of float64, shape (games,)
        EPC of the side that is not on roll, in pips.
    after : ndarray of float64, shape (games, 21)
        EPC of the side on roll after its play of each roll, in pips.
    cubeless : ndarray of float64, shape (games, 21)
        Best estimate of the opponent's cubeless equity after the play of each roll.
    won, lost : ndarray of float64, shape (games, 2)
        Probabilities before the roll that the side on roll wins, or loses, a gammon and a
        backgammon.
    rolls : ndarray of uint8, shape (games,)
        Index from 0 to 20 of the roll that is actually thrown.
    numbers : ndarray of int64, shape (games,)
        Position number of the opponent; -1 if the opponent has checkers beyond the race
        board.
    numbers_after : ndarray of int64, shape (games, 21)
        Position number of the side on roll after its play of each roll; -1 if the side then
        has checkers beyond the race board.
    """

    others: NDArray[np.float64]
    after: NDArray[np.float64]
    cubeless: NDArray[np.float64]
    won: NDArray[np.float64]
    lost: NDArray[np.float64]
    rolls: NDArray[np.uint8]
    numbers: NDArray[np.int64]
    numbers_after: NDArray[np.int64]


class BoardArrays(NamedTuple):
    """EPCs, plays and distributions of the positions of a race board, by position number.

    Attributes
    ----------
    epc : ndarray of float64, shape (positions,)
        Effective pip count of each position, in pips.
    policy : ndarray of uint16, shape (positions, 21)
        Position number after the fewest-rolls play of each roll, for each position.
    exactly, at_least : ndarray of float32, shape (positions, rolls)
        Probabilities that each position needs exactly n rolls, and at least n rolls.
    """

    epc: NDArray[np.float64]
    policy: NDArray[np.uint16]
    exactly: NDArray[np.float32]
    at_least: NDArray[np.float32]


class Games(NamedTuple):
    """Games of a rollout, each played with several initial cubes.

    All arrays have one row per game, and one column per initial cube.

    Attributes
    ----------
    at : ndarray of int64
        Index of the current state of the cube: its owner, and at a match score also its
        value.
    times : ndarray of float64
        Ratio of the current cube value to the initial one.
    alive : ndarray of bool
        Whether the game is unfinished.
    estimates : ndarray of float64
        Value of the game as estimated so far, from the viewpoint of the side that rolls
        first.
    """

    at: NDArray[np.int64]
    times: NDArray[np.float64]
    alive: NDArray[np.bool_]
    estimates: NDArray[np.float64]


@njit(cache=True, inline="always")
def _mean_over_rolls(values, row):
    """Return the mean over the 36 throws of two dice, from the values of the 21 rolls."""
    total = 0.0
    for roll in range(_NON_DOUBLES):
        total += values[row, roll]
    total *= 2.0
    for roll in range(_NON_DOUBLES, ROLLS):
        total += values[row, roll]
    return total / 36.0


@njit(cache=True, inline="always")
def _value_state(planes, plane, middle, half, bins, shares, values, row):
    """Compute a game's values after the 21 rolls for one state of the cube, and their mean.

    Values are from the viewpoint of the side that rolls next; `middle` and `half` are those
    of `StateArrays`. ``values[0]`` contains the cubeless equities.
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
    """Return the mean value that gammons and backgammons add to a game for `side`."""
    worth = won[game, 0] * gammons[state, side, 0] + won[game, 1] * gammons[state, side, 1]
    other = 1 - side
    worth -= lost[game, 0] * gammons[state, other, 0]
    return worth - lost[game, 1] * gammons[state, other, 1]


CLOSE = 0.06
"""Maximum difference in equity at which a cube decision counts as close. Close decisions
are made by looking one roll of each side ahead."""

SHORT = 34.0
"""Maximum EPC of either side, in pips, at which close cube decisions are made by looking
ahead. The fast model is least accurate in short races, for example with stacks on low
points."""


@njit(cache=True)
def _distinct(after, numbers, throws):
    """List the different positions after the 21 rolls, and count their throws.

    Writes the position numbers to ``numbers`` and the numbers of throws, out of 36, to
    ``throws``. Returns the number of distinct positions.
    """
    count = 0
    for roll in range(ROLLS):
        number = np.int64(after[roll])
        place = 0
        while place < count and numbers[place] != number:
            place += 1
        if place == count:
            numbers[place], throws[place] = number, 0.0
            count += 1
        throws[place] += 2.0 if roll < _NON_DOUBLES else 1.0
    return count


@njit(cache=True)
def _look_ahead(model, states, board, side, starts, may_double, after, opponent):
    """Evaluate a game with two states of the cube by looking ahead one roll of each side.

    Values are from the viewpoint of `side`, which is on roll. The fast model gives the
    value of each position after one roll of each side. Before its roll, the opponent
    decides about the cube by the mean of these values.

    Parameters
    ----------
    model, states, board : Model, StateArrays, BoardArrays
    side : int
    starts : tuple of int
        Indices of the two states of the cube: without a double, and after a double and a
        take.
    may_double : bool
        Whether the opponent may double, if it has access to the cube.
    after : ndarray of int64, shape (21,)
        Position number of the side on roll after its play of each roll.
    opponent : int
        Position number of the opponent, who makes fewest-rolls plays.
    """
    typical, slopes, bins = model
    planes, plane_of, middle, half, doubled, cash, _, factor = states
    epc, policy, exactly, at_least = board
    sign, other = 1.0 - 2.0 * side, 1 - side
    last = planes.shape[1] - 1.001
    # Column 0 is the state itself, and column 1 the state after the opponent's double.
    reached = np.empty((2, 2), np.int64)
    for k in range(2):
        reached[k, 0] = starts[k]
        reached[k, 1] = doubled[starts[k], other] if may_double else -1
    numbers, throws = np.empty((2, ROLLS), np.int64), np.empty((2, ROLLS))
    mine = _distinct(after, numbers[0], throws[0])
    theirs = _distinct(policy[opponent], numbers[1], throws[1])
    means, totals = np.empty((2, 2)), np.zeros(2)
    for first in range(mine):
        x = numbers[0, first]
        means[:] = 0.0
        for second in range(theirs):
            y, cubeless = numbers[1, second], 1.0 if x == 0 else -1.0
            over = x == 0 or y == 0
            row = column = 0.0
            if not over:
                row, column, cubeless = _matched_place(
                    typical, slopes, bins, epc[x], epc[y],
                    2.0 * _product(exactly[x], at_least[y]) - 1.0,
                )  # fmt: skip
                row, column = min(row, last), min(column, last)
            for k in range(2):
                for turned in range(2):
                    state = reached[k, turned]
                    if state < 0:
                        continue
                    plane = plane_of[state, side]
                    if over or plane < 0:
                        worth = sign * middle[state] + half[state] * cubeless
                    else:
                        worth = _between(planes[plane], row, column)
                    means[k, turned] += throws[1, second] * worth / 36.0
        for k in range(2):
            worth = means[k, 0]
            if x > 0 and reached[k, 1] >= 0:
                double = max(factor * means[k, 1], -cash[starts[k], other])
                worth = min(worth, double)
            totals[k] += throws[0, first] * worth / 36.0
    return totals[0], totals[1]


@njit(cache=True, nogil=True)
def turn(model, states, board, side, may_double, take_luck_out, played, games):
    """Make the cube decisions of one side, and subtract the luck of its roll.

    Cube decisions and luck are computed from the fast model's equities; decisions also take
    gammons into account. In short races on the race board, close decisions are made by
    looking one roll of each side ahead. A pass ends a game. Neither side may double once
    the cube has reached `HIGHEST_CUBE` times its initial value.

    The arguments are a `Model`, `StateArrays`, `BoardArrays`, `TurnPositions` and `Games`.
    The arrays of `Games` are updated.
    """
    typical, slopes, bins = model
    planes, plane_of, middle, half, doubled, cash, gammons, factor = states
    others, after, cubeless, won, lost, rolls, numbers, numbers_after = played
    at, times, alive, estimates = games
    sign, other = 1.0 - 2.0 * side, 1 - side
    last = planes.shape[1] - 1.001
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
                # Several initial cubes may lead to the same state, so the value of each
                # state is computed only once per game.
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
                    # The equity of not doubling is at most that of a pass, unless the game
                    # is worth even more without any further double, because of gammons.
                    never = sign * middle[state] + extra - half[state] * means[0]
                    no_double = max(min(no_double + extra, passed), never)
                extra = _gammons(gammons, taken, side, won, lost, game)
                double_take = factor * (extra - means[taken])
                gain = min(double_take, passed) - no_double
                close = abs(gain) < CLOSE or (
                    gain > 0.0 and abs(double_take - passed) < CLOSE
                )
                if (
                    close
                    and extra == 0.0
                    and max(others[game], after[game, 0]) < SHORT
                    and min(numbers[game], numbers_after[game].min()) >= 0
                ):
                    no_double, double_take = _look_ahead(
                        model, states, board, side, (state, taken),
                        factor * times[game, start] < HIGHEST_CUBE,
                        numbers_after[game], numbers[game],
                    )  # fmt: skip
                    double_take *= factor
                if min(double_take, passed) >= no_double:
                    if double_take > passed:
                        estimates[game, start] += sign * times[game, start] * passed
                        alive[game, start] = False
                        continue
                    state = taken
                    at[game, start] = state
                    times[game, start] *= factor
            if take_luck_out:
                # These values are from the opponent's viewpoint, so an increase is bad luck
                # for the side on roll.
                bad_luck = values[state, rolls[game]] - means[state]
                estimates[game, start] += sign * times[game, start] * bad_luck
