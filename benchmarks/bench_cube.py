"""Speed of games with the cube, beside a strategy that is asked in every game and turn.

Run as ``python -m benchmarks.bench_cube``. All play one race over and over: five checkers
each on the six, five and four on both sides, or eight checkers a side with perfect play.
Rates are per second of CPU of one thread, medians of several runs with their spread, the
first sight of each pair included.
"""

import argparse

import numpy as np

import analysis.formulas
import bearoff
from bearoff.matchup import CubeStrategy, JanowskiCube, PerfectCube
from bearoff.rolls import ROLL_OF_THROW
from sim.cubeful import CubeMatch, CubeSide, play_cubeful
from sim.cubeful.cube_tally import points_moments
from verify.common.rates import report_machine, report_rate

FIVES = int(bearoff.rank([0, 0, 0, 5, 5, 5]))
EIGHTS = tuple(int(bearoff.rank(side)) for side in ([1, 2, 2, 1, 1, 1], [2, 2, 1, 1, 1, 1]))


def by_sim(
    games: int,
    roller: CubeStrategy,
    opponent: CubeStrategy,
    start: tuple[int, int] = (FIVES, FIVES),
    play: str = "fewest-rolls",
) -> float:
    """Return the roller's equity of games played by `sim`, nothing remembered before."""
    sides = CubeSide.of(roller), CubeSide.of(opponent)
    checkers = 8 if play == "perfect" else 15
    match = CubeMatch(6, checkers, play, play, 1, 2, *sides)
    pair = (np.array([number]) for number in start)
    counts = play_cubeful(match, *pair, np.array([0]), np.array([games]))
    return float(points_moments(counts, 1)[0][0])


def by_numpy(games: int, roller: CubeStrategy, opponent: CubeStrategy) -> float:
    """Return it of games played in lockstep by numpy, every decision asked for."""
    policy = bearoff.one_sided_table().policy
    rng = np.random.default_rng(1)
    at = np.full((2, games), FIVES)
    owner, cube = np.full(games, 2), np.ones(games, dtype=np.int64)
    points, live, side = np.zeros(games, dtype=np.int64), np.arange(games), 0
    strategies = roller, opponent
    while len(live):
        mine, theirs = (bearoff.unrank(at[k, live]) for k in (side, 1 - side))
        says, answers = (strategies[k].decide(mine, theirs) for k in (side, 1 - side))
        doubles = np.where(owner[live] == 2, says.double, says.redouble)
        doubles &= owner[live] != 1 - side
        passed = live[doubles & ~answers.take]
        points[passed] = (1 - 2 * side) * cube[passed]
        taken = live[doubles & answers.take]
        cube[taken] *= 2
        owner[taken] = 1 - side
        live = live[~(doubles & ~answers.take)]
        rolls = ROLL_OF_THROW[rng.integers(0, 36, len(live))]
        at[side, live] = policy[at[side, live], rolls]
        off = live[at[side, live] == 0]
        points[off] = (1 - 2 * side) * cube[off]
        live = live[at[side, live] > 0]
        side = 1 - side
    return float(points.mean())


def main(argv: list[str] | None = None) -> None:
    """Report the rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args(argv)
    games, runs = options.games, options.runs
    few = max(1, games // 20)
    report_machine()
    bearoff.build_two_sided_table(8)
    keith, janowski = analysis.formulas.get("keith"), JanowskiCube()
    print(f"\n5-5-5 against 5-5-5, {games:,} games, by numpy a twentieth")
    by_sim(few, keith, janowski)  # Compiles.
    for name, strategy in (("keith", keith), ("janowski 0.7", janowski)):
        one = report_rate(
            f"sim, {name}", games, lambda s=strategy: by_sim(games, s, s), runs
        )
        other = report_rate(
            f"numpy, {name}", few, lambda s=strategy: by_numpy(few, s, s), runs
        )
        print(f"    {one / other:.1f} times numpy")
    perfect = PerfectCube(8)
    print(f"\n8 checkers a side, {games:,} games")
    report_rate("sim, keith", games, lambda: by_sim(games, keith, keith, EIGHTS), runs)
    report_rate(
        "sim, perfect play and cube",
        games,
        lambda: by_sim(games, perfect, perfect, EIGHTS, "perfect"),
        runs,
    )


if __name__ == "__main__":
    main()
