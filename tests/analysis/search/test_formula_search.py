"""Search for cube formulas, compared with losses by brute force and with known optima."""

from dataclasses import replace

import numpy as np
import pytest

from bearoff import unrank
from bearoff.analysis.errors import FitError
from bearoff.analysis.formulas.files import formulas_yaml, load_formulas
from bearoff.analysis.outcomes import Gains
from bearoff.analysis.scoring import ValuedDecisions, mental_cost, score_formulas
from bearoff.analysis.search import Objective, SearchOptions, choose
from bearoff.analysis.search.candidates import Candidate, evaluated, front, search
from bearoff.analysis.search.library import VALUE, CountedFeature, Recipe, cost_of, library
from bearoff.analysis.search.sample import OFFSETS, SearchSample
from tests.sim.populations.conftest import built_population
from tests.two_sided_tables import built

SEEN = (
    CountedFeature(VALUE, (1,)),
    CountedFeature(VALUE, (2,)),
    CountedFeature("tallest"),
    CountedFeature("tallest", (), 2),
    CountedFeature("odd", compared="more"),
    CountedFeature("gaps", (4, 5)),
    CountedFeature("spread"),
)
FEW = {"each": (0,), "twice": (None,), "per_roll": (12, 13)}
"""Options that limit a formula search to a few kinds of adjusted pip counts."""

ODD = (CountedFeature(VALUE, (2,)), 2), (CountedFeature("odd", compared="more"), 3)
MANY = (
    (CountedFeature(VALUE, (2,)), 2),
    (CountedFeature("tallest", (), 2), 2),
    (CountedFeature("spread"), -2),
)
RECIPES = (
    Recipe(),
    Recipe((), None),
    Recipe(((CountedFeature(VALUE, (1,)), 3), (CountedFeature("tallest"), -1)), 10),
    Recipe(ODD, 6, floor=(13, -3, None)),
    Recipe(((CountedFeature("gaps", (4, 5)), 2),), 8, floor=(12, 0, 4)),
    Recipe(MANY, 7, floor=(20, -4, 6), each=8, twice=2, cap=5),
)


def positions(n=300, seed=1):
    """Return decisions with random gains that do not depend on the pip counts."""
    rng = np.random.default_rng(seed)
    x = rng.integers(1, 4000, n)
    y = np.clip(x + rng.integers(-300, 400, n), 1, 4000)
    return ValuedDecisions(
        unrank(x), unrank(y), rng.random(n),
        Gains(*(rng.normal(0, 0.1, n) for _ in range(3))),
        rng.integers(1, 4, n).astype(np.float64), np.arange(n), float(n),
    )  # fmt: skip


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("tried", RECIPES)
def test_losses_by_histogram_equal_those_of_the_rule_at_every_offset(tried, step):
    decisions = positions()
    found = evaluated(SearchSample.of(Objective.of_decisions(decisions), SEEN), tried, step)
    share, losses = decisions.weights / decisions.weights.sum(), []
    for offset in range(OFFSETS[0], OFFSETS[1] + 1, step):
        rule = replace(tried, offsets=(offset, offset, offset)).rule()
        lost = decisions.lost(rule.decide(decisions.rollers, decisions.opponents))
        losses.append([share @ lost[action] for action in Gains.ACTIONS])
    # The tolerance is for a sum of several hundred float64 values.
    assert found.loss == pytest.approx(np.min(losses, axis=0).sum(), abs=1e-12)
    assert all(offset % step == 0 for offset in found.recipe.offsets)
    (score,) = score_formulas([found.recipe.rule()], decisions)
    assert score.total.value == pytest.approx(found.loss, abs=1e-12)
    whole = Objective.of_decisions(decisions).loss(found.recipe.rule())
    assert whole == pytest.approx(found.loss, abs=1e-12)
    assert found.cost == mental_cost(found.recipe.rule()).total


def test_the_costs_of_recipes_are_the_mental_costs_of_their_rules():
    rng = np.random.default_rng(3)
    seen = library()
    for _ in range(25):
        places = rng.choice(len(seen), 3, replace=False)
        added = tuple((seen[p], int(rng.choice(seen[p].weights(1)))) for p in places)
        most = (None, 4, 6)[rng.integers(3)]
        floor = None if rng.random() < 0.3 else (int(rng.integers(8, 18)), -3, most)
        each, twice = int(rng.choice([0, 4, 10])), (None, 0, 2)[rng.integers(3)]
        cap = (None, 12)[rng.integers(2)]
        divisor = int(rng.choice([5, 7, 10]))
        tried = Recipe(added, divisor, (-8, -7, -4), floor, each, twice, cap)
        assert cost_of(tried) == mental_cost(tried.rule()).total


def planted(tried, n=1500, seed=4):
    """Return decisions for which a given formula is always right."""
    decisions = positions(n, seed)
    right = tried.rule().decide(decisions.rollers, decisions.opponents)
    acts = (right.double, right.redouble, right.take)
    # A take counts only if the double before the take is not a large mistake, so doubles
    # get small gains and losses.
    sizes = (0.03, 0.1, 0.1)
    gains = (np.where(act, size, -size) for act, size in zip(acts, sizes, strict=True))
    return replace(decisions, gains=Gains(*gains))


@pytest.mark.parametrize("tried", [RECIPES[2], RECIPES[4]])
def test_a_planted_formula_is_found(tried):
    tried = replace(tried, offsets=(-6, -4, 2))
    decisions = planted(tried)
    objective = Objective.of_decisions(decisions)
    how = SearchOptions(budget=cost_of(tried), steps=100, rows=1500, step=1, **FEW)
    best = min(search(objective, how, seen=SEEN), key=lambda f: f.loss)
    whole = evaluated(SearchSample.of(objective, SEEN), best.recipe)
    # The search may find another formula that makes the same decisions and is no harder to
    # calculate.
    assert whole.loss == pytest.approx(0, abs=2e-4)
    assert whole.cost <= cost_of(tried)
    nothing = evaluated(SearchSample.of(objective, SEEN), Recipe(divisor=tried.divisor))
    assert nothing.loss > 0.002


def test_the_same_seed_finds_the_same():
    decisions = Objective.of_decisions(planted(RECIPES[2], 800))
    how = SearchOptions(budget=50, steps=50, rows=300, seed=9, **FEW)
    assert search(decisions, how, seen=SEEN) == search(decisions, how, seen=SEEN)


def test_a_short_search_beats_its_start_on_decisions_it_did_not_see():
    tried = replace(RECIPES[5], cap=None, offsets=(-10, -8, -4))
    seen, held = (Objective.of_decisions(planted(tried, 1000, s)) for s in (5, 6))
    how = SearchOptions(
        cost_of(tried), steps=100, rows=1000, each=(0, 8), twice=(None,), per_roll=(20,)
    )
    best = min(search(seen, how, seen=SEEN), key=lambda f: f.loss).recipe.rule()
    start = evaluated(SearchSample.of(seen, SEEN), Recipe()).recipe.rule()
    assert held.loss(best) < 0.6 * held.loss(start)


def test_a_sample_estimates_the_whole():
    objective = Objective.of_decisions(positions(400))
    rule = RECIPES[0].rule()
    found = [objective.sample(100, seed).loss(rule) for seed in range(200)]
    error = np.std(found) / np.sqrt(len(found))
    assert np.mean(found) == pytest.approx(objective.loss(rule), abs=4 * error)
    assert error < 0.1 * objective.loss(rule)


def test_the_front_holds_what_nothing_cheaper_beats_and_the_hopeless_is_refused():
    pairs = [(40, 3.0), (30, 5.0), (50, 3.0), (45, 2.0), (40, 4.0)]
    found = [Candidate(Recipe(), *pair) for pair in pairs]
    assert [(f.cost, f.loss) for f in front(found)] == [(30, 5.0), (40, 3.0), (45, 2.0)]
    decisions = positions(100)
    whole = Objective.of_decisions(decisions)
    with pytest.raises(FitError, match=r"32 .* 20"):
        search(whole, SearchOptions(budget=20, **FEW), seen=SEEN)
    always = Gains(*np.ones((3, 100)))
    same = Objective.of_decisions(replace(decisions, gains=always))
    # No double is ever right, so no threshold can be fitted.
    with pytest.raises(FitError, match="double"):
        search(same, SearchOptions(), seen=SEEN)


@pytest.mark.parametrize("tried", RECIPES)
def test_found_formulas_are_read_back_from_yaml(tried, tmp_path):
    rule = tried.rule("again", "here")
    path = tmp_path / "found.yaml"
    path.write_text(formulas_yaml([rule], "one\ntwo"), encoding="utf-8")
    assert load_formulas(path) == (rule,)


def test_offsets_and_choice_come_from_their_parts(tmp_path):
    built(4)
    opened = built_population(tmp_path, "checkers-4", size=1500, checkers=4)
    training = ValuedDecisions.of_population(opened, "train")
    validation = ValuedDecisions.of_population(opened, "validation")
    how = SearchOptions(budget=45, steps=50, rows=300, **FEW)
    objectives = [Objective.of_decisions(part) for part in (training, validation)]
    chosen = choose(*objectives, how, "here")
    assert [c.cost for c in chosen] == sorted({c.cost for c in chosen})
    losses = [c.validation for c in chosen]
    assert losses == sorted(losses, reverse=True)
    for each in chosen:
        scores = [score_formulas([each.rule], part)[0] for part in (training, validation)]
        assert scores[0].total.value == pytest.approx(each.training, abs=1e-12)
        assert scores[1].total.value == pytest.approx(each.validation, abs=1e-12)
        assert each.rule.name == f"lab-{each.cost}"
