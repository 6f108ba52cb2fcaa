"""From a population to formulas: found on its training part, chosen on validation.

The test part is not looked at until everything is chosen; then all that is chosen, and
the published methods beside it, are scored on it, once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from analysis.errors import FitError
from analysis.formulas.rules import CountRule, WorkedFormula
from analysis.outcomes import intervals
from analysis.scoring import (
    FormulaLoss,
    PricedDecisions,
    loss_difference,
    mental_cost,
    score_formulas,
)
from analysis.search.candidates import Found, Search, front, priced, search
from analysis.search.chance import with_chance
from analysis.search.library import library
from analysis.search.sample import Sample

Progress = Callable[[str, float], object]

SEEDS = 2
"""Searches with samples of their own whose findings are put together."""

NEAR = 1.05
"""Findings this close to the best of no higher cost are taken to validation."""


@dataclass(frozen=True)
class Chosen:
    """A formula that validation chose.

    Attributes
    ----------
    rule : CountRule
        The formula.
    cost : int
        Units of mental cost.
    training, validation : float
        Points lost per position there.
    """

    rule: CountRule
    cost: int
    training: float
    validation: float


@dataclass(frozen=True, eq=False)
class HeldOutScore:
    """A formula on the test part.

    Attributes
    ----------
    formula : WorkedFormula
        One that was chosen, or a published one.
    cost : int
        Units of mental cost.
    loss : FormulaLoss
        Its score.
    difference : Mean
        Points lost per position more than by the reference.
    """

    formula: WorkedFormula
    cost: int
    loss: FormulaLoss
    difference: intervals.Mean


def choose(
    training: PricedDecisions,
    validation: PricedDecisions,
    how: Search,
    source: str,
    seeds: int = SEEDS,
    progress: Progress = lambda stage, done: None,
) -> list[Chosen]:
    """Search with several seeds, fit offsets on all training decisions, and choose.

    Returns
    -------
    list of Chosen
        By cost, each losing less on the validation part than any cheaper one. Each is
        called ``lab-N`` by its cost, and estimates the chance to win as well as its count
        can by a straight percentage.
    """
    found: dict[object, Found] = {}
    for place in range(seeds):
        one = replace(how, seed=how.seed + 1000 * place)

        def report(stage: str, done: float, place: int = place) -> None:
            progress(f"search {place + 1} of {seeds}, {stage}", done)

        for each in search(training, one, report):
            recipe = each.recipe
            found[(recipe.added, recipe.floor, recipe.divisor)] = each
    recipes = [each.recipe for each in found.values()]
    used = tuple(dict.fromkeys(seen for r in recipes for seen, _ in r.added))
    whole = Sample.of(training, used or library()[:1])
    fitted = []
    for place, recipe in enumerate(recipes):
        fitted.append(priced(whole, recipe, how.step))
        progress("offsets on all training decisions", (place + 1) / len(recipes))
    candidates = _near_front(fitted)
    if not candidates:
        raise FitError("the search found no formula within the budget; give more units")
    rules = [f.recipe.rule(f"lab-{f.cost}", source) for f in candidates]
    scores = score_formulas(rules, validation, lambda _, done: progress("validation", done))
    by_rule = {
        id(each.recipe): (rule, score.total.value)
        for each, rule, score in zip(candidates, rules, scores, strict=True)
    }
    on_validation = [replace(f, loss=by_rule[id(f.recipe)][1]) for f in candidates]
    training_loss = {id(f.recipe): f.loss for f in candidates}
    return [
        Chosen(
            with_chance(by_rule[id(f.recipe)][0], training, how.seed),
            f.cost,
            training_loss[id(f.recipe)],
            f.loss,
        )
        for f in front(on_validation)
    ]


def score_held_out(
    chosen: Sequence[WorkedFormula],
    published: Sequence[WorkedFormula],
    test: PricedDecisions,
    reference: WorkedFormula,
    progress: Progress = lambda stage, done: None,
) -> list[HeldOutScore]:
    """Score what was chosen and what is published on the test part, by cost."""
    formulas = list({f.name: f for f in (*chosen, *published, reference)}.values())
    losses = score_formulas(formulas, test, lambda _, done: progress("test part", done))
    base = next(loss for loss in losses if loss.name == reference.name)
    scored = [
        HeldOutScore(
            formula, mental_cost(formula).total, loss, loss_difference(loss, base, test)
        )
        for formula, loss in zip(formulas, losses, strict=True)
    ]
    return sorted(scored, key=lambda s: (s.cost, s.loss.total.value))


def _near_front(found: Sequence[Found]) -> list[Found]:
    """Return what loses little more than the best of no higher cost."""
    near = []
    for each in found:
        least = min(f.loss for f in found if f.cost <= each.cost)
        if each.loss <= NEAR * least:
            near.append(each)
    return near
