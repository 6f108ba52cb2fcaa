"""Formulas against their published checks and worked examples, and by hand."""

from fractions import Fraction
from math import erf, sqrt

import numpy as np
import pytest

import bearoff
from analysis import FormulaError, formulas
from analysis.formulas import Decision, LeadRule, Line, RatioWin, StraightWin, WinFormula
from analysis.formulas.base import beyond, pips
from analysis.formulas.published import keith_count, thorp_count


def with_pips(*totals):
    """One position of up to 15 checkers on 12 points for each pip count."""
    rows = []
    for total in totals:
        row = [0] * 12
        for point in range(12, 0, -1):
            count = min(total // point, 15 - sum(row))
            row[point - 1] += count
            total -= count * point
        assert total == 0
        rows.append(row)
    return np.array(rows)


def decide(name, roller, opponent):
    """Decision of one race given by pip counts, as three truths."""
    decision = formulas.get(name).decide(with_pips(roller), with_pips(opponent))
    return bool(decision.double[0]), bool(decision.redouble[0]), bool(decision.take[0])


def test_registry():
    assert formulas.names() == ("8-9-12", "keith", "kleinman", "thorp", "trice-62")
    for name in formulas.names():
        formula = formulas.get(name)
        assert formula.name == name
        assert formula.text.endswith(".")
        assert formula.source
    with pytest.raises(FormulaError, match="there is no formula 'kieth'; there are 8-9-12"):
        formulas.get("kieth")


def test_which_formulas_estimate_a_chance():
    chances = [n for n in formulas.names() if isinstance(formulas.get(n), WinFormula)]
    assert chances == ["kleinman", "thorp"]


@pytest.mark.parametrize("name", formulas.names())
def test_decisions_have_the_shape_of_their_input(name, grid):
    decision = formulas.get(name).decide(grid.roller_counts, grid.opponent_counts)
    for action in (decision.double, decision.redouble, decision.take):
        assert action.dtype == np.bool_
        assert action.shape == (len(grid),)
    # Whoever redoubles would double; whoever passes has been doubled rightly.
    assert (decision.double | ~decision.redouble).all()
    assert (decision.redouble | decision.take).all()


def test_positions_do_not_overflow_small_integers():
    counts = np.array([[0] * 23 + [15]], dtype=np.int8)
    assert pips(counts)[0] == 360
    assert beyond(counts, 24, 2)[0] == 13


# Robertie's percentages of a count of 100: 8, 9 and 12 pips.
@pytest.mark.parametrize(
    ("opponent", "expected"),
    [
        (107, (False, False, True)),
        (108, (True, False, True)),
        (109, (True, True, True)),
        (112, (True, True, True)),
        (113, (True, True, False)),
    ],
)
def test_eight_nine_twelve(opponent, expected):
    assert decide("8-9-12", 100, opponent) == expected


# Trice's own checks: 45 takes 50 and passes 51; 28 -> 3; 87 -> 10; 115 -> 13.
@pytest.mark.parametrize(
    ("count", "last_take"), [(45, 5), (28, 3), (87, 10), (115, 13), (62, 8), (63, 8)]
)
def test_trice_rule_62(count, last_take):
    assert decide("trice-62", count, count + last_take) == (True, True, True)
    assert decide("trice-62", count, count + last_take + 1) == (True, True, False)
    assert decide("trice-62", count, count + last_take - 2) == (True, True, True)
    assert decide("trice-62", count, count + last_take - 3) == (True, False, True)
    assert decide("trice-62", count, count + last_take - 4) == (False, False, True)


def test_thorp_by_hand():
    # 2-2-2-2-2-2: 42 pips + 24 for twelve checkers + 2 aces - 6 points = 62.
    # 0-0-0-5-5-5: 75 + 30 + 0 - 3 = 102.   1-1 on the ace: 2 + 4 + 2 - 1 = 7.
    counts = np.array([[2, 2, 2, 2, 2, 2], [0, 0, 0, 5, 5, 5], [2, 0, 0, 0, 0, 0]])
    assert thorp_count(counts).tolist() == [62, 102, 7]
    thorp = formulas.get("thorp")
    # The roller's 62 becomes 68.2: 33.8 ahead of 102, and 6.2 behind an equal count.
    assert thorp.tenths_ahead(counts[[0]], counts[[1]])[0] == 338
    assert thorp.tenths_ahead(counts[[0]], counts[[0]])[0] == -62
    # 7 is not above 30 and stays.
    assert thorp.tenths_ahead(counts[[2]], counts[[2]])[0] == 0
    assert thorp.win_probability(counts[[2]], counts[[2]])[0] == pytest.approx(0.74)
    assert thorp.win_probability(counts[[0]], counts[[1]])[0] == 1
    decision = thorp.decide(counts[[2]], counts[[2]])
    assert (decision.double[0], decision.redouble[0], decision.take[0]) == (
        True,
        True,
        True,
    )


@pytest.mark.parametrize(
    ("tenths", "expected"),
    [
        (-21, (False, False, True)),
        (-20, (True, False, True)),
        (-10, (True, True, True)),
        (19, (True, True, True)),
        (20, (True, True, False)),
    ],
)
def test_thorps_thresholds(tenths, expected, monkeypatch):
    thorp = formulas.get("thorp")
    monkeypatch.setattr(type(thorp), "tenths_ahead", lambda *_: np.array([tenths]))
    decision = thorp.decide(np.zeros((1, 6), int), np.zeros((1, 6), int))
    assert (decision.double[0], decision.redouble[0], decision.take[0]) == expected


def test_keith_by_hand():
    # Ace: 2 each beyond 1; deuce: 1 each beyond 1; three: 1 each beyond 3; gaps on 4, 5, 6.
    counts = np.array(
        [
            [3, 2, 4, 0, 1, 1],  # 30 pips + 4 + 1 + 1 + 1 gap
            [0, 0, 0, 5, 5, 5],  # 75 pips, nothing to add
            [1, 1, 3, 0, 0, 0],  # 12 pips + 3 gaps
        ]
    )
    assert keith_count(counts).tolist() == [37, 75, 15]


@pytest.mark.parametrize(
    ("opponent", "expected"),
    [
        # The roller's 70 becomes 80: double to 4 behind, redouble to 3, take from 2.
        (75, (False, False, True)),
        (76, (True, False, True)),
        (77, (True, True, True)),
        (78, (True, True, True)),
        (79, (True, True, False)),
    ],
)
def test_keiths_thresholds(opponent, expected, monkeypatch):
    monkeypatch.setattr(
        "analysis.formulas.published.keith_count", lambda counts: counts.sum(axis=1)
    )
    roller, waiting = np.array([[70] + [0] * 5]), np.array([[opponent] + [0] * 5])
    decision = formulas.get("keith").decide(roller, waiting)
    assert (decision.double[0], decision.redouble[0], decision.take[0]) == expected


def test_keith_raises_by_a_seventh_rounded_down(monkeypatch):
    monkeypatch.setattr(
        "analysis.formulas.published.keith_count", lambda counts: counts.sum(axis=1)
    )
    # 76 becomes 86, not 86.86: just 4 above 82.
    decision = formulas.get("keith").decide(np.array([[76]]), np.array([[82]]))
    assert decision.double[0]


def test_kleinman_by_hand():
    # 100 against 113: K = 17^2 / 209; the chance is the normal law of sqrt(K / 2).
    k = 17**2 / 209
    assert k == pytest.approx(1.383, abs=5e-4)
    chance = formulas.get("kleinman").win_probability(with_pips(100), with_pips(113))
    assert chance[0] == pytest.approx((1 + erf(sqrt(k) / 2)) / 2, abs=1e-12)


@pytest.mark.parametrize(
    # Kleinman's table: the opponent's chance at each K, in whole percents.
    ("k", "percent"),
    [(1.8, 17), (1.4, 20), (1.2, 22), (0.9, 25), (0.55, 30)],
)
def test_kleinmans_table(k, percent):
    # Find a race of that K: with S = 196, a lead of sqrt(196 k) - 4 from 100 - lead / 2.
    lead = sqrt(196 * k) - 4
    chance = [
        formulas.get("kleinman").win_probability(
            with_pips(100 - d // 2), with_pips(100 + d - d // 2)
        )[0]
        for d in (int(lead), int(lead) + 1)
    ]
    between = np.interp(lead, [int(lead), int(lead) + 1], chance)
    assert 100 * (1 - between) == pytest.approx(percent, abs=0.6)


def test_kleinman_is_even_four_pips_behind():
    chance = formulas.get("kleinman").win_probability(with_pips(80, 80), with_pips(76, 70))
    assert chance[0] == 0.5
    assert 0 < chance[1] < 0.5


def test_lines_meet_whole_counts_without_rounding():
    # 0.1 is no binary number: 70/10 - 2 must still be 5, and 5 must be on the line.
    for divisor in (3, 5, 6, 7, 9, 10, 12):
        count = np.arange(0.0, 91.0)
        line = Line(divisor, -1.5)
        for lead in np.arange(-10.0, 20.0):
            exact = [
                Fraction(int(lead)) - Fraction(int(c), divisor) + Fraction(3, 2)
                for c in count
            ]
            assert (
                np.sign(line.beyond(count, np.full(91, lead))) == np.sign(exact).astype(int)
            ).all()


def test_lead_rule_decides_on_and_about_its_lines():
    rule = LeadRule("pips", Line(10, -3.0), Line(10, -2.0), Line(None, 6.0))
    lead = np.array([3.0, 4.0, 5.0, 6.0, 7.0])
    decision = rule.of_count(np.full(5, 70.0), lead)
    assert decision.double.tolist() == [False, True, True, True, True]
    assert decision.redouble.tolist() == [False, False, True, True, True]
    assert decision.take.tolist() == [True, True, True, True, False]


@pytest.mark.parametrize(
    "formula",
    [
        LeadRule("pips", Line(10, -3.0), Line(10, -2.0), Line(8, 2.0)),
        LeadRule("epc", Line(10, -3.0), Line(10, -2.0), Line(8, 2.0)),
        StraightWin("epc", 75, Fraction(3), 5, 80),
        RatioWin("pips", 250, 4.5, 50, None),
    ],
)
def test_fitted_families_count_the_positions(formula, grid):
    decision = formula.decide(grid.roller_counts, grid.opponent_counts)
    found = formula.of_count(grid.count(formula.measure), grid.lead(formula.measure))
    if isinstance(found, Decision):
        assert (decision.double == found.double).all()
        assert (decision.take == found.take).all()
        assert 0 < found.double.mean() < 1
    else:
        chances = formula.win_probability(grid.roller_counts, grid.opponent_counts)
        assert chances == pytest.approx(found, abs=1e-12)
        at = bearoff.CubeThresholds.janowski(0.7)
        assert (decision.redouble == (found >= at.redouble)).all()


def test_straight_chance_by_hand():
    # Isight's: 80 less a third of 60 plus twice 5 is 70.
    isight = StraightWin("pips", 80, Fraction(2), 3, None)
    assert isight.of_count(np.array([60.0]), np.array([5.0]))[0] == pytest.approx(0.70)
    bent = StraightWin("pips", 80, Fraction(2), None, 80)
    got = bent.of_count(np.full(5, 60.0), np.array([-70.0, -35.0, 0.0, 5.0, 40.0]))
    # -60 halves to -20 and is kept at 0; 10 to 15; 80 stays; 90 to 85; 160 to 120, kept.
    assert got == pytest.approx([0, 0.15, 0.80, 0.85, 1])


def test_ratio_chance_by_hand():
    # 250 times 4 + 6 pips over 30 + 70 is 25, and 50.
    chance = RatioWin("pips", 250, 4.0, 30, None)
    assert chance.of_count(np.array([70.0]), np.array([6.0]))[0] == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (
            LeadRule("epc", Line(None, 4.0), Line(None, 4.5), Line(None, 6.0)),
            "Double when your lead is at least 4, redouble at 4½; the last take is at 6.",
        ),
        (
            LeadRule("epc", Line(8, 0.0), Line(8, 0.0), Line(None, -0.5)),
            "Double and redouble when your lead is at least an eighth of your EPC; the "
            "last take is at −½.",
        ),
        (
            LeadRule("pips", Line(12, -1.0), Line(12, 0.0), Line(12, 2.5)),
            "Work out a twelfth of your pip count. Double when your lead is at least that "
            "less 1, redouble at that; the last take is at that plus 2½.",
        ),
    ],
)
def test_rules_in_words(rule, text):
    assert rule.text == text
