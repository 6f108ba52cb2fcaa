"""Published cube formulas compared with published examples and calculations by hand."""

from math import erf, log, sqrt

import numpy as np
import pytest

import bearoff
from bearoff.analysis import formulas
from bearoff.analysis.formulas.writing import Worksheet
from tests.analysis.formulas.races_by_pips import decide, with_pips


@pytest.mark.parametrize(
    # `last` is the largest lead for a take.
    ("name", "roller", "last"),
    [
        # Trice published the last takes for 45, 28, 87 and 115 pips.
        *(("trice-62", *row) for row in ((45, 5), (28, 3), (87, 10), (115, 13))),
        ("trice-62", 62, 8),
        ("trice-62", 63, 8),
        ("benjamin", 86, 10),  # Benjamin's published example
    ],
)
def test_thresholds_of_pip_counts(name, roller, last):
    for lead in range(last - 4, last + 2):
        expected = (lead >= last - 3, lead >= last - 2, lead <= last)
        assert decide(name, roller, roller + lead) == expected


def test_thorp_by_hand():
    # Thorp raises the roller's count by 10% only if it is above 30. The win probability is
    # 74% less 2% for each pip by which this count exceeds the opponent's. In the last race,
    # the formula would give more than 100%.
    few, even, high = (2, 0, 0, 0, 0, 0), (2, 2, 2, 2, 2, 2), (0, 0, 0, 5, 5, 5)
    rollers, opponents = np.array([few, even, even]), np.array([few, even, high])
    found = formulas.get("thorp").win_probability(rollers, opponents)
    assert found == pytest.approx([0.74, 0.616, 1])


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
    k = 17**2 / 209  # Kleinman's K for pip counts of 100 and 113
    chance = formulas.get("kleinman").win_probability(with_pips(100), with_pips(113))
    assert chance[0] == pytest.approx((1 + erf(sqrt(k) / 2)) / 2, abs=1e-12)


def test_kleinmans_table():
    # Kleinman's published table gives the opponent's win probability for each K in whole
    # percent. The tolerance is for this rounding.
    kleinman, ks = formulas.get("kleinman"), np.array([1.8, 1.4, 1.2, 0.9, 0.55])
    chances = kleinman.of_metric(np.sqrt(196 * ks), np.full(5, 196.0))
    assert 100 * (1 - chances) == pytest.approx([17, 20, 22, 25, 30], abs=0.6)
    assert [*map(kleinman.metric_at, chances)] == pytest.approx(ks, abs=1e-9)


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
    ("opponent", "printed", "chance"),
    [
        (113, 0.797, 0.76 + 0.114 * log(17**2 / 209)),
        (106, 0.688, 0.5 + 0.267 * sqrt(10**2 / 202)),
    ],
)
def test_johansen(opponent, printed, chance):
    found = formulas.get("johansen").win_probability(with_pips(100), with_pips(opponent))
    assert found[0] == pytest.approx(chance, abs=1e-12)
    assert found[0] == pytest.approx(printed, abs=5e-4)


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


def test_the_ladders_chance_by_hand():
    ours, theirs = np.array([40, 43.5, 36.5, 59]), np.array([40, 36.5, 43.5, 61])
    found = formulas.get("ladder").chance.percent(ours, theirs - ours)
    # The expected percentages are values of the normal distribution function.
    assert found == pytest.approx([69.15, 50.0, 84.13, 70.56], abs=0.005)
