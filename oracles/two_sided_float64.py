"""Two-sided tables solved in float64, by another method than in `bearoff.two_sided`.

The module shares only the numbering and the successor lists with the tables. It solves in
the paper's order, in float64, with all values in memory, without compression. It takes 16
bytes for each pair, and 40 more for gammon chances.
"""

from collections.abc import Iterator

import numpy as np
from numba import njit

from bearoff.plays import Successors, successors
from bearoff.positions import position_count
from bearoff.rolls import WEIGHTS

_CHUNK = 512
_WEIGHTS = np.array(WEIGHTS, dtype=np.float64) / 36

_SAME = 2e-6
"""Maximum difference, in points, between the computed values of equally good plays."""


@njit(cache=True)
def _turn_of(n, plane, offsets, numbers, weights, out):
    """Compute the values of position `n`, on roll, against all positions 0 to `n` - 1.

    ``plane[y, x]`` is the value of position ``x``, on roll, against position ``y``.
    """
    for chunk in range((n + _CHUNK - 1) // _CHUNK):
        start, stop = chunk * _CHUNK, min(n, (chunk + 1) * _CHUNK)
        total = np.zeros(stop - start)
        least = np.empty(stop - start)
        for roll in range(21):
            least[:] = np.inf
            for k in range(offsets[21 * n + roll], offsets[21 * n + roll + 1]):
                row = plane[numbers[k], start:stop]
                for j in range(stop - start):
                    least[j] = row[j] if row[j] < least[j] else least[j]
            for j in range(stop - start):
                total[j] += weights[roll] * least[j]
        for j in range(stop - start):
            out[start + j] = -total[j]


@njit(cache=True)
def _one_turn(x, theirs, offsets, numbers, weights):
    """Return the value of position `x`, from the opponent's values after each play."""
    total = 0.0
    for roll in range(21):
        least = np.inf
        for k in range(offsets[21 * x + roll], offsets[21 * x + roll + 1]):
            least = min(least, theirs[numbers[k]])
        total += weights[roll] * least
    return -total


@njit(cache=True)
def _turns_against(n, theirs, offsets, numbers, weights, out):
    """Compute the values of all positions 0 to `n` - 1, on roll, against position `n`."""
    for x in range(n):
        out[x] = _one_turn(x, theirs, offsets, numbers, weights)


class Plane:
    """Values of all pairs of positions, each computed from the values after the best plays.

    Parameters
    ----------
    choices : Successors
        Successors of all positions.
    wins : ndarray of float64, shape (positions,)
        Value for a side that has borne off all checkers, by the opponent's position.
    """

    def __init__(self, choices: Successors, wins: np.ndarray) -> None:
        size = len(wins)
        self.values = np.empty((size, size))
        """Values in points: ``values[y, x]`` is the value of position ``x``, on roll,
        against position ``y``."""
        self.values[0, 0] = 1
        self._choices = (choices.offsets, choices.numbers, _WEIGHTS)
        self._wins = wins

    def turn_of(self, n: int, out: np.ndarray) -> None:
        """Set ``out[y]`` to the value of roller n, on roll, against each opponent y < n."""
        _turn_of(n, self.values, *self._choices, out)
        out[0] = -self._wins[n]

    def own_turn(self, n: int, theirs: np.ndarray) -> float:
        """Return position n's value against itself, from the opponent's values `theirs`."""
        return float(_one_turn(n, theirs, *self._choices))

    def turns_against(self, n: int, theirs: np.ndarray, out: np.ndarray) -> None:
        """Set ``out[x]`` to the value of each roller x < n on roll, against opponent n."""
        _turns_against(n, theirs, *self._choices, out)


def solve_cubeless(
    choices: Successors, wins: np.ndarray, kind: type[Plane] = Plane
) -> np.ndarray:
    """Return the cubeless equities of all pairs, indexed by ``[opponent, roller]``."""
    plane = kind(choices, wins)
    values = plane.values
    ours = np.empty(len(values))
    for n in range(1, len(values)):
        plane.turn_of(n, ours)
        ours[n] = plane.own_turn(n, ours)
        values[: n + 1, n] = ours[: n + 1]
        plane.turns_against(n, ours, values[n])
    return values


def solve_held(
    choices: Successors, wins: np.ndarray, kind: type[Plane] = Plane
) -> tuple[np.ndarray, np.ndarray]:
    """Return the equities of all pairs with the opponent's and with the roller's cube."""
    given_up, owned = kind(choices, wins), kind(choices, wins)
    w, o = given_up.values, owned.values
    ours_w, ours_o = np.empty(len(w)), np.empty(len(w))
    for n in range(1, len(w)):
        owned.turn_of(n, ours_w)
        given_up.turn_of(n, ours_o)
        _double(ours_o[:n], ours_w[:n])
        # The values of position n against all positions with smaller numbers are known, so
        # position n is now solved against itself.
        ours_w[n] = owned.own_turn(n, ours_o)
        ours_o[n] = given_up.own_turn(n, ours_w)
        _double(ours_o[n : n + 1], ours_w[n : n + 1])
        w[: n + 1, n], o[: n + 1, n] = ours_w[: n + 1], ours_o[: n + 1]
        owned.turns_against(n, ours_o, w[n])
        given_up.turns_against(n, ours_w, o[n])
        _double(o[n, :n], w[n, :n])
    return w, o


def solve_centred(
    choices: Successors,
    wins: np.ndarray,
    given_up: np.ndarray,
    kind: type[Plane] = Plane,
) -> np.ndarray:
    """Return the equities of all pairs with a centred cube, from equities after a take."""
    plane = kind(choices, wins)
    values = plane.values
    ours = np.empty(len(values))
    for n in range(1, len(values)):
        plane.turn_of(n, ours)
        _double(ours[:n], given_up[:n, n])
        ours[n] = plane.own_turn(n, ours)
        _double(ours[n : n + 1], given_up[n : n + 1, n])
        values[: n + 1, n] = ours[: n + 1]
        plane.turns_against(n, ours, values[n])
        _double(values[n, :n], given_up[n, :n])
    return values


@njit(cache=True)
def _chances(points, offsets, numbers, weights, first_full, same):
    """Return the range of gammon chances over all plays that are about equally good.

    ``found[0]`` and ``found[1]`` are the chances to win a gammon, ``found[2]`` and
    ``found[3]`` those to lose one, each ``[opponent, roller]``.
    """
    size = points.shape[0]
    found = np.zeros((4, size, size))
    found[:2, first_full:, 0] = 1.0
    found[2:, 0, first_full:] = 1.0
    for total in range(2, 2 * size - 1):
        for x in range(max(1, total - size + 1), min(total, size)):
            y = total - x
            for roll in range(21):
                start, end = offsets[21 * x + roll], offsets[21 * x + roll + 1]
                least = np.inf
                for k in range(start, end):
                    least = min(least, points[numbers[k], y])
                for chance in range(4):
                    best = np.inf if chance % 2 == 0 else -np.inf
                    theirs = found[(chance + 2) % 4]
                    for k in range(start, end):
                        if points[numbers[k], y] <= least + same:
                            value = theirs[numbers[k], y]
                            best = min(best, value) if chance % 2 == 0 else max(best, value)
                    found[chance, y, x] += weights[roll] * best
    return found


def _double(equity: np.ndarray, after: np.ndarray) -> None:
    """Replace equities by equities after a double where a double is better, in place."""
    np.maximum(equity, np.minimum(1.0, 2 * after), out=equity)


def solve(
    checkers: int, points: int = 6, start: int = 15, kind: type[Plane] = Plane
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each kind of value: its name, and an array indexed ``[opponent, roller]``."""
    choices = successors(points, checkers)
    single = np.ones(position_count(points, checkers))
    counted = single.copy()
    if checkers == start:
        first_full = position_count(points, checkers - 1) if checkers > 1 else 1
        counted[first_full:] = 2
    yield "cubeless", solve_cubeless(choices, single, kind)
    given_up, owned = solve_held(choices, counted, kind)
    yield "owned", owned
    del owned
    yield "opponent", given_up
    yield "centred", solve_centred(choices, counted, given_up, kind)
    if checkers < start:
        return
    yield "jacoby", solve_centred(choices, single, given_up, kind)
    del given_up
    worth = solve_cubeless(choices, counted, kind)
    yield "points", worth
    arrays = choices.offsets, choices.numbers, _WEIGHTS
    chances = _chances(worth, *arrays, first_full, _SAME)
    yield "gammons_won", chances[:2]
    yield "gammons_lost", chances[2:]
