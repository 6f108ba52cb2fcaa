"""Losses of cube formulas compared with exact fractions, a bootstrap and calculations by
hand.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from bearoff import unrank
from bearoff.analysis import FitError, formulas
from bearoff.analysis.formulas.writing import Worksheet
from bearoff.analysis.outcomes import Gains
from bearoff.analysis.scoring import ValuedDecisions, loss_difference, score_formulas
from bearoff.analysis.scoring.decisions import HOPELESS, REASONABLE, gains_of
from bearoff.analysis.scoring.scores import Clusters
from bearoff.matchup import CubeDecision
from bearoff.sim.populations import DecisionValues
from tests.sim.populations.conftest import built_population
from tests.two_sided_tables import built


def some(n=60, games=20, seed=5):
    """Return random decisions whose gains are multiples of 1/64, so that sums are exact."""
    rng = np.random.default_rng(seed)
    return ValuedDecisions(
        unrank(rng.integers(1, 3000, n)),
        unrank(rng.integers(1, 3000, n)),
        rng.random(n),
        Gains(*(rng.integers(-40, 64, n) / 64 for _ in range(3))),
        rng.integers(1, 5, n).astype(np.float64),
        rng.integers(0, games, n),
        float(games),
    )


@pytest.mark.parametrize("name", ["keith", "thorp", "isight", "ward"])
def test_scores_equal_those_of_worksheets_with_exact_fractions(name):
    decisions, formula = some(), formulas.get(name)
    lost, visits, wrong = (dict.fromkeys(Gains.ACTIONS, Fraction(0)) for _ in range(3))
    for i in range(len(decisions)):
        both = decisions.rollers[i], decisions.opponents[i]
        verdict = formula.work(Worksheet(), tuple(tuple(side.tolist()) for side in both))
        weight = Fraction(decisions.weights[i])
        gain = {a: Fraction(getattr(decisions.gains, a)[i]) for a in Gains.ACTIONS}
        asked = gain["double"] >= Fraction(-5, 100) and gain["take"] >= Fraction(-1, 2)
        for action in Gains.ACTIONS:
            if action == "take" and not asked:
                continue
            worse = -gain[action] if getattr(verdict, action) else gain[action]
            visits[action] += weight
            lost[action] += weight * max(worse, Fraction(0))
            wrong[action] += weight * (worse > 0)
    (score,) = score_formulas([formula], decisions)
    for action in Gains.ACTIONS:
        found, count = score.actions[action], visits[action]
        assert found.decisions == count
        # The sums are exact in float64, so only the division is rounded.
        assert found.lost.value == pytest.approx(float(lost[action] / count), 1e-12)
        assert found.wrong.value == pytest.approx(float(wrong[action] / count), 1e-12)
    everything = sum(lost.values(), Fraction(0))
    met = Fraction(decisions.weights.sum())
    assert score.total.value == pytest.approx(float(everything / met), 1e-12)
    assert score.per_game.value == pytest.approx(float(everything / 20), 1e-12)


def test_the_bounds_of_a_reasonable_take_are_inclusive():
    double = np.array([-REASONABLE, -REASONABLE - 0.001, 0.2, 0.2])
    take = np.array([0.5, 0.5, -HOPELESS, -HOPELESS - 0.001])
    decisions = replace(some(4), gains=Gains(double, double, take))
    assert decisions.asked.tolist() == [True, False, True, False]
    passes = CubeDecision(*np.zeros((3, 4), bool))
    assert decisions.lost(passes)["take"].tolist() == [0.5, 0, 0, 0]


def test_gains_are_those_of_the_better_answer():
    waits, taken = (np.array([0.9, 0.4]), np.array([0.95, 0.5])), np.array([1.25, 0.5])
    none, table = np.zeros(2), np.zeros(2, dtype=np.int8)
    values = DecisionValues(none, *waits, taken, none, table)
    gains = gains_of(values)
    assert gains.double == pytest.approx([0.1, 0.1])
    assert gains.redouble == pytest.approx([0.05, 0.0])
    assert gains.take == pytest.approx([-0.25, 0.5])
    # At a match score, the separate equity `redouble_take` changes only the gain of a
    # redouble.
    at_score = gains_of(replace(values, redouble_take=np.array([0.7, 2.0])))
    assert at_score.redouble == pytest.approx([-0.25, 0.5])
    assert (at_score.double == gains.double).all()
    assert (at_score.take == gains.take).all()


def test_standard_errors_against_a_bootstrap_of_games():
    # Each game has several decisions, with the losses of two formulas.
    rng = np.random.default_rng(11)
    sizes = rng.integers(1, 9, 400)
    games = np.repeat(np.arange(400), sizes)
    shared = rng.gamma(0.5, 1.0, 400)[games]
    one = shared * rng.random(len(games))
    other = one * rng.random(len(games))
    for values in (one, one - other):
        sums = np.bincount(games, values)
        drawn = rng.integers(0, 400, (4000, 400))
        means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
        found = Clusters(np.ones(len(games)), games).mean(values)
        assert found.value == pytest.approx(values.mean(), 1e-12)
        # The tolerance is for the sampling errors of the bootstrap and of the formula.
        assert found.error == pytest.approx(means.std(), rel=0.05)
        independent = values.std() / np.sqrt(len(values))
        assert found.error > 1.3 * independent


def test_a_row_of_weight_3_is_as_reliable_as_three_rows():
    rng = np.random.default_rng(2)
    values = rng.random(3000)
    merged = Clusters(np.full(3000, 3.0), np.arange(3000)).mean(values)
    apart = Clusters(np.ones(9000), np.arange(9000)).mean(np.repeat(values, 3))
    assert merged.value == pytest.approx(apart.value, 1e-12)
    assert merged.error == pytest.approx(apart.error, 1e-9)
    rng = np.random.default_rng(8)
    values = rng.random(4000)
    weights = np.repeat([2.0, 1.0], 2000)
    found = Clusters(weights, np.arange(4000), np.ones(4000)).mean(values)
    mean = (weights @ values) / weights.sum()
    error = np.sqrt((weights**2) @ (values - mean) ** 2) / weights.sum()
    assert found.value == pytest.approx(mean, 1e-12)
    assert found.error == pytest.approx(error, 1e-9)


def test_balanced_lengths_count_the_same():
    decisions = some(400, 400)
    even = decisions.balanced()
    fewer = np.minimum(decisions.rollers.sum(axis=1), decisions.opponents.sum(axis=1))
    shares = [
        even.weights[(low <= fewer) & (fewer <= high)].sum()
        for low, high in ((1, 4), (5, 8), (9, 12), (13, 15))
    ]
    assert min(s for s in shares if s) == pytest.approx(max(shares))
    assert even.weights.sum() == pytest.approx(decisions.weights.sum())
    within = even.weights / decisions.weights
    assert len(set(within[fewer == fewer[0]].round(9))) == 1


def test_a_difference_is_surer_than_its_parts():
    decisions = some(600, 200)
    rules = [*map(formulas.get, ("keith", "keith-unrounded"))]
    one, other = score_formulas(rules, decisions)
    difference = loss_difference(one, other, decisions)
    assert difference.value == pytest.approx(one.total.value - other.total.value, abs=1e-12)
    assert 0 < difference.error < 0.5 * one.total.error


def test_errors_of_chances_by_hand():
    decisions, thorp = some(2, 2), formulas.get("thorp")
    estimated = thorp.win_probability(decisions.rollers, decisions.opponents)
    off, weights = estimated - decisions.win_probability, decisions.weights
    score, keith = score_formulas([thorp, formulas.get("keith")], decisions)
    absolute = (weights @ np.abs(off)) / weights.sum()
    assert score.chance.absolute.value == pytest.approx(absolute)
    assert score.chance.rms == pytest.approx(np.sqrt((weights @ off**2) / weights.sum()))
    assert score.chance.bias.value == pytest.approx((weights @ off) / weights.sum())
    assert sum(n for n, _, _ in score.chance.calibration) == weights.sum()
    assert keith.chance is None


@pytest.fixture(scope="module")
def population(tmp_path_factory):
    built(3)
    folder = tmp_path_factory.mktemp("populations")
    return built_population(folder, "checkers-3", size=600, checkers=3)


def test_decisions_of_a_population_are_those_of_the_table(population):
    table = built(3)
    decisions = ValuedDecisions.of_population(population, "test")
    tested = population.split("test").decisions
    x, y = tested.rollers, tested.opponents
    doubled = np.minimum(table.double_take(x, y), 1)
    assert decisions.gains.double == pytest.approx(doubled - table.no_double(x, y))
    assert decisions.gains.take == pytest.approx(1 - table.double_take(x, y))
    assert decisions.played == population.about["games"]["test"]
    assert decisions.weights.sum() == tested.weights.sum()
    whole = ValuedDecisions.of_population(population)
    assert len(whole) == len(population)
    assert whole.played == 600
    none = population.chosen(population.decisions.splits != 2)
    with pytest.raises(FitError, match="checkers-3"):
        ValuedDecisions.of_population(none, "test")
