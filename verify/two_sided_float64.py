"""Hold the two-sided tables to a build in float64.

Run as ``python -m verify.two_sided_float64 --checkers 10``; prints the largest and the rms
error of each plane. 12 checkers, the largest that fit in an ordinary memory, need 5.6 GB
and some minutes. With ``--start`` as many checkers gammons can be lost, and are counted.
"""

import argparse
import sys
import time

import numpy as np

import bearoff
from bearoff.positions import position_count
from bearoff.stakes import CUBES
from bearoff.two_sided import TwoSidedTable
from oracles.two_sided_float64 import solve

_ROLLERS_AT_A_TIME = 64


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


def main(arguments: list[str] | None = None) -> int:
    """Compare all planes; return 1 if one is further off than its table states."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
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
    exceeded = False
    for plane, exact in solve(checkers, points, start):
        largest, rms, (x, y) = errors(table, plane, exact)
        bound = table.error(plane)
        exceeded |= largest > bound
        print(
            f"{plane:9} largest error {largest:.3e} (roller {x}, opponent {y}), "
            f"rms {rms:.3e}, stated {bound:.3e}{'' if largest <= bound else '  EXCEEDED'}"
        )
    print(f"{time.perf_counter() - started:.0f} s")
    return int(exceeded)


if __name__ == "__main__":
    sys.exit(main())
