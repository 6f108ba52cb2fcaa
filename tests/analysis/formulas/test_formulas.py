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
from tests.strategies import counts


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


races = st.one_of(*(st.tuples(*2 * [counts(n, at_least=1)]) for n in (6, 24)))


def at_home(rng):
    return bearoff.unrank(rng.integers(1, bearoff.position_count(6, 15), 40_000), 6)


def on_the_board(rng):
    return rng.multinomial(rng.integers(1, 16, 40_000), np.full(24, 1 / 24))


@pytest.mark.parametrize("sides_of", [at_home, on_the_board])
@pytest.mark.parametrize("name", TWINS)
def test_formulas_agree_with_plain_twins(name, sides_of):
    sides = sides_of(np.random.default_rng(1))
    order = np.argsort(pips(sides), kind="stable")
    # The sides' pip counts differ by up to a fifth.
    pairs = ((order[: len(order) - n : 80], order[n::80]) for n in (0, 1000, 3000, 6000))
    x, y = sides[np.hstack([*pairs])]
    decision = formulas.get(name).decide(x, y)
    expected = [TWINS[name](*race) for race in zip(x.tolist(), y.tolist(), strict=True)]
    found = np.transpose((decision.double, decision.redouble, decision.take))
    assert (found == np.array(expected)).all()
    assert 0.02 < found.mean(axis=0).min() < found.mean(axis=0).max() < 0.98


def test_counts_do_not_overflow_and_epcs_beyond_the_table_are_estimated(table):
    sides = np.array([[0] * 23 + [15], [15] + [0] * 23], dtype=np.int8)
    assert pips(sides).tolist() == [360, 15]
    for name in formulas.names():
        decision = formulas.get(name).decide(sides, sides[::-1])
        assert decision.double.tolist() == [False, True]
        assert not decision.take[1]
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
    count, leads = map(np.ravel, np.meshgrid(np.arange(20.0, 90), np.arange(-5, 15, 0.5)))
    names = {"EPC": count, "pip_count": count}

    def at(text):
        text = text.replace("pip count", "pip_count").replace("−", "-").replace("½", ".5")
        return eval(text, {}, names)

    if share is not None:
        names["t"] = at(share)
    decided = rule.of_count(count, leads)
    assert (decided.double == (leads >= at(double) - 1e-9)).all()
    assert (decided.redouble == (leads >= at(redouble) - 1e-9)).all()
    last = leads <= at(take) + 1e-9 if word == "take up to" else leads < at(take) - 1e-9
    assert (decided.take == last).all()


def test_a_rule_whose_leads_do_not_say_all_tells_its_text():
    for count, how in (
        (Count(), "down"), (Count(each=1.0), "no"), (Count(start="n-roll"), "no")
    ):  # fmt: skip
        lines = (Line(10, offset, rounded=how) for offset in (-2, -1, 2))
        rule = CountRule("a", "b", count, *lines)
        assert rule.leads == rule.text
