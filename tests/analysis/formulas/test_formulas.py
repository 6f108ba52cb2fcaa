"""Published cube formulas compared with a second implementation, and properties of all
formulas.
"""

import re

import hypothesis.strategies as st
import numpy as np
import pytest

import bearoff
from bearoff.analysis import FormulaError, formulas
from bearoff.analysis.formulas.counting import Count, side_epc
from bearoff.analysis.formulas.counting.sides import pips
from bearoff.analysis.formulas.rules import CountRule, Line, WinFormula
from tests.analysis.formulas.formula_twins import TWINS


def test_registry():
    assert formulas.names() == (
        *("8-9-12", "benjamin", "bower", "epc", "epc-by-table", "epc-estimated"),
        *("epc-fastimate", "epc-matussek", "epc-mcg", "epc-mm8", "isight", "johansen"),
        *("keith", "keith-unrounded"),
        *("kleinman", "thorp", "trice-62", "ward", "zare"),
    )
    for name in formulas.names():
        formula = formulas.get(name)
        assert formula.name == name
        assert formula.text.endswith(".")
        assert formula.source
    with pytest.raises(FormulaError, match="'kieth'"):
        formulas.get("kieth")
    chances = [n for n in formulas.names() if isinstance(formulas.get(n), WinFormula)]
    assert chances == ["bower", "isight", "johansen", "kleinman", "thorp"]


@pytest.mark.parametrize("name", formulas.names())
def test_decisions_have_the_shape_of_their_input(name, grid):
    decision = formulas.get(name).decide(grid.roller_counts, grid.opponent_counts)
    for action in (decision.double, decision.redouble, decision.take):
        assert action.dtype == np.bool_
        assert action.shape == (len(grid),)
    # Wherever a formula redoubles, it also doubles; wherever it tells the opponent to pass,
    # it also redoubles.
    assert (decision.double | ~decision.redouble).all()
    assert (decision.redouble | decision.take).all()
    empty = np.zeros((0, 6), dtype=np.int8)
    assert formulas.get(name).decide(empty, empty).take.shape == (0,)


sides = st.lists(st.integers(1, 24), min_size=1, max_size=15).map(
    lambda points: tuple(points.count(p) for p in range(1, 25))
)
home = st.lists(st.integers(1, 6), min_size=1, max_size=15).map(
    lambda points: tuple(points.count(p) for p in range(1, 7))
)
races = st.one_of(st.tuples(home, home), st.tuples(sides, sides))


def at_home(rng):
    return bearoff.unrank(rng.integers(1, bearoff.position_count(6, 15), 40_000), 6)


def on_the_board(rng):
    return rng.multinomial(rng.integers(1, 16, 40_000), np.full(24, 1 / 24))


@pytest.mark.parametrize("sides_of", [at_home, on_the_board])
@pytest.mark.parametrize("name", TWINS)
def test_formulas_agree_with_plain_twins(name, sides_of):
    counts = sides_of(np.random.default_rng(1))
    count = pips(counts)
    order = np.argsort(count, kind="stable")
    pairs = []
    for apart in (0, 1000, 3000, 6000):  # the sides' pip counts differ by up to a fifth
        pairs.append((order[: len(order) - apart : 80], order[apart::80]))
    at = np.hstack(pairs)
    x, y = counts[at[0]], counts[at[1]]
    decision = formulas.get(name).decide(x, y)
    expected = [TWINS[name](*race) for race in zip(x.tolist(), y.tolist(), strict=True)]
    found = np.transpose((decision.double, decision.redouble, decision.take))
    assert (found == np.array(expected)).all()
    assert 0.02 < found.mean(axis=0).min() < found.mean(axis=0).max() < 0.98


def test_counts_do_not_overflow_and_epcs_beyond_the_table_are_estimated(table):
    counts = np.array([[0] * 23 + [15], [15] + [0] * 23], dtype=np.int8)
    assert pips(counts).tolist() == [360, 15]
    for name in formulas.names():
        assert not formulas.get(name).decide(counts[:1], counts[1:]).double[0]
        decision = formulas.get(name).decide(counts[1:], counts[:1])
        assert (decision.double[0], decision.take[0]) == (True, False)
    # The three checkers on the 13 point are beyond the table, so the EPC is an estimate.
    far = np.array([[0, 0, 0, 4, 4, 4, *[0] * 6, 3]])
    estimate = side_epc(far)[0]
    assert 63 + 36 + 7 < estimate < 63 + 36 + 10
    # The EPC of a position in the home board is exact, even beside estimates in the same
    # array.
    home = np.array([[0, 0, 0, 5, 5, 5, *[0] * 7]])
    exact = table.epc[bearoff.rank([0, 0, 0, 5, 5, 5])]
    assert side_epc(home)[0] == exact
    assert side_epc(np.vstack((home, far))).tolist() == [exact, estimate]


LEADS = re.compile(
    r"(?:With t = (.*): )?[dD]ouble from a lead of (.*), redouble from (.*), "
    r"(take up to|pass from) (.*)\."
)


@pytest.mark.parametrize("start", ["epc", "pips"])
@pytest.mark.parametrize("divisors", [(10, 10, 10), (None, None, None), (12, 10, 7)])
@pytest.mark.parametrize("passes_ties", [False, True])
def test_the_leads_that_a_rule_tells_are_those_at_which_it_decides(
    start, divisors, passes_ties
):
    lines = map(Line, divisors, (-3.5, -2.0, 0.0))
    rule = CountRule("a", "b", Count(start=start), *lines, passes_ties=passes_ties)
    share, double, redouble, word, take = LEADS.fullmatch(rule.leads).groups()
    counts, leads = map(np.ravel, np.meshgrid(np.arange(20.0, 90), np.arange(-5, 15, 0.5)))
    names = {"EPC": counts, "pip_count": counts}

    def at(text):
        text = text.replace("pip count", "pip_count").replace("−", "-").replace("½", ".5")
        return eval(text, {}, names)

    if share is not None:
        names["t"] = at(share)
    decided = rule.of_count(counts, leads)
    assert (decided.double == (leads >= at(double) - 1e-9)).all()
    assert (decided.redouble == (leads >= at(redouble) - 1e-9)).all()
    last = leads <= at(take) + 1e-9 if word == "take up to" else leads < at(take) - 1e-9
    assert (decided.take == last).all()


@pytest.mark.parametrize(
    "rule",
    [
        CountRule("a", "b", Count(), *(Line(10, k, rounded="down") for k in (-2, -1, 2))),
        CountRule("a", "b", Count(each=1.0), *(Line(10, k) for k in (-2, -1, 2))),
        CountRule("a", "b", Count(start="n-roll"), *(Line(10, k) for k in (-2, -1, 2))),
    ],
)
def test_a_rule_whose_leads_do_not_say_all_tells_its_text(rule):
    assert rule.leads == rule.text
