from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom, chi2

from bearoff.analysis import calibrate
from bearoff.analysis.outcomes.calibration import ALARM


def outcomes_of(grid, wins, games, expected):
    n = len(wins)
    return replace(
        grid[:n], roller=np.arange(n), opponent=np.arange(n) + 1000, wins=np.asarray(wins),
        games=np.broadcast_to(games, n), expected=np.asarray(expected, dtype=float),
    )  # fmt: skip


def test_a_sound_run_agrees_and_its_worst_pair_is_the_least_likely(grid):
    found = calibrate(grid)
    assert found.agrees
    assert found.pairs + found.skipped == len(grid)
    assert abs(found.mean) < 4 / np.sqrt(found.pairs)
    assert found.rms == pytest.approx(1, abs=0.15)
    assert found.chi_square_chance == pytest.approx(
        chi2.sf(found.rms**2 * found.pairs, found.pairs)
    )
    rarer = np.minimum(grid.expected, 1 - grid.expected)
    judged = grid[grid.games * rarer >= 20]
    law = binom(judged.games, judged.expected)
    tails = 2 * np.minimum(law.cdf(judged.wins), law.sf(judged.wins - 1))
    at = tails.argmin()
    assert found.worst_pair == (judged.roller[at], judged.opponent[at])
    assert found.worst_chance == pytest.approx(min(1, tails[at] * len(judged)), rel=1e-6)


@pytest.mark.parametrize("games", [50, 10**9])
def test_tails_hold_for_few_games_and_for_very_many(grid, games):
    p = 0.5 if games == 50 else 0.3
    wins = int(games * p + 2.5 * np.sqrt(games * p * (1 - p)))
    found = calibrate(outcomes_of(grid, [wins], games, [p]))
    tail = 2 * binom(games, p).sf(wins - 1)
    assert found.worst_chance == pytest.approx(tail, rel=1e-9)
    near = calibrate(outcomes_of(grid, [int(games * p)], games, [p]))
    assert near.worst_chance == 1


def test_one_bad_pair_is_found_and_named(grid):
    wins = grid.wins.copy()
    wins[77] += 450  # about six standard errors of the wins in 20,000 games
    found = calibrate(replace(grid, wins=wins))
    assert found.agrees is False
    assert found.worst_pair == (grid.roller[77], grid.opponent[77])
    assert f"{grid.roller[77]} against {grid.opponent[77]}" in found.verdict
    # One bad pair among many is found by its own z score, but not by the sum of squares.
    assert found.worst_chance < ALARM / 2


def test_a_small_bias_of_all_pairs_is_found(grid):
    rng = np.random.default_rng(5)
    p = np.full(500, 0.7)
    wins = rng.binomial(10_000, p + 0.003)  # a bias of two thirds of a standard error
    found = calibrate(outcomes_of(grid, wins, 10_000, p))
    assert found.agrees is False
    assert found.worst_chance > ALARM / 2
    assert found.mean == pytest.approx(0.003 / np.sqrt(0.21 / 10_000), abs=4 / np.sqrt(500))


def test_wins_that_cannot_be_are_found_and_few_games_are_not_judged(grid):
    found = calibrate(outcomes_of(grid, [99, 100], 100, [1.0, 1.0]))
    assert found.agrees is False
    assert (found.pairs, found.skipped) == (1, 1)
    assert found.worst_pair == (0, 1000)
    found = calibrate(outcomes_of(grid, [1, 30, 5], [10, 60, 9], [0.1, np.nan, 0.5]))
    assert (found.agrees, found.skipped) == (None, 3)
