"""Doubling windows compared with single decisions, for money and at scores."""

import math
from dataclasses import astuple
from functools import cache

import numpy as np
import pytest

import bearoff
from bearoff import doubling_window, match_table
from oracles.two_sided_reference import float64_planes
from tests.refusals import refused
from tests.two_sided_tables import built, number

ROLLERS = [number(*counts) for counts in ((0, 0, 1, 1, 1, 1), (0, 1, 0, 3), (4,))]

EDGES = ("first_double", "last_no_double", "first_pass", "last_take")

in_float64 = cache(float64_planes)


def by_hand(planes, roller, cube, rounding):
    """Return the edges of the doubling window from single decisions."""
    names = "cubeless", f"{cube}_kept", "opponent"
    cubeless, waiting, given_up = (planes[name][roller, 1:] for name in names)
    chance, taken = (cubeless + 1) / 2, 2 * given_up
    doubling = np.minimum(taken, 1)
    # Without gammons, doubling is never wrong against an opponent who passes.
    wait = (waiting - doubling > -rounding) & (taken <= 1 + rounding)
    double = doubling - waiting >= -abs(rounding)
    return ends(chance, double, wait, taken - 1 > -rounding, 1 - taken > -rounding)


def ends(chance, *right):
    """Return the ends of the ranges of chances in which to double, wait, pass and take."""
    return [
        end(chance[some]) if some.any() else math.nan
        for end, some in zip((np.min, np.max, np.min, np.max), right, strict=True)
    ]


@pytest.mark.parametrize("cube", ["centred", "owned"])
def test_edges_reach_as_far_as_exact_ones_and_no_farther_than_rounding_may_take_them(cube):
    checkers = 5
    table, planes = built(checkers), in_float64(checkers)
    error = table.error(cube) + 2 * table.error("opponent")
    chances = 2 * table.error("cubeless")
    apart = 0
    for roller in range(1, bearoff.position_count(6, checkers), 3):
        window = doubling_window(table, roller, cube)
        least = by_hand(planes, roller, cube, 1e-13)
        most = by_hand(planes, roller, cube, 2 * error)
        for name, near, far, out in zip(EDGES, least, most, (-1, 1, -1, 1), strict=True):
            found = getattr(window, name)
            assert math.isnan(near) or out * (found - near) >= -chances, (roller, name)
            assert math.isnan(found) or out * (found - far) <= chances, (roller, name)
            apart += not math.isnan(near) and abs(near - far) > chances
    assert apart  # rounding must change at least one of the windows


@pytest.mark.parametrize("away", [(4, 2), (3, 5)], ids=str)
@pytest.mark.parametrize("cube", ["centred", "owned"])
@pytest.mark.parametrize("roller", ROLLERS)
def test_edges_are_those_of_the_actions(away, cube, roller):
    table = match_table(4, away)
    value = 2 if cube == "owned" else 1
    window = doubling_window(table, roller, cube, cube_value=value)
    pairs = roller, np.arange(1, bearoff.position_count(6, 4))
    actions = bearoff.cube_actions(table, *pairs, cube, cube_value=value)
    taken, tie = actions.double_take - 1, actions.tie
    double = np.minimum(taken, 0) + 1 - actions.no_double >= -tie
    chance = table.win_probability(*pairs)
    right = ends(chance, double, ~double, taken > tie, taken < -tie)
    # Without gammons, nobody is too good to double. False means that the window is not by
    # the fast model.
    np.testing.assert_equal(astuple(window), (*right, math.nan, False))
    # An opponent who needs two points wins the match with the cube at 2, so a redouble
    # risks nothing.
    assert (~double).any() == ((away, cube) != ((4, 2), "owned"))


def test_every_opponent_beside_a_race(monkeypatch):
    alone = bearoff.Race("0,2,2,0,0,0", "0,2,2,0,0,0")
    with refused(bearoff.TableError, "opponent"):
        doubling_window(bearoff.match_race(alone, (2, 4)), alone.roller.number)
    race = bearoff.Race("0,2,1,0,0,1", "1,1,1,0,0,1")
    right = doubling_window(match_table(4, (4, 3)), race.roller.number)
    table = bearoff.match_race(race, (4, 3), opponents=4)
    assert (table.checkers, table.opponents) == (1, 4)
    found = doubling_window(table, race.roller.number)
    # Missing edges of a window are nan.
    np.testing.assert_equal(astuple(found), astuple(right))
    # A checker on the 6 point can reach every lower point, but two checkers cannot reach
    # every pair of points.
    assert table.exchanged().opponents == 1
    monkeypatch.setattr("bearoff.match_solver.opening.MOST_FOR_WINDOWS", 1000)
    assert bearoff.match_race(race, (4, 3), opponents=4).opponents == 1
