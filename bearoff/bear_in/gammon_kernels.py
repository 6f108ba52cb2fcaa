"""Compiled kernels that estimate the probability of losing a gammon in a race."""

import numpy as np

from bearoff.bear_in.coefficients import BOARD
from bearoff.rolls import DICE, HOME, THROWS
from bearoff.runtime import njit


@njit(cache=True, inline="always")
def below(z):
    """Return the standard normal distribution function at `z`, with an error below 1.5e-7.

    The function uses the polynomial in Abramowitz and Stegun, 26.2.19. Its results are the
    same on every machine.
    """
    x = abs(z)
    p = 1.0 + x * (
        0.0498673470
        + x
        * (
            0.0211410061
            + x
            * (0.0032776263 + x * (0.0000380036 + x * (0.0000488906 + x * 0.0000053830)))
        )
    )
    p *= p
    p *= p
    p *= p
    p *= p
    tail = 0.5 / p
    return 1.0 - tail if z > 0 else tail


@njit(cache=True, nogil=True)
def chances_by_spread(leads, spreads, chances):
    """Compute the probabilities that normally distributed variables are positive."""
    for game in range(leads.size):
        chances[game] = below(leads[game] / spreads[game])


SMALLEST = 0.02
"""Lower bound on the variance that is assumed for the number of rolls until a player bears
off the first checker."""

_NEVER = 1e-9
"""Probability below which kernels ignore a possible number of the winner's rolls."""


@njit(cache=True, _nrt=False, forceinline=True)
def idle_chance(exactly, winner, mean, variance, next_roll, behind):
    """Estimate the probability that the loser of one race bears off no checker."""
    std = np.sqrt(max(variance, SMALLEST))
    total = 0.0
    for n in range(1, exactly.shape[1]):
        chance = exactly[winner, n]
        if chance > _NEVER:
            rolls = n - behind
            if rolls > 1:
                total += chance * below((mean - rolls - 0.5) / std)
            else:
                total += chance * (next_roll if rolls else 1.0)
    return total


@njit(cache=True, nogil=True)
def idle_chances(exactly, winners, means, variances, next_rolls, behind, chances):
    """Estimate the probability that the loser bears off no checker, for each of many races.

    ``exactly[x, n]`` is the probability that the winner's position ``x`` needs ``n`` rolls.
    The number of rolls to the loser's first checker off is modelled as a rounded normal
    variable with the mean ``means[i]`` and the variance ``variances[i]``. The chance that
    the loser's next roll bears off no checker is exact and stated in ``next_rolls[i]``.
    ``behind`` is 1 if the winner is on roll, and therefore rolls once more than the loser;
    otherwise 0.
    """
    for i in range(winners.size):
        loser = means[i], variances[i], next_rolls[i]
        chances[i] = idle_chance(exactly, winners[i], *loser, behind)


_MOST_OUTSIDE = 3
"""Maximum number of checkers outside the home board from which doubles can bear a checker
off."""


@njit(cache=True, _nrt=False, forceinline=True)
def _bears_off(counts, n, first, then, top, rest):
    """Return whether a roll, played in a given order of its dice, bears a checker off.

    `top` is the highest point with a checker, and `rest` the highest point of the other
    checkers, which must all be home.
    """
    if top <= HOME:
        total = first + then
        if first >= top or counts[n, first - 1] or (total <= HOME and counts[n, total - 1]):
            return True
    target = top - first
    if target > HOME:
        return False
    return counts[n, then - 1] > 0 or then == target or then > max(rest, target)


@njit(cache=True, _nrt=False, forceinline=True)
def _double_bears_off(counts, n, die, top):
    """Return whether a roll of doubles can bring all checkers home and then bear one off.

    Once all checkers are home, the die bears a checker off the point of the same number, or
    a lower point if no checker is on a higher point.
    """
    left, exact = 4, 5
    clearing = 1
    for point in range(1, top + 1):
        held = np.int64(counts[n, point - 1])
        if held:
            place = point
            if point > HOME:
                moves = (point - HOME + die - 1) // die
                left -= held * moves
                place -= moves * die
            if place % die == 0:
                exact = min(exact, place // die)
            clearing += held * ((place - 1) // die)
    return min(exact, clearing) <= left


@njit(cache=True, _nrt=False, forceinline=True)
def idle_throws(counts, n):
    """Return how many of the 36 throws cannot bear off a checker."""
    outside = top = rest = np.int64(0)
    for point in range(BOARD, 0, -1):
        held = counts[n, point - 1]
        if held:
            if point > HOME:
                outside += held
            if not top:
                top = np.int64(point)
                rest = top if held > 1 else rest
            elif not rest:
                rest = np.int64(point)
    idle = np.int64(THROWS)
    if outside > _MOST_OUTSIDE:
        return idle
    for die in range(1, HOME + 1):
        idle -= _double_bears_off(counts, n, die, top)
        if rest <= HOME:
            for low in range(1, die):
                idle -= 2 * (
                    _bears_off(counts, n, die, low, top, rest)
                    or _bears_off(counts, n, low, die, top, rest)
                )
    return idle


@njit(cache=True, nogil=True)
def idle_next(counts, chances):
    """Fill `chances` with the probabilities that the next roll bears off no checker."""
    for n in range(counts.shape[0]):
        chances[n] = idle_throws(counts, n) / THROWS


@njit(cache=True)
def _try_plays(side, dice, least, best):
    """Find the play of a roll that makes a bear-off on the next roll most likely.

    A play is written to `best` if, after this play, fewer than `least` of the 36 next
    throws bear off no checker. Checkers in `side`, of shape (1, 24), are moved during the
    search and finally moved back.
    """
    points = np.empty(dice.size, dtype=np.int64)  # point from which each die is played
    last = dice.size - 1
    depth, points[0] = 0, BOARD
    while depth >= 0:
        die, point = dice[depth], points[depth]
        while point > die and not side[0, point - 1]:
            point -= 1
        if point > die:
            _move(side, point, point - die)
            points[depth] = point
            if depth < last:
                depth += 1
                # Playing the checkers of a double from the highest point downwards reaches
                # every legal play.
                points[depth] = point if dice[depth] == die else BOARD
                continue
            idle = idle_throws(side, 0)
            if idle < least:
                least = idle
                for k in range(BOARD):
                    best[k] = side[0, k]
        else:  # Undo the previous move, and try the next one.
            depth -= 1
            if depth < 0:
                break
            die, point = dice[depth], points[depth]
        _move(side, point - die, point)
        points[depth] = point - 1
    return least


@njit(cache=True, _nrt=False, forceinline=True)
def _move(side, source, target):
    side[0, source - 1] -= 1
    side[0, target - 1] += 1


@njit(cache=True, nogil=True)
def soonest(counts, after):
    """Replace each play by the play that makes a bear-off on the next roll most likely.

    ``counts``, of shape (n, 24), has positions with no checker borne off. ``after``, of
    shape (n, 21, 24), initially has plays that bear a checker off if the roll allows it. A
    play is only replaced by a better one.
    """
    side = np.empty((1, BOARD), dtype=np.int8)
    for n in range(counts.shape[0]):
        for k in range(BOARD):
            side[0, k] = counts[n, k]
        checkers = counts[n].sum()
        for roll in range(DICE.shape[0]):
            best = after[n, roll]
            if best.sum() < checkers:  # the play bears a checker off
                continue
            least = idle_throws(after[n], roll)
            high, low = DICE[roll]
            if high == low:
                _try_plays(side, np.full(4, high), least, best)
            else:
                least = _try_plays(side, np.array([high, low]), least, best)
                _try_plays(side, np.array([low, high]), least, best)
