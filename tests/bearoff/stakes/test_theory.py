"""Janowski's model against textbook points, its own definitions and last-roll cubes."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import bearoff
from bearoff import CubeThresholds, cubeful_equity
from tests import published
from tests.refusals import refused

EFFICIENCY = st.floats(0, 1)
CUBES = ["owned", "centred", "opponent"]


def test_dead_cube():
    # Half the games are enough to double in the last roll, a quarter to take.
    dead = CubeThresholds.janowski(0)
    assert (dead.double, dead.redouble, dead.cash) == (0.5, 0.5, 0.75)


def test_live_cube():
    # Keeler and Spencer: double at 80%, where the opponent can barely take.
    live = CubeThresholds.janowski(1)
    assert (live.double, live.redouble, live.cash) == pytest.approx((0.8, 0.8, 0.8))


@given(EFFICIENCY)
def test_thresholds_are_where_equities_meet(efficiency):
    at = CubeThresholds.janowski(efficiency)

    def equity(p, cube):
        return float(cubeful_equity(p, cube, efficiency))

    assert at.efficiency == efficiency
    assert 0.5 <= at.double <= at.redouble + 1e-12 <= at.cash + 2e-12
    assert 2 * equity(at.cash, "opponent") == pytest.approx(1, abs=1e-12)
    assert 2 * equity(at.double, "opponent") == pytest.approx(
        equity(at.double, "centred"), abs=1e-12
    )
    assert 2 * equity(at.redouble, "opponent") == pytest.approx(
        equity(at.redouble, "owned"), abs=1e-12
    )


@given(st.floats(0, 1), EFFICIENCY)
def test_what_is_the_rollers_is_not_the_opponents(p, efficiency):
    owned, centred, opponent = (float(cubeful_equity(p, c, efficiency)) for c in CUBES)
    # Owning the cube is worth most, and what one side has the other lacks.
    assert opponent - 1e-12 <= centred <= owned + 1e-12
    assert owned == pytest.approx(
        -float(cubeful_equity(1 - p, "opponent", efficiency)), abs=1e-12
    )
    assert centred == pytest.approx(
        -float(cubeful_equity(1 - p, "centred", efficiency)), abs=1e-12
    )
    assert opponent >= -1
    assert owned <= 1


@pytest.mark.parametrize("cube", CUBES)
def test_ends_and_direction(cube):
    p = np.linspace(0, 1, 101)
    for efficiency in (0, 0.3, bearoff.RACE_EFFICIENCY, 1):
        equity = cubeful_equity(p, cube, efficiency)
        assert (equity[0], equity[-1]) == (-1, 1)
        assert (np.diff(equity) >= 0).all()
    assert cubeful_equity(p, cube, 0) == pytest.approx(2 * p - 1)


def test_last_roll_is_a_dead_cube():
    p = bearoff.fewest_rolls_win_probability(
        bearoff.rank([0, 1, 0, 0, 1, 0]), bearoff.rank([1, 0, 0, 0, 0, 0])
    )
    opponents = cubeful_equity(p, "opponent", 0)
    assert opponents == pytest.approx(published.FIVE_TWO_OPPONENT_OWNS, abs=0.5e-6)
    assert 2 * opponents == pytest.approx(
        published.FIVE_TWO_OWNED_AND_REDOUBLED, abs=0.5e-6
    )
    dead = CubeThresholds.janowski(0)
    assert dead.redouble < p < dead.cash  # Redouble, take.


def test_shapes():
    assert cubeful_equity([[0.1, 0.2], [0.3, 0.4]], "owned").shape == (2, 2)
    assert cubeful_equity([], "owned").shape == (0,)
    assert np.shape(cubeful_equity(0.5, "owned")) == ()


@pytest.mark.parametrize("efficiency", [-0.01, 1.01, float("nan"), float("inf")])
def test_wrong_efficiency_is_refused(efficiency):
    for refuses in (
        lambda: CubeThresholds.janowski(efficiency),
        lambda: cubeful_equity(0.5, "owned", efficiency),
    ):
        with refused(bearoff.BearoffError, "efficiency", 0, 1):
            refuses()


@pytest.mark.parametrize("p", [-0.01, 1.01, float("nan"), [0.5, 2]])
def test_wrong_probability_is_refused(p):
    with refused(bearoff.BearoffError, "probability", 0, 1):
        cubeful_equity(p, "owned")


def test_wrong_cube_is_refused():
    with refused(bearoff.BearoffError, "mine"):
        cubeful_equity(0.5, "mine")
