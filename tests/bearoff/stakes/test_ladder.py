"""Equities at all cube values, compared with Janowski's formulas and take points."""

import numpy as np
import pytest

from bearoff import Match, Money, Score, match_thresholds
from bearoff.stakes import Terms, cube_ladder, ladder_kernels

MONEY = cube_ladder(Terms(), False)


def filled(ladder, chances):
    found = np.empty((len(ladder), 4))
    ladder_kernels.fill(ladder, np.array(chances), found)
    return found


def held(ladder, owner, chances, live):
    room = filled(ladder, chances)
    return ladder_kernels.held(ladder, room, 0, owner, np.array(chances), live)


@pytest.mark.parametrize("p", [0.25, 0.5, 0.75])
@pytest.mark.parametrize("live", [0.0, 0.6, 1.0])
def test_without_gammons_it_is_janowskis(p, live):
    formulas = {1: (5 * p - 2) / 2, 0: (10 * p - 5) / 3, -1: (5 * p - 3) / 2}
    for owner, value in formulas.items():
        right = live * value + (1 - live) * (2 * p - 1)
        found = held(MONEY, owner, [p, 0, 0, 0, 0], live)
        assert found == pytest.approx(right, abs=1e-5), owner


def test_with_gammons_points_are_janowskis():
    room = filled(MONEY, [0.5, 0.1, 0, 0.25, 0])
    assert room[0] == pytest.approx([1.2, -1.5, 1 - 0.7 / 3.2, 1.0 / 3.2], abs=1e-5)
    assert held(MONEY, 1, [0.5, 0.1, 0, 0.25, 0], 1.0) == pytest.approx(0.1, abs=1e-5)


@pytest.mark.parametrize("away", [(2, 4), (4, 2), (3, 5), (7, 7), (5, 3)])
def test_at_scores_the_points_are_those_of_the_thresholds(away):
    room = filled(cube_ladder(Terms(Match(Score(away))), True), [0.5, 0, 0, 0, 0])
    cash = match_thresholds(Score(away)).live_cash
    other = match_thresholds(Score(away[::-1])).live_cash
    assert room[0, 2:] == pytest.approx([cash, 1 - other], abs=1e-12)


@pytest.mark.parametrize("owner", [1, 0, -1])
def test_what_one_side_has_the_other_has_not(owner):
    terms = Terms(Match(Score((3, 5))), 2)
    chances, theirs = [0.6, 0.2, 0.01, 0.1, 0.0], [0.4, 0.1, 0.0, 0.2, 0.01]
    ladder, other = (cube_ladder(each, False) for each in (terms, terms.next()))
    assert ladder_kernels.turned_ladder(ladder) == pytest.approx(other)
    right = -held(other, -owner, theirs, 0.7)
    assert held(ladder, owner, chances, 0.7) == pytest.approx(right)


def test_who_may_turn_the_cube_now_does_if_it_gains():
    def worth(p, owner):
        room, chances = np.empty((len(MONEY), 4)), np.array([p, 0, 0, 0, 0])
        return ladder_kernels.worth(MONEY, room, 0, owner, chances, 0.7)

    assert worth(0.9, 0) == worth(0.9, 1) == 1.0
    assert worth(0.9, -1) == pytest.approx(0.765, abs=1e-5)
    assert worth(0.5, 1) == pytest.approx(0.175, abs=1e-5)


def test_jacobys_gammons_wait_for_the_cube():
    for centred, worth in ((True, 0.8), (False, 1.6)):
        ladder = cube_ladder(Terms(Money(jacoby=True)), centred)
        assert held(ladder, 0, [0.9, 0.8, 0.0, 0.0, 0.0], 0.0) == pytest.approx(worth)


def test_crawfords_cube_is_dead():
    assert len(cube_ladder(Terms(Match(Score((1, 3), "crawford"))), True)) == 1
