"""Speed of building and asking the two-sided tables, beside GNU Backgammon.

Run as ``python -m benchmarks.bench_two_sided``. Both programs solve four planes, from
nothing, in a process of their own and in the same run: rates are pairs a second, by
the clock and of CPU. GNU Backgammon's `makebearoff` is looked for on the PATH and in
/usr/games. At equal sizes, 8 checkers, it takes some 400 s; by default it solves 6
checkers (some 30 s), where it is faster for each pair, which is to its advantage.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import bearoff
from benchmarks.ways.own_cache import own_cache
from verify.common.rates import report_machine, seconds_of, seconds_of_children
from verify.peers import gnubg

_BUILD = """
import json, resource, sys, time
import bearoff
checkers, workers = json.loads(sys.argv[1])
bearoff.build_two_sided_table(1 if checkers > 1 else 2)  # Compiles or loads the kernels.
cpu, wall = time.process_time(), time.perf_counter()
bearoff.build_two_sided_table(checkers, workers=workers)
seconds = time.perf_counter() - wall, time.process_time() - cpu
unit = 1 if sys.platform == "darwin" else 2**10
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
print(json.dumps([*seconds, peak]))
"""

_SINGLE_QUERIES = 2_000


def build_figures(checkers: int, workers: int | None) -> list[float]:
    """Build in a process and a cache of their own: wall and CPU seconds, peak bytes."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-c", _BUILD, json.dumps([checkers, workers])],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "BEAROFF_CACHE": cache},
        )
    figures: list[float] = json.loads(done.stdout)
    return figures


def gnubg_build_figures(checkers: int) -> tuple[float, float]:
    """Let GNU Backgammon solve its four planes: wall and CPU seconds."""
    before, start = seconds_of_children(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "two-sided.bd"))
        subprocess.run(
            [str(gnubg.find("makebearoff")), "-t", f"6x{checkers}", "-f", path],
            check=True,
            capture_output=True,
        )
    return time.perf_counter() - start, seconds_of_children() - before


def report_build(checkers: int, workers: int | None, runs: int) -> tuple[float, float]:
    """Build several times; return pairs a second by the clock and of CPU."""
    figures = [build_figures(checkers, workers) for _ in range(runs)]
    wall, cpu, peak = (statistics.median(column) for column in zip(*figures, strict=True))
    spread = ", ".join(f"{seconds:.2f}" for seconds, *_ in figures)
    pairs = bearoff.position_count(checkers=checkers) ** 2
    print(
        f"ours, 6 x {checkers}, four planes: {wall:.2f} s ({spread}), {cpu:.2f} s CPU, "
        f"peak memory {peak / 1e6:,.0f} MB, {pairs / wall / 1e6:.3f} M pairs/s, "
        f"{pairs / cpu / 1e6:.3f} M pairs/s of CPU"
    )
    return pairs / wall, pairs / cpu


def report_gnubg(checkers: int) -> tuple[float, float] | None:
    """Let GNU Backgammon solve its four planes; return its rates like `report_build`."""
    if gnubg.find("makebearoff") is None:
        print(
            "GNU Backgammon's makebearoff is not installed: no peer to compare with. "
            + gnubg.TO_INSTALL
        )
        return None
    wall, cpu = gnubg_build_figures(checkers)
    pairs = bearoff.position_count(checkers=checkers) ** 2
    print(
        f"GNU Backgammon, 6 x {checkers}, four planes: {wall:.2f} s, {cpu:.2f} s CPU, "
        f"{pairs / wall / 1e6:.4f} M pairs/s, {pairs / cpu / 1e6:.4f} M pairs/s of CPU"
    )
    return pairs / wall, pairs / cpu


def report_rate(name: str, items: int, work: Callable[[], object], runs: int) -> None:
    """Time `work`, which does `items` of something."""
    seconds = seconds_of(work, runs)
    each = statistics.median(seconds) / items
    low, high = min(seconds) / items, max(seconds) / items
    print(
        f"{name:44} {1e6 * each:9.3f} us each ({1e6 * low:.3f} to {1e6 * high:.3f}), "
        f"{1 / each / 1e6:8.3f} M/s"
    )


def report_queries(checkers: int, n: int, runs: int) -> None:
    x, y = np.random.default_rng(1).integers(
        1, bearoff.position_count(checkers=checkers), (2, n)
    )
    singles = min(n, _SINGLE_QUERIES)
    some = list(zip(x[:singles].tolist(), y[:singles].tolist(), strict=True))

    def opened() -> None:
        bearoff.two_sided.opening._open_table.cache_clear()
        table = bearoff.two_sided_table(checkers)
        table.win_probability(1, 1)
        table.equity(1, 1)

    table = bearoff.two_sided_table(checkers)
    print(f"\n{n:,} random pairs of 6 x {checkers}, {singles:,} one at a time; CPU seconds")
    report_rate("opening, two planes", 1, opened, runs)
    for name, ask in (
        ("win probability", table.win_probability),
        ("equity, centred", table.equity),
        ("no double, centred", table.no_double),
    ):
        few = n if name != "no double, centred" else min(n, 100_000)
        report_rate(f"{name}, arrays", few, lambda a=ask, k=few: a(x[:k], y[:k]), runs)
        report_rate(
            f"{name}, one at a time",
            singles,
            lambda a=ask: [a(i, j) for i, j in some],
            runs,
        )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkers", type=int, default=8, help="size of our table")
    parser.add_argument("--gnubg-checkers", type=int, default=6, help="0 leaves it out")
    parser.add_argument("--workers", type=int, help="threads; all processors if not given")
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--install-gnubg",
        action="store_true",
        help="install Debian's gnubg first, where makebearoff is missing; needs root",
    )
    options = parser.parse_args(arguments)
    if options.install_gnubg and gnubg.find("makebearoff") is None:
        gnubg.install()
    report_machine()
    ours = report_build(options.checkers, options.workers, options.runs)
    theirs = report_gnubg(options.gnubg_checkers) if options.gnubg_checkers else None
    if theirs is not None:
        print(
            f"    {ours[0] / theirs[0]:.0f} times GNU Backgammon's rate by the clock, "
            f"{ours[1] / theirs[1]:.0f} times for each second of CPU"
        )
    with own_cache():
        bearoff.build_two_sided_table(options.checkers)
        report_queries(options.checkers, options.pairs, options.runs)


if __name__ == "__main__":
    main()
