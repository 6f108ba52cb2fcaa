"""The search for head estimates of a side's EPC: least squares over half pips.

The mean square error of an adjusted count is a quadratic form in its weights, so once the
products of all things seen are summed up, any estimate is priced without looking at a
position again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.formula_library import VALUE, Recipe, Seen, library
from analysis.formulas.epc_counts import CountEstimate
from analysis.formulas.epc_estimates import EpcEstimate
from analysis.formulas.features import columns_of, pip_count
from analysis.mental_cost import estimate_cost
from sim.population_file import Population

Float64Array = NDArray[np.float64]

DEPTH, WIDTH, BUCKET = 7, 6, 2
"""Most adjustments, and estimates kept for each so many units of cost."""


@dataclass(frozen=True, eq=False)
class Sides:
    """Sides met, each with its frequency.

    Attributes
    ----------
    counts : ndarray of int8, shape (n, points)
        Checkers on the ace, deuce, ...
    epc : ndarray of float64, shape (n,)
        Effective pip counts.
    weights : ndarray of float64, shape (n,)
        Visits, both as the side on roll and as the other.
    """

    counts: NDArray[np.int8]
    epc: Float64Array
    weights: Float64Array

    @classmethod
    def of(cls, population: Population, part: str) -> "Sides":
        """Take both sides of the decisions of a part."""
        chosen = population.part(part)
        numbers = np.concatenate([chosen.decisions.rollers, chosen.decisions.opponents])
        counts = np.concatenate([chosen.roller_counts, chosen.opponent_counts])
        epc = np.concatenate([chosen.roller_epc, chosen.opponent_epc])
        _, first, which = np.unique(numbers, return_index=True, return_inverse=True)
        visits = np.tile(chosen.decisions.weights.astype(np.float64), 2)
        met: Float64Array = np.bincount(which, weights=visits)
        return cls(counts[first], epc[first], met)


@dataclass(frozen=True)
class JudgedEstimate:
    """An estimate with its cost, and its errors in pips: rms, mean and largest in size."""

    estimate: EpcEstimate
    cost: int
    rms: float
    bias: float
    worst: float


def judge_estimates(estimates: Sequence[EpcEstimate], sides: Sides) -> list[JudgedEstimate]:
    """Measure estimates on sides, by cost."""
    judged = []
    share = sides.weights / sides.weights.sum()
    for estimate in estimates:
        off = estimate.epc(sides.counts) - sides.epc
        judged.append(
            JudgedEstimate(
                estimate,
                estimate_cost(estimate).total,
                float(np.sqrt(share @ off**2)),
                float(share @ off),
                float(off[np.abs(off).argmax()]),
            )
        )
    return sorted(judged, key=lambda j: (j.cost, j.rms))


def search_estimates(
    sides: Sides,
    budget: int,
    source: str,
    progress: Callable[[str, float], object] = lambda stage, done: None,
) -> list[CountEstimate]:
    """Find estimates, by cost, each with a smaller rms error than any cheaper one."""
    seen = tuple(each for each in library() if each.compared == "own")
    columns = columns_of(sides.counts)
    share = sides.weights / sides.weights.sum()
    wastage = sides.epc - pip_count(columns)
    charged = np.stack([each.charged(columns, columns)[0] for each in seen])
    features = charged.astype(np.float64)
    means, mean = features @ share, float(share @ wastage)
    centred = features - means[:, None]
    gram = (centred * share) @ centred.T
    toward = centred @ (share * (wastage - mean))
    spread = float(share @ (wastage - mean) ** 2)
    place = {each: n for n, each in enumerate(seen)}

    def estimate(added: tuple[tuple[Seen, int], ...]) -> CountEstimate:
        said = mean - sum(h / 2 * means[place[s]] for s, h in added)
        waste = round(2 * said) / 2
        rule = Recipe(added).rule()
        return CountEstimate("found", source, rule.count, waste)

    plain = estimate_cost(estimate(())).total
    extra = {
        (s, h): estimate_cost(estimate(((s, h),))).total - plain
        for s in seen
        for h in s.weights
    }
    States = dict[frozenset[tuple[Seen, int]], tuple[int, float]]
    states: States = {frozenset(): (plain, spread)}
    every = dict(states)
    for depth in range(DEPTH):
        grown: States = {}
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
        every |= grown
        buckets: dict[int, list[tuple[float, frozenset[tuple[Seen, int]]]]] = {}
        for added, (cost, loss) in grown.items():
            buckets.setdefault(cost // BUCKET, []).append((loss, added))
        states = {
            added: grown[added]
            for found in buckets.values()
            for _, added in sorted(found, key=lambda f: f[0])[:WIDTH]
        }
        progress("EPC estimates", (depth + 1) / DEPTH)
    best: list[CountEstimate] = []
    least = np.inf
    for added, (cost, loss) in sorted(every.items(), key=lambda e: e[1]):
        # Below a hundredth of a pip nothing is gained.
        if np.sqrt(max(loss, 0)) < least - 0.01:
            least = np.sqrt(max(loss, 0))
            ordered = sorted(added, key=lambda a: (a[0].feature != VALUE, str(a)))
            found = estimate(tuple(ordered))
            name = f"lab-epc-{cost}"
            best.append(CountEstimate(name, source, found.count, found.waste))
    return best
