"""Published formulas compared with published examples and calculations by hand."""

from math import erf, log, sqrt

import numpy as np
import pytest

import bearoff
from bearoff.analysis import formulas
from bearoff.analysis.formulas.counting import Count
from bearoff.analysis.formulas.counting.sides import pips
from bearoff.analysis.formulas.rules import CountRule, CountWinRule, Line
from bearoff.analysis.formulas.writing import Worksheet
from tests.analysis.formulas.races_by_pips import decide, first, with_pips


@pytest.mark.parametrize(
    # Each row has the smallest opponent's counts for a double and for a redouble, and the
    # largest for a take.
    ("name", "roller", "double", "redouble", "last_take"),
    [
        # Robertie: 8%, 9% and 12% of a count of 100 are 8, 9 and 12 pips.
        ("8-9-12", 100, 108, 109, 112),
        # Trice's last takes: 45 against 50, 28 against 31, 87 against 97, 115 against 128.
        *(
            ("trice-62", count, count + last - 3, count + last - 2, count + last)
            for count, last in ((45, 5), (28, 3), (87, 10), (115, 13), (62, 8), (63, 8))
        ),
        # Benjamin's example for a count of 86: double at 93, redouble at 94, last take at
        # 96.
        ("benjamin", 86, 93, 94, 96),
        # Zare: a tenth of 100 is 10; double at 8, redouble at 9, the last take is at 12.
        ("zare", 100, 108, 109, 112),
    ],
)
def test_thresholds_of_pip_counts(name, roller, double, redouble, last_take):
    for opponent in range(double - 1, last_take + 2):
        expected = (opponent >= double, opponent >= redouble, opponent <= last_take)
        assert decide(name, roller, opponent) == expected


def counted(name, roller, opponent):
    """Return the adjusted counts of both sides, before the roller's is increased."""
    count = formulas.get(name).count
    ours, theirs = count.of(np.array([roller]), np.array([opponent]))
    return float(ours[0]), float(theirs[0])


def test_thorp_by_hand():
    # 2-2-2-2-2-2: 42 pips + 24 for twelve checkers + 2 aces - 6 points = 62.
    # 0-0-0-5-5-5: 75 + 30 + 0 - 3 = 102.   Two aces: 2 + 4 + 2 - 1 = 7.
    flat, high, aces = (2, 2, 2, 2, 2, 2), (0, 0, 0, 5, 5, 5), (2, 0, 0, 0, 0, 0)
    assert counted("thorp", flat, high) == (62, 102)
    thorp = formulas.get("thorp")
    # With two aces each, both counts are 7 and not increased (not above 30): redouble and
    # take.
    sides = np.array([aces]), np.array([aces])
    assert first(thorp.decide(*sides)) == (True, True, True)
    assert thorp.win_probability(*sides)[0] == pytest.approx(0.74)
    # The roller's 62 becomes 68.2, which is 6.2 behind: 74 - 12.4 percent.
    sides = np.array([flat]), np.array([flat])
    assert first(thorp.decide(*sides)) == (False, False, True)
    assert thorp.win_probability(*sides)[0] == pytest.approx(0.616)
    # A lead of 33.8 pips with 102 gives the maximum percentage.
    assert thorp.win_probability(np.array([flat]), np.array([high]))[0] == 1


def of_counts(formula, ours, theirs):
    """Return a rule's decision from adjusted counts."""
    return first(formula.of_count(np.array([float(ours)]), np.array([theirs - ours])))


def test_isight_by_hand():
    # Roller 5,1,0,0,2,0: 17 pips, 3 aces too many, and 2 more checkers than the opponent.
    # The roller has a gap on the 4 point, where the opponent has checkers: 1 more.
    roller, opponent = (5, 1, 0, 0, 2, 0), (0, 0, 2, 2, 2, 0)
    assert counted("isight", roller, opponent) == (17 + 2 + 6 + 1, 24)
    # Two checkers on the 8 point and one on the 13 point need 2 + 2 crossovers, and a
    # checker on the 7 point needs 1: a difference of 3.
    far = (0, 0, 0, 2, 2, 2, 0, 2, 0, 0, 0, 0, 1)
    near = (0, 0, 0, 3, 3, 2, 1, 0, 0, 0, 0, 0, 0)
    assert counted("isight", far, near) == (30 + 16 + 13 + 3, 46)
    chance = formulas.get("isight").chance
    # 80 less a third of 60 plus twice 5 is 70.
    assert chance.percent(np.array([60.0]), np.array([5.0]))[0] == pytest.approx(70)


YES, NO = True, False


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        # An adjusted count of 30 is not increased; 40 becomes 44.
        (30, 27, (NO, NO, YES)),
        (30, 28, (YES, NO, YES)),
        (30, 29, (YES, YES, YES)),
        (30, 31, (YES, YES, YES)),
        (30, 32, (YES, YES, NO)),
        (40, 42, (YES, NO, YES)),
        (40, 45, (YES, YES, YES)),
        (40, 46, (YES, YES, NO)),
    ],
)
def test_thorps_thresholds(ours, theirs, expected):
    assert of_counts(formulas.get("thorp"), ours, theirs) == expected


def test_ward_by_hand():
    # 18 pips; five aces are 6 too many; 7 checkers against 6; one covered point fewer.
    ward = formulas.get("ward")
    roller, opponent = np.array([[5, 0, 0, 1, 1, 0]]), np.array([[1, 1, 1, 1, 2, 0]])
    ours, theirs = ward.counts(roller, opponent)
    assert (ours[0], theirs[0]) == (14 + 6 + 2, 20 - 2)
    # Two additional checkers outside home count one pip.
    roller = np.array([[0, 0, 2, 2, 2, 2, 2, 2]])
    opponent = np.array([[0, 0, 3, 3, 2, 2, 1, 1]])
    ours, theirs = ward.counts(roller, opponent)
    assert (ours[0], theirs[0]) == (36 + 30 + 1, 43 + 15)


class RawWard(type(formulas.get("ward"))):
    """Ward's rule on pip counts, to test only its lines."""

    def counts(self, rollers, opponents):
        return pips(rollers).astype(float), pips(opponents).astype(float)


@pytest.mark.parametrize(
    ("roller", "opponent", "expected"),
    [
        # 100 becomes 110; with a mean of 100 or more, 4 pips behind is a take.
        (100, 107, (False, False, True)),
        (100, 108, (True, False, True)),
        (100, 109, (True, True, True)),
        (100, 114, (True, True, True)),
        (100, 115, (True, True, False)),
        # 70 becomes 77; the mean with 80 is 75, and 3 pips behind is a take.
        (70, 80, (True, True, True)),
        (70, 81, (True, True, False)),
        # 40 becomes 44; with a mean of at most 50, 2 pips behind is a take.
        (40, 46, (True, True, True)),
        (40, 47, (True, True, False)),
        # 65 becomes 71.5; 74 is 2.5 above, 2.78 are allowed; 75 is 3.5, 2.8 are.
        (65, 74, (True, True, True)),
        (65, 75, (True, True, False)),
        # 80 becomes 88; 91 is 3 above, 3.42 are allowed; 92 is 4, 3.44 are.
        (80, 91, (True, True, True)),
        (80, 92, (True, True, False)),
    ],
)
def test_wards_thresholds(roller, opponent, expected):
    assert first(RawWard().decide(with_pips(roller), with_pips(opponent))) == expected


def test_bower_by_hand():
    # A lead of 10% gives 54 + 20 percent.
    bower = formulas.get("bower")
    chance = bower.win_probability(with_pips(100, 70), with_pips(110, 70))
    assert chance.tolist() == pytest.approx([0.74, 0.54])
    assert decide("bower", 100, 110) == (True, True, True)


def test_kleinman_by_hand():
    # With counts 100 and 113, K = 17^2 / 209, and the chance is the normal distribution at
    # sqrt(K / 2).
    k = 17**2 / 209
    assert k == pytest.approx(1.383, abs=5e-4)
    chance = formulas.get("kleinman").win_probability(with_pips(100), with_pips(113))
    assert chance[0] == pytest.approx((1 + erf(sqrt(k) / 2)) / 2, abs=1e-12)


@pytest.mark.parametrize(
    # Kleinman's table has the opponent's chance for each K, in whole percent.
    ("k", "percent"),
    [(1.8, 17), (1.4, 20), (1.2, 22), (0.9, 25), (0.55, 30)],
)
def test_kleinmans_table(k, percent):
    # The table rounds K to two figures (at most 0.6%) and the chance to whole percent.
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
    # The leads are 6 below and 6 above the even point; the sums of the counts are 146 and
    # 158.
    assert chance[2] > 0.5


@pytest.mark.parametrize("name", ["kleinman", "johansen"])
def test_the_sum_of_few_pips_is_written_as_it_is(name):
    for theirs, written in ((1, "1 + 1 - 4 = -2, too small"), (4, "1 + 4 - 4 = 1")):
        sheet = Worksheet()
        formulas.get(name).work(sheet, [(1,), (0,) * (theirs - 1) + (1,)])
        (found,) = [step.arithmetic for step in sheet.steps if step.words.startswith("S,")]
        assert found.startswith(written)
        assert found.endswith("1")


@pytest.mark.parametrize(
    # Johansen's examples, and calculations by hand: K = 17^2 / 209 and 10^2 / 202.
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
    # N = (E - 1) / 7; double from N - 5, redouble from N - 4, last take at N - 1.
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


def test_a_rule_that_passes_ties():
    rule = CountRule("", "", Count(), Line(None, 1), Line(None, 2), Line(None, 3))
    strict = CountRule("", "", Count(), Line(None, 1), Line(None, 2), Line(None, 3), True)
    assert of_counts(rule, 50, 53) == (True, True, True)
    assert of_counts(strict, 50, 53) == (True, True, False)
    assert of_counts(strict, 50, 52) == (True, True, True)
    assert not isinstance(rule, CountWinRule)


@pytest.mark.parametrize(
    # At a mean of 40, the roll is worth 7 and the spread is 14; half way to 80 they are 8
    # and 18.5. The normal distribution is 69.15% at half a spread, and 84.13% at one.
    ("ours", "theirs", "percent"),
    [(40, 40, 69.15), (43.5, 36.5, 50.0), (36.5, 43.5, 84.13), (59, 61, 70.56)],
)
def test_the_ladders_chance_by_hand(ours, theirs, percent):
    scale = formulas.get("ladder").chance
    found = scale.percent(np.array([float(ours)]), np.array([float(theirs - ours)]))
    assert found[0] == pytest.approx(percent, abs=0.005)
