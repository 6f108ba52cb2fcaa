"""The doubling window against one decision after the other."""

import math

import numpy as np
import pytest

import bearoff
from bearoff import BearoffError, Position, PositionError
from tests.bearoff.cube import cube_twin


@pytest.fixture(scope="module")
def five() -> bearoff.TwoSidedTable:
    bearoff.build_two_sided_table(5)
    return bearoff.two_sided_table(5)


@pytest.mark.parametrize("cube", ["centred", "owned"])
@pytest.mark.parametrize("roller", ["0,0,1,1,1,1", "0,2,0,3,0,0", "5,0,0,0,0,0"])
def test_edges_are_those_of_the_actions(five, roller, cube):
    number = Position.parse(roller).number
    window = bearoff.doubling_window(five, number, cube)
    opponents = np.arange(1, bearoff.position_count(6, 5))
    actions = bearoff.cube_actions(five, number, opponents, cube)
    chance = actions.win_probability
    clear = ~actions.double_too_close
    # A double that makes no difference counts; what is clear does in any case.
    assert window.first_double <= chance[clear & actions.doubles].min()
    assert window.first_double >= chance[~clear | actions.doubles].min()
    assert window.last_no_double >= chance[actions.wrong_double > 5e-5].max()
    assert window.last_no_double <= chance[~clear | ~actions.doubles].max()
    sure = ~actions.take_too_close
    assert window.first_pass == chance[sure & ~actions.takes].min()
    assert window.last_take == chance[sure & actions.takes].max()


def test_jacobys_paradox_makes_the_edges_overlap(five):
    # He redoubles at 19/36 against an opponent who is sure to win next time, and not yet
    # against one on the 3 and the 2.
    window = bearoff.doubling_window(five, Position.parse("0,1,0,0,1,0").number, "owned")
    weakest = cube_twin.cubeless((2, 5), (2, 3))
    assert window.first_double == pytest.approx(19 / 36, abs=1e-5)
    assert window.last_no_double == pytest.approx(float(weakest + 1) / 2, abs=1e-5)


def test_where_nobody_decides_so_there_is_no_edge(five):
    window = bearoff.doubling_window(five, 1)
    assert window.first_double == window.first_pass == pytest.approx(1)
    assert math.isnan(window.last_no_double)
    assert math.isnan(window.last_take)


def test_refusals(five):
    with pytest.raises(BearoffError, match="got 'opponent'"):
        bearoff.doubling_window(five, 1, "opponent")
    with pytest.raises(PositionError, match="both sides"):
        bearoff.doubling_window(five, 0)
    with pytest.raises(PositionError, match="got 462"):
        bearoff.doubling_window(five, 462)
