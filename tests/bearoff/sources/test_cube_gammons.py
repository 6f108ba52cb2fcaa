"""Cube actions with gammons, compared with exact fractions.

Sides start with two or three checkers instead of fifteen.
"""

import numpy as np
import pytest

import bearoff
from bearoff import doubling_window
from bearoff.stakes import take_points
from tests.two_sided_tables import built, number


def test_take_points_are_where_the_opponent_is_indifferent():
    table = built(2, start=2)
    pair = number(0, 0, 0, 0, 1), number(0, 0, 0, 0, 0, 2)
    found = bearoff.cube_action(table, pair)
    assert 0 < found.gammons_won < found.win_probability
    chance = (1 + float(table.equity(*pair, None)) - found.gammons_won) / 2
    loses, wins = 1 + found.gammons_won / chance, 1.0
    dead, live = take_points(wins, loses)
    assert 2 * (dead * wins - (1 - dead) * loses) == pytest.approx(-1, abs=1e-12)
    # With a live cube, equity rises linearly with the win probability until the opponent
    # has to pass.
    last_take = 1 - (wins - 0.5) / (wins + loses + 0.5)
    assert 2 * (-loses + (1 + loses) * live / last_take) == pytest.approx(-1, abs=1e-12)
    assert dead > 0.25
    assert take_points(1.0, 1.0) == (0.25, 0.2)


def test_the_window_tells_where_the_roller_is_too_good():
    table = built(2, start=2)
    window = doubling_window(table, number(1))
    assert window.first_too_good == 1.0
    # In the last roll, doubling can be wrong only if gammons count.
    assert np.isnan(window.last_no_double)
    assert np.isnan(doubling_window(table, number(1), jacoby=True).first_too_good)
