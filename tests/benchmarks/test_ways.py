"""The two programs that a benchmark compares do the same work."""

import pytest

import bearoff
from bearoff.matchup import JanowskiCube
from benchmarks.ways import cubeful_ways, game_ways


def test_both_play_the_same_games_with_the_cube():
    strategy, games = JanowskiCube(), 40_000
    one, other = (
        play(games, strategy, strategy)
        for play in (cubeful_ways.by_sim, cubeful_ways.by_numpy)
    )
    # The standard deviation of the points of a single game is below 1.8.
    assert abs(one - other) < 4.5 * 1.8 * (2 / games) ** 0.5


@pytest.mark.parametrize("play", [game_ways.by_kernel, game_ways.by_numpy])
def test_both_play_the_same_race(play):
    fives, games = game_ways.FIVES, 100_000
    exact = float(bearoff.fewest_rolls_win_probability(fives, fives))
    assert abs(play(games) - exact) < 4.5 * (exact * (1 - exact) / games) ** 0.5
