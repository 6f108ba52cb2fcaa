import numpy as np
import pytest

from bearoff import CubeThresholds
from bearoff.analysis.formulas.rules import decide_by_chance
from bearoff.analysis.outcomes import Gains
from bearoff.matchup import CubeDecision


@pytest.mark.parametrize("efficiency", [0.0, 0.5, 0.7, 1.0])
def test_gains_change_sign_at_janowskis_thresholds(efficiency):
    at = CubeThresholds.janowski(efficiency)
    step = 1e-4
    for action, point, rising in (
        ("double", at.double, True),
        ("redouble", at.redouble, True),
        ("take", at.cash, False),
    ):
        gains = Gains.at(np.array([point - step, point + step]), efficiency)
        below, above = getattr(gains, action)
        if rising:
            assert below < 0 < above or (efficiency == 1.0 and below < 0 <= above + 1e-12)
        else:
            assert below > 0 > above


def test_dead_cube_by_hand():
    # With a dead cube, a win probability of 60% is worth 0.2, and 0.4 after a double and a
    # take. The opponent loses 0.4 points by a take, and 1 point by a pass.
    # At 90%, passing is right: the opponent loses 1 point by a pass, and 1.6 by a take.
    gains = Gains.at(np.array([0.6, 0.9]), 0.0)
    assert gains.double == pytest.approx([0.2, 0.2])
    assert gains.redouble[0] == pytest.approx(0.2)
    assert gains.take == pytest.approx([0.6, -0.6])


def test_the_right_decision_loses_nothing_and_the_wrong_one_the_gain():
    p = np.linspace(0.01, 0.99, 99)
    gains = Gains.at(p, 0.7)
    right = decide_by_chance(p, 0.7)
    wrong = CubeDecision(~right.double, ~right.redouble, ~right.take)
    for action in Gains.ACTIONS:
        assert gains.lost(right)[action] == pytest.approx(0, abs=1e-12)
        assert gains.lost(wrong)[action] == pytest.approx(abs(getattr(gains, action)))
    # The loss of always acting, minus the loss of never acting, is the negative gain of the
    # action.
    both = (CubeDecision(*3 * [np.full(99, acts)]) for acts in (False, True))
    never, always = map(gains.lost, both)
    for action in Gains.ACTIONS:
        assert always[action] - never[action] == pytest.approx(-getattr(gains, action))
