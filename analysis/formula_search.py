"""The search: formulas of the family that lose least for what they cost in the head.

It builds formulas up, one adjustment at a time. Of each length it keeps, for every few
units of cost, those that lose least on a sample of the training decisions (a *beam*), and
tries every adjustment with every weight and every share on each. What is then left is
refined on more decisions: each adjustment exchanged for every other, until none is
better. Every price is that of the best three offsets, all of which are tried.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.decisions import PricedDecisions
from analysis.errors import FitError
from analysis.formula_library import (
    DIVISORS,
    VALUE,
    Recipe,
    Seen,
    cost_of,
    cost_of_adding,
    cost_of_share,
    library,
)
from analysis.formulas.features import columns_of, pip_count

Int8Array = NDArray[np.int8]
Float64Array = NDArray[np.float64]
Progress = Callable[[str, float], object]

OFFSETS = (-40, 40)
"""Least and largest offset that is tried, half pips."""

CORE = (0.5, 0.95)
"""Chances to win between which a sample takes decisions four times as often."""

BUCKET = 3
"""Units of cost within which formulas compete for the beam."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Decisions as the kernels want them.

    Attributes
    ----------
    ours, lead : ndarray of int32, shape (n,)
        The roller's pips and lead, in half pips.
    gains : ndarray of float64, shape (n, 3)
        Of doubling, redoubling and passing, in points per position met.
    mine, his : ndarray of int8, shape (seen, n)
        What is seen of both sides, in the order of `seen`.
    seen : tuple of Seen
        The library.
    """

    ours: NDArray[np.int32]
    lead: NDArray[np.int32]
    gains: Float64Array
    mine: Int8Array
    his: Int8Array
    seen: tuple[Seen, ...]

    @classmethod
    def of(
        cls,
        decisions: PricedDecisions,
        seen: tuple[Seen, ...],
        size: int | None = None,
        seed: int = 0,
    ) -> "Sample":
        """Take all decisions, or draw a sample of them with replacement."""
        share = decisions.weights / decisions.weights.sum()
        if size is not None and size < len(decisions):
            low, high = CORE
            chance = decisions.win_probability
            core = (low <= chance) & (chance <= high)
            often = share * np.where(core, 1.0, 0.25)
            often /= often.sum()
            drawn = np.random.default_rng(seed).choice(len(decisions), size, p=often)
            decisions = decisions.chosen(drawn)
            share = share[drawn] / (often[drawn] * size)
        ours, theirs = columns_of(decisions.rollers), columns_of(decisions.opponents)
        pips = 2 * pip_count(ours).astype(np.int32)
        gains = decisions.gains
        passing = -gains.take * decisions.asked
        charged = [each.charged(ours, theirs) for each in seen]
        return cls(
            pips,
            2 * pip_count(theirs).astype(np.int32) - pips,
            np.stack([gains.double, gains.redouble, passing], 1) * share[:, None],
            np.stack([mine for mine, _ in charged]),
            np.stack([his for _, his in charged]),
            seen,
        )

    @cached_property
    def places(self) -> dict[Seen, int]:
        """Where each thing seen stands."""
        return {each: place for place, each in enumerate(self.seen)}

    def counted(
        self, added: Iterable[tuple[Seen, int]]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the roller's counts and leads with these adjustments, half pips."""
        ours, lead = self.ours.copy(), self.lead.copy()
        for seen, halves in added:
            mine, his = self.mine[self.places[seen]], self.his[self.places[seen]]
            ours += halves * mine.astype(np.int32)
            lead += halves * (his.astype(np.int32) - mine)
        return ours, lead


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
        Formulas kept for each `BUCKET` of units.
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
    ours, lead = sample.counted(recipe.added)
    nothing = np.zeros(len(ours), dtype=np.int8)
    losses, offsets = _price(
        sample, ours, lead, nothing, nothing, (0,), (recipe.divisor,), step
    )
    double, redouble, take = (int(n) for n in offsets[0, 0])
    recipe = replace(recipe, offsets=(double, redouble, take))
    return Found(recipe, cost_of(recipe), float(losses[0, 0]))


def _beam(sample: Sample, how: Search, progress: Progress) -> list[Found]:
    states = [
        priced(sample, Recipe((), divisor), how.step)
        for divisor in DIVISORS
        if cost_of_share(divisor) <= how.budget
    ]
    found = {_key(each.recipe): each for each in states}
    bases: list[tuple[tuple[Seen, int], ...]] = [()]
    for depth in range(how.depth):
        grown: dict[object, Found] = {}
        for place, base in enumerate(bases):
            for each in _extended(sample, base, how):
                key = _key(each.recipe)
                if key not in grown or each.loss < grown[key].loss:
                    grown[key] = each
            progress(f"adjustment {depth + 1} of {how.depth}", (place + 1) / len(bases))
        found |= grown
        bases = list(
            dict.fromkeys(each.recipe.added for each in _leaders(grown.values(), how.width))
        )
        if not bases:
            break
    return list(found.values())


def _leaders(found: Iterable[Found], width: int) -> list[Found]:
    """Return the best of each bucket of cost that are near what cheaper ones reach."""
    buckets: dict[int, list[Found]] = {}
    for each in found:
        buckets.setdefault(each.cost // BUCKET, []).append(each)
    kept: list[Found] = []
    least = np.inf
    for number in sorted(buckets):
        best = sorted(buckets[number], key=lambda f: (f.loss, f.cost))[:width]
        kept += [each for each in best if each.loss < 1.15 * least]
        least = min(least, best[0].loss)
    return kept


def _extended(
    sample: Sample, base: tuple[tuple[Seen, int], ...], how: Search
) -> Iterable[Found]:
    """All recipes with one adjustment more, each with the best of equally dear shares."""
    ours, lead = sample.counted(base)
    used = {each for each, _ in base}
    spent = sum(cost_of_adding(*each) for each in base)
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
        losses, offsets = _price(
            sample, ours, lead, sample.mine[place], sample.his[place], weights, DIVISORS,
            how.step,
        )  # fmt: skip
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
                    _ordered((*base, (seen, halves))), DIVISORS[m], (double, redouble, take)
                )
                yield Found(recipe, cost, float(losses[k, m]))


def _refined(
    sample: Sample, found: Sequence[Found], how: Search, progress: Progress
) -> list[Found]:
    """Exchange adjustments of each for others as long as that loses less."""
    pool = {_key(each.recipe): each for each in found}
    for place, start in enumerate(found):
        current = start
        limited = replace(how, budget=max(start.cost, cost_of_share(7)))
        improving = True
        while improving:
            improving = False
            for gone in current.recipe.added:
                base = tuple(each for each in current.recipe.added if each != gone)
                for each in _extended(sample, base, limited):
                    key = _key(each.recipe)
                    if key not in pool or each.loss < pool[key].loss:
                        pool[key] = each
                best = min(
                    (e for e in pool.values() if e.cost <= limited.budget),
                    key=lambda f: f.loss,
                )
                if best.loss < current.loss - 1e-12:
                    current, improving = best, True
                    break
        progress("refining", (place + 1) / len(found))
    return list(pool.values())


def _ordered(added: tuple[tuple[Seen, int], ...]) -> tuple[tuple[Seen, int], ...]:
    """Put what is seen into one order, so that the same formula is the same recipe."""
    return tuple(
        sorted(
            added,
            key=lambda a: (a[0].feature != VALUE, a[0].feature, a[0].on, a[0].beyond, a[1]),
        )
    )


def _key(recipe: Recipe) -> object:
    return recipe.added, cost_of_share(recipe.divisor)


def _price(
    sample: Sample,
    ours: NDArray[np.int32],
    lead: NDArray[np.int32],
    mine: Int8Array,
    his: Int8Array,
    weights: Sequence[int],
    divisors: Sequence[int | None],
    step: int,
) -> tuple[Float64Array, NDArray[np.int64]]:
    """Losses (weights, divisors) and offsets (weights, divisors, 3)."""
    from analysis.formula_search_kernels import price_candidates

    losses = np.empty((len(weights), len(divisors)))
    offsets = np.empty((*losses.shape, 3), dtype=np.int64)
    price_candidates(
        ours,
        lead,
        mine,
        his,
        sample.gains,
        np.array(weights, dtype=np.int64),
        np.array([divisor or 1 for divisor in divisors], dtype=np.int64),
        np.array([int(divisor is not None) for divisor in divisors], dtype=np.int64),
        *OFFSETS,
        step,
        losses,
        offsets,
    )
    return losses, offsets
