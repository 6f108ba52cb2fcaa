"""Search for cube rules with the smallest loss within budgets of mental cost.

Simulated annealing runs for one budget after another. Each run starts from the best of some
simple formulas, or from the result of the previous budget. A step changes one or two parts
of a formula at random: an adjustment, the value of a checker, the minimum count or the
divisor. If the step reduces the loss, it is accepted. Otherwise, the probability of
acceptance decreases with the increase in loss and with time. The loss of a formula is
computed with the best offsets of its three required leads, found by trying all offsets. The
best few formulas of each budget are then refined: parts are exchanged one at a time until
no exchange reduces the loss.
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
    CountedFeature,
    Least,
    Recipe,
    cost_of,
    cost_of_share,
    library,
)
from bearoff.analysis.search.objective import Objective
from bearoff.analysis.search.sample import SearchSample, evaluate_adjustment

Progress = Callable[[str, float], object]

BUDGETS = (46, 52, 60, 66, 71, 78, 84, 89, 94)
"""Upper limits of mental cost for which formulas are searched. For comparison, Keith's
count costs 71 and Isight's costs 95."""

FIRST = (
    (CountedFeature("spread"), -2),
    (CountedFeature("paired"), -2),
    (CountedFeature("covered", compared="more"), -4),
    (CountedFeature("tallest"), 2),
)
"""Features, each with a weight in half pips. One search starts from each feature."""

HOT, COLD = 0.02, 0.0003
"""Initial and final temperature of simulated annealing. The temperature is the increase in
loss, relative to the initial loss, that is accepted with probability 1/e."""

NEAR = 1.03
"""Largest ratio of a formula's loss to the smallest loss at the same or a lower mental
cost. Formulas above this ratio are discarded."""

GAIN = 3e-4
"""Relative decrease in loss that a change must exceed to count as an improvement."""


@dataclass(frozen=True)
class Candidate:
    """Formula found by a search, with its mental cost and its loss on a sample."""

    recipe: Recipe
    cost: int
    loss: float


@dataclass(frozen=True)
class SearchOptions:
    """Settings of a formula search.

    Attributes
    ----------
    budget : int
        Maximum mental cost; the search uses each of `BUDGETS` up to this maximum.
    seed : int
        Seed of the random sample and of the random changes.
    steps : int
        Number of changes tried for each budget.
    kept : int
        Number of formulas that are refined for each budget.
    rows : int
        Number of decisions in the sample.
    step : int
        Step in half pips between the weights that the search tries, and between the
        offsets. If the step is 2, all weights and offsets are whole pips.
    each, twice, per_roll : tuple of int
        Values in half pips that the search tries for the attributes `each` and `twice` of a
        `Recipe`, and for the pips per roll of a minimum count.
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
        """Budgets of mental cost, in ascending order."""
        return (*(each for each in BUDGETS if each < self.budget), self.budget)

    @property
    def floors(self) -> list[Least | None]:
        """Minimum counts that the search tries; None stands for no minimum."""
        tried = [each for each in self.per_roll if each % self.step == 0]
        return [
            None,
            *((each, plus, most) for most in MOST for each in tried for plus in BESIDES),
        ]


def search(
    training: Objective,
    how: SearchOptions,
    progress: Progress = lambda stage, done: None,
    seen: tuple[CountedFeature, ...] | None = None,
) -> list[Candidate]:
    """Search for formulas with low loss for their mental cost.

    Returns
    -------
    list of Candidate
        Formulas by increasing cost, and then by loss on a sample.

    Raises
    ------
    FitError
        If the budget is below the cost of every formula, or all decisions have the same
        right action.
    """
    least = min(cost_of_share(divisor) for divisor in DIVISORS)
    if how.budget < least:
        raise FitError(
            f"the budget must be at least {least} units, the cost of counting pips and "
            f"comparing the counts, got {how.budget}"
        )
    for place, name in enumerate(("double", "redouble")):
        gain = training.gains[:, place]
        if not (gain > 0).any() or not (gain < 0).any():
            raise FitError(
                f"nothing can be fitted, because the same {name} decision is right in "
                "every position"
            )
    sample = SearchSample.of(
        training.sample(how.rows, how.seed), library() if seen is None else seen
    )
    grids = [_grid(sample, how, added) for added in _begun(sample)]
    pool = [each for grid in grids for each in grid]
    before: list[Candidate] = []
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


def _begun(sample: SearchSample) -> list[tuple[tuple[CountedFeature, int], ...]]:
    return [(), *(((each, halves),) for each, halves in FIRST if each in sample.places)]


def _within(budget: int, grids: Sequence[Sequence[Candidate]]) -> list[list[Candidate]]:
    within = ([each for each in grid if each.cost <= budget] for grid in grids)
    return [found for found in within if found]


def _grid(
    sample: SearchSample, how: SearchOptions, added: tuple[tuple[CountedFeature, int], ...]
) -> list[Candidate]:
    """Evaluate simple formulas with various checker values, minimum counts and divisors."""
    few = [floor for floor in how.floors if floor and floor[2] == MOST[0]]
    floors = [None, *few[:: max(1, len(few) // 12)]]
    return [
        evaluated(sample, Recipe(added, divisor, floor=f, each=each, twice=t), how.step)
        for each in how.each
        for t in how.twice[:: max(1, len(how.twice) // 3)]
        for f in floors
        for divisor in DIVISORS[:3]
    ]


def _better(found: Candidate) -> tuple[float, int]:
    return found.loss, found.cost


def front(found: Iterable[Candidate]) -> list[Candidate]:
    """Return the formulas that lose less than all others of lower or equal cost."""
    best: list[Candidate] = []
    for each in sorted(found, key=lambda f: (f.cost, f.loss)):
        if not best or each.loss < best[-1].loss - 1e-15:
            best.append(each)
    return best


def near_front(found: Iterable[Candidate]) -> list[Candidate]:
    """Return the formulas that lose little more than the best one of no higher cost."""
    by_cost = sorted({f.recipe: f for f in found}.values(), key=lambda f: (f.cost, f.loss))
    near, least = [], np.inf
    for each in by_cost:
        least = min(least, each.loss)
        # Adding 1e-12 allows for rounding errors if the smallest loss is 0.
        if each.loss <= NEAR * least + 1e-12:
            near.append(each)
    return near


def evaluated(sample: SearchSample, recipe: Recipe, step: int = 1) -> Candidate:
    """Return a formula with the offsets that minimise its loss on a sample."""
    nothing = np.zeros(sample.pips.shape[1], dtype=np.int8)
    losses, offsets = evaluate_adjustment(
        sample,
        sample.counted(recipe),
        (nothing, nothing),
        sample.least(recipe.floor),
        (0,),
        ((recipe.divisor, recipe.cap),),
        step,
    )
    return _found(recipe, offsets[0, 0], losses[0, 0])


def _found(recipe: Recipe, offsets: Sequence[int], loss: float) -> Candidate:
    double, redouble, take = (int(n) for n in offsets)
    recipe = replace(recipe, offsets=(double, redouble, take))
    return Candidate(recipe, cost_of(recipe), float(loss))


def _annealed(
    sample: SearchSample,
    start: Recipe,
    budget: int,
    how: SearchOptions,
    rng: np.random.Generator,
) -> list[Candidate]:
    """Return the formulas that annealing finds within a budget, by increasing loss."""
    current = evaluated(sample, start, how.step)
    scale = max(current.loss, 1e-300)
    met = {current.recipe.base: current}
    for step in range(how.steps):
        heat = HOT * (COLD / HOT) ** (step / how.steps)
        tried = _changed(current.recipe.base, sample.seen, how, rng)
        # If a random change makes the formula exceed the budget of mental cost, up to two
        # more changes follow, which may lower the mental cost.
        for _ in range(2):
            if cost_of(tried) > budget or rng.random() < 0.3:
                tried = _changed(tried, sample.seen, how, rng)
        if tried not in met and (not tried.possible or cost_of(tried) > budget):
            continue
        found = met.get(tried) or evaluated(sample, tried, how.step)
        met[tried] = found
        worse = (found.loss - current.loss) / scale
        if worse <= 0 or rng.random() < exp(-worse / heat):
            current = found
    return sorted(met.values(), key=_better)


def _changed(
    recipe: Recipe,
    seen: Sequence[CountedFeature],
    how: SearchOptions,
    rng: np.random.Generator,
) -> Recipe:
    """Return a formula that differs from a given formula by one random change."""

    def one_of(tried: Sequence[object]) -> int:
        return int(rng.integers(len(tried)))

    def weighed(thing: CountedFeature) -> Recipe:
        weights = (0, *thing.weights(how.step))
        return recipe.with_weight(thing, weights[one_of(weights)])

    match int(rng.integers(8)):
        case 0 | 1 if recipe.added:
            return weighed(recipe.added[one_of(recipe.added)][0])
        case 2 if recipe.added:
            # A feature that the formula does not use replaces a used feature, and takes
            # over its weight.
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


def _exchanged(
    sample: SearchSample, base: Recipe, budget: int, how: SearchOptions
) -> Iterator[Candidate]:
    """Yield variants of a formula in which one feature has a new weight or is removed."""
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
        losses, offsets = evaluate_adjustment(
            sample, counts, charged, least, weights, ((base.divisor, base.cap),), how.step
        )
        for k, halves in enumerate(weights):
            if halves or now:
                yield _found(base.with_weight(seen, halves), offsets[k, 0], losses[k, 0])


def _neighbours(
    sample: SearchSample, base: Recipe, budget: int, how: SearchOptions
) -> Iterator[Candidate]:
    """Yield all formulas that differ from a given formula in a single part."""
    yield from _exchanged(sample, base, budget, how)
    others = [replace(base, divisor=divisor) for divisor in DIVISORS]
    others += [replace(base, cap=cap) for cap in CAPS]
    others += [replace(base, floor=floor) for floor in how.floors]
    others += [
        replace(base, each=each, twice=twice) for each in how.each for twice in how.twice
    ]
    for other in others:
        if other != base and other.possible and cost_of(other) <= budget:
            yield evaluated(sample, other, how.step)


def _refined(
    sample: SearchSample, start: Candidate, budget: int, how: SearchOptions
) -> Candidate:
    """Change single parts of a formula until no change reduces the loss."""
    current = start
    while True:
        tried = _neighbours(sample, current.recipe.base, budget, how)
        best = min([current, *tried], key=_better)
        # Rounding errors may make a loss of zero slightly negative, so its absolute value
        # is used.
        if current.loss - best.loss <= GAIN * abs(current.loss):
            return current
        current = best
