"""The search: formulas of the family that lose least for what they cost in the head.

Simulated annealing, for one budget of mental cost after the other, from the best of grids
of simple formulas and from what the budget before came to. A random change of one thing or
two - what is seen and how much it counts, what a checker counts, the least count, the share
of the roller's count - stays if the formula then loses less, or with a chance that falls
with what it loses more and with time. Every price is that of the best three offsets, all of
which are tried. The best few of each budget are refined: every part is exchanged for every
other until nothing is better.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp

import numpy as np

from bearoff.analysis.errors import FitError
from bearoff.analysis.search.library import (
    BESIDES,
    CAPS,
    DIVISORS,
    EACH,
    MOST,
    PER_ROLL,
    TWICE,
    VALUE,
    Least,
    Recipe,
    Seen,
    cost_of,
    cost_of_share,
    library,
)
from bearoff.analysis.search.objective import Objective
from bearoff.analysis.search.sample import Sample, price

Progress = Callable[[str, float], object]

BUDGETS = (46, 52, 60, 66, 71, 78, 84, 89, 94)
"""Units of mental cost; Keith's count takes 71, Isight's 95."""

FIRST = (
    (Seen("spread"), -2),
    (Seen("paired"), -2),
    (Seen("covered", compared="more"), -4),
    (Seen("tallest"), 2),
)
"""Things of a whole side that searches begin with, and half pips."""

HOT, COLD = 0.02, 0.0003
"""Share of the loss at the start that a formula may worsen by, with a chance of 1 in e: at
first and at last."""

NEAR = 1.03
"""Findings that lose at most so much more than the best of no higher cost are taken on."""

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
        Most units of mental cost; the best formula within each of `BUDGETS` up to it is
        looked for.
    seed : int
        Of the sample and the changes.
    steps : int
        Changes tried for each budget.
    kept : int
        Formulas of each budget that are refined.
    rows : int
        Decisions of the sample.
    step : int
        Half pips between weights and between offsets: 2 for whole pips.
    each, twice, per_roll : tuple of int
        What is tried, half pips: see the library.
    """

    budget: int = BUDGETS[-1]
    seed: int = 1
    steps: int = 15_000
    kept: int = 2
    rows: int = 50_000
    step: int = 2
    each: tuple[int, ...] = EACH
    twice: tuple[int | None, ...] = TWICE
    per_roll: tuple[int, ...] = tuple(PER_ROLL)

    @property
    def budgets(self) -> tuple[int, ...]:
        """Units of mental cost, ascending."""
        return (*(each for each in BUDGETS if each < self.budget), self.budget)

    @property
    def floors(self) -> list[Least | None]:
        """Least counts that are tried."""
        tried = [each for each in self.per_roll if each % self.step == 0]
        return [
            None,
            *((each, plus, most) for most in MOST for each in tried for plus in BESIDES),
        ]


def search(
    training: Objective,
    how: Search,
    progress: Progress = lambda stage, done: None,
    seen: tuple[Seen, ...] | None = None,
) -> list[Found]:
    """Find formulas, those that lose little more than the best of no higher cost.

    Returns
    -------
    list of Found
        By cost, then by loss; priced on a sample.

    Raises
    ------
    FitError
        If a budget is below that of any formula, or there is nothing to decide.
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
    grids = [_grid(sample, how, added) for added in _begun(sample)]
    pool = [each for grid in grids for each in grid]
    before: list[Found] = []
    for place, budget in enumerate(how.budgets):
        rng = np.random.default_rng([how.seed, budget])
        starts = [min(g, key=_better) for g in _within(budget, grids)]
        after = []
        for start in (*starts, *before):
            begun = _refined(sample, start, budget, how)
            best = _annealed(sample, begun.recipe.base, budget, how, rng)
            after += [begun, *(_refined(sample, f, budget, how) for f in best[: how.kept])]
        pool += after
        before = sorted(after, key=_better)[:1]
        progress("annealing", (place + 1) / len(how.budgets))
    return near_front(pool)


def _begun(sample: Sample) -> list[tuple[tuple[Seen, int], ...]]:
    """What is seen at the beginning: nothing, or one thing of a whole side."""
    return [(), *(((each, halves),) for each, halves in FIRST if each in sample.places)]


def _within(budget: int, grids: Sequence[Sequence[Found]]) -> list[list[Found]]:
    """Return those within a budget, of grids that have any."""
    within = ([each for each in grid if each.cost <= budget] for grid in grids)
    return [found for found in within if found]


def _grid(sample: Sample, how: Search, added: tuple[tuple[Seen, int], ...]) -> list[Found]:
    """Price simple formulas: what checkers count, a least count, a share."""
    few = [floor for floor in how.floors if floor and floor[2] == MOST[0]]
    floors = [None, *few[:: max(1, len(few) // 12)]]
    return [
        priced(sample, Recipe(added, divisor, floor=f, each=each, twice=t), how.step)
        for each in how.each
        for t in how.twice[:: max(1, len(how.twice) // 3)]
        for f in floors
        for divisor in DIVISORS[:3]
    ]


def _better(found: Found) -> tuple[float, int]:
    return found.loss, found.cost


def front(found: Iterable[Found]) -> list[Found]:
    """Return those that nothing cheaper, or as cheap, loses less than, by cost."""
    best: list[Found] = []
    for each in sorted(found, key=lambda f: (f.cost, f.loss)):
        if not best or each.loss < best[-1].loss - 1e-15:
            best.append(each)
    return best


def near_front(found: Iterable[Found]) -> list[Found]:
    """Return what loses at most `NEAR` times the best of no higher cost, each once."""
    by_cost = sorted({f.recipe: f for f in found}.values(), key=lambda f: (f.cost, f.loss))
    near, least = [], np.inf
    for each in by_cost:
        least = min(least, each.loss)
        # A loss of nothing may be rounded to less.
        if each.loss <= NEAR * least + 1e-12:
            near.append(each)
    return near


def priced(sample: Sample, recipe: Recipe, step: int = 1) -> Found:
    """Price a recipe with the best offsets on a sample."""
    nothing = np.zeros(sample.pips.shape[1], dtype=np.int8)
    losses, offsets = price(
        sample,
        sample.counted(recipe),
        (nothing, nothing),
        sample.least(recipe.floor),
        (0,),
        ((recipe.divisor, recipe.cap),),
        step,
    )
    return _found(recipe, offsets[0, 0], losses[0, 0])


def _found(recipe: Recipe, offsets: Sequence[int], loss: float) -> Found:
    double, redouble, take = (int(n) for n in offsets)
    recipe = replace(recipe, offsets=(double, redouble, take))
    return Found(recipe, cost_of(recipe), float(loss))


def _annealed(
    sample: Sample, start: Recipe, budget: int, how: Search, rng: np.random.Generator
) -> list[Found]:
    """Return the best formulas met within a budget, the best first."""
    current = priced(sample, start, how.step)
    scale = max(current.loss, 1e-300)
    met = {current.recipe.base: current}
    for step in range(how.steps):
        heat = HOT * (COLD / HOT) ** (step / how.steps)
        tried = _changed(current.recipe.base, sample.seen, how, rng)
        # A budget that is spent is moved by a second change, or a third.
        for _ in range(2):
            if cost_of(tried) > budget or rng.random() < 0.3:
                tried = _changed(tried, sample.seen, how, rng)
        if tried not in met and (not tried.possible or cost_of(tried) > budget):
            continue
        found = met.get(tried) or priced(sample, tried, how.step)
        met[tried] = found
        worse = (found.loss - current.loss) / scale
        if worse <= 0 or rng.random() < exp(-worse / heat):
            current = found
    return sorted(met.values(), key=_better)


def _changed(
    recipe: Recipe, seen: Sequence[Seen], how: Search, rng: np.random.Generator
) -> Recipe:
    """Change one thing at random."""

    def one_of(tried: Sequence[object]) -> int:
        return int(rng.integers(len(tried)))

    def weighed(thing: Seen) -> Recipe:
        weights = (0, *thing.weights(how.step))
        return recipe.with_weight(thing, weights[one_of(weights)])

    match int(rng.integers(8)):
        case 0 | 1 if recipe.added:
            return weighed(recipe.added[one_of(recipe.added)][0])
        case 2 if recipe.added:
            # Something else counts as much.
            thing, halves = recipe.added[one_of(recipe.added)]
            other = seen[one_of(seen)]
            if dict(recipe.added).get(other):
                return recipe
            return recipe.with_weight(thing, 0).with_weight(other, halves)
        case 3:
            floors = how.floors
            return replace(recipe, floor=floors[one_of(floors)])
        case 4 if rng.random() < 0.5:
            return replace(recipe, divisor=DIVISORS[one_of(DIVISORS)])
        case 4:
            return replace(recipe, cap=CAPS[one_of(CAPS)])
        case 5:
            twice = how.twice[one_of(how.twice)]
            return replace(recipe, twice=twice)
        case 6:
            return replace(recipe, each=how.each[one_of(how.each)])
        case _:
            values = [each for each in seen if each.feature == VALUE]
            pick = values if values and rng.random() < 0.5 else seen
            return weighed(pick[one_of(pick)])


def _exchanged(sample: Sample, base: Recipe, budget: int, how: Search) -> Iterator[Found]:
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
            and cost_of(base.with_weight(seen, halves)) <= budget
        ]
        if not weights or (not now and weights == [0]):
            continue
        counts = whole if not now else sample.counted(base, without=seen)
        charged = sample.mine[place], sample.opponents[place]
        losses, offsets = price(
            sample, counts, charged, least, weights, ((base.divisor, base.cap),), how.step
        )
        for k, halves in enumerate(weights):
            if halves or now:
                yield _found(base.with_weight(seen, halves), offsets[k, 0], losses[k, 0])


def _neighbours(sample: Sample, base: Recipe, budget: int, how: Search) -> Iterator[Found]:
    """All recipes beside one: a part weighed differently, or another base."""
    yield from _exchanged(sample, base, budget, how)
    others = [replace(base, divisor=divisor) for divisor in DIVISORS]
    others += [replace(base, cap=cap) for cap in CAPS]
    others += [replace(base, floor=floor) for floor in how.floors]
    others += [
        replace(base, each=each, twice=twice) for each in how.each for twice in how.twice
    ]
    for other in others:
        if other != base and other.possible and cost_of(other) <= budget:
            yield priced(sample, other, how.step)


def _refined(sample: Sample, start: Found, budget: int, how: Search) -> Found:
    """Exchange what a formula is made of for as long as that loses less."""
    current = start
    while True:
        tried = _neighbours(sample, current.recipe.base, budget, how)
        best = min([current, *tried], key=_better)
        # A loss of nothing may be rounded to less.
        if current.loss - best.loss <= GAIN * abs(current.loss):
            return current
        current = best
