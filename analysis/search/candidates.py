"""The search: formulas of the family that lose least for what they cost in the head.

It builds formulas up, one adjustment at a time. Of each length it keeps, for every few
units of cost, those that lose least on a sample of the training decisions (a *beam*), and
tries every adjustment with every weight and every share on each. What is then left is
refined on more decisions: each adjustment exchanged for every other, the least count for
those beside it, until none is better. Every price is that of the best three offsets, all
of which are tried.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.errors import FitError
from analysis.scoring import PricedDecisions
from analysis.search.library import (
    DIVISORS,
    FLOORS,
    PER_ROLL,
    VALUE,
    Recipe,
    Seen,
    cost_of,
    cost_of_adding,
    cost_of_floor,
    cost_of_share,
    library,
)
from analysis.search.sample import Sample, price

Progress = Callable[[str, float], object]

BUCKET = 3
"""Units of cost within which formulas compete for the beam."""


@dataclass(frozen=True)
class Found:
    """A recipe with what it costs in the head and loses on a sample, per position."""

    recipe: Recipe
    cost: int
    loss: float


@dataclass(frozen=True)
class Search:
    """How to search.

    Attributes
    ----------
    budget : int
        Most units of mental cost.
    seed : int
        Of the samples.
    depth : int
        Most adjustments.
    width : int
        Formulas that stay for each `BUCKET` of units.
    rows : int
        Decisions of the sample that formulas are built on.
    refined_rows : int
        Of the sample that they are refined on.
    step : int
        Half pips between offsets.
    """

    budget: int = 75
    seed: int = 1
    depth: int = 5
    width: int = 3
    rows: int = 16_000
    refined_rows: int = 60_000
    step: int = 1


def search(
    training: PricedDecisions,
    how: Search,
    progress: Progress = lambda stage, done: None,
    seen: tuple[Seen, ...] | None = None,
) -> list[Found]:
    """Find formulas, from the cheapest to the dearest, each losing less than any before.

    Raises
    ------
    FitError
        If the budget is below that of any formula, or there is nothing to decide.
    """
    least = min(cost_of_share(divisor) for divisor in DIVISORS)
    if how.budget < least:
        raise FitError(
            f"a budget of {how.budget} units is below {least}, what counting pips and "
            "comparing them costs; give more"
        )
    seen = library() if seen is None else seen
    gains = training.gains
    for name, gain in (("double", gains.double), ("redouble", gains.redouble)):
        if not (gain > 0).any() or not (gain < 0).any():
            raise FitError(f"nothing to fit: at every position the same {name} is right")
    sample = Sample.of(training, seen, how.rows, how.seed)
    found = _beam(sample, how, progress)
    wide = Sample.of(training, seen, how.refined_rows, how.seed + 1)
    again = [priced(wide, each.recipe, how.step) for each in _leaders(found, how.width)]
    return front(_refined(wide, front(again), how, progress))


def front(found: Iterable[Found]) -> list[Found]:
    """Return those that nothing cheaper, or as cheap, loses less than, by cost."""
    best: list[Found] = []
    for each in sorted(found, key=lambda f: (f.cost, f.loss)):
        if not best or each.loss < best[-1].loss - 1e-15:
            best.append(each)
    return best


def priced(sample: Sample, recipe: Recipe, step: int = 1) -> Found:
    """Price a recipe with the best offsets on a sample."""
    counts = sample.counted(recipe.added)
    nothing = np.zeros(len(counts[0]), dtype=np.int8)
    losses, offsets = price(
        sample, counts, (nothing, nothing), recipe.floor, (0,), (recipe.divisor,), step
    )
    double, redouble, take = (int(n) for n in offsets[0, 0])
    recipe = replace(recipe, offsets=(double, redouble, take))
    return Found(recipe, cost_of(recipe), float(losses[0, 0]))


_Base = tuple[tuple[tuple[Seen, int], ...], tuple[int, int] | None]
"""Adjustments and least count, without share and offsets."""


def _beam(sample: Sample, how: Search, progress: Progress) -> list[Found]:
    states = [
        priced(sample, recipe, how.step)
        for floor in FLOORS
        for divisor in DIVISORS
        if cost_of(recipe := Recipe((), divisor, floor=floor)) <= how.budget
    ]
    found = {_key(each.recipe): each for each in states}
    bases: list[_Base] = list(dict.fromkeys(_base(each.recipe) for each in states))
    for depth in range(how.depth):
        grown: dict[object, Found] = {}
        for place, base in enumerate(bases):
            for each in _extended(sample, base, how):
                key = _key(each.recipe)
                if key not in grown or each.loss < grown[key].loss:
                    grown[key] = each
            progress(f"adjustment {depth + 1} of {how.depth}", (place + 1) / len(bases))
        found |= grown
        leaders = _leaders(grown.values(), how.width)
        bases = list(dict.fromkeys(_base(each.recipe) for each in leaders))
        if not bases:
            break
    return list(found.values())


def _leaders(found: Iterable[Found], width: int) -> list[Found]:
    """Return the best of each bucket of cost that are near what cheaper ones reach."""
    buckets: dict[int, list[Found]] = {}
    for each in found:
        buckets.setdefault(each.cost // BUCKET, []).append(each)
    leaders: list[Found] = []
    least = np.inf
    for number in sorted(buckets):
        best = sorted(buckets[number], key=lambda f: (f.loss, f.cost))[:width]
        leaders += [each for each in best if each.loss < 1.15 * least]
        least = min(least, best[0].loss)
    return leaders


def _extended(sample: Sample, base: _Base, how: Search) -> Iterable[Found]:
    """All recipes with one adjustment more, each with the best of equally dear shares."""
    added, floor = base
    counts = sample.counted(added)
    used = {each for each, _ in added}
    spent = sum(cost_of_adding(*each) for each in added) + cost_of_floor(floor)
    for place, seen in enumerate(sample.seen):
        if seen in used:
            continue
        weights = tuple(
            halves
            for halves in seen.weights
            if spent + cost_of_adding(seen, halves) + cost_of_share(None) <= how.budget
        )
        if not weights:
            continue
        charged = sample.mine[place], sample.opponents[place]
        losses, offsets = price(sample, counts, charged, floor, weights, DIVISORS, how.step)
        for k, halves in enumerate(weights):
            cheap: dict[int, int] = {}
            for m, divisor in enumerate(DIVISORS):
                cost = spent + cost_of_adding(seen, halves) + cost_of_share(divisor)
                if cost <= how.budget and (
                    cost not in cheap or losses[k, m] < losses[k, cheap[cost]]
                ):
                    cheap[cost] = m
            for cost, m in cheap.items():
                double, redouble, take = (int(n) for n in offsets[k, m])
                recipe = Recipe(
                    _ordered((*added, (seen, halves))),
                    DIVISORS[m],
                    (double, redouble, take),
                    floor,
                )
                yield Found(recipe, cost, float(losses[k, m]))


def _neighbours(sample: Sample, recipe: Recipe, how: Search) -> Iterable[Found]:
    """The recipe with least counts and shares beside its own, or without what it has."""
    floors = [recipe.floor]
    if recipe.floor is not None:
        each, plus = recipe.floor
        floors += [
            (each + more, plus + besides)
            for more in (-2, -1, 0, 1, 2)
            for besides in range(-7, 8)
            if each + more in PER_ROLL
        ]
    for floor in floors:
        for divisor in DIVISORS:
            beside = replace(recipe, floor=floor, divisor=divisor)
            if cost_of(beside) <= how.budget:
                yield priced(sample, beside, how.step)
    for gone in recipe.added:
        added = tuple(each for each in recipe.added if each != gone)
        yield priced(sample, replace(recipe, added=added), how.step)


def _refined(
    sample: Sample, found: Sequence[Found], how: Search, progress: Progress
) -> list[Found]:
    """Exchange what each is made of for as long as that loses less."""
    pool: dict[object, Found] = {}

    def pooled(tried: Iterable[Found]) -> None:
        for each in tried:
            key = _key(each.recipe)
            if key not in pool or each.loss < pool[key].loss:
                pool[key] = each

    pooled(found)
    for place, start in enumerate(found):
        limited = replace(how, budget=start.cost)
        current, before = start, np.inf
        while current.loss < before - 1e-12:
            before = current.loss
            pooled(_neighbours(sample, current.recipe, limited))
            current = _best(pool.values(), start.cost)
            for gone in current.recipe.added:
                rest = tuple(each for each in current.recipe.added if each != gone)
                pooled(_extended(sample, (rest, current.recipe.floor), limited))
            current = _best(pool.values(), start.cost)
        progress("refining", (place + 1) / len(found))
    return list(pool.values())


def _best(found: Iterable[Found], budget: int) -> Found:
    return min((f for f in found if f.cost <= budget), key=lambda f: f.loss)


def _ordered(added: tuple[tuple[Seen, int], ...]) -> tuple[tuple[Seen, int], ...]:
    """Put what is seen into one order, so that the same formula is the same recipe."""
    return tuple(
        sorted(
            added,
            key=lambda a: (a[0].feature != VALUE, a[0].feature, a[0].on, a[0].beyond, a[1]),
        )
    )


def _base(recipe: Recipe) -> _Base:
    return recipe.added, recipe.floor


def _key(recipe: Recipe) -> object:
    return recipe.added, recipe.floor, cost_of_share(recipe.divisor)
