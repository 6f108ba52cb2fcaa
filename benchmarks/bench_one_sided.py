"""Speed of the numbering, the one-sided table and its queries, beside baselines.

Run as ``python -m benchmarks.bench_one_sided``. All rates are per second of CPU of one
thread, medians of several runs with their spread. Baselines in the same run: one
position at a time in plain Python and, where it is installed (``pip install bgsage``),
bgsage, the fastest Python peer for these queries; it looks up one position a call, in
compiled code.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

import bearoff
from bearoff.one_sided import cached_tables, opening as one_sided
from benchmarks.ways.query_ways import QueryWays
from verify.common.rates import report_machine, report_rate

_BUILD = """
import json, resource, sys, time
from bearoff.one_sided.build import build_arrays
points, checkers = map(int, sys.argv[1:])
build_arrays(2, 2), build_arrays(10, 10)  # Compile or load the kernels of either kind.
cpu, wall = time.process_time(), time.perf_counter()
arrays = build_arrays(points, checkers)
seconds = time.perf_counter() - wall, time.process_time() - cpu
unit = 2**20 if sys.platform == "darwin" else 2**10
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
size = sum(array.nbytes for array in arrays.values()) / 2**20
print(json.dumps([*seconds, peak, size]))
"""


def build_figures(points: int, checkers: int) -> list[float]:
    """Build a table in a process of its own: seconds, CPU seconds, peak and array MB."""
    done = subprocess.run(
        [sys.executable, "-c", _BUILD, str(points), str(checkers)],
        check=True,
        capture_output=True,
        text=True,
    )
    figures: list[float] = json.loads(done.stdout)
    return figures


def report_build(points: int, checkers: int, runs: int) -> None:
    figures = [build_figures(points, checkers) for _ in range(runs)]
    wall, cpu, peak, size = (
        statistics.median(column) for column in zip(*figures, strict=True)
    )
    print(
        f"table {points} x {checkers} from nothing: {wall:.2f} s ({cpu:.2f} s CPU), peak "
        f"memory of the process {peak:,.0f} MB, arrays {size:,.0f} MB"
    )


def peer_lookups(
    boards: list[list[int]],
) -> tuple[Callable[[], list[float]], Callable[[], list[float]]] | None:
    """Return bgsage's EPC and win probability of these boards, if it is installed."""
    try:
        import bgbot_cpp
        from bgsage.weights import bearoff_db_path
    except ImportError:
        return None
    database = bgbot_cpp.BearoffDB()
    if not database.load(bearoff_db_path()):
        return None
    epc, chances = database.lookup_epc, database.lookup_probs
    return (
        lambda: [epc(board) for board in boards],
        lambda: [chances(board)[0] for board in boards],
    )


def boards_of(rollers: np.ndarray, opponents: np.ndarray) -> list[list[int]]:
    """Write both sides' counts as bgsage's boards of 26 squares."""
    boards = np.zeros((len(rollers), 26), dtype=np.int64)
    boards[:, 1:7] = rollers
    boards[:, 24:18:-1] = -opponents.astype(np.int64)
    lists: list[list[int]] = boards.tolist()
    return lists


def report_cached(points: int, checkers: int, n: int, runs: int) -> None:
    """Report size, opening and queries of the cached table, built if it is not there."""
    bearoff.one_sided_table(points, checkers)
    (cached,) = (k for k in cached_tables() if (k.points, k.checkers) == (points, checkers))
    seconds = []
    for _ in range(runs):
        one_sided._open_table.cache_clear()
        start = time.perf_counter()
        table = bearoff.one_sided_table(points, checkers)
        opened = time.perf_counter()
        table.fewest_rolls_win_probability(len(table) // 2, len(table) - 1)
        seconds.append((opened - start, time.perf_counter() - opened))
    opening, first = (
        statistics.median(column) * 1e3 for column in zip(*seconds, strict=True)
    )
    print(
        f"\ncached table {points} x {checkers}: {cached.bytes / 1e6:,.1f} MB on the disk, "
        f"{cached.bytes / len(table):.1f} bytes a position; opened in {opening:.1f} ms, "
        f"the first win probability {first:.1f} ms later"
    )
    start = time.perf_counter()
    cached.verify()
    print(f"every byte verified in {time.perf_counter() - start:.2f} s")
    x, y = np.random.default_rng(2).integers(1, len(table), (2, n))
    few = x[: min(n, 20_000)]
    print(f"{n:,} random positions or pairs, distributions and plays {len(few):,}")
    report_rate("EPC, arrays of numbers", n, lambda: table.epc_of(x), runs)
    report_rate("distribution", len(few), lambda: table.distribution_of(few), runs)
    report_rate("the plays of all 21 rolls", len(few), lambda: table.policy_of(few), runs)
    win = table.fewest_rolls_win_probability
    report_rate("win probability, arrays of numbers", n, lambda: win(x, y), runs)


def report_queries(n: int, runs: int) -> None:
    ways = QueryWays(n)
    few = ways.few

    print(f"\n{n:,} random positions or pairs of 6 x 15, one at a time {few:,}")
    report_rate("rank, arrays", n, ways.rank, runs)
    report_rate("rank, one at a time", few, ways.rank_one_by_one, runs)
    report_rate("unrank, arrays", n, ways.unrank, runs)
    report_rate("unrank, one at a time", few, ways.unrank_one_by_one, runs)
    report_rate("EPC, arrays of numbers", n, ways.epc, runs)
    ours = [report_rate("EPC, arrays of counts", n, ways.epc_of_counts, runs)]
    report_rate("EPC, one at a time", few, ways.epc_one_by_one, runs)
    report_rate("win probability, arrays of numbers", n, ways.win, runs)
    ours.append(
        report_rate("win probability, arrays of counts", n, ways.win_of_counts, runs)
    )
    report_rate("win probability, one at a time", few, ways.win_one_by_one, runs)

    asked = min(n, 200_000)
    peer = peer_lookups(boards_of(ways.rollers[:asked], ways.opponents[:asked]))
    if peer is None:
        print("bgsage is not installed: no peer to compare with")
        return
    names = ("EPC", "win probability")
    exact = (ways.epc_of_counts()[:asked], ways.win_of_counts()[:asked])
    for name, lookup, best, right in zip(names, peer, ours, exact, strict=True):
        rate = report_rate(f"{name}, bgsage", asked, lookup, runs)
        miss = np.abs(np.array(lookup()) - right).max()
        print(f"    {best / rate:.1f} times bgsage's rate; it misses by up to {miss:.1e}")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--points", type=int, default=6, help="size of the table built")
    parser.add_argument("--checkers", type=int, default=15)
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--no-build", action="store_true", help="only ask the cached table")
    options = parser.parse_args(arguments)
    report_machine()
    if not options.no_build:
        report_build(options.points, options.checkers, options.runs)
    if options.build_only:
        return
    report_cached(options.points, options.checkers, options.positions, options.runs)
    if options.points <= bearoff.POINTS:
        report_queries(options.positions, options.runs)


if __name__ == "__main__":
    main()
