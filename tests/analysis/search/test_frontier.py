"""The best formulas at each mental cost, compared with brute force and known optima."""

import numpy as np
import pytest

from bearoff.analysis.formulas.counting import Adjustment, Count, Floor
from bearoff.analysis.formulas.rules import CountRule, Line
from bearoff.analysis.scoring import mental_cost
from bearoff.analysis.search import Objective, find_bounds, free_kernels
from bearoff.analysis.search.free_counts import (
    BASE,
    ROLLS,
    DecisionArrays,
    floor_units,
    sights,
)
from bearoff.analysis.search.library import VALUE, library
from tests.analysis.search.test_formula_search import RECIPES, planted, positions


@pytest.mark.parametrize("last", [0, 3])
def test_the_histogram_prices_every_offset(last):
    rng = np.random.default_rng(2)
    objective = Objective.of_decisions(positions(200))
    sides = DecisionArrays.of(objective, sights()).sides
    ours, theirs = (rng.uniform(5, 60, 200) for _ in range(2))
    least = np.linspace(0, 70, ROLLS + 1)
    sums = np.empty(((free_kernels.HIGH - free_kernels.LOW) * free_kernels.FINE + 3, 3))
    offsets = np.empty(3)
    found = free_kernels.loss_of(ours, theirs, sides, least, last, 0.15, sums, offsets)
    raised = []
    for counts, side in ((ours, objective.rollers), (theirs, objective.opponents)):
        rolls = (side.sum(axis=1) + 1) // 2
        raised.append(np.where(rolls <= last, np.maximum(counts, least[rolls]), counts))
    lead = raised[1] - 1.15 * raised[0]
    grid = np.arange(free_kernels.LOW, free_kernels.HIGH, 1 / free_kernels.FINE)

    def lost(j, offset):
        gains = objective.gains[:, j]
        return float(np.maximum(np.where(lead >= offset, -gains, gains), 0).sum())

    assert found == pytest.approx(sum(min(lost(j, o) for o in grid) for j in range(3)))
    for j in range(3):
        assert lost(j, offsets[j]) == pytest.approx(min(lost(j, o) for o in grid))


LINES = tuple(Line(7, n) for n in (-4, -3, -2))


def test_no_formula_costs_less_than_the_minimum_of_its_class():
    plain = CountRule("plain", "", Count(), *LINES)
    least = mental_cost(plain).total
    assert least >= BASE
    units = {sight.name: sight.units for sight in sights()}
    for seen in library():
        if seen.feature in (VALUE, "outside", "crossovers", "spread", "paired"):
            continue
        adjustment = seen.adjustment(2)
        rule = CountRule("one", "", Count((adjustment,)), *LINES)
        name = adjustment.each.removeprefix("per ")
        name += f", {adjustment.left_text}" if seen.left else ""
        if seen.feature != "covered" or seen.compared != "own":
            assert mental_cost(rule).total == least + units[name]
    stacked = Count((Adjustment(-1, "spread"),), least=Floor(11, -2, 6))
    rule = CountRule("two", "", stacked, *LINES)
    assert mental_cost(rule).total == least + units["blots and stacks"] + floor_units()[3]
    assert (np.diff(floor_units()) > 0).all()


def test_bounds_fall_as_costs_rise_and_keep_to_them():
    parts = tuple(Objective.of_decisions(planted(RECIPES[4], 300, s)) for s in (5, 6))
    how = {"rows": 300, "steps": 200, "starts": 2, "seed": 3, "budgets": (46, 60, 1000)}
    found = find_bounds(parts, **how)
    assert found == find_bounds(parts, **how)
    assert [bound.budget for bound in found.bounds] == [46, 60, 1000]
    assert all(bound.cost <= bound.budget for bound in found.bounds)
    least = [bound.found[0] for bound in found.bounds]
    assert least == sorted(least, reverse=True)
    assert [len(bound.found) for bound in found.bounds] == [2, 3, 3]
    assert found.bounds[-1].training == pytest.approx(least[-1])
    assert found.bounds[-1].seen


def test_a_planted_count_is_nearly_found():
    objective = Objective.of_decisions(planted(RECIPES[4], 1000))
    how = {"rows": 1000, "starts": 1, "seed": 1, "budgets": (90,)}
    found, begun = (
        find_bounds((objective, objective), steps=steps, **how) for steps in (6000, 0)
    )
    assert found.bounds[0].training < 0.4 * begun.bounds[0].training
