"""The search for head estimates of a side's EPC: least squares over half pips.

The mean square error of an adjusted count is a quadratic form in its weights, so once the
products of all things seen are summed up, any estimate is priced without looking at a
position again. The best are then tried with a least count for each roll besides, on the
sides themselves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.formulas.counting import CountEstimate, EpcEstimate, features
from analysis.scoring import estimate_cost
from analysis.search.library import VALUE, Recipe, Seen, library
from sim.populations import Population

Float64Array = NDArray[np.float64]

_Added = frozenset[tuple[Seen, int]]
_Pair = tuple[int, int] | None

DEPTH, WIDTH, BUCKET = 7, 6, 2
"""Most adjustments, and estimates that stay for each so many units of cost."""


@dataclass(frozen=True, eq=False)
class Sides:
    """Sides, each with its frequency.

    Attributes
    ----------
    counts : ndarray of int8, shape (n, points)
        Checkers on the ace, deuce, ...
    epc : ndarray of float64, shape (n,)
        Effective pip counts.
    weights : ndarray of float64, shape (n,)
        Frequency, as the side on roll and as the other.
    """

    counts: NDArray[np.int8]
    epc: Float64Array
    weights: Float64Array

    @classmethod
    def of(cls, population: Population, part: str) -> "Sides":
        """Take both sides of the decisions of a part."""
        chosen = population.split(part)
        numbers = np.concatenate([chosen.decisions.rollers, chosen.decisions.opponents])
        counts = np.concatenate([chosen.roller_counts, chosen.opponent_counts])
        epc = np.concatenate([chosen.roller_epc, chosen.opponent_epc])
        _, first, which = np.unique(numbers, return_index=True, return_inverse=True)
        visits = np.tile(chosen.decisions.weights.astype(np.float64), 2)
        frequency = np.bincount(which, weights=visits).astype(np.float64)
        return cls(counts[first], epc[first], frequency)


@dataclass(frozen=True)
class EstimateScore:
    """An estimate with its cost, and its errors in pips: rms, mean and largest in size."""

    estimate: EpcEstimate
    cost: int
    rms: float
    bias: float
    worst: float


def score_estimates(estimates: Sequence[EpcEstimate], sides: Sides) -> list[EstimateScore]:
    """Measure estimates on sides, by cost."""
    scored = []
    share = sides.weights / sides.weights.sum()
    for estimate in estimates:
        off = estimate.epc(sides.counts) - sides.epc
        scored.append(
            EstimateScore(
                estimate,
                estimate_cost(estimate).total,
                float(np.sqrt(share @ off**2)),
                float(share @ off),
                float(off[np.abs(off).argmax()]),
            )
        )
    return sorted(scored, key=lambda j: (j.cost, j.rms))


def search_estimates(
    sides: Sides,
    budget: int,
    source: str,
    progress: Callable[[str, float], object] = lambda stage, done: None,
) -> list[CountEstimate]:
    """Find estimates, by cost, each with a smaller rms error than any cheaper one."""
    seen = tuple(each for each in library() if each.compared == "own")
    columns = features.columns_of(sides.counts)
    share = sides.weights / sides.weights.sum()
    wastage = sides.epc - features.pip_count(columns)
    pips = features.pip_count(columns).astype(np.float64)
    rolls = features.FEATURES["rolls"].count(columns, None, 0).astype(np.float64)
    charged = np.stack([each.charged(columns, columns)[0] for each in seen])
    amounts = charged.astype(np.float64)
    means, mean = amounts @ share, float(share @ wastage)
    centred = amounts - means[:, None]
    gram = (centred * share) @ centred.T
    toward = centred @ (share * (wastage - mean))
    spread = float(share @ (wastage - mean) ** 2)
    place = {each: n for n, each in enumerate(seen)}

    def estimate(added: _Added, floor: _Pair = None) -> CountEstimate:
        counted = wastage_of(added) + pips
        if floor is not None:
            counted = np.maximum(counted, floor[0] / 2 * rolls + floor[1] / 2)
        waste = round(2 * float(share @ (sides.epc - counted))) / 2
        ordered = sorted(added, key=lambda a: (a[0].feature != VALUE, str(a)))
        rule = Recipe(tuple(ordered), floor=floor).rule()
        return CountEstimate("found", source, rule.count, waste)

    def wastage_of(added: _Added) -> Float64Array:
        total = np.zeros(len(pips))
        for s, h in added:
            total += h / 2 * amounts[place[s]]
        return total

    def with_floor(added: _Added) -> tuple[float, _Pair]:
        """Return the least rms error with a least count, and that."""
        counted = wastage_of(added) + pips
        tried = []
        for each in range(10, 17):
            for plus in range(-8, 5):
                raised = np.maximum(counted, each / 2 * rolls + plus / 2)
                off = sides.epc - raised
                square = float(share @ off**2) - float(share @ off) ** 2
                tried.append((square, (each, plus)))
        return min(tried)

    plain = estimate_cost(estimate(frozenset())).total
    extra = {
        (s, h): estimate_cost(estimate(frozenset({(s, h)}))).total - plain
        for s in seen
        for h in s.weights(1)
        if Recipe(((s, h),)).possible
    }
    states: dict[_Added, tuple[int, float]] = {frozenset(): (plain, spread)}
    promising = set(states)
    every: list[tuple[int, float, _Added, _Pair]] = [(plain, spread, frozenset(), None)]
    for depth in range(DEPTH):
        grown: dict[_Added, tuple[int, float]] = {}
        for added, (cost, square) in states.items():
            used = {s for s, _ in added}
            pull = toward.copy()
            for s, h in added:
                pull -= h / 2 * gram[place[s]]
            for (s, h), more in extra.items():
                if s in used or cost + more > budget:
                    continue
                n, w = place[s], h / 2
                loss = square - 2 * w * pull[n] + w * w * gram[n, n]
                grown[added | {(s, h)}] = cost + more, float(loss)
        every += [(cost, loss, added, None) for added, (cost, loss) in grown.items()]
        buckets: dict[int, list[tuple[float, _Added]]] = {}
        for added, (cost, loss) in grown.items():
            buckets.setdefault(cost // BUCKET, []).append((loss, added))
        states = {
            added: grown[added]
            for found in buckets.values()
            for _, added in sorted(found, key=lambda f: f[0])[:WIDTH]
        }
        promising |= set(states)
        progress("EPC estimates", (depth + 1) / DEPTH)
    for n, added in enumerate(promising):
        square, floor = with_floor(added)
        cost = estimate_cost(estimate(added, floor)).total
        if cost <= budget:
            every.append((cost, square, added, floor))
        progress("least counts", (n + 1) / len(promising))
    best: list[CountEstimate] = []
    least = np.inf
    for cost, loss, added, floor in sorted(every, key=lambda e: e[:2]):
        # Below a hundredth of a pip nothing is gained.
        if np.sqrt(max(loss, 0)) < least - 0.01:
            least = np.sqrt(max(loss, 0))
            found = estimate(added, floor)
            best.append(replace(found, name=f"lab-epc-{cost}"))
    return best
