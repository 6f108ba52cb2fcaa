"""Charts of exact cube decisions compared with brute force on a small set of races."""

import re
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from bearoff import Position, Race, cube_action
from bearoff.analysis import FormulaError, formulas
from bearoff.analysis.formulas import Adjustment, Count, CountRule, Line
from bearoff.analysis.plots.population_chart import exact_figure, grid_for
from bearoff.analysis.scoring.gold import gold_standard, model_points, rule_points
from bearoff.analysis.scoring.n_rolls import REGIONS
from bearoff.analysis.scoring.regions import Grid, counted, gather_regions, right_regions
from bearoff.race_model import race_model
from tests.analysis.made_population import made_population
from tests.two_sided_tables import built

PIPS = np.arange(1, 7)


def test_regions_are_the_right_actions_of_the_table():
    population = made_population()
    table, region = built(5), right_regions(population)
    seen = set()
    for i in range(0, len(population), 29):
        race = Race(
            Position(tuple(map(int, population.roller_counts[i]))),
            Position(tuple(map(int, population.opponent_counts[i]))),
        )
        centred, owned = cube_action(table, race), cube_action(table, race, "owned")
        if centred.too_close or owned.too_close:
            continue
        said = str((owned if owned.action == "redouble, take" else centred).action)
        assert REGIONS[region[i]] == said
        seen.add(said)
    assert seen == set(REGIONS)


def met_by_cell(population):
    """Return the weights of each right action, by the roller's pip count and the lead."""
    met: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0] * 4)
    counts, weights = population.roller_counts, population.decisions.weights
    for roller, opponent, right, weight in zip(
        counts, population.opponent_counts, right_regions(population), weights, strict=True
    ):
        ours, theirs = int(roller @ PIPS), int(opponent @ PIPS)
        met[ours, theirs - ours][right] += int(weight)
    return met


def test_cells_hold_the_shares_of_what_was_met():
    population = made_population()
    count, lead = counted(population, "pips")
    region, weights = right_regions(population), population.decisions.weights
    cells = gather_regions(count, lead, region, weights, Grid(lead_from=-5, lead_to=5))
    expected = {
        (pips, lead): shares
        for (pips, lead), shares in met_by_cell(population).items()
        if sum(shares) >= 10 and -5 <= lead <= 5
    }
    at = zip(cells.count.astype(int), cells.lead.astype(int), strict=True)
    shares = (cells.shares * cells.frequency[:, None]).round(6).tolist()
    found = dict(zip(at, shares, strict=True))
    assert found == expected
    assert len(expected) > 100


def test_counts_and_leads_belong_to_the_nearest_cell():
    count, lead = np.array([[19.49, 20.49, 19.51, 20.51], [1.51, 2.49, 1.51, 2.49]])
    none, one = np.zeros(4, np.int64), np.ones(4)
    cells = gather_regions(count, lead, none, one, Grid(), least=1)
    assert cells.count.tolist() == [19, 20, 21]
    assert cells.lead.tolist() == [2, 2, 2]
    assert cells.frequency.tolist() == [1, 2, 1]


def test_a_formulas_own_count_is_charted_in_finer_cells_for_half_pips():
    population, keith = made_population(), formulas.get("keith")
    ours, lead = counted(population, "count", keith)
    expected = keith.count.of(population.roller_counts, population.opponent_counts)
    assert np.array_equal(ours, expected[0])
    assert np.array_equal(ours + lead, expected[1])
    count = Count((Adjustment(0.5, "checkers"),))
    halves = CountRule("halves", "mine", count, *3 * [Line(10, 0)])
    assert grid_for("count", halves).lead_step == 0.5
    assert grid_for("pips", halves).lead_step == 1.0


def test_lines_lie_between_the_cells_that_the_rule_parts():
    rule = formulas.get("keith")
    figure = exact_figure(made_population(), "pips", rule)
    drawn = {line.get_label(): line for line in figure.axes[0].lines}
    for field, said, step in (
        ("double", "double", 0.5),
        ("redouble", "redouble", 0.5),
        ("take", "last take", -0.5),
    ):
        for count, at in zip(*drawn[said].get_data(), strict=True):
            for lead, right in ((at + step, True), (at - step, False)):
                decided = rule.of_count(np.array([count]), np.array([lead]))
                assert bool(getattr(decided, field)[0]) is right


@pytest.mark.parametrize(
    ("by", "name", "options", "named"),
    [
        ("epc", "keith", {}, "'keith'.*epc"),
        ("pips", "epc", {}, "'epc'.*pips"),
        ("rolls", None, {}, "'rolls'"),
        ("count", None, {}, "formula"),
        ("pips", None, {"wastage": 0.0}, "cell"),
    ],
)
def test_charts_that_make_no_sense(by, name, options, named):
    rule: Any = name and formulas.get(name)
    with pytest.raises(FormulaError, match=named):
        exact_figure(made_population(), by, rule, **options)


def test_no_other_lead_loses_less_than_the_gold_standard():
    population = made_population().chosen(np.arange(5000))
    row = gold_standard(population, "pips", wastage=None, least=0).rows[0]
    assert row.count == 10
    count, lead = counted(population, "pips")
    near = (np.abs(count - 10) <= 2) & (np.abs(lead) <= 20)
    values, weights = population.values, population.decisions.weights
    doubled = np.minimum(values.double_take, 1.0)
    # Reversed leads turn the last take into a first take.
    for at, gain, leads in (
        (row.exact.double, doubled - values.no_double, lead),
        (row.exact.redouble, doubled - values.no_redouble, lead),
        (-row.exact.last_take, 1 - values.double_take, -lead),
    ):
        losses = {}
        for first in range(-21, 22):
            lost = np.maximum(np.where(leads >= first, -gain, gain), 0)
            losses[first] = float((weights * lost)[near].sum())
        assert losses[at] == pytest.approx(min(losses.values()))


def test_points_of_rules_by_hand_and_rows_of_few_positions():
    """By Keith's formula at 50 pips, the roller doubles from a lead of 3 pips and redoubles
    from 4, and the opponent takes up to 5.
    """
    keith = formulas.get("keith")
    found = rule_points((keith.double, keith.redouble, keith.last_take), 50.0, 1.0)
    assert (found.double, found.redouble, found.last_take) == (3, 4, 5)
    rows = gold_standard(made_population(), "pips", least=500).rows
    assert rows[-1].exact is None
    assert rows[-1].frequency == 0
    assert rows[-1].rules["trice-62"].last_take == 14


def test_model_points_by_asking_each_lead():
    model = race_model()
    found = model_points(60.0, "epc", 0.5)
    for lead in np.arange(-3, 15, 0.5):
        centred = model.cube_actions(60.0, 60.0 + lead)
        owned = model.cube_actions(60.0, 60.0 + lead, "owned")
        assert bool(centred.doubles) == (lead >= found.double)
        assert bool(owned.doubles) == (lead >= found.redouble)
        assert bool(centred.takes) == (lead <= found.last_take)


def test_shares_of_wrong_decisions_equal_those_by_brute_force():
    population, rule = made_population(), formulas.get("8-9-12")
    right, weights = right_regions(population), population.decisions.weights
    ours, theirs = population.roller_counts @ PIPS, population.opponent_counts @ PIPS
    met = met_by_cell(population)
    said = rule.decide(population.roller_counts, population.opponent_counts)
    shade, shown, wrong, every = 0, 0, 0, 0
    for i, chance in enumerate(population.values.win_probability):
        cell = met[int(ours[i]), int(theirs[i] - ours[i])]
        if not 0.55 <= chance <= 0.92:
            continue
        if -6 <= theirs[i] - ours[i] <= 16 and sum(cell) >= 10:
            shown += weights[i]
            shade += weights[i] * (cell.index(max(cell)) != right[i])
        does = 0
        if said.double[i]:
            does = (2 if said.redouble[i] else 1) if said.take[i] else 3
        every += weights[i]
        wrong += weights[i] * (does != right[i])
    text = " ".join(t.get_text() for t in exact_figure(population, "pips", rule).texts)
    told = rf" {shade / shown:.1%} of.*8-9-12 .* {wrong / every:.1%} "
    assert re.search(told, text, re.DOTALL)
