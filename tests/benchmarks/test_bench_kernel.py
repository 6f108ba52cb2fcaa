"""The benchmark of the kernel runs, and what it compares plays the same race."""

import pytest

import bearoff
from benchmarks import bench_kernel
from sim.play import match


def test_the_benchmark_runs(capsys):
    play = match.play_games
    bench_kernel.main(["--games", "2000", "--runs", "1"])
    shown = capsys.readouterr().out
    assert shown.count("M/s") == 5
    assert "times numpy" in shown
    assert match.play_games is play


@pytest.mark.parametrize(
    ("play", "games"),
    [
        (bench_kernel.by_kernel, 100_000),
        (bench_kernel.by_numpy, 100_000),
        (bench_kernel.one_at_a_time, 4000),
    ],
)
def test_all_play_the_same_race(play, games):
    fives = bench_kernel.FIVES
    exact = float(bearoff.fewest_rolls_win_probability(fives, fives))
    assert abs(play(games) - exact) < 4.5 * (exact * (1 - exact) / games) ** 0.5
