"""Janowski's model compared with textbook values and exact decisions."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import bearoff
from bearoff import CubeThresholds, cubeful_equity


@pytest.mark.parametrize(
    ("efficiency", "double", "cash"),
    # Textbook thresholds: a double needs 50% with a dead cube, and 80% with a live cube
    # (Keeler and Spencer).
    [(0, 0.5, 0.75), (1, 0.8, 0.8)],
)
def test_textbook_points(efficiency, double, cash):
    at = CubeThresholds.janowski(efficiency)
    assert (at.double, at.redouble, at.cash) == pytest.approx((double, double, cash))


@given(st.floats(0, 1))
def test_thresholds_are_where_equities_meet(efficiency):
    at = CubeThresholds.janowski(efficiency)

    def equity(p, cube):
        return float(cubeful_equity(p, cube, efficiency))

    assert at.efficiency == efficiency
    assert 0.5 <= at.double <= at.redouble + 1e-12 <= at.cash + 2e-12
    assert 2 * equity(at.cash, "opponent") == pytest.approx(1, abs=1e-12)
    for p, cube in ((at.double, "centred"), (at.redouble, "owned")):
        assert 2 * equity(p, "opponent") == pytest.approx(equity(p, cube), abs=1e-12)


@pytest.mark.parametrize("cube", ["owned", "centred", "opponent"])
def test_ends_and_direction(cube):
    p = np.linspace(0, 1, 101)
    for efficiency in (0, 0.3, bearoff.RACE_EFFICIENCY, 1):
        equity = cubeful_equity(p, cube, efficiency)
        assert (equity[0], equity[-1]) == (-1, 1)
        assert (np.diff(equity) >= 0).all()
    assert cubeful_equity(p, cube, 0) == pytest.approx(2 * p - 1)
