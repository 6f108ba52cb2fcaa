"""Compiled kernels of the fast model's values; `bearoff.sources.model` is their face."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in import LAST, LAST_SIX, KernelArrays, gammon_kernels, side_kernels
from bearoff.positions import CHECKERS
from bearoff.race_model import kernels
from bearoff.rolls import PIPS_PER_ROLL, THROWS
from bearoff.runtime import njit

_PLAIN: Any = {"cache": True, "_nrt": False, "forceinline": True}  # See `bear_in.kernels`.

Float64Array = NDArray[np.float64]

X, Y, WINS, GAMMONS, BACKGAMMONS, SURE = 0, 1, 2, 3, 5, 7
"""Rows of what `match` finds: EPCs of typical sides in pips; chances to win, of gammons
and backgammons won and, a row below, lost; points that the roller wins for certain, lost
if negative, 0 if the game is open."""

ROWS = 8

_LEAST = 1e-9
"""Standard deviation of sides whose rolls are certain: nothing is divided by 0."""


class Sides(NamedTuple):
    """What is known of sides.

    Attributes
    ----------
    player, saver : KernelArrays
        Of the play for few rolls, and of the one that saves gammons.
    exactly : ndarray of float64, shape (positions, rolls)
        Chances of all home to need so many rolls.
    most_rolls : ndarray of int8, shape (positions,)
    idle : ndarray of float64, shape (positions, rolls)
        Chances of a saving side to have no checker off after so many rolls.
    """

    player: KernelArrays
    saver: KernelArrays
    exactly: Float64Array
    most_rolls: NDArray[np.int8]
    idle: Float64Array


class _Side(NamedTuple):
    """One side: checkers on board, outside and in the last six; number if home; rolls."""

    checkers: int
    outside: int
    back: int
    number: int
    mean: float
    std: float


_NOBODY = _Side(0, 0, 0, 0, 0.0, 0.0)


@njit(**_PLAIN)
def _side(player, counts, n, sums):
    checkers, outside, back = side_kernels.count(counts, n)
    if outside:
        mean, std = side_kernels.beyond_home(player, counts, n, outside, sums)
        return _Side(checkers, outside, back, 0, mean, std)
    number = side_kernels.home_number(player.home.terms, counts, n, 0)
    mean, std = player.home.means[number], player.home_stds[number]
    return _Side(checkers, outside, back, number, mean, std)


@njit(**_PLAIN)
def _convolved(exactly, x, y):
    """Chance of the roller to be off first, both of fewest rolls."""
    total = at_least = 0.0
    for n in range(exactly.shape[1] - 1, -1, -1):
        at_least += exactly[y, n]
        total += exactly[x, n] * at_least
    return min(total, 1.0)


@njit(**_PLAIN)
def _gammon(sides, winner, loser, counts, k, behind, sums):
    """Chance that the loser has all checkers on when the winner bears off.

    `behind` is 1 if the winner is on roll, who has then thrown once more.
    """
    if loser.checkers < CHECKERS:
        return 0.0
    if not (winner.outside or loser.outside):
        total, rolls = 0.0, min(sides.exactly.shape[1], sides.idle.shape[1] + behind)
        for n in range(rolls):
            idle = sides.idle[loser.number, max(n - behind, 0)]
            total += sides.exactly[winner.number, n] * idle
        return total
    saver = _side(sides.saver, counts, k, sums)
    mean, variance = saver.mean - LAST * loser.mean, saver.std**2
    if winner.outside:
        lead = mean + (0.5 if behind else -0.5) - winner.mean
        spread = np.sqrt(variance + winner.std**2)
        return gammon_kernels.below(lead / max(spread, _LEAST))
    needs = mean, variance, gammon_kernels.idle_throws(counts, k) / THROWS
    return gammon_kernels.idle_chance(sides.exactly, winner.number, *needs, behind)


@njit(**_PLAIN)
def _backgammon(sides, winner, loser, counts, k, behind):
    """Chance that the loser of 15 is in the winner's home when the winner bears off.

    Leaving it takes what bearing those checkers off a home board would.
    """
    if loser.checkers < CHECKERS or not loser.back:
        return 0.0
    home = sides.player.home
    leaving = side_kernels.home_number(home.terms, counts, k, LAST_SIX)
    if winner.outside:
        lead = home.means[leaving] + (0.5 if behind else -0.5) - winner.mean
        spread = np.hypot(sides.player.home_stds[leaving], winner.std)
        return gammon_kernels.below(lead / max(spread, _LEAST))
    total, idle = 0.0, 1.0
    for n in range(sides.exactly.shape[1]):
        if n >= behind:
            idle -= sides.exactly[leaving, n - behind]
        total += sides.exactly[winner.number, n] * idle
    return min(max(total, 0.0), 1.0)


@njit(cache=True, nogil=True)
def gammons(sides, winners, losers, behind, out):
    """Fill in the chances of gammons, and in the second row of backgammons."""
    sums = side_kernels.new_sums()
    for k in range(winners.shape[0]):
        winner = loser = _NOBODY
        for counts in (winners, losers):
            winner, loser = loser, _side(sides.player, counts, k, sums)
        out[0, k] = _gammon(sides, winner, loser, losers, k, behind, sums)
        out[1, k] = _backgammon(sides, winner, loser, losers, k, behind)


@njit(**_PLAIN)
def _sure_points(loser, counts, k, start, moves):
    """Points that a loser loses for certain who moves so many times at most; 0 if open.

    A move is of up to 6 pips: to bear one off takes a move from each point beyond home, and
    more from far ones; to leave the winner's home takes one of each checker there.
    """
    if loser.checkers < start:
        return 1
    needed = 1
    for point in range(6, counts.shape[1]):
        needed += counts[k, point] * (point // 6)
    if needed <= moves:
        return 0
    if not loser.back:
        return 2
    return 3 if loser.back > moves else 0


@njit(**_PLAIN)
def _surely(most_rolls, mine, theirs, rollers, opponents, k, start):
    """Points that the roller surely wins, negative if they are lost; see `surely_won`."""
    if not mine.outside:
        rolls = most_rolls[mine.number]
        if rolls <= (theirs.checkers + 3) // 4:
            return _sure_points(theirs, opponents, k, start, 4 * (rolls - 1))
    if not theirs.outside:
        rolls = most_rolls[theirs.number]
        if rolls < (mine.checkers + 3) // 4:
            return -_sure_points(mine, rollers, k, start, 4 * rolls)
    return 0


@njit(cache=True, nogil=True)
def match(sides, typical, rollers, opponents, start, out):
    """Find the typical sides that stand for races, and the chances of these.

    `typical` is the cubeless plane of the race model, its step and the standard
    deviations of its sides. Return the first race it does not hold, -1 if there is none.
    """
    plane, step, stds = typical
    sums = side_kernels.new_sums()
    for k in range(rollers.shape[0]):
        mine = theirs = _NOBODY
        for counts in (rollers, opponents):
            mine, theirs = theirs, _side(sides.player, counts, k, sums)
        x, y = mine.mean * PIPS_PER_ROLL, theirs.mean * PIPS_PER_ROLL
        if not (kernels.holds(plane, step, x) and kernels.holds(plane, step, y)):
            return k
        if mine.outside or theirs.outside:
            shift = kernels.shift(stds, step, PIPS_PER_ROLL, x, y, mine.std, theirs.std)
            x, y = x + shift, y - shift
            wins = (kernels.read(plane, step, PIPS_PER_ROLL, x, y) + 1.0) / 2.0
        else:
            chance = _convolved(sides.exactly, mine.number, theirs.number)
            wins = kernels.optimal(chance, x, y)
            lead = kernels.lead(plane, step, PIPS_PER_ROLL, x, y, chance)
            x, y = x + lead, y - lead
        out[X, k], out[Y, k], out[WINS, k] = x, y, wins
        out[SURE, k] = _surely(sides.most_rolls, mine, theirs, rollers, opponents, k, start)
        out[GAMMONS:SURE, k] = 0.0
        if max(mine.checkers, theirs.checkers) < CHECKERS:
            continue
        for lost, counts in enumerate((opponents, rollers)):
            chance = _backgammon(sides, mine, theirs, counts, k, 1 - lost)
            out[BACKGAMMONS + lost, k] = chance
            gammon = _gammon(sides, mine, theirs, counts, k, 1 - lost, sums)
            out[GAMMONS + lost, k] = max(chance, gammon)
            mine, theirs = theirs, mine
    return -1


@njit(cache=True, nogil=True)
def equities(plane, step, factor, more, rows, x, y, out):
    """Read a plane for these rows, times a factor and so much more."""
    for k in rows:
        out[k] = factor * kernels.read(plane, step, PIPS_PER_ROLL, x[k], y[k]) + more


class Ends(NamedTuple):
    """What a game is worth with the cube at a place, for what gammons add.

    Attributes
    ----------
    single, lost_single : float
        Equity of a game won and of one lost.
    gammon, lost_gammon : float
        What a gammon adds to these; 0 where none counts.
    backgammon, lost_backgammon : float
        What a backgammon adds to a gammon, in terms of what a gammon adds.
    factor : float
        Of the companions.
    plays_on, passes : bool
        Whether the roller may cash, and the opponent.
    """

    single: float
    lost_single: float
    gammon: float
    lost_gammon: float
    backgammon: float
    lost_backgammon: float
    factor: float
    plays_on: bool
    passes: bool


@njit(cache=True, nogil=True)
def add_gammons(won, lost, step, ends, rows, found, equity, error, errors):
    """Add what gammons are worth to equities, and a share of it to their errors.

    `won` and `lost` are the companions, `found` what `match` has filled, `errors` shares
    without and with a chance of a backgammon. Whoever would rather play on for the gammon
    than cash does so.
    """
    least = PIPS_PER_ROLL
    for k in rows:
        mine, theirs = found[GAMMONS, k], found[GAMMONS + 1, k]
        if not (mine > 0.0 or theirs > 0.0):
            continue
        x, y, chance = found[X, k], found[Y, k], found[WINS, k]
        # In gammons: a backgammon is worth so many times what a gammon adds.
        mine += found[BACKGAMMONS, k] * ends.backgammon
        theirs += found[BACKGAMMONS + 1, k] * ends.lost_backgammon
        value = equity[k]
        if chance > 0.0:
            share = ends.factor * kernels.read(won, step, least, x, y)
            value += mine / chance * share
        if chance < 1.0:
            share = ends.factor * kernels.read(lost, step, least, x, y)
            value -= theirs / (1.0 - chance) * share
        worth, risk = mine * ends.gammon, theirs * ends.lost_gammon
        dead = chance * ends.single + (1.0 - chance) * ends.lost_single + worth - risk
        if ends.plays_on and dead > 1.0:
            value = max(value, dead)
        if ends.passes and dead < ends.lost_single:
            value = min(value, dead)
        equity[k] = value
        threat = found[BACKGAMMONS, k] + found[BACKGAMMONS + 1, k] > 0.0
        error[k] += errors[1 if threat else 0] * (worth + risk)
