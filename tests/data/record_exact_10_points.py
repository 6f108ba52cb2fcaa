"""Script that records exact values of sides on 10 points.

Needs the one-sided table of 10 points and 15 checkers, which takes a minute to build.
"""

from pathlib import Path

import numpy as np

from bearoff import WEIGHTS, one_sided_table, rank, unrank
from bearoff.bear_in.games import random_sides

POINTS, SIDES, SEED = 10, 400, 10


def main():
    """Play from random starts, and write the exact values of some sides that occur."""
    table, rng = one_sided_table(POINTS), np.random.default_rng(SEED)
    throws = np.repeat(np.arange(len(WEIGHTS)), WEIGHTS)
    now = rank(random_sides(SIDES, rng, POINTS)[:, :POINTS])
    met = []
    while len(now := now[unrank(now, POINTS)[:, 6:].any(axis=1)]):
        met.append(now)
        roll = throws[rng.integers(0, 36, len(now))]
        now = table.policy_of(now)[np.arange(len(now)), roll].astype(np.int64)
    chosen = rng.choice(np.concatenate(met), SIDES, replace=False)
    lines = ["# checkers on points 1 to 10, EPC, standard deviation of rolls"]
    epcs, stds = table.epc_of(chosen), table.std_rolls_of(chosen)
    for counts, epc, std in zip(unrank(chosen, POINTS), epcs, stds, strict=True):
        lines.append(f"{'-'.join(map(str, counts))},{epc:.9f},{std:.9f}")
    path = Path(__file__).with_name("exact_10_points.csv")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
