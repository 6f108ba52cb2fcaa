"""Comparison of rollouts at match scores with exact values and with rollouts by GNU
Backgammon.
"""

import pytest

import bearoff
from bearoff.sim.rollouts import Goal
from oracles import gnubg
from research.comparisons import match_rollouts


@pytest.mark.parametrize("text", ["3-5", "3-1 Crawford"])
def test_rollouts_are_near_the_exact_values_of_the_score(text):
    score = bearoff.Score.parse(text)
    found = match_rollouts.compare(score, 2, Goal(0, 1), checkers=5, into=3)
    assert found.races == 2
    assert found.no_double < 0.01
    assert found.standard < 0.01
    if score.has_cube:
        assert found.double_take < 0.02
        assert found.lost < 0.001
    else:
        assert found.lost is None


@pytest.mark.skipif(gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_is_asked_at_the_score_for_the_roller():
    race = bearoff.Race(*2 * [bearoff.Position.parse("[1]", 24)])
    after = bearoff.match_equities().after
    for away in ((3, 5), (5, 3)):
        score = bearoff.Score(away)
        for doubled in (False, True):
            chance, _ = match_rollouts.gnubg_chances(race, score, doubled=doubled, games=36)
            points = 2 if doubled else 1
            assert chance == pytest.approx(after(score, points), abs=1e-4)
