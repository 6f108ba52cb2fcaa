"""Speed of self-play, beside plain vectorised numpy and one game at a time.

Run as ``python -m benchmarks.bench_kernel``. All play the same race, five checkers each
on the six, five and four on both sides, by the same policy, until both sides are off.
Rates are per second of CPU of one thread, medians of several runs with their spread.
Then whole batches, files and all: many pairs with few games, few pairs with many.
"""

import argparse
import random
import tempfile
import time

import numpy as np

import bearoff
import sim
from bearoff.rolls import ROLL_OF_THROW
from sim.play import match
from verify.common.rates import report_machine, report_rate

FIVES = int(bearoff.rank([0, 0, 0, 5, 5, 5]))
MATCH = sim.Match(6, 15, "fewest-rolls", "fewest-rolls", seed=1)


def by_kernel(games: int) -> float:
    """Return the win rate of games played by the compiled kernel."""
    start = np.array([FIVES])
    counts = sim.play_games(MATCH, start, start, np.array([0]), np.array([games]))
    return float(counts[0, 1]) / games


def by_numpy(games: int, at_once: int = 50_000) -> float:
    """Return the win rate of games played in lockstep by numpy alone."""
    # Places 21 x the number, as the kernel has them; sides that are off are not sorted
    # out, which takes longer than to play on.
    places = bearoff.one_sided_table().policy.reshape(-1).astype(np.uint32) * np.uint32(21)
    rolls = ROLL_OF_THROW.astype(np.uint32)
    rng = np.random.default_rng(1)
    wins = 0
    for first in range(0, games, at_once):
        lanes = min(at_once, games - first)
        needed = np.zeros((2, lanes), dtype=np.int32)
        for side in (0, 1):
            place = np.full(lanes, 21 * FIVES, dtype=np.uint32)
            while place.any():
                needed[side] += place > 0
                throws = rng.integers(0, 36, lanes, dtype=np.uint8)
                place = places.take(place + rolls.take(throws))
        wins += int((needed[0] <= needed[1]).sum())
    return wins / games


def one_at_a_time(games: int) -> float:
    """Return the win rate of games played one after the other in plain Python."""
    policy = bearoff.one_sided_table().policy.tolist()
    rolls = ROLL_OF_THROW.tolist()
    dice = random.Random(1)
    wins = 0
    for _ in range(games):
        needed = []
        for _side in (0, 1):
            position, count = FIVES, 0
            while position:
                position = policy[position][rolls[dice.randrange(36)]]
                count += 1
            needed.append(count)
        wins += needed[0] <= needed[1]
    return wins / games


def report_players(games: int, runs: int) -> None:
    print(
        f"\n5-5-5 against 5-5-5, {games:,} games, by numpy a tenth, in Python a thousandth"
    )
    kernel = report_rate("sim.play", games, lambda: by_kernel(games), runs)
    few = max(1, games // 10)
    plain = report_rate("plain vectorised numpy", few, lambda: by_numpy(few), runs)
    fewer = max(1, games // 1000)
    single = report_rate("one game at a time", fewer, lambda: one_at_a_time(fewer), runs)
    print(f"    {kernel / plain:.1f} times numpy, {kernel / single:,.0f} times Python")
    exact = float(bearoff.fewest_rolls_win_probability(FIVES, FIVES))
    rates = by_kernel(games), by_numpy(few), one_at_a_time(fewer)
    print(
        f"    win rates {rates[0]:.4f}, {rates[1]:.4f}, {rates[2]:.4f}; exact {exact:.4f}"
    )


def report_batch(pairs: int, games: int, runs: int) -> None:
    """Run batches and print their rate, and how much of the time is not play."""
    rates, outside = [], []
    for _ in range(runs):
        seconds, playing = _seconds_of_batch(pairs, games)
        rates.append(pairs * games / seconds / 1e6)
        outside.append(100 * (1 - playing / seconds))
    print(
        f"{f'batch of {pairs:,} random pairs, {games:,} games each':62} "
        f"{np.median(rates):9.3f} M/s  ({min(rates):.3f} to {max(rates):.3f}), "
        f"{np.median(outside):.1f} % of it not play"
    )


def _seconds_of_batch(pairs: int, games: int) -> tuple[float, float]:
    playing = 0.0
    play = match.play_games

    def timed(*arguments):
        nonlocal playing
        start = time.process_time()
        counts = play(*arguments)
        playing += time.process_time() - start
        return counts

    match.play_games = timed
    try:
        with tempfile.TemporaryDirectory() as folder:
            config = sim.load_config(
                {
                    "run": "bench",
                    "pairs": [{"random": {"pairs": pairs}}],
                    "games": games,
                    "seed": 1,
                    "backend": "sequential",
                    "output": folder,
                }
            )
            start = time.process_time()
            sim.run(config, progress=False)
            return time.process_time() - start, playing
    finally:
        match.play_games = play


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args(arguments)
    report_machine()
    report_players(options.games, options.runs)
    print("\nwhole batches of one worker, pairs drawn, files written")
    report_batch(4, options.games, options.runs)
    report_batch(max(1, options.games // 250), 1000, options.runs)


if __name__ == "__main__":
    main()
