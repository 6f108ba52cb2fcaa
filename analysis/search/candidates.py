"""The search: formulas of the family that lose least for what they cost in the head.

It begins with every value that all checkers may have besides their pips, every least count
a roll and every share of the roller's count. From these it grows formulas, one thing seen
at a time: of each length it keeps, for every few units of cost, those that lose least on a
sample (a *beam*). Those left are refined: every part is exchanged for every other, and what
helps most is tried together with every second exchange, until nothing is better. Every
price is that of the best three offsets, all of which are tried.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.errors import FitError
from analysis.search.library import (
    BESIDES,
    DIVISORS,
    EACH,
    PER_ROLL,
    TWICE,
    Recipe,
    Seen,
    cost_of,
    cost_of_share,
    library,
)
from analysis.search.objective import Objective
from analysis.search.sample import Sample, price

Progress = Callable[[str, float], object]

BUCKET = 4
"""Units of cost within which formulas compete for the beam."""

SLACK = 1.15
"""A formula stays in the beam if it loses at most so much more than a cheaper one."""

GAIN = 3e-4
"""Share of the loss below which a change is no improvement."""


@dataclass(frozen=True)
class Found:
    """A recipe with what it costs in the head and loses on a sample."""

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
        Most things seen.
    width : int
        Formulas that stay for each `BUCKET` of units.
    rows : int
        Decisions of the sample.
    pairs : int
        First exchanges that every second one is tried with.
    step : int
        Half pips between weights and between offsets: 2 for whole pips.
    each, twice, per_roll : tuple of int
        What it begins with and comes back to, half pips: see the library.
    """

    budget: int = 95
    seed: int = 1
    depth: int = 7
    width: int = 6
    rows: int = 60_000
    pairs: int = 8
    step: int = 2
    each: tuple[int, ...] = EACH
    twice: tuple[int | None, ...] = TWICE
    per_roll: tuple[int, ...] = tuple(PER_ROLL)

    @property
    def floors(self) -> list[tuple[int, int] | None]:
        """Least counts that are tried."""
        tried = [each for each in self.per_roll if each % self.step == 0]
        return [None, *((each, plus) for each in tried for plus in BESIDES)]


def search(
    training: Objective,
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
    for place, name in enumerate(("double", "redouble")):
        gain = training.gains[:, place]
        if not (gain > 0).any() or not (gain < 0).any():
            raise FitError(f"nothing to fit: at every position the same {name} is right")
    sample = Sample.of(
        training.sample(how.rows, how.seed), library() if seen is None else seen
    )
    return front(_refined(sample, _beam(sample, how, progress), how, progress))


def front(found: Iterable[Found]) -> list[Found]:
    """Return those that nothing cheaper, or as cheap, loses less than, by cost."""
    best: list[Found] = []
    for each in sorted(found, key=lambda f: (f.cost, f.loss)):
        if not best or each.loss < best[-1].loss - 1e-15:
            best.append(each)
    return best


def priced(sample: Sample, recipe: Recipe, step: int = 1) -> Found:
    """Price a recipe with the best offsets on a sample."""
    nothing = np.zeros(sample.pips.shape[1], dtype=np.int8)
    losses, offsets = price(
        sample,
        sample.counted(recipe),
        (nothing, nothing),
        sample.least(recipe.floor),
        (0,),
        (recipe.divisor,),
        step,
    )
    return _found(recipe, offsets[0, 0], losses[0, 0])


def _found(recipe: Recipe, offsets: Sequence[int], loss: float) -> Found:
    double, redouble, take = (int(n) for n in offsets)
    recipe = replace(recipe, offsets=(double, redouble, take))
    return Found(recipe, cost_of(recipe), float(loss))


def _beam(sample: Sample, how: Search, progress: Progress) -> list[Found]:
    found: dict[Recipe, Found] = {}
    bases: list[Recipe] = []
    for place, each in enumerate(how.each):
        begun = [
            priced(sample, recipe, how.step)
            for twice in how.twice
            for floor in how.floors
            for divisor in DIVISORS
            if cost_of(recipe := Recipe((), divisor, floor=floor, each=each, twice=twice))
            <= how.budget
        ]
        found |= {start.recipe.base: start for start in begun}
        bases += _leaders(begun, how.width, np.inf)
        progress("starts", (place + 1) / len(how.each))
    for depth in range(how.depth):
        grown: dict[Recipe, Found] = {}
        for place, base in enumerate(bases):
            for one in _exchanged(sample, base, how):
                if one.recipe.base not in found:
                    grown[one.recipe.base] = one
            progress(f"thing {depth + 1} of {how.depth}", (place + 1) / len(bases))
        found |= grown
        # A least count pays with much else only, and at first so does a higher value.
        kinds: dict[object, list[Found]] = {}
        for one in grown.values():
            value = one.recipe.each if depth < 2 else None
            kinds.setdefault((value, one.recipe.floor is None), []).append(one)
        width = how.width if depth >= 2 else max(2, how.width // 4)
        bases = [
            leader for kind in kinds.values() for leader in _leaders(kind, width, SLACK)
        ]
        if not bases:
            break
    return list(found.values())


def _leaders(found: Iterable[Found], width: int, slack: float) -> list[Recipe]:
    """Return the best of each bucket of cost that are near what cheaper ones reach."""
    buckets: dict[int, list[Found]] = {}
    for each in found:
        buckets.setdefault(each.cost // BUCKET, []).append(each)
    leaders: list[Recipe] = []
    least = np.inf
    for number in sorted(buckets):
        best = sorted(buckets[number], key=lambda f: (f.loss, f.cost))[:width]
        leaders += [f.recipe.base for f in best if f.loss <= slack * least]
        least = min(least, best[0].loss)
    return leaders


def _exchanged(sample: Sample, base: Recipe, how: Search) -> Iterator[Found]:
    """All recipes that weigh one thing differently, or not at all."""
    weights_now = dict(base.added)
    least = sample.least(base.floor)
    whole = sample.counted(base)
    for place, seen in enumerate(sample.seen):
        now = weights_now.get(seen, 0)
        weights = [
            halves
            for halves in (0, *seen.weights(how.step))
            if halves != now
            and base.with_weight(seen, halves).possible
            and cost_of(base.with_weight(seen, halves)) <= how.budget
        ]
        if not weights or (not now and weights == [0]):
            continue
        counts = whole if not now else sample.counted(base, without=seen)
        charged = sample.mine[place], sample.opponents[place]
        losses, offsets = price(
            sample, counts, charged, least, weights, (base.divisor,), how.step
        )
        for k, halves in enumerate(weights):
            if halves or now:
                yield _found(base.with_weight(seen, halves), offsets[k, 0], losses[k, 0])


def _neighbours(sample: Sample, base: Recipe, how: Search) -> Iterator[Found]:
    """All recipes beside one: a part weighed differently, or another base."""
    yield from _exchanged(sample, base, how)
    others = [replace(base, divisor=divisor) for divisor in DIVISORS]
    others += [replace(base, floor=floor) for floor in how.floors]
    others += [
        replace(base, each=each, twice=twice) for each in how.each for twice in how.twice
    ]
    for other in others:
        if other != base and other.possible and cost_of(other) <= how.budget:
            yield priced(sample, other, how.step)


def _refined(
    sample: Sample, found: Sequence[Found], how: Search, progress: Progress
) -> list[Found]:
    """Exchange what each is made of for as long as that loses less."""
    pool = list(found)
    starts = front(found)
    for place, start in enumerate(starts):
        limited = replace(how, budget=start.cost)
        current = min((f for f in pool if f.cost <= start.cost), key=lambda f: f.loss)
        while True:
            tried = list(_neighbours(sample, current.recipe.base, limited))
            first = sorted(tried, key=lambda f: (f.loss, f.cost))[: how.pairs]
            for each in first:
                tried += _exchanged(sample, each.recipe.base, limited)
            best = min([current, *tried], key=lambda f: (f.loss, f.cost))
            pool += front(tried)
            # A loss of nothing may be rounded to less.
            if current.loss - best.loss <= GAIN * abs(current.loss):
                break
            current = best
        progress("refining", (place + 1) / len(starts))
    return pool
