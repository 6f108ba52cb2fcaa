"""Compiled kernels that solve and interpolate the fast model of races."""

from typing import Any

import numpy as np

from bearoff.race_model import optimal_estimate
from bearoff.runtime import njit

# The compiler options are explained in `bear_in.kernels`.
_PLAIN: Any = {"cache": True, "_nrt": False, "forceinline": True}


@njit(cache=True, nogil=True)
def _solve_pair(falls, first, last, x, y, planes, no_double):
    """Compute the equities of a pair of EPCs from the equities after each roll."""
    cubeless = opponent = owned = centred = 0.0
    for fall in range(first[x], last[x]):
        chance = falls[x, fall]
        after = x - fall
        cubeless -= chance * planes[0, y, after]
        opponent -= chance * planes[2, y, after]
        owned -= chance * planes[1, y, after]
        centred -= chance * planes[3, y, after]
    double = min(2.0 * opponent, 1.0)
    planes[0, x, y] = cubeless
    planes[1, x, y] = opponent
    planes[2, x, y] = max(owned, double)
    planes[3, x, y] = max(centred, double)
    no_double[0, x, y] = owned
    no_double[1, x, y] = centred


@njit(cache=True, nogil=True)
def solve(falls, first, last, planes, no_double):
    """Compute the equities of all pairs of EPCs, in ascending order of the larger EPC.

    EPCs are numbered in equal steps, called bins. ``falls[x, f]`` is the probability that a
    roll lowers an EPC from bin ``x`` to bin ``x - f``; it is 0 unless ``first[x] <= f <
    last[x]``. `planes` receives the roller's equities without a cube, with a cube of the
    opponent, with a cube of the roller, and with a centred cube. `no_double` receives the
    equities without a double now, for a cube of the roller and for a centred cube.
    """
    for x in range(planes.shape[1]):
        for plane in range(planes.shape[0]):
            planes[plane, x, 0] = -1.0
            planes[plane, 0, x] = 1.0
        for cube in range(no_double.shape[0]):
            no_double[cube, x, 0] = -1.0
            no_double[cube, 0, x] = 1.0
    for larger in range(1, planes.shape[1]):
        for smaller in range(1, larger):
            _solve_pair(falls, first, last, larger, smaller, planes, no_double)
            # A roll of the side with the smaller EPC leads to races with the larger EPC on
            # roll, so such races are solved first.
        for smaller in range(1, larger + 1):
            _solve_pair(falls, first, last, smaller, larger, planes, no_double)


@njit(**_PLAIN)
def _between(plane, x, y):
    """Interpolate a table bilinearly at two fractional indices."""
    i = min(int(x), plane.shape[0] - 2)
    j = min(int(y), plane.shape[1] - 2)
    u = x - i
    v = y - j
    low = (1.0 - v) * plane[i, j] + v * plane[i, j + 1]
    high = (1.0 - v) * plane[i + 1, j] + v * plane[i + 1, j + 1]
    return (1.0 - u) * low + u * high


@njit(**_PLAIN)
def holds(plane, step, epc):
    """Return whether an EPC is in the range of a table of equities; False for NaN."""
    return 0.0 <= epc <= (plane.shape[0] - 1) * step


@njit(**_PLAIN)
def _bins(epc, least, step):
    """Convert an EPC in pips to a fractional index into a table of equities.

    An EPC above 0 but below `least` counts as `least`.
    """
    return max(epc, least) / step if epc > 0.0 else 0.0


@njit(**_PLAIN)
def read(plane, step, least, x, y):
    """Interpolate a table of equities at two EPCs, which must be within its range."""
    return _between(plane, _bins(x, least, step), _bins(y, least, step))


@njit(cache=True, nogil=True)
def interpolate(plane, step, least, x, y, out):
    """Interpolate a table at pairs of EPCs; return the first bad pair's index, or -1."""
    for k in range(out.size):
        if not (holds(plane, step, x[k]) and holds(plane, step, y[k])):
            return k
        out[k] = read(plane, step, least, x[k], y[k])
    return -1


@njit(**_PLAIN)
def _lead(plane, x, y, lowest, equity):
    """Return the number to add to `x` and subtract from `y` for a given equity."""
    here = _between(plane, x, y)
    if here == equity:
        return 0.0
    # The equity decreases as the roller's EPC increases.
    sign = 1.0 if here > equity else -1.0
    longer, shorter = (x, y) if sign > 0.0 else (y, x)
    room = max(min(plane.shape[0] - 1.0 - longer, shorter - lowest), 0.0)
    near, far = 0.0, min(1.0, room)
    above, below = sign * (here - equity), sign * (_moved(plane, x, y, far, sign) - equity)
    while far < room and below > 0.0:
        near, far, above = far, min(2.0 * far, room), below
        below = sign * (_moved(plane, x, y, far, sign) - equity)
    if below > 0.0:
        return sign * far
    # Bisection would find one of `steps` small intervals. Interpolation usually finds the
    # same interval faster.
    steps = 1
    while (far - near) / steps > 1e-6:
        steps *= 2
    step, first, last, tries = (far - near) / steps, 0, steps, 0
    while last - first > 1:
        share = above / (above - below) if tries < 12 else 0.5
        middle = min(max(first + int((last - first) * share), first + 1), last - 1)
        value = sign * (_moved(plane, x, y, near + middle * step, sign) - equity)
        if value > 0.0:
            first, above = middle, value
        else:
            last, below = middle, value
        tries += 1
    return sign * (near + last * step)


@njit(**_PLAIN)
def _moved(plane, x, y, bins, sign):
    """Return the equity in a table at ``x + sign * bins`` and ``y - sign * bins``."""
    return _between(plane, x + sign * bins, y - sign * bins)


@njit(**_PLAIN)
def lead(plane, step, least, x, y, chance):
    """Return a shift of two EPCs, in pips, that gives the roller a win probability.

    The shift is added to the roller's EPC `x` and subtracted from the opponent's EPC `y`.
    """
    if x < least or y < least:
        return 0.0
    return step * _lead(plane, x / step, y / step, least / step, 2.0 * chance - 1.0)


@njit(cache=True, nogil=True)
def match(plane, step, least, x, y, chance, out):
    """Call `lead` for many races, each with its own win probability.

    `out` receives the shifts in pips that are nearest to 0, with errors of at most a
    millionth of a bin. If an EPC reaches the end of the table or `least` first, the shift
    ends there. EPCs below `least` are not shifted. Returns the index of the first race
    outside the table, or -1.
    """
    for k in range(out.size):
        if not (holds(plane, step, x[k]) and holds(plane, step, y[k])):
            return k
        out[k] = lead(plane, step, least, x[k], y[k], chance[k])
    return -1


_EVEN_UNTIL, _UNEVEN_FROM = 10.0, 20.0
"""Limits, in pips, for the EPC of the player with the lower EPC. Below the first limit,
standard deviations are ignored; above the second, they have their full effect."""


@njit(**_PLAIN)
def _typical(stds, step, epc):
    """Interpolate the typical standard deviation of the number of rolls for an EPC."""
    i = min(int(epc / step), stds.size - 2)
    slope = (stds[i + 1] - stds[i]) / ((i + 1) * step - i * step)
    return slope * (epc - i * step) + stds[i]


@njit(**_PLAIN)
def shift(stds, step, least, x, y, std_x, std_y):
    """Return a shift of two EPCs, in pips, for given standard deviations of the rolls.

    The shift is added to the roller's EPC `x` and subtracted from the opponent's EPC `y`.
    `stds` has the typical standard deviation of the number of rolls for each EPC. The shift
    multiplies the roller's lead, plus half a roll, by the ratio of the typical to the given
    standard deviation.
    """
    actual = np.hypot(std_x, std_y)
    even = 1.0
    if actual > 0.0:
        even = np.hypot(_typical(stds, step, x), _typical(stds, step, y)) / actual
    shorter = min(x, y)
    share = (shorter - _EVEN_UNTIL) / (_UNEVEN_FROM - _EVEN_UNTIL)
    share = min(max(share, 0.0), 1.0)
    found = (y - x + least / 2.0) * (1.0 - even) * share / 2.0
    # Each shifted EPC must be at least one roll and at most the largest EPC of the table.
    shortest, longest = min(least, shorter), (stds.size - 1) * step
    low, high = max(shortest - x, y - longest), min(longest - x, y - shortest)
    return min(max(found, low), high)


@njit(cache=True, nogil=True)
def match_stds(stds, step, least, x, y, std_x, std_y, out):
    """Call `shift` for many races, and write the results to `out`."""
    for k in range(out.size):
        out[k] = shift(stds, step, least, x[k], y[k], std_x[k], std_y[k])


optimal = njit(**_PLAIN)(optimal_estimate.optimal)


VALUE, NO_DOUBLE, WON, LOST, WAITING_WON, WAITING_LOST = range(6)
"""Indices of the six tables for one state of the cube. `VALUE` is the value after the
roller's cube decision, and `NO_DOUBLE` the value without a double now. The other tables
contain the amounts that gammons would add to these two values if every win, or every loss,
by bearing off were a gammon."""


@njit(cache=True, nogil=True)
def _wait(falls, first, last, x, y, ends, theirs, mine):
    """Compute the roller's values before the roll, without a double now.

    `theirs` has the values with the opponent on roll, and `mine` receives those with the
    roller on roll. `ends` has the value of winning a single game, and the amount that a
    gammon adds to this value.
    """
    value = won = lost = 0.0
    for fall in range(first[x], last[x]):
        chance = falls[x, fall]
        after = x - fall
        if after == 0:
            value += chance * ends[0]
            won += chance * ends[1]
        else:
            value -= chance * theirs[VALUE, y, after]
            won += chance * theirs[LOST, y, after]
            lost += chance * theirs[WON, y, after]
    mine[NO_DOUBLE, x, y], mine[VALUE, x, y] = value, value
    mine[WAITING_WON, x, y], mine[WON, x, y] = won, won
    mine[WAITING_LOST, x, y], mine[LOST, x, y] = lost, lost


@njit(cache=True, nogil=True)
def _double(x, y, cash, scale, turned, mine):
    """Replace the roller's values by the values of doubling, if doubling is right.

    `turned` has the values after a double and a take, which are multiplied by `scale`.
    `cash` is the roller's value if the opponent passes a double.
    """
    taken = scale * turned[VALUE, x, y]
    if min(taken, cash) < mine[NO_DOUBLE, x, y]:
        return
    mine[VALUE, x, y] = min(taken, cash)
    passed = taken > cash
    mine[WON, x, y] = 0.0 if passed else scale * turned[WON, x, y]
    mine[LOST, x, y] = 0.0 if passed else scale * turned[LOST, x, y]


@njit(cache=True, nogil=True)
def _finish(planes, won, lost):
    for x in range(planes.shape[1]):
        for plane in range(planes.shape[0]):
            planes[plane, 0, x] = planes[plane, x, 0] = 0.0
        planes[VALUE, 0, x] = planes[NO_DOUBLE, 0, x] = won
        planes[VALUE, x, 0] = planes[NO_DOUBLE, x, 0] = lost


@njit(cache=True, nogil=True)
def solve_state(falls, first, last, ends, cash, turned_a, turned_b, a, b):
    """Compute the model's values for one state of the cube at a match score.

    If A's EPC is in bin ``x`` and B's EPC in bin ``y``, ``a[k, x, y]`` receives A's value
    ``k`` with A on roll, and ``b[k, y, x]`` receives B's value ``k`` with B on roll.
    ``ends[player]`` has the player's value of winning a single game, and the amount that a
    gammon adds to this value. ``cash[player]`` is the player's value if the opponent passes
    a double. ``turned_a`` and ``turned_b`` have the values after a double of the player and
    a take; the array is empty if the player may not double.
    """
    _finish(a, ends[0, 0], -ends[1, 0])
    _finish(b, ends[1, 0], -ends[0, 0])
    for x in range(1, a.shape[1]):
        for y in range(1, a.shape[1]):
            _wait(falls, first, last, x, y, ends[0], b, a)
            if turned_a.size:
                _double(x, y, cash[0], 1.0, turned_a, a)
            _wait(falls, first, last, y, x, ends[1], a, b)
            if turned_b.size:
                _double(y, x, cash[1], 1.0, turned_b, b)


@njit(cache=True, nogil=True)
def _solve_money_pair(falls, first, last, x, y, ends, opponent, owned, centred):
    _wait(falls, first, last, x, y, ends[0], owned, opponent)
    _wait(falls, first, last, x, y, ends[0], opponent, owned)
    _double(x, y, 1.0, 2.0, opponent, owned)
    _wait(falls, first, last, x, y, ends[1], centred, centred)
    _double(x, y, 1.0, 2.0, opponent, centred)


@njit(cache=True, nogil=True)
def solve_money(falls, first, last, jacoby, opponent, owned, centred):
    """Compute money equities for a centred, an owned and an opponent-owned cube."""
    ends = np.ones((2, 2))  # wins with a turned and with a centred cube
    if jacoby:
        ends[1, 1] = 0.0
    for planes in (opponent, owned, centred):
        _finish(planes, 1.0, -1.0)
    for larger in range(1, opponent.shape[1]):
        for smaller in range(1, larger):
            _solve_money_pair(
                falls, first, last, larger, smaller, ends, opponent, owned, centred
            )
        for smaller in range(1, larger + 1):
            _solve_money_pair(
                falls, first, last, smaller, larger, ends, opponent, owned, centred
            )
