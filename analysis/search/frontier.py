"""Smallest loss of adjusted counts with real-valued weights, by limit of mental cost.

The loss is piecewise constant, so gradient descent cannot minimise it. Features and
coefficients are optimised together by simulated annealing, from several starting points and
from the best count of the previous budget. The spread of the results is reported with the
minimum.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff import POINTS
from bearoff.analysis.search import free_kernels as kernels
from bearoff.analysis.search.free_counts import (
    BASE,
    ROLLS,
    DecisionArrays,
    FreeFeature,
    floor_units,
    sights,
)
from bearoff.analysis.search.objective import Objective

Float64Array = NDArray[np.float64]
Progress = Callable[[str, float], object]

BUDGETS = (46, 60, 71, 80, 89, 95, 110, 140, 1000)
"""Upper limits of mental cost. For each, the search finds the formula with the smallest
loss. The last limit allows all features together."""

HOT, COLD = 0.015, 0.0003
"""Initial and final temperature of simulated annealing. The temperature is the increase in
loss, relative to the initial loss, that is accepted with probability 1/e."""

JUMP = 0.2
"""Proportion of annealing steps that add or remove a feature."""

VALUES = (3.0, 3.5, 4.0, 4.5, 5.5, 6.5)
"""Initial values of a checker on each point of the home board, in pips."""

STACKED, LEAST = (-0.5, -0.5), (4.5, 10.0, 15.5)
"""Initial weights of blots and stacks, and initial minimum counts for sides that need one,
two or three rolls, all in pips."""


@dataclass(frozen=True)
class Bound:
    """Smallest loss that was found within a budget of mental cost.

    Attributes
    ----------
    budget, cost : int
        Maximum mental cost, and mental cost of the best count, in units of about a second.
    found : tuple of float
        Loss on the sample for each starting point of the search, in ascending order.
    training, test : float
        Loss of the best count on all decisions of the training split, and of the test
        split.
    seen : tuple of str
        Names of the features used, except checker values.
    rolls : int
        Largest number of rolls for which a minimum count applies.
    """

    budget: int
    cost: int
    found: tuple[float, ...]
    training: float
    test: float
    seen: tuple[str, ...]
    rolls: int


@dataclass(frozen=True)
class Bounds:
    """Smallest losses found for all budgets of mental cost, and settings of the search.

    Attributes
    ----------
    bounds : tuple of Bound
        Smallest losses found, by increasing budget.
    sights, decisions : int
        Number of available features, and number of decisions in the sample.
    """

    bounds: tuple[Bound, ...]
    sights: int
    decisions: int


def find_bounds(
    parts: tuple[Objective, Objective],
    *,
    rows: int,
    steps: int,
    starts: int,
    seed: int,
    budgets: Sequence[int] = BUDGETS,
    progress: Progress = lambda stage, done: None,
) -> Bounds:
    """Search for the smallest loss within each budget of mental cost.

    Parameters
    ----------
    parts : two of Objective
        Decisions with all checkers home: decisions used for fitting, then held-out
        decisions.
    rows : int
        Number of decisions in the sample used for fitting.
    steps : int
        Number of changes to try from each starting point.
    starts : int
        Number of starting points for each budget, in addition to the best count of the
        previous budget.
    seed : int
        Seed of the random sample and of the random changes.
    budgets : sequence of int
        Budgets of mental cost, in ascending order.
    progress : callable
        Function called with the name of the current task and its completed fraction, 0 to
        1.
    """
    seen = sights()
    sample = DecisionArrays.of(parts[0].sample(rows, seed), seen)
    heats = HOT * (COLD / HOT) ** (np.arange(steps) / max(steps, 1))
    best: list[kernels.FreeCount] = []
    ends: list[list[float]] = []
    for place, budget in enumerate(budgets):
        begun = [_start(sample, seen, budget, number) for number in range(starts)]
        begun += [_copied(count) for count in best[-1:]]
        losses = []
        for number, count in enumerate(begun):
            rng = np.random.default_rng([seed, budget, number])
            losses.append(_annealed(sample, seen, count, budget, heats, rng))
            progress(
                "counts with fractional numbers",
                (place + (number + 1) / len(begun)) / len(budgets),
            )
        best.append(begun[int(np.argmin(losses))])
        ends.append(sorted(losses))
    whole = [_value(part, seen, best) for part in parts]
    bounds = []
    for place, (budget, count) in enumerate(zip(budgets, best, strict=True)):
        training, test = (lost[place] for lost in whole)
        units, found = cost_of(count, seen), tuple(ends[place])
        bounds.append(Bound(budget, units, found, training, test, *_told(count, seen)))
    return Bounds(tuple(bounds), len(seen), len(sample.sides.gains))


def cost_of(count: kernels.FreeCount, seen: Sequence[FreeFeature]) -> int:
    allowed = _allowed(np.zeros(0, dtype=np.int64), seen, 0)
    return BASE + int(kernels.cost_of(count.seen, int(count.rest[0]), allowed))


def _allowed(
    group: NDArray[np.int64], seen: Sequence[FreeFeature], budget: int
) -> kernels.FeatureClass:
    units = np.array([0, *(sight.units for sight in seen)], dtype=np.int64)
    return kernels.FeatureClass(group, units, floor_units(), budget - BASE)


def _start(
    laid: DecisionArrays, seen: Sequence[FreeFeature], budget: int, number: int
) -> kernels.FreeCount:
    weights = np.zeros(len(laid.group))
    weights[:POINTS] = VALUES
    shown = np.zeros(len(seen) + 1, dtype=np.bool_)
    shown[0] = True
    plain = kernels.FreeCount(weights, shown, np.zeros(ROLLS + 1), np.array([0.0, 1 / 7]))
    more = _copied(plain)
    more.seen[1] = True
    more.weights[laid.group == 1] = STACKED
    more.least[1 : len(LEAST) + 1] = LEAST
    more.rest[0] = len(LEAST)
    return more if number % 2 and cost_of(more, seen) <= budget else plain


def _copied(count: kernels.FreeCount) -> kernels.FreeCount:
    weights, seen, least, rest = count
    return kernels.FreeCount(weights.copy(), seen.copy(), least.copy(), rest.copy())


def _annealed(
    laid: DecisionArrays,
    seen: Sequence[FreeFeature],
    count: kernels.FreeCount,
    budget: int,
    heats: Float64Array,
    rng: np.random.Generator,
) -> float:
    allowed = _allowed(laid.group, seen, budget)
    return float(kernels.anneal(laid.sides, allowed, count, heats, JUMP, rng))


def _value(
    part: Objective, seen: tuple[FreeFeature, ...], counts: Sequence[kernels.FreeCount]
) -> list[float]:
    """Return the losses of adjusted counts on a data split, with offsets fitted there."""
    sides = DecisionArrays.of(part, seen).sides
    ours, theirs = np.empty(len(part)), np.empty(len(part))
    sums = np.empty(((kernels.HIGH - kernels.LOW) * kernels.FINE + 3, 3))
    lost = []
    for count in counts:
        kernels.add_up(sides, count.weights, ours, theirs)
        last, share = int(count.rest[0]), float(count.rest[1])
        lost.append(
            float(
                kernels.loss_of(
                    ours, theirs, sides, count.least, last, share, sums, np.empty(3)
                )
            )
        )
    return lost


def _told(
    count: kernels.FreeCount, seen: Sequence[FreeFeature]
) -> tuple[tuple[str, ...], int]:
    names = tuple(s.name for s, shown in zip(seen, count.seen[1:], strict=True) if shown)
    return names, int(count.rest[0])
