"""Parts of cube formulas, such as thresholds, fractions, adjustments and percentages."""

import re
from fractions import Fraction
from math import ceil, floor

import numpy as np
import pytest
from hypothesis import given, settings

import bearoff
from bearoff.analysis import FormulaError, formulas
from bearoff.analysis.formulas import Adjustment, Count, CountRule, Line
from bearoff.analysis.formulas.counting import Floor, estimates, get_estimate, side_epc
from bearoff.analysis.formulas.counting.sides import pips
from bearoff.analysis.formulas.rules import ChanceRule, LinearChance, Percent, RatioChance
from bearoff.analysis.formulas.writing import Worksheet
from tests.analysis.formulas.races_by_pips import first
from tests.analysis.formulas.test_formulas import races


def fitted(measure, chance, knee=None):
    at = bearoff.CubeThresholds.janowski(0.7)
    limits = (100 * limit for limit in (at.double, at.redouble, at.cash))
    return ChanceRule(measure, "", Count(start=measure), chance, *limits, knee=knee)


def lines(measure, *three):
    return CountRule(measure, "", Count(start=measure), *three)


def test_chances_by_hand():
    # Isight's win probability is 80%, minus a third of the count, plus twice the lead.
    isight = fitted("pips", LinearChance(80, Fraction(2), 3))
    assert isight.of_count(np.array([60.0]), np.array([5.0]))[0] == pytest.approx(0.70)
    bent = fitted("pips", LinearChance(80, Fraction(2), None), 80)
    got = bent.of_count(np.full(5, 60.0), np.array([-70.0, -35.0, 0.0, 5.0, 40.0]))
    # Percentages outside 20% to 80% are moved halfway back to these limits, and then
    # limited to 0% and 100%.
    assert got == pytest.approx([0, 0.15, 0.80, 0.85, 1])
    chance = fitted("pips", RatioChance(50, 250, 4.0, 30))
    assert chance.of_count(np.array([70.0]), np.array([6.0]))[0] == pytest.approx(0.75)


HALVES = Line(None, 4.0), Line(None, 4.5), Line(None, 6.0)
PARTS = Line(8, 0.0), Line(8, 0.0), Line(None, -0.5)
LESS = Line(12, -1.0), Line(12, 0.0), Line(12, 2.5)


@pytest.mark.parametrize(
    ("rule", "said"),
    # Each expected text lists words that the rule's text contains in this order. The
    # ellipsis (…) stands for any text.
    [
        (lines("epc", *HALVES), "EPC … double … −4 … redouble … −4½ … take … −6"),
        (lines("epc", *PARTS), "EPC … double … an eighth … take … −½"),
        (lines("pips", *LESS), "pip … a twelfth … double … 1 … redouble … 0 … take … −2½"),
        (formulas.get("keith"),
         "pips … +2 … 1-point … one … +1 … 2-point … one … 3-point … three … 4–6 … "
         "a seventh … down … double ≤4 … redouble ≤3 … take ≥2"),
        (formulas.get("isight"),
         "+1 … checker … +2 … 1-point … two … +1 … 2-point … two … 3-point … three … "
         "4–6 … crossover … a sixth … double ≤6 … redouble ≤5 … take ≥2"),
        (formulas.get("benjamin"),
         "a tenth … down … double ≤1 … redouble ≤0 … take ≥−2 … 60"),
        (formulas.get("8-9-12"), "double … 8% … redouble … 9% … take … 12%"),
    ],
)  # fmt: skip
def test_rules_in_words(rule, said):
    parts = map(re.escape, said.split(" … "))
    assert re.search(".*".join(parts), rule.text, re.IGNORECASE)


@pytest.mark.parametrize("divisor", [7, 9, 10, 100, None])
@pytest.mark.parametrize("rounded", ["no", "down", "up"])
@pytest.mark.parametrize(
    ("parts", "above", "less", "most"),
    [(1, 0, 0, None), (3, 30, 0, None), (1, 0, 5, None), (1, 0, 0, 9)],
)
def test_shares_are_exact(divisor, rounded, parts, above, less, most):
    line = Line(divisor, -1.5, parts, rounded, above, less, most)
    halves, shares = np.arange(0, 300) / 2, []
    for count in map(Fraction, halves):
        share = parts * (count - less) / divisor if divisor else Fraction(0)
        if above and count <= above:
            share = Fraction(0)
        if rounded != "no":
            share = Fraction(floor(share) if rounded == "down" else ceil(share))
        if most is not None and divisor:
            share = min(share, Fraction(most))
        assert line.share(count) == share
        shares.append(share)
    for lead in (0.0, 10.5):
        expected = np.sign([float(Fraction(lead + 1.5) - share) for share in shares])
        assert (np.sign(line.beyond(halves, np.full(300, lead))) == expected).all()
    assert line.at(halves) == pytest.approx(np.array(shares, float) - 1.5, abs=1e-12)


HALVES_ADDED = (
    Adjustment(0.5, "checkers", (2, 3), beyond=1, compared="matched"),
    Adjustment(-1.5, "covered"),
    Adjustment(0.5, "crossovers", compared="more"),
    Adjustment(1, "outside"),
)
OURS = (
    lines("pips", Line(10, -2.0), Line(7, -1.5), Line(None, 2.0)),
    lines("epc", Line(8, -2.0), Line(8, -1.5), Line(8, 2.0)),
    fitted("pips", LinearChance(80, Fraction(5, 2), 3), 80),
    fitted("epc", LinearChance(75, Fraction(1), None)),
    fitted("pips", RatioChance(50, 250, 4.5, 30)),
    ChanceRule("c", "", Count(), RatioChance(54, 200), 70, 72, 78),
    ChanceRule("c", "", Count(), Percent(80, Fraction(2), Line(6, 0)), 68, 70, 76),
    CountRule(
        "halves", "", Count(HALVES_ADDED, start="low-wastage"),
        Line(100, -2, parts=8, above=20), Line(9, -1, rounded="up"), Line(None, 4.5),
        passes_ties=True,
    ),
)  # fmt: skip
KNOWN = map(formulas.get, (*formulas.names(), *formulas.found_names()))


@pytest.mark.parametrize("formula", [*KNOWN, *OURS], ids=lambda f: f.name)
def test_the_pad_comes_to_what_the_arrays_say(formula):
    # Few random races suffice, because the formulas have many parts in common.
    @settings(max_examples=25)
    @given(races)
    def agree(race):
        sheet = Worksheet(epc=lambda side: float(side_epc(np.array([side]))[0]))
        verdict = formula.work(sheet, race)
        decided = first(formula.decide(*(np.array([side]) for side in race)))
        assert (verdict.double, verdict.redouble, verdict.take) == decided
        assert all(step.words and step.arithmetic and step.work for step in sheet.steps)

    agree()


def test_the_pad_takes_where_ward_just_does():
    # The test needs races exactly at Ward's limit for a take, so it searches many random
    # races.
    ward = formulas.get("ward")
    rng = np.random.default_rng(2)
    x, y = bearoff.unrank(rng.integers(1, 54264, (2, 60_000)), 6)
    ours, theirs = ward.counts(x, y)
    mean = (pips(x) + pips(y)) / 2
    on_line = np.flatnonzero(25 * (10 * theirs - 11 * ours) == 10 * np.clip(mean, 50, 100))
    assert len(on_line) > 20
    for i in on_line:
        assert ward.work(Worksheet(), (tuple(x[i].tolist()), tuple(y[i].tolist()))).take


@pytest.mark.parametrize(
    ("name", "side", "epc"),
    [
        ("n-roll", (8, 0, 0, 0, 0, 0), 29),  # 4 rolls: 7 x 4 + 1 pips
        ("n-roll", (3, 2, 0, 0, 0, 0), 22),
        ("low-wastage", (0, 0, 0, 5, 5, 5), 82),  # 75 pips + 7 pips of wastage
        ("low-wastage", (0, 0, 0, 3, 3, 2), 45.5),  # 39 pips + 6.5 pips of wastage
        ("low-wastage", (0, 0, 1, 2, 2, 1), 33),  # 27 pips + 6 pips of wastage
        ("flat", (2, 2, 2, 2, 2, 2), 52),  # 42 pips + 10 pips of wastage, Trice's example
        # This row is Trice's published example: 11 checkers on the ace point and one on the
        # 16 point.
        ("stack-and-stragglers", (11, *[0] * 14, 1), 58),
        ("stack-and-stragglers", (8, 0, 0, 0, 1, 1), 42),  # 35 + 11 - 4
        ("by-shape", (8, 0, 0, 0, 0, 0), 29),
        ("by-shape", (8, 0, 0, 0, 1, 1), 42),
        ("by-shape", (0, 0, 0, 5, 5, 5), 82),
        ("by-shape", (9, 0, 0, 1, 1, 1), 43),  # 6 rolls: 7 x 6 + 1 pips, not 24 + 7
    ],
)
def test_estimates_by_hand(name, side, epc):
    estimate = get_estimate(name)
    assert estimate.epc(np.array([side])).tolist() == [epc]
    sheet = Worksheet()
    assert estimate.work(sheet, side, "your") == epc
    assert not any(re.search(r"[+-] 0( |$)", step.arithmetic) for step in sheet.steps)


@settings(max_examples=40)
@given(races)
def test_estimates_come_to_the_same_on_the_pad(race):
    for name in estimates():
        for side in race:
            found = get_estimate(name).epc(np.array([side], dtype=np.int8))[0]
            assert float(get_estimate(name).work(Worksheet(), side, "your")) == found


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: Adjustment(1, "chekers"), "'chekers'"),
        (lambda: Adjustment(0.3, "gaps"), "0.3"),
        (lambda: Adjustment(0, "gaps"), "got 0"),
        (lambda: Adjustment(1, "gaps", beyond=1), "gaps"),
        (lambda: Adjustment(1, "checkers", (1, 1)), r"\[1, 1"),
        (lambda: Adjustment(1, "checkers", (0,)), r"\[0"),
        (lambda: Adjustment(1, "checkers", beyond=-1), "-1"),
        (lambda: Adjustment(1, "outside", left=(5, 4)), r"\[5, 4"),
        (lambda: Adjustment(1, "outside", left=(0, 4)), r"\[0, 4"),
        (lambda: Adjustment(1, "outside", compared="more", left=(1, 4)), r"\[1, 4"),
        (lambda: Count(start="pip"), "pips, epc, by-shape"),
        (lambda: Line(0, 1), "1 / 0"),
        (lambda: Line(7, 1.3), "1.3"),
        (lambda: Line(7, float("nan")), "nan"),
        (lambda: Line(7, 1, rounded="near"), "'near'"),
        (lambda: Adjustment(float("inf"), "gaps"), "inf"),
        (lambda: Adjustment(1, "gaps", compared="less"), "'less'"),
        (lambda: Count(values=(float("nan"),)), "nan"),
        (lambda: Floor(float("inf")), "inf"),
        (lambda: Floor(6, most=3), "got 3"),
        (lambda: get_estimate("rolls"), "'rolls'"),
    ],
)
def test_what_makes_no_formula_is_refused(make, named):
    with pytest.raises(FormulaError, match=named):
        make()


def test_only_sides_with_so_many_left_are_charged():
    aces = Count((Adjustment(2, "checkers", (1,), left=(3, 4)),))
    sides = np.array([[n, 0, 0, 0, 0, 0] for n in (2, 3, 4, 5)])
    ours, theirs = aces.of(sides, sides[::-1])
    assert ours.tolist() == [2, 9, 12, 5]
    assert theirs.tolist() == ours.tolist()[::-1]
