"""Hold the two-sided tables to a build in float64.

Run as ``python -m benchmarks.two_sided_float64 --checkers 10``; prints the largest and
the rms error of each plane. The equations of `bearoff.two_sided.solver` are solved
here another way, which shares the numbering and the successor lists with it and nothing
else: in the paper's order instead of levels, in float64 instead of whole numbers, whole
planes in memory, without slots, blocks or codes. Takes 16 bytes for each pair: 12
checkers, the largest that fits in an ordinary memory, need 5.6 GB and some minutes.
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
from bearoff.two_sided import CUBES, TwoSidedTable

_CHUNK = 512
_WEIGHTS = np.array(WEIGHTS, dtype=np.float64) / 36
_ROLLERS_AT_A_TIME = 64


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
    """Values that the roller's best play makes of the opponent's values."""

    def __init__(self, checkers: int, choices: Successors) -> None:
        size = position_count(checkers=checkers)
        self.values = np.empty((size, size))
        """``[y, x]``: value of roller ``x`` against ``y``."""
        self._choices = (choices.offsets, choices.numbers, _WEIGHTS)

    def turn_of(self, n: int, out: np.ndarray) -> None:
        """Set ``out[y]``: roller n's value of letting y < n play next in this plane."""
        _turn_of(n, self.values, *self._choices, out)

    def own_turn(self, n: int, theirs: np.ndarray) -> float:
        """Roller n's value against n, whose values are `theirs`."""
        return float(_one_turn(n, theirs, *self._choices))

    def turns_against(self, n: int, theirs: np.ndarray, out: np.ndarray) -> None:
        """Set ``out[x]``: value of roller x < n of letting n play, who has `theirs`."""
        _turns_against(n, theirs, *self._choices, out)


def solve_cubeless(
    checkers: int, choices: Successors, kind: type[Plane] = Plane
) -> np.ndarray:
    """Return the cubeless equity, ``[opponent, roller]``."""
    plane = kind(checkers, choices)
    values = plane.values
    values[0, 0] = 1
    ours = np.empty(len(values))
    for n in range(1, len(values)):
        plane.turn_of(n, ours)
        ours[n] = plane.own_turn(n, ours)
        values[: n + 1, n] = ours[: n + 1]
        plane.turns_against(n, ours, values[n])
    return values


def solve_held(
    checkers: int, choices: Successors, kind: type[Plane] = Plane
) -> tuple[np.ndarray, np.ndarray]:
    """Return the equities with the cube at the opponent and at the roller."""
    given_up, owned = kind(checkers, choices), kind(checkers, choices)
    w, o = given_up.values, owned.values
    w[0, 0] = o[0, 0] = 1
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
    checkers: int, choices: Successors, given_up: np.ndarray, kind: type[Plane] = Plane
) -> np.ndarray:
    """Return the equity with the cube centred, given that after a double is taken."""
    plane = kind(checkers, choices)
    values = plane.values
    values[0, 0] = 1
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


def _double(equity: np.ndarray, after: np.ndarray) -> None:
    """Let the roller double where that is better."""
    np.maximum(equity, np.minimum(1.0, 2 * after), out=equity)


def solve(checkers: int, kind: type[Plane] = Plane) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each plane's name and its equities, ``[opponent, roller]``, one at a time."""
    choices = successors(6, checkers)
    yield "cubeless", solve_cubeless(checkers, choices, kind)
    given_up, owned = solve_held(checkers, choices, kind)
    yield "owned", owned
    del owned
    yield "opponent", given_up
    yield "centred", solve_centred(checkers, choices, given_up, kind)


def errors(
    table: TwoSidedTable, plane: str, exact: np.ndarray
) -> tuple[float, float, tuple[int, int]]:
    """Return the largest and the rms error of a plane, and the worst pair."""
    numbers = np.arange(len(exact))
    largest, squares, worst = 0.0, 0.0, (0, 0)
    for start in range(0, len(numbers), _ROLLERS_AT_A_TIME):
        rollers = numbers[start : start + _ROLLERS_AT_A_TIME, None]
        right = exact[:, rollers[:, 0]].T
        if plane == "cubeless":
            error = np.abs(table.win_probability(rollers, numbers) - (1 + right) / 2)
        else:
            cube = next(cube for cube in CUBES if cube == plane)
            error = np.abs(table.equity(rollers, numbers, cube) - right)
        squares += float((error**2).sum())
        if error.max() > largest:
            largest = float(error.max())
            at = np.unravel_index(int(error.argmax()), error.shape)
            worst = int(at[0]) + start, int(at[1])
    return largest, (squares / exact.size) ** 0.5, worst


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkers", type=int, default=8)
    options = parser.parse_args(arguments)
    checkers = options.checkers
    bearoff.build_two_sided_table(checkers)
    table = bearoff.two_sided_table(checkers)
    started = time.perf_counter()
    print(f"{checkers} checkers, {position_count(checkers=checkers) ** 2:,} pairs")
    for plane, exact in solve(checkers):
        largest, rms, (x, y) = errors(table, plane, exact)
        bound = table.error(plane)
        print(
            f"{plane:9} largest error {largest:.3e} (roller {x}, opponent {y}), "
            f"rms {rms:.3e}, stated {bound:.3e}{'' if largest <= bound else '  EXCEEDED'}"
        )
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
