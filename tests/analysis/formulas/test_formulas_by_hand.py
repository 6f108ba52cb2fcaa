"""Published cube formulas compared with published examples and calculations by hand."""

from math import erf, log, sqrt

import numpy as np
import pytest

import bearoff
from bearoff.analysis import formulas
from bearoff.analysis.formulas.writing import Worksheet
from tests.analysis.formulas.races_by_pips import decide, with_pips


@pytest.mark.parametrize(
    # `double` and `redouble` are the opponent's lowest pip counts for these actions of the
    # roller; `last_take` is the opponent's highest pip count for a take.
    ("name", "roller", "double", "redouble", "last_take"),
    [
        # Trice published the last takes for 45, 28, 87 and 115 pips.
        *(
            ("trice-62", count, count + last - 3, count + last - 2, count + last)
            for count, last in ((45, 5), (28, 3), (87, 10), (115, 13), (62, 8), (63, 8))
        ),
        # This row is Benjamin's published example.
        ("benjamin", 86, 93, 94, 96),
    ],
)
def test_thresholds_of_pip_counts(name, roller, double, redouble, last_take):
    for opponent in range(double - 1, last_take + 2):
        expected = (opponent >= double, opponent >= redouble, opponent <= last_take)
        assert decide(name, roller, opponent) == expected


@pytest.mark.parametrize(
    ("roller", "opponent", "chance"),
    [
        ((2, 0, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0), 0.74),
        ((2, 2, 2, 2, 2, 2), (2, 2, 2, 2, 2, 2), 0.616),
        # With this lead, the formula would give more than 100%.
        ((2, 2, 2, 2, 2, 2), (0, 0, 0, 5, 5, 5), 1),
    ],
)
def test_thorp_by_hand(roller, opponent, chance):
    # Thorp raises the roller's count by 10% only if it is above 30. The win probability is
    # 74% less 2% for each pip by which this count exceeds the opponent's.
    sides = np.array([roller]), np.array([opponent])
    assert formulas.get("thorp").win_probability(*sides) == pytest.approx([chance])


def test_isight_by_hand():
    # Isight penalises the roller's additional checkers, stacks on the ace point, and gaps
    # where the opponent has checkers. It adds a pip for each crossover that the roller
    # needs beyond the opponent's crossovers.
    far = (0, 0, 0, 2, 2, 2, 0, 2, 0, 0, 0, 0, 1)
    near = (0, 0, 0, 3, 3, 2, 1, 0, 0, 0, 0, 0, 0)
    for roller, opponent, counts in (
        ((5, 1, 0, 0, 2, 0), (0, 0, 2, 2, 2, 0), (17 + 2 + 6 + 1, 24)),
        (far, near, (30 + 16 + 13 + 3, 46)),
    ):
        found = formulas.get("isight").count.of(np.array([roller]), np.array([opponent]))
        assert np.ravel(found).tolist() == list(counts)


def test_bower_and_kleinman_by_hand():
    # Bower's win probability is 54% plus twice the lead in percent of the roller's count.
    bower = formulas.get("bower")
    chance = bower.win_probability(with_pips(100, 70), with_pips(110, 70))
    assert chance.tolist() == pytest.approx([0.74, 0.54])
    assert decide("bower", 100, 110) == (True, True, True)
    # `k` is Kleinman's K for pip counts of 100 and 113.
    k = 17**2 / 209
    assert k == pytest.approx(1.383, abs=5e-4)
    chance = formulas.get("kleinman").win_probability(with_pips(100), with_pips(113))
    assert chance[0] == pytest.approx((1 + erf(sqrt(k) / 2)) / 2, abs=1e-12)


@pytest.mark.parametrize(
    # Kleinman's published table gives the opponent's win probability for each K in whole
    # percent.
    ("k", "percent"),
    [(1.8, 17), (1.4, 20), (1.2, 22), (0.9, 25), (0.55, 30)],
)
def test_kleinmans_table(k, percent):
    # The tolerance is for the rounding of Kleinman's printed table.
    kleinman = formulas.get("kleinman")
    chance = kleinman.of_metric(np.array([sqrt(196 * k)]), np.array([196.0]))[0]
    assert 100 * (1 - chance) == pytest.approx(percent, abs=0.6)
    assert kleinman.metric_at(chance) == pytest.approx(k, abs=1e-9)


@pytest.mark.parametrize("name", ["kleinman", "johansen"])
def test_metrics_are_even_four_pips_behind(name):
    formula = formulas.get(name)
    chance = formula.win_probability(with_pips(80, 80, 80), with_pips(76, 70, 82))
    assert chance[0] == 0.5
    assert 0 < chance[1] < 0.5
    assert chance[2] > 0.5


@pytest.mark.parametrize("name", ["kleinman", "johansen"])
def test_the_sum_of_few_pips_is_written_as_it_is(name):
    for theirs, written in ((1, "1 + 1 - 4 = -2; the divisor"), (4, "1 + 4 - 4 = 1")):
        sheet = Worksheet()
        formulas.get(name).work(sheet, [(1,), (0,) * (theirs - 1) + (1,)])
        (found,) = [step.arithmetic for step in sheet.steps if step.words.startswith("S:")]
        assert found.startswith(written)
        assert found.endswith("1")


@pytest.mark.parametrize(
    # Johansen's examples have a roller with 100 pips. The win probabilities are calculated
    # by hand from Johansen's rule.
    ("opponent", "k", "chance"),
    [
        (113, 1.383, 0.76 + 0.114 * log(17**2 / 209)),
        (106, 0.495, 0.5 + 0.267 * sqrt(10**2 / 202)),
    ],
)
def test_johansen(opponent, k, chance):
    found = formulas.get("johansen").win_probability(with_pips(100), with_pips(opponent))
    assert found[0] == pytest.approx(chance, abs=1e-12)
    assert found[0] == pytest.approx({113: 0.797, 106: 0.688}[opponent], abs=5e-4)
    assert (opponent - 96) ** 2 / (96 + opponent) == pytest.approx(k, abs=5e-4)


def test_epc_rule_by_hand(table):
    # The rule's thresholds for the lead depend on the roller's EPC.
    numbers = np.arange(1, 54264, 701)
    counts = bearoff.unrank(numbers, 6)
    x, y = np.repeat(counts, len(counts), axis=0), np.tile(counts, (len(counts), 1))
    ours = np.repeat(table.epc[numbers], len(numbers))
    lead = np.tile(table.epc[numbers], len(numbers)) - ours
    n = (ours - 1) / 7
    decision = formulas.get("epc").decide(x, y)
    assert (decision.double == (lead >= n - 5)).all()
    assert (decision.redouble == (lead >= n - 4)).all()
    assert (decision.take == (lead <= n - 1)).all()
    assert 0.1 < decision.redouble.mean() < 0.9


@pytest.mark.parametrize(
    # The expected percentages are values of the normal distribution function.
    ("ours", "theirs", "percent"),
    [(40, 40, 69.15), (43.5, 36.5, 50.0), (36.5, 43.5, 84.13), (59, 61, 70.56)],
)
def test_the_ladders_chance_by_hand(ours, theirs, percent):
    scale = formulas.get("ladder").chance
    found = scale.percent(np.array([float(ours)]), np.array([float(theirs - ours)]))
    assert found[0] == pytest.approx(percent, abs=0.005)
