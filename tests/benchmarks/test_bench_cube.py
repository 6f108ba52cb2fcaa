"""The benchmark of games with the cube runs, and what it compares plays the same games."""

import pytest

import bearoff
from bearoff.matchup.strategies import JanowskiCube, PerfectCube
from benchmarks import bench_cube


@pytest.mark.slow
def test_the_benchmark_runs(capsys):
    bench_cube.main(["--games", "2000", "--runs", "1"])
    shown = capsys.readouterr().out
    assert shown.count("M/s") == 6
    assert "times numpy" in shown


def test_both_play_the_same_games():
    strategy = JanowskiCube()
    games = 40_000
    one, other = (play(games, strategy, strategy) for play in
                  (bench_cube.by_sim, bench_cube.by_numpy))  # fmt: skip
    # A game's standard deviation is below 1.8 points.
    assert abs(one - other) < 4.5 * 1.8 * (2 / games) ** 0.5


def test_the_perfect_case_is_worth_what_the_table_says():
    bearoff.build_two_sided_table(8)
    cube = PerfectCube(8)
    games = 20_000
    found = bench_cube.by_sim(games, cube, cube, bench_cube.EIGHTS, "perfect")
    exact = bearoff.two_sided_table(8).equity(*bench_cube.EIGHTS)
    assert abs(found - exact) < 4.5 * 1.8 / games**0.5
