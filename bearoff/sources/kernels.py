"""Compiled kernels of the fast model of races, which `bearoff.sources.model` calls."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in import LAST, LAST_SIX, KernelArrays, gammon_kernels, side_kernels
from bearoff.positions import CHECKERS
from bearoff.race_model import kernels
from bearoff.rolls import PIPS_PER_ROLL, THROWS
from bearoff.runtime import njit

# The compiler options are explained in `bear_in.kernels`.
_PLAIN: Any = {
    "cache": True,
    "_nrt": False,
    "forceinline": True,
}

Float64Array = NDArray[np.float64]

X, Y, WINS, GAMMONS, BACKGAMMONS, SURE = 0, 1, 2, 3, 5, 7
"""Row indices in the array that `match` fills. `X` and `Y` are the EPCs of roller and
opponent at which the race model is evaluated. `GAMMONS` and `BACKGAMMONS` each begin two
rows: for the roller's wins and losses. `SURE` is the number of points that the roller is
certain to win: negative for a certain loss, and 0 if nothing is certain."""

ROWS = 8

_LEAST = 1e-9
"""Lower bound on standard deviations, which avoids division by 0 if a player's number of
rolls is certain."""


class SideArrays(NamedTuple):
    """Arrays for estimates of a single player: model coefficients and distributions.

    Attributes
    ----------
    player, saver : KernelArrays
        Models of the bear-in: `player` for plays that minimise the number of rolls, and
        `saver` for plays that save the gammon.
    exactly : ndarray of float64, shape (positions, rolls)
        Probability that a position in the home board needs exactly ``n`` rolls.
    most_rolls : ndarray of int8, shape (positions,)
        Largest number of rolls that each position in the home board may need.
    idle : ndarray of float64, shape (positions, rolls)
        Probability that a side in the home board has borne off no checker after ``n``
        rolls, if it plays to save the gammon.
    """

    player: KernelArrays
    saver: KernelArrays
    exactly: Float64Array
    most_rolls: NDArray[np.int8]
    idle: Float64Array


class _SideRolls(NamedTuple):
    """Checkers of one player, with the mean and deviation of the number of rolls needed."""

    checkers: int
    outside: int
    back: int
    number: int
    mean: float
    std: float


_NOBODY = _SideRolls(0, 0, 0, 0, 0.0, 0.0)


@njit(**_PLAIN)
def _side(player, counts, n, sums):
    checkers, outside, back = side_kernels.count(counts, n)
    if outside:
        mean, std = side_kernels.beyond_home(player, counts, n, outside, sums)
        return _SideRolls(checkers, outside, back, 0, mean, std)
    number = side_kernels.home_number(player.home.terms, counts, n, 0)
    mean, std = player.home.means[number], player.home_stds[number]
    return _SideRolls(checkers, outside, back, number, mean, std)


@njit(**_PLAIN)
def _convolved(exactly, x, y):
    """Return the probability that the roller bears off first with fewest-rolls play."""
    total = at_least = 0.0
    for n in range(exactly.shape[1] - 1, -1, -1):
        at_least += exactly[y, n]
        total += exactly[x, n] * at_least
    return min(total, 1.0)


@njit(**_PLAIN)
def _gammon(sides, winner, loser, counts, k, behind, sums):
    """Return the probability that the loser of a race loses a gammon.

    `behind` is the number of rolls that the winner has more than the loser: 1 if the winner
    is on roll, otherwise 0.
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
    """Return the probability that a loser of a gammon has checkers in the winner's home.

    The loser's checkers need about as many rolls to leave the winner's home board as a home
    board with the same checkers needs to bear off.
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
    """Fill row 0 of `out` with gammon chances, and row 1 with backgammon chances."""
    sums = side_kernels.new_sums()
    for k in range(winners.shape[0]):
        winner = loser = _NOBODY
        for counts in (winners, losers):
            winner, loser = loser, _side(sides.player, counts, k, sums)
        out[0, k] = _gammon(sides, winner, loser, losers, k, behind, sums)
        out[1, k] = _backgammon(sides, winner, loser, losers, k, behind)


@njit(**_PLAIN)
def _sure_points(loser, counts, k, start, moves):
    """Return the minimum number of points that the loser loses, with `moves` moves left.

    A move covers up to 6 pips. To bear one checker off, each checker outside the home board
    needs at least one move for each six points. To leave the winner's home board, each
    checker in it needs one move.
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
    """Return the points that the roller is certain to win; negative for a loss."""
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
    """Compute the EPCs for the race model and the chances of results, for each race.

    `typical` has three parts of the race model: the table of cubeless equities, the step of
    this table in pips, and the typical standard deviation of the number of rolls for each
    EPC. Returns the index of the first race with an EPC outside the table, or -1.
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
    """Interpolate `plane` at the EPCs of given races: ``out = factor * plane + more``."""
    for k in rows:
        out[k] = factor * kernels.read(plane, step, PIPS_PER_ROLL, x[k], y[k]) + more


class Ends(NamedTuple):
    """Equities of the results of a game, and whether each player may double.

    Attributes
    ----------
    single, lost_single : float
        Equity of winning a single game, and equity of losing one.
    gammon, lost_gammon : float
        Equity that a gammon adds to the equity of a single game; 0 if gammons do not count.
    backgammon, lost_backgammon : float
        Equity that a backgammon adds to a gammon, divided by the equity that a gammon adds
        to a single game.
    factor : float
        Factor that converts the gammon values of `bearoff.race_model.typical` to equities.
    plays_on, passes : bool
        Whether the roller may double the opponent out, and whether the opponent may double
        the roller out.
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
    """Add the value of gammons to equities, and increase the stated errors accordingly.

    `won` and `lost` are the race model's tables of gammon values, for wins and losses of
    the roller. `found` is the array that `match` filled. `errors` are the relative errors
    of gammon chances: for races without and with a chance of a backgammon. A player who may
    double the opponent out plays on for the gammon if playing on has a higher equity.
    """
    least = PIPS_PER_ROLL
    for k in rows:
        mine, theirs = found[GAMMONS, k], found[GAMMONS + 1, k]
        if not (mine > 0.0 or theirs > 0.0):
            continue
        x, y, chance = found[X, k], found[Y, k], found[WINS, k]
        # A backgammon chance is converted to a gammon chance of the same value.
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
