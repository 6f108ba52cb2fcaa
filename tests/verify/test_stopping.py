"""Quick version of the full-scale test of rollouts that stop at their target error."""

from dataclasses import replace

import numpy as np
import pytest

from bearoff.sim.rollouts.estimate import Goal, model_values, play_chunk, play_to
from bearoff.sim.rollouts.results import CHUNK_GAMES
from bearoff.sim.rollouts.sums import Moments
from verify import stopping
from verify.chance import pools

AS_IS, CLOSE, TAKE = (pools.CASES[at] for at in (0, 1, 5))


@pytest.fixture(scope="module")
def pool():
    return pools.play_pool(CLOSE, 20 * CHUNK_GAMES, seed=1)


def test_a_run_cut_from_a_pool_equals_a_rollout_of_its_games():
    values, race = AS_IS.values, AS_IS.race
    centre = model_values(values, race)
    pool = pools.play_pool(AS_IS, 8 * CHUNK_GAMES, seed=3)
    for at, sums in enumerate(pool[:2]):
        assert (play_chunk(values, race, centre, 3, at) == sums).all()
    goal = Goal(standard_error=0.0002, at_most=10**6)
    alone = Moments.of(play_to(values, race, goal, 3, 1), centre)
    assert alone.units > 24  # the rollout must be long enough to be stopped
    first = pools.stopped_runs(AS_IS, pool, goal)[0]
    assert first.games == alone.games
    assert (first.means == alone.means).all()


def test_stopping_neither_biases_nor_makes_too_sure_and_if_so_it_is_found_out(pool):
    goals = stopping.goals_of(CLOSE, pool)
    first, *others = (stopping.measure(CLOSE, pool, goal) for goal in goals)
    for stopped in (first, *others):
        assert stopped.runs > 30
        assert stopped.passed, stopped
    assert not replace(first, bias=first.bias + 1).passed
    assert not replace(first, held=first.held - first.runs // 5).passed
    whole = Moments.of(np.sum(pool, axis=0), model_values(CLOSE.values, CLOSE.race))
    errors = np.array([whole.error(*row) for row in pools.WEIGHTS])
    off = pools.WEIGHTS @ whole.means - pools.truth_of(CLOSE)
    assert (np.abs(off) < 4.5 * errors).all()


def test_actions_that_are_told_for_sure_are_right():
    pool = pools.play_pool(TAKE, 20 * CHUNK_GAMES, seed=1)
    goal = stopping.goals_of(TAKE, pool)[2]
    for decided in stopping.decide(TAKE, pool, goal):
        # A take and a pass are almost equal here, so either one may seem better by chance.
        assert 0.2 < decided.wrong_at_all / decided.runs < 0.8
        assert decided.sure < 0.3 * decided.runs
        assert decided.passed, decided
