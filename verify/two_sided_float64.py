"""Hold the two-sided tables to a build in float64.

Run as ``python -m verify.two_sided_float64 --checkers 10``; prints the largest and
the rms error of each plane. The equations of `bearoff.two_sided.planes` are solved
here another way, which shares the numbering and the successor lists with it and nothing
else: in the paper's order instead of levels, in float64 instead of whole numbers, whole
planes in memory, without slots, blocks or codes. Takes 16 bytes for each pair: 12
checkers, the largest that fits in an ordinary memory, need 5.6 GB and some minutes. With
``--start`` as many checkers gammons can be lost, and are counted; their chances take 40
bytes for each pair.
"""

import argparse
import time
from collections.abc import Iterator

import numpy as np
from numba import njit

import bearoff
from bearoff.plays import Successors, successors
from bearoff.positions import position_count
from bearoff.rolls import WEIGHTS
from bearoff.stakes import CUBES
from bearoff.two_sided import TwoSidedTable

_CHUNK = 512
_WEIGHTS = np.array(WEIGHTS, dtype=np.float64) / 36
_ROLLERS_AT_A_TIME = 64

_SAME = 2e-6
"""Points within which rounding may take one play for as good as another."""


@njit(cache=True)
def _turn_of(n, plane, offsets, numbers, weights, out):
    """Value of roller `n` against opponents below `n`, from theirs against successors.

    ``plane[y, x]`` is the value of roller ``x`` against ``y``.
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
    """Value of roller `x`, given the opponent's against each of x's positions."""
    total = 0.0
    for roll in range(21):
        least = np.inf
        for k in range(offsets[21 * x + roll], offsets[21 * x + roll + 1]):
            least = min(least, theirs[numbers[k]])
        total += weights[roll] * least
    return -total


@njit(cache=True)
def _turns_against(n, theirs, offsets, numbers, weights, out):
    """Value of every roller below `n` against `n`."""
    for x in range(n):
        out[x] = _one_turn(x, theirs, offsets, numbers, weights)


class Plane:
    """Values that the roller's best play makes of the opponent's values.

    Parameters
    ----------
    choices : Successors
        Of all positions.
    wins : ndarray of float64, shape (positions,)
        What it is worth to have borne off against each.
    """

    def __init__(self, choices: Successors, wins: np.ndarray) -> None:
        size = len(wins)
        self.values = np.empty((size, size))
        """``[y, x]``: value of roller ``x`` against ``y``."""
        self.values[0, 0] = 1
        self._choices = (choices.offsets, choices.numbers, _WEIGHTS)
        self._wins = wins

    def turn_of(self, n: int, out: np.ndarray) -> None:
        """Set ``out[y]``: roller n's value of letting y < n play next in this plane."""
        _turn_of(n, self.values, *self._choices, out)
        out[0] = -self._wins[n]

    def own_turn(self, n: int, theirs: np.ndarray) -> float:
        """Roller n's value against n, whose values are `theirs`."""
        return float(_one_turn(n, theirs, *self._choices))

    def turns_against(self, n: int, theirs: np.ndarray, out: np.ndarray) -> None:
        """Set ``out[x]``: value of roller x < n of letting n play, who has `theirs`."""
        _turns_against(n, theirs, *self._choices, out)


def solve_cubeless(
    choices: Successors, wins: np.ndarray, kind: type[Plane] = Plane
) -> np.ndarray:
    """Return the cubeless equity, ``[opponent, roller]``."""
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
    """Return the equities with the cube at the opponent and at the roller."""
    given_up, owned = kind(choices, wins), kind(choices, wins)
    w, o = given_up.values, owned.values
    ours_w, ours_o = np.empty(len(w)), np.empty(len(w))
    for n in range(1, len(w)):
        owned.turn_of(n, ours_w)
        given_up.turn_of(n, ours_o)
        _double(ours_o[:n], ours_w[:n])
        # Of n against itself, all smaller opponents are solved by now.
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
    """Return the equity with the cube centred, given that after a double is taken."""
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
    """Least and most chances of gammons of plays within `same` of the best.

    ``found[0]`` and ``found[1]`` are those to win one, ``found[2]`` and ``found[3]`` those
    to lose one, each ``[opponent, roller]``.
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
    """Let the roller double where that is better."""
    np.maximum(equity, np.minimum(1.0, 2 * after), out=equity)


def solve(
    checkers: int, points: int = 6, start: int = 15, kind: type[Plane] = Plane
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each plane's name and its equities, ``[opponent, roller]``, one at a time."""
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


def errors(
    table: TwoSidedTable, plane: str, exact: np.ndarray
) -> tuple[float, float, tuple[int, int]]:
    """Return the largest and the rms error of a plane, and the worst pair."""
    size = exact.shape[-1]
    numbers = np.arange(1, size)
    largest, squares, worst = 0.0, 0.0, (0, 0)
    for start in range(1, size, _ROLLERS_AT_A_TIME):
        rollers = np.arange(start, min(start + _ROLLERS_AT_A_TIME, size))[:, None]
        right = np.swapaxes(exact[..., 1:, rollers[:, 0]], -1, -2)
        if plane.startswith("gammons"):
            found = table.gammon_probability(rollers, numbers)[plane == "gammons_lost"]
            # Between the least and the most that equal plays make of it there is no error.
            error = np.maximum(np.maximum(right[0] - found, found - right[1]), 0.0)
        elif plane == "cubeless":
            error = np.abs(table.win_probability(rollers, numbers) - (1 + right) / 2)
        elif plane == "points":
            error = np.abs(table.equity(rollers, numbers, None) - right)
        else:
            jacoby = plane == "jacoby"
            cube = "centred" if jacoby else next(c for c in CUBES if c == plane)
            found = table.equity(rollers, numbers, cube, jacoby=jacoby)
            error = np.abs(found - right)
        squares += float((error**2).sum())
        if error.max() > largest:
            largest = float(error.max())
            at = np.unravel_index(int(error.argmax()), error.shape)
            worst = int(at[0]) + start, int(at[1]) + 1
    return largest, (squares / numbers.size**2) ** 0.5, worst


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkers", type=int, default=8)
    parser.add_argument("--points", type=int, default=6)
    parser.add_argument("--start", type=int, default=15)
    options = parser.parse_args(arguments)
    checkers, points, start = options.checkers, options.points, options.start
    bearoff.build_two_sided_table(checkers, points=points, start=start)
    table = bearoff.two_sided_table(checkers, points, start=start)
    started = time.perf_counter()
    pairs = position_count(points, checkers) ** 2
    print(f"{checkers} checkers of {start} on {points} points, {pairs:,} pairs")
    for plane, exact in solve(checkers, points, start):
        largest, rms, (x, y) = errors(table, plane, exact)
        bound = table.error(plane)
        print(
            f"{plane:9} largest error {largest:.3e} (roller {x}, opponent {y}), "
            f"rms {rms:.3e}, stated {bound:.3e}{'' if largest <= bound else '  EXCEEDED'}"
        )
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
