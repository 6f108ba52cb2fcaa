"""Trial: two-sided tables agree with tables that another method solves in float64.

The largest error of each plane must be at most the error that the program states. A table
of 12 checkers, the maximum for usual memory, needs 5.6 GB and some minutes. With
``--start`` at the same number of checkers, gammons can be lost and are counted.
"""

import argparse

import numpy as np

import bearoff
from bearoff.analysis.output import markdown_table
from bearoff.positions import position_count
from bearoff.stakes import CUBES
from bearoff.two_sided import TwoSidedTable
from oracles.two_sided_float64 import solve
from verify.common.trial import Trial, Verdict, option

_ROLLERS_AT_A_TIME = 64


def errors(
    table: TwoSidedTable, plane: str, exact: np.ndarray
) -> tuple[float, float, tuple[int, int]]:
    """Return the maximum error of a table's array, its rms error, and the worst pair."""
    size = exact.shape[-1]
    numbers = np.arange(1, size)
    largest, squares, worst = 0.0, 0.0, (0, 0)
    for start in range(1, size, _ROLLERS_AT_A_TIME):
        rollers = np.arange(start, min(start + _ROLLERS_AT_A_TIME, size))[:, None]
        right = np.swapaxes(exact[..., 1:, rollers[:, 0]], -1, -2)
        if plane.startswith("gammons"):
            found = table.gammon_probability(rollers, numbers)[plane == "gammons_lost"]
            # Any value between the minimum and the maximum over equally good plays counts
            # as correct.
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


def carry_out(options: argparse.Namespace) -> Verdict:
    checkers, points, start = options.checkers, options.points, options.start
    bearoff.build_two_sided_table(checkers, points=points, start=start)
    table = bearoff.two_sided_table(checkers, points, start=start)
    rows, exceeded = [], False
    for plane, exact in solve(checkers, points, start):
        largest, rms, (x, y) = errors(table, plane, exact)
        bound = table.error(plane)
        exceeded |= largest > bound
        largest_shown = f"{largest:.3e}{' **exceeded**' if largest > bound else ''}"
        rows.append([plane, largest_shown, f"{x}, {y}", f"{rms:.3e}", f"{bound:.3e}"])
    pairs = position_count(points, checkers) ** 2
    head = ["plane", "largest error", "roller, opponent", "rms", "stated"]
    body = f"{checkers} checkers of {start} on {points} points, {pairs:,} pairs."
    return Verdict(f"{body}\n\n{markdown_table(head, rows)}", exceeded)


TRIAL = Trial(
    "Tables of pairs beside a build in float64",
    carry_out,
    (
        option("--checkers", type=int, default=8),
        option("--points", type=int, default=6),
        option(
            "--start",
            type=int,
            default=15,
            help="number of checkers of each side at the start",
        ),
    ),
)
