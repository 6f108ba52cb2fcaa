"""Mental costs of formulas, compared with counts of operations by hand."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings

from bearoff.analysis import formulas
from bearoff.analysis.formulas import CountRule, Line
from bearoff.analysis.formulas.counting import Adjustment, Count, estimates, get_estimate
from bearoff.analysis.formulas.rules import ChanceRule, LinearChance, RatioChance
from bearoff.analysis.formulas.writing import RUBRIC, Worksheet
from bearoff.analysis.scoring import estimate_cost, mental_cost
from bearoff.analysis.scoring.cost import cost_of
from tests.analysis.formulas.test_formulas import races

COSTS = Path(__file__).parents[3] / "results" / "formulas" / "mental-costs.md"

BRANCHING = {"epc-estimated", "epc-by-table"}
"""Names of formulas whose number of calculation steps depends strongly on the position."""


@pytest.mark.parametrize(
    ("rule", "items"),
    [
        (formulas.get("zare"), {"large": 4, "tenth": 1, "round": 1, "numbers": 4}),
        # For each side, Keith's count needs eight operations with small numbers, for the
        # ace, deuce and 3 points and for gaps.
        (formulas.get("keith"), {"points": 12, "small": 2 * (3 + 2 + 2 + 1), "large": 4,
                                 "part": 3, "round": 1, "numbers": 8}),
        # The 8-9-12 rule multiplies a hundredth of the count by 8, 9 and 12.
        (formulas.get("8-9-12"), {"large": 2, "tenth": 1, "part": 9, "round": 3,
                                  "numbers": 3}),
    ],
)  # fmt: skip
def test_costs_by_hand(rule, items):
    assert mental_cost(rule).items == {"pips": 24, "compare": 3} | items


def test_totals_divisors_and_branches_by_hand():
    cost = mental_cost(formulas.get("keith"))
    assert (cost.total, cost.beyond_pips) == (71, 47)
    # Rounding a seventh of a count down is as hard as calculating with fractions.
    assert mental_cost(formulas.get("keith-unrounded")).items == cost.items
    # The two divisors, 10 and 7, cost one division each.
    apart = CountRule("apart", "", Count(), Line(10, -2.0), Line(7, -1.5), Line(10, 2.0))
    assert mental_cost(apart).work["tenth"] == mental_cost(apart).work["part"] == 1
    shape, low = map(get_estimate, ("by-shape", "low-wastage"))
    assert estimate_cost(shape).total > estimate_cost(low).total


def test_more_to_do_costs_more():
    def cost(*adjustments):
        return mental_cost(CountRule("", "", Count(adjustments), *3 * [Line(7, -2)])).total

    ace = Adjustment(1, "checkers", (1,))
    assert cost() < cost(ace) < cost(ace, Adjustment(1, "gaps"))
    assert cost(ace) + 3 == cost(Adjustment(2, "checkers", (1,)))
    assert cost(ace) + 3 == cost(Adjustment(1, "checkers", (1,), beyond=1))
    # An adjustment for only one side saves an addition but needs a comparison, so the
    # mental cost is the same.
    assert cost(Adjustment(1, "checkers", (1,), compared="more")) == cost(ace)


@pytest.mark.parametrize("name", formulas.names())
def test_the_cost_is_that_of_the_dearest_race(name):
    cost = mental_cost(formulas.get(name)).total
    # Trice's formula divides counts up to 62 pips by 7, and higher counts by 10.
    branches = {"trice-62": 2}.get(name, 0)

    # Few random races suffice, because the formulas have many parts in common.
    @settings(max_examples=25)
    @given(races)
    def holds(race):
        sheet = Worksheet() if name in BRANCHING else Worksheet(epc=lambda side: 40.0)
        formulas.get(name).work(sheet, race)
        saved = cost - cost_of(sheet).total
        assert saved >= 0 if name in BRANCHING else 0 <= saved <= branches

    holds()


def test_fitted_formulas_have_a_cost_and_steps_and_numbers_are_the_total():
    def rule(chance, knee=None):
        return ChanceRule("", "", Count(), chance, 70, 72, 79, knee=knee)

    straight = rule(LinearChance(80, Fraction(2), 3))
    bent = rule(LinearChance(80, Fraction(2), 3), 80)
    assert mental_cost(straight).total < mental_cost(bent).total
    assert mental_cost(rule(RatioChance(50, 200, 4.0, 30))).work["long"] == 1
    sheet = Worksheet()
    formulas.get("ward").work(sheet, ((0, 0, 0, 5, 5, 5), (0, 0, 0, 5, 5, 5)))
    cost = cost_of(sheet)
    assert sum(step.units for step in sheet.steps) + len(cost.numbers) == cost.total


def test_the_page_says_what_the_rubric_says():
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| [a-z]", COSTS.read_text("utf-8"), re.M)
    rates = {kind: rate.units for kind, rate in RUBRIC.items()}
    assert {kind: int(units) for kind, units in rows} == rates | {"numbers": 1}


def test_the_results_say_what_the_formulas_cost():
    rows = re.findall(
        r"^\| `?([\w-]+)`? \| (\d+) \| (\d+) \| (\d+) \|$", COSTS.read_text("utf-8"), re.M
    )
    known = (*formulas.names(), *formulas.found_names())
    costs = {name: mental_cost(formulas.get(name)) for name in known}
    costs |= {name: estimate_cost(get_estimate(name)) for name in estimates()}
    assert {name: tuple(map(int, row)) for name, *row in rows} == {
        name: (cost.total, cost.beyond_pips, len(cost.numbers))
        for name, cost in costs.items()
    }
