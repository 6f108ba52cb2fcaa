"""Gains of cube actions, and losses and errors of formulas over outcomes of games."""

from dataclasses import replace

import numpy as np
import pytest

from bearoff import CubeThresholds
from bearoff.analysis.formulas.rules import decide_by_chance
from bearoff.analysis.outcomes import Gains
from bearoff.analysis.outcomes.intervals import Mean
from bearoff.analysis.outcomes.scores import score_chance, score_decision
from bearoff.matchup import CubeDecision


def test_weights_count_and_equal_ones_give_the_usual_error():
    values = np.array([1.0, 4.0, 7.0, 10.0, -3.0])
    mean = Mean.of(values, np.full(5, 2.0))
    assert mean.value == pytest.approx(values.mean())
    assert mean.error == pytest.approx(values.std(ddof=1) / np.sqrt(5))
    values = np.array([0.0, 1.0, 5.0])
    assert Mean.of(values, np.array([1.0, 3.0, 0.0])).value == pytest.approx(0.75)
    weights = np.array([1.0, 2.0, 3.0])
    assert Mean.of(values, weights) == Mean.of(values, 2 * weights)


def test_error_is_the_spread_of_the_mean():
    rng = np.random.default_rng(8)
    weight = rng.uniform(0.5, 1.5, 200)
    means = [Mean.of(rng.exponential(1, 200), weight) for _ in range(2000)]
    spread = np.std([mean.value for mean in means])
    assert np.mean([mean.error for mean in means]) == pytest.approx(spread, rel=0.06)


def test_chance_errors_by_hand(grid):
    wins, weight = np.array([50, 60, 70]), np.array([1.0, 1.0, 2.0])
    few = replace(grid[:3], wins=wins, games=np.full(3, 100), weight=weight)
    score = score_chance(np.array([0.5, 0.7, 0.6]), few)
    assert score.pairs == 3
    # The errors of the three win probabilities are 0, 0.1 and -0.1, with weights 1, 1 and
    # 2.
    assert score.absolute.value == pytest.approx(0.075)
    assert score.rms.value == pytest.approx(np.sqrt(0.0075))
    assert abs(score.worst) == pytest.approx(0.1)
    assert score.worst_pair in list(zip(few.roller, few.opponent, strict=True))


def test_a_perfect_formula_errs_by_the_floor(grid):
    score = score_chance(grid.expected, grid)
    for mean, floor in (
        (score.rms, score.floor_rms), (score.absolute, score.floor_absolute)
    ):  # fmt: skip
        assert mean.value == pytest.approx(floor, abs=4 * mean.error)
    # A small standard error ensures that the comparisons above are strict.
    assert score.rms.error < 0.05 * score.floor_rms


def test_right_decisions_cost_nothing_and_expected_ones_the_floor(grid):
    score = score_decision(decide_by_chance(grid.win_probability, 0.7), grid, 0.7)
    assert score.total.value == pytest.approx(0, abs=1e-12)
    for action in score.actions.values():
        assert (action.wrong, action.clear) == (0, 0)
    score = score_decision(decide_by_chance(grid.expected, 0.7), grid, 0.7)
    for action in score.actions.values():
        assert action.lost.value == action.floor
        # Noise changes decisions near the thresholds, but hardly any clear decisions.
        assert action.clear <= 0.05
    unknown = replace(grid, expected=np.full(len(grid), np.nan))
    score = score_decision(decide_by_chance(grid.win_probability), unknown, 0.7)
    assert [action.floor for action in score.actions.values()] == [None, None, None]


def test_never_doubling_is_priced_by_hand(grid):
    p = np.array([0.5, 0.75])
    pair = replace(
        grid[:2], wins=np.array([500, 750]), games=np.full(2, 1000), expected=p,
        weight=np.array([3.0, 1.0]),
    )  # fmt: skip
    never = CubeDecision(np.zeros(2, bool), np.zeros(2, bool), np.ones(2, bool))
    score = score_decision(never, pair, 0.0)
    # With a dead cube, doubling gains nothing at a win probability of 50%, and 0.5 points
    # at 75%.
    assert score.actions["double"].lost.value == pytest.approx(0.125)
    assert score.actions["double"].worst == pytest.approx(0.5)
    assert score.actions["take"].lost.value == 0
    assert score.total.value == pytest.approx(0.25)
    # At 50%, doubling and waiting are equal with a dead cube, so this decision is not
    # wrong.
    assert score.actions["double"].wrong == 1
    assert score.actions["double"].clear == pytest.approx(0.25)


@pytest.mark.parametrize("efficiency", [0.0, 0.5, 0.7, 1.0])
def test_gains_change_sign_at_janowskis_thresholds(efficiency):
    at = CubeThresholds.janowski(efficiency)
    step = np.array([-1e-4, 1e-4])
    for action in ("double", "redouble"):
        below, above = getattr(Gains.at(getattr(at, action) + step, efficiency), action)
        assert below < 0 < above or (efficiency == 1.0 and below < 0 <= above + 1e-12)
    below, above = Gains.at(at.cash + step, efficiency).take
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
    # The loss of always doubling or taking, minus the loss of never doing so, is minus the
    # action's gain.
    both = (CubeDecision(*3 * [np.full(99, acts)]) for acts in (False, True))
    never, always = map(gains.lost, both)
    for action in Gains.ACTIONS:
        assert always[action] - never[action] == pytest.approx(-getattr(gains, action))
