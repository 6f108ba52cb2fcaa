"""Starting positions and expected visits of positions in games."""

from math import comb

import numpy as np
import pytest

import bearoff
from bearoff.sim import player, throws_of_game
from bearoff.sim.play.visits import met_pairs, random_starts, start_weights, visit_weights
from tests.sim.play.replay import ROLL_OF_THROW

SIZE = (6, 15)


def test_starts_are_checkers_thrown_one_by_one():
    """Each of fifteen checkers is on point p with chance p / 21."""
    weights = start_weights(*SIZE)
    assert weights.sum() == pytest.approx(1, abs=1e-12)
    counts = bearoff.unrank(np.arange(len(weights)), *SIZE)
    assert weights @ counts == pytest.approx(15 * np.arange(1, 7) / 21, abs=1e-10)
    # The weights of these two positions are multinomial probabilities.
    assert weights[54263] == pytest.approx((6 / 21) ** 15, rel=1e-12)
    one_off = weights[bearoff.rank([0, 0, 0, 0, 1, 14])]
    assert one_off == pytest.approx(comb(15, 1) * 5 / 21 * (6 / 21) ** 14, rel=1e-12)
    assert not weights[counts.sum(axis=1) < 15].any()
    draws = np.random.default_rng(1).random((20_000, 2))
    starts = random_starts(*SIZE, draws)
    assert starts.shape == (20_000, 2)
    pips = bearoff.one_sided_table().pips
    mean = 15 * sum(p * p for p in range(1, 7)) / 21
    variance = 15 * (sum(p**3 for p in range(1, 7)) / 21 - (mean / 15) ** 2)
    assert abs(pips[starts].mean() - mean) < 4 * np.sqrt(variance / starts.size)


def test_visits_are_those_of_games_played():
    weights, policy = visit_weights(*SIZE), player("fewest-rolls", *SIZE).policy
    rng = np.random.default_rng(2)
    games = 40_000
    at = rng.choice(len(weights), games, p=start_weights(*SIZE))
    found = np.zeros(len(weights))
    rolls = np.array(ROLL_OF_THROW)
    while at.any():
        at = at[at > 0]
        found += np.bincount(at, minlength=len(weights))
        at = policy[at, rolls[rng.integers(36, size=at.size)]]
    assert weights[0] == pytest.approx(1, abs=1e-12)
    # A game visits a position at most once, so the number of visits is binomial.
    often = weights * games > 20
    often[0] = False
    assert often.sum() > 500
    z = (found - games * weights)[often] / np.sqrt(games * weights * (1 - weights))[often]
    assert np.abs(z).max() < 5
    assert abs(found[1:].sum() / games - weights[1:].sum()) < 0.02
    rare = found[~often][1:].sum(), games * weights[~often][1:].sum()
    assert abs(rare[0] - rare[1]) < 5 * np.sqrt(15 * rare[1])


def test_harvested_games_have_the_dice_of_their_numbers():
    starts = np.array([(8887, 54263), (54263, 54263), (40000, 30000)] * 5)
    policy = player("fewest-rolls", *SIZE).policy.tolist()
    expected = []
    for game, sides in enumerate(starts.tolist(), start=2**32 - 3):
        dice, turn = throws_of_game(9, *sides, game), 0
        throws = next(dice)
        while all(sides):
            expected.append((sides[turn], sides[1 - turn]))
            roll = ROLL_OF_THROW[throws[turn]]
            sides[turn] = policy[sides[turn]][roll]
            throws = next(dice) if turn == 1 else throws
            turn = 1 - turn
    assert met_pairs(*SIZE, 9, starts, 2**32 - 3).tolist() == [list(p) for p in expected]
