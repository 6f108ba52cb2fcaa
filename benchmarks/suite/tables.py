"""Speeds of numbering positions, building tables, and querying tables."""

import numpy as np

import bearoff
from bearoff.one_sided.build import build_arrays
from bearoff.one_sided.solve_numpy import solve_numpy
from bearoff.plays import policy_distribution
from benchmarks.suite.measure import Benchmark, Setting, Side
from benchmarks.ways import build_ways
from benchmarks.ways.numpy_two_sided import solve_in_numpy
from benchmarks.ways.query_ways import QueryWays


def _rank(setting: Setting) -> tuple[Side, Side]:
    ways = _ways(setting)
    return (
        setting.timed(ways.rank, len(ways.x)),
        setting.timed(ways.rank_one_by_one, ways.few),
    )


def _unrank(setting: Setting) -> tuple[Side, Side]:
    ways = _ways(setting)
    return (
        setting.timed(ways.unrank, len(ways.x)),
        setting.timed(ways.unrank_one_by_one, ways.few),
    )


def _win(setting: Setting) -> tuple[Side, Side]:
    ways = _ways(setting)
    return (
        setting.timed(ways.win, len(ways.x)),
        setting.timed(ways.win_one_by_one, ways.few),
    )


def _ways(setting: Setting) -> QueryWays:
    return QueryWays(setting.size(200_000, 500))


def _one_sided_build(setting: Setting) -> tuple[Side, Side]:
    # A table of 7 points is measured, because the program itself builds the table of 6
    # points with numpy.
    points, checkers = setting.size(7, 2), setting.size(15, 2)
    positions = bearoff.position_count(points, checkers)

    def plain() -> None:
        _, _, policy = solve_numpy(points, checkers)
        policy_distribution(policy)

    return (
        setting.timed(lambda: build_arrays(points, checkers, workers=1), positions),
        setting.timed(plain, positions),
    )


def _two_sided_build(setting: Setting) -> tuple[Side, Side]:
    few = setting.size(5, 2)
    return (
        _two_sided_in_process(setting.size(8, 2)),
        setting.timed(lambda: solve_in_numpy(few), _pairs(few)),
    )


def _two_sided_build_gnubg(setting: Setting) -> tuple[Side, Side]:
    few = setting.size(5, 2)
    return (
        _two_sided_in_process(setting.size(8, 2)),
        lambda: build_ways.gnubg_build_figures(few)[1] / _pairs(few),
    )


def _two_sided_build_10(setting: Setting) -> tuple[Side, Side]:
    """Compare builds for 10 and 8 checkers; the time per pair should be about the same."""
    return (
        _two_sided_in_process(setting.size(10, 2)),
        _two_sided_in_process(setting.size(8, 2)),
    )


def _two_sided_in_process(checkers: int) -> Side:
    pairs = _pairs(checkers)
    return lambda: build_ways.build_figures(checkers, workers=1)[1] / pairs


def _pairs(checkers: int) -> int:
    return bearoff.position_count(checkers=checkers) ** 2


def _two_sided_query(setting: Setting) -> tuple[Side, Side]:
    checkers, n = setting.size(8, 2), setting.size(200_000, 500)
    bearoff.build_two_sided_table(checkers)
    table = bearoff.two_sided_table(checkers)
    numbers = np.arange(bearoff.position_count(checkers=checkers))
    x, y = np.random.default_rng(1).choice(numbers[1:], (2, n))
    plane = table.equity(numbers[:, None], numbers)
    return (
        setting.timed(lambda: table.equity(x, y), n),
        setting.timed(lambda: plane[x, y], n),
    )


BENCHMARKS = (
    Benchmark(
        "rank",
        "position",
        "position numbers of 200,000 positions",
        "number of one position after another, computed in Python",
        _rank,
    ),
    Benchmark(
        "unrank",
        "number",
        "positions that have 200,000 given numbers",
        "position of one number after another, computed in Python",
        _unrank,
    ),
    Benchmark(
        "win-probability",
        "pair",
        "fewest-rolls win probability of 200,000 pairs",
        "win probability of one pair after another, by a convolution in Python",
        _win,
    ),
    Benchmark(
        "one-sided-build",
        "position",
        "7 points and 15 checkers, compiled, with compressed distributions; one thread",
        "the same table built with numpy, one pip count at a time, as the program builds "
        "smaller tables",
        _one_sided_build,
        rounds=5,
    ),
    Benchmark(
        "two-sided-build",
        "pair",
        "four planes of 8 checkers, files written; one thread",
        "plain numpy, four planes of 5 checkers in memory",
        _two_sided_build,
        rounds=5,
    ),
    Benchmark(
        "two-sided-build-10",
        "pair",
        "four planes of 10 checkers, files written; one thread",
        "the same, 8 checkers",
        _two_sided_build_10,
        rounds=3,
    ),
    Benchmark(
        "two-sided-build-gnubg",
        "pair",
        "four planes of 8 checkers, files written; one thread",
        "GNU Backgammon's makebearoff, four planes of 5 checkers",
        _two_sided_build_gnubg,
        rounds=3,
        peer="makebearoff",
    ),
    Benchmark(
        "two-sided-query",
        "pair",
        "cubeful equity of 200,000 pairs, from the cached table of 8 checkers",
        "numpy reading the same pairs from a matrix of float64 in memory",
        _two_sided_query,
    ),
)
