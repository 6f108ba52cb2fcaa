"""The doubling window against one decision after the other, for money and at scores."""

import math
from dataclasses import astuple

import numpy as np
import pytest

import bearoff
from bearoff import BearoffError, Position, PositionError, doubling_window, match_table
from bearoff.errors import MissingTableError
from tests.bearoff.match_solver.test_match_table import linear
from tests.bearoff.sources import cube_twin
from tests.refusals import refused
from tests.two_sided_tables import built


@pytest.mark.parametrize("away", [None, (4, 2), (3, 5)], ids=str)
@pytest.mark.parametrize("cube", ["centred", "owned"])
@pytest.mark.parametrize("roller", ["0,0,1,1,1,1", "0,2,0,3,0,0", "5,0,0,0,0,0"])
def test_edges_are_those_of_the_actions(away, cube, roller):
    table = built(5) if away is None else match_table(5, away)
    value = 2 if away and cube == "owned" else 1
    number = Position.parse(roller).number
    window = doubling_window(table, number, cube, cube_value=value)
    chances = {"double": [], "wait": [], "pass": [], "take": [], "either": []}
    for opponent in range(1, bearoff.position_count(6, 5)):
        pair = number, opponent
        actions = bearoff.cube_action(table, pair, cube, cube_value=value)
        chance = float(table.win_probability(*pair))
        # A double that makes no difference counts; what is clear does in any case.
        error = float(actions.no_double_error + actions.double_take_error)
        gain = float(min(actions.double_take, 1.0) - actions.no_double)
        close = abs(gain) <= error
        chances["either" if close else "double" if gain > 0 else "wait"].append(chance)
        if actions.double_take > 1 + actions.double_take_error:
            chances["pass"].append(chance)
        if actions.double_take < 1 - actions.double_take_error:
            chances["take"].append(chance)
    nowhere = [math.nan]
    right = (
        min(chances["double"] + chances["either"] or nowhere),
        max(chances["wait"] or nowhere),
        min(chances["pass"] or nowhere),
        max(chances["take"] or nowhere),
        math.nan,  # Nobody is too good without a gammon.
    )
    np.testing.assert_equal(astuple(window), (*right, False))  # Not by the model.
    # With the cube at 2 who needs two points risks nothing more.
    assert bool(chances["wait"]) == ((away, cube) != ((4, 2), "owned"))


@pytest.mark.parametrize("text", ["0,2,2,0,0,0", "1,0,1,0,0,1", "0,0,0,0,1,0"])
@pytest.mark.parametrize("cube", ["centred", "owned"])
def test_far_from_the_end_it_is_moneys(text, cube):
    number = Position.parse(text).number
    table = match_table(4, (60, 60), equities=linear(64))
    value = 1 if cube == "centred" else 2
    found = doubling_window(table, number, cube, cube_value=value)
    money = doubling_window(built(4), number, cube)
    for name in ("first_double", "last_no_double", "first_pass", "last_take"):
        edges = getattr(found, name), getattr(money, name)
        assert edges[0] == pytest.approx(edges[1], abs=0.01, nan_ok=True), name


def test_jacobys_paradox_makes_the_edges_overlap():
    # He redoubles at 19/36 against an opponent who is sure to win next time, and not yet
    # against one on the 3 and the 2.
    window = doubling_window(built(5), Position.parse("0,1,0,0,1,0").number, "owned")
    weakest = cube_twin.cubeless((2, 5), (2, 3))
    assert window.first_double == pytest.approx(19 / 36, abs=1e-5)
    assert window.last_no_double == pytest.approx(float(weakest + 1) / 2, abs=1e-5)


def test_where_nobody_decides_so_there_is_no_edge():
    window = doubling_window(built(5), 1)
    assert window.first_double == window.first_pass == pytest.approx(1)
    assert math.isnan(window.last_no_double)
    assert math.isnan(window.last_take)


def test_every_opponent_beside_a_race(monkeypatch):
    alone = bearoff.Race(*2 * [Position.parse("0,2,2,0,0,0")])
    with refused(bearoff.TableError, "opponent"):
        doubling_window(bearoff.match_race(alone, (2, 4)), alone.roller.number)
    sides = [Position.parse(text) for text in ("0,2,1,0,0,1", "1,1,1,0,0,1")]
    race = bearoff.Race(*sides)
    right = doubling_window(match_table(4, (4, 3)), sides[0].number)
    table = bearoff.match_race(race, (4, 3), opponents=4)
    assert (table.checkers, table.opponents) == (1, 4)
    found = doubling_window(table, sides[0].number)
    np.testing.assert_equal(astuple(found), astuple(right))  # With what is not there, nan.
    # A side with a checker on the 6-point can come to any one checker, and not any two.
    assert table.exchanged().opponents == 1
    monkeypatch.setattr("bearoff.match_solver.opening.MOST_FOR_WINDOWS", 1000)
    assert bearoff.match_race(race, (4, 3), opponents=4).opponents == 1


def test_a_table_that_is_not_built_is_not_solved_unasked():
    with refused(MissingTableError, "--checkers 2", "--score 3 8"):
        match_table(2, (3, 8), solve=False)


def test_refusals():
    for table in (built(5), match_table(5, (3, 5))):
        with refused(BearoffError, "opponent"):
            doubling_window(table, 1, "opponent")
        with refused(PositionError, "sides"):
            doubling_window(table, 0)
        with refused(PositionError, 462):
            doubling_window(table, 462)
