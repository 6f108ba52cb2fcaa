"""For each cost, the least loss that was found with free coefficients.

The loss is a sum of steps, so no descent finds its least surely. What is seen and the
coefficients are annealed together from several starts, and once more from the best of the
cost before; how far the ends lie apart is told beside the least.
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
    Laid,
    Sight,
    floor_units,
    sights,
)
from bearoff.analysis.search.objective import Objective

Float64Array = NDArray[np.float64]
Progress = Callable[[str, float], object]

BUDGETS = (46, 60, 71, 80, 89, 95, 110, 140, 1000)
"""Units of cost; the last is enough for everything."""

HOT, COLD = 0.015, 0.0003
"""Share of the loss at the start that a step may lose, with a chance of 1 in e: at first
and at last."""

JUMP = 0.2
"""Share of the steps that change what is seen."""

VALUES = (3.0, 3.5, 4.0, 4.5, 5.5, 6.5)
"""Pips of a checker by point at the start."""

STACKED, LEAST = (-0.5, -0.5), (4.5, 10.0, 15.5)
"""Pips for blots and stacks, and for both again of stacks; least counts by rolls."""


@dataclass(frozen=True)
class Bound:
    """The least loss found for a cost.

    Attributes
    ----------
    budget, cost : int
        Units that were allowed, and that what is seen costs at least.
    found : tuple of float
        What every start ended at, on the sample, ascending.
    training, test : float
        What the best loses on all decisions of these parts.
    seen : tuple of str
        What it sees besides the points.
    rolls : int
        Up to how many rolls it has a least count.
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
    """How they were found, and what was found.

    Attributes
    ----------
    bounds : tuple of Bound
        By budget, ascending.
    sights, decisions : int
        What may be seen, and decisions of the sample.
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
    """Look for the least loss within each budget.

    Parameters
    ----------
    parts : two of Objective
        Decisions at home to fit, and those only read at the end.
    rows : int
        Decisions of the sample that is fitted.
    steps : int
        Changes tried from each start.
    starts : int
        Starts for each budget, beside the best of the budget before.
    seed : int
        Of the sample and the changes.
    budgets : sequence of int
        Units, ascending.
    progress : callable
        Called with a stage and the share done, 0 to 1.
    """
    seen = sights()
    sample = Laid.of(parts[0].sample(rows, seed), seen)
    heats = HOT * (COLD / HOT) ** (np.arange(steps) / max(steps, 1))
    best: list[kernels.Count] = []
    ends: list[list[float]] = []
    for place, budget in enumerate(budgets):
        begun = [_start(sample, seen, budget, number) for number in range(starts)]
        begun += [_copied(count) for count in best[-1:]]
        losses = []
        for number, count in enumerate(begun):
            rng = np.random.default_rng([seed, budget, number])
            losses.append(_annealed(sample, seen, count, budget, heats, rng))
            progress(
                "counts of free numbers", (place + (number + 1) / len(begun)) / len(budgets)
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


def cost_of(count: kernels.Count, seen: Sequence[Sight]) -> int:
    """Units that a count costs at least."""
    allowed = _allowed(np.zeros(0, dtype=np.int64), seen, 0)
    return BASE + int(kernels.cost_of(count.seen, int(count.rest[0]), allowed))


def _allowed(group: NDArray[np.int64], seen: Sequence[Sight], budget: int) -> kernels.Class:
    units = np.array([0, *(sight.units for sight in seen)], dtype=np.int64)
    return kernels.Class(group, units, floor_units(), budget - BASE)


def _start(laid: Laid, seen: Sequence[Sight], budget: int, number: int) -> kernels.Count:
    """Count by values alone; every other start with `STACKED` and `LEAST`, if it may."""
    weights = np.zeros(len(laid.group))
    weights[:POINTS] = VALUES
    shown = np.zeros(len(seen) + 1, dtype=np.bool_)
    shown[0] = True
    plain = kernels.Count(weights, shown, np.zeros(ROLLS + 1), np.array([0.0, 1 / 7]))
    more = _copied(plain)
    more.seen[1] = True
    more.weights[laid.group == 1] = STACKED
    more.least[1 : len(LEAST) + 1] = LEAST
    more.rest[0] = len(LEAST)
    return more if number % 2 and cost_of(more, seen) <= budget else plain


def _copied(count: kernels.Count) -> kernels.Count:
    weights, seen, least, rest = count
    return kernels.Count(weights.copy(), seen.copy(), least.copy(), rest.copy())


def _annealed(
    laid: Laid,
    seen: Sequence[Sight],
    count: kernels.Count,
    budget: int,
    heats: Float64Array,
    rng: np.random.Generator,
) -> float:
    allowed = _allowed(laid.group, seen, budget)
    return float(kernels.anneal(laid.sides, allowed, count, heats, JUMP, rng))


def _value(
    part: Objective, seen: tuple[Sight, ...], counts: Sequence[kernels.Count]
) -> list[float]:
    """What counts lose on all decisions of a part, with the best offsets there."""
    sides = Laid.of(part, seen).sides
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


def _told(count: kernels.Count, seen: Sequence[Sight]) -> tuple[tuple[str, ...], int]:
    names = tuple(s.name for s, shown in zip(seen, count.seen[1:], strict=True) if shown)
    return names, int(count.rest[0])
