"""Plays that are rolled out with the same dice."""

import numpy as np
import pytest

import bearoff
from bearoff.positions import Position
from bearoff.sim.rollouts import Goal, compare, rollout
from tests.two_sided_tables import built

GOAL = Goal(0.01)
THERE = "1,1,2,1,1,0"
PLACES = ("1,1,1,1,1,1", "2,0,2,0,1,1", "0,0,1,2,2,1", "0,0,0,2,2,2")


def races(cube):
    there, *places = map(Position.parse, (THERE, *PLACES))
    return [bearoff.Race(there, side, cube=cube) for side in places]


@pytest.mark.parametrize("cube", ["centred", "owned", "opponent"])
def test_differences_are_within_their_errors_of_the_table(cube):
    found = compare(races(cube), GOAL, wanted=range(len(PLACES)))
    table = built(6)
    there, *places = (Position.parse(text).number for text in (THERE, *PLACES))
    exact = table.equity([there] * len(places), places, cube)
    equity = found.no_double
    if cube != "opponent":
        equity = np.maximum(equity, np.minimum(found.double_take, 1.0))
    best = equity.argmin()
    assert best == exact.argmin()
    off = np.abs((equity - equity[best]) - (exact - exact[best]))
    assert (off <= 3 * np.nan_to_num(found.cost_error)).all(), (off, found.cost_error)
    assert np.isnan(found.cost_error[best])
    assert (np.delete(found.cost_error, best) > 0).all()
    assert found.games >= 4 * 1296


def test_what_is_surely_worse_is_left_alone_unless_it_is_asked_for():
    goal = Goal(0.0, 8 * 1296)
    some = compare(races("opponent"), goal)
    every = compare(races("opponent"), goal, wanted=range(len(PLACES)))
    assert some.games < every.games
    assert np.nanmax(every.no_double_error) <= np.nanmax(some.no_double_error)


def test_one_race_is_what_a_rollout_of_it_is():
    race = races("centred")[0]
    one, other = compare([race], GOAL), rollout(race, GOAL)
    action = other.at("centred")
    for mine, error, theirs in (
        (one.no_double, one.no_double_error, action.no_double),
        (one.double_take, one.double_take_error, action.double_take),
        (one.chances[:, 0], one.win_error, other.win_probability),
    ):
        least = np.hypot(theirs.standard_error, theirs.systematic_error or 0)
        assert abs(mine[0] - theirs.value) <= 3 * np.hypot(error[0], least)
    assert one.gain_error[0] <= one.no_double_error[0] + one.double_take_error[0]
    assert np.isnan(one.cost_error[0])


def test_the_same_whatever_the_workers_and_exact_where_a_table_holds_it():
    one, two = (compare(races("owned"), GOAL, workers=count) for count in (1, 2))
    assert (one.no_double == two.no_double).all()
    assert np.array_equal(one.cost_error, two.cost_error, equal_nan=True)
    table = built(6)
    found = compare(races("centred"), GOAL, table=table)
    assert (found.games, found.no_double_error.tolist()) == (0, [table.error("owned")] * 4)
