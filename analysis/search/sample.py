"""Decisions as arrays for a formula search, and evaluation of formulas on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bearoff import POINTS
from bearoff.analysis.formulas.counting import features
from bearoff.analysis.search.library import CountedFeature, Least, Recipe
from bearoff.analysis.search.objective import Objective

Int8Array = NDArray[np.int8]
Int32Array = NDArray[np.int32]
Float64Array = NDArray[np.float64]

OFFSETS = (-60, 40)
"""Smallest and largest offset that a search tries, in half pips."""

_UNLIMITED = 10_000
"""Maximum in half pips that stands for no maximum, because no fraction of a count reaches
this number.
"""

Share = tuple[int | None, int | None]

_NOTHING = -10_000
"""Minimum count in half pips that stands for no minimum, because every count is above this
number."""


@dataclass(frozen=True, eq=False)
class SearchSample:
    """Cube decisions as arrays for compiled code, in half pips.

    Attributes
    ----------
    pips, checkers, rolls : ndarray of int32, shape (2, n)
        Pip counts of both sides in half pips, their numbers of checkers, and the numbers of
        rolls that they need without doubles.
    outside, outer_pips : ndarray of int32, shape (2, n)
        Number of checkers outside the home boards, and their pips in half pips.
    gains : ndarray of float64, shape (n, 3)
        Equities gained by doubling, by redoubling, and by passing instead of taking,
        multiplied by the decision's weight as in `Objective`.
    mine, opponents : ndarray of int8, shape (seen, n)
        Number of occurrences of each feature for the roller and the opponent, in the order
        of `seen`.
    """

    pips: Int32Array
    checkers: Int32Array
    rolls: Int32Array
    outside: Int32Array
    outer_pips: Int32Array
    gains: Float64Array
    mine: Int8Array
    opponents: Int8Array
    seen: tuple[CountedFeature, ...]

    @classmethod
    def of(cls, objective: Objective, seen: tuple[CountedFeature, ...]) -> "SearchSample":
        """Convert decisions to arrays that include how often the given features occur."""
        sides = [
            features.columns_of(side) for side in (objective.rollers, objective.opponents)
        ]
        checkers = [side.sum(axis=0, dtype=np.int32) for side in sides]
        rolls = [features.FEATURES["rolls"].count(side, None, 0) for side in sides]
        charged = [each.charged(*sides) for each in seen]
        return cls(
            np.stack([2 * features.pip_count(side).astype(np.int32) for side in sides]),
            np.stack(checkers),
            np.stack(rolls).astype(np.int32),
            np.stack([side[POINTS:].sum(axis=0, dtype=np.int32) for side in sides]),
            np.stack(
                [
                    2 * (features.pip_count(side) - features.pip_count(side[:POINTS]))
                    for side in sides
                ]
            ).astype(np.int32),
            np.ascontiguousarray(objective.gains),
            np.stack([mine for mine, _ in charged]),
            np.stack([other for _, other in charged]),
            seen,
        )

    @cached_property
    def places(self) -> dict[CountedFeature, int]:
        """Index of each feature in the tuple `seen`, by feature."""
        return {each: place for place, each in enumerate(self.seen)}

    def counted(self, recipe: Recipe, without: CountedFeature | None = None) -> Int32Array:
        """Return both sides' counts in half pips, (2, n); `without` omits a feature."""
        counts = self.pips + recipe.each * self.checkers
        if recipe.twice is not None:
            counts += self.outer_pips + (recipe.twice - recipe.each) * self.outside
        for seen, halves in recipe.added:
            if seen != without:
                place = self.places[seen]
                counts[0] += halves * self.mine[place].astype(np.int32)
                counts[1] += halves * self.opponents[place].astype(np.int32)
        return counts

    def least(self, floor: Least | None) -> Int32Array:
        """Return the minimum counts of both sides in half pips, shape (2, n)."""
        if floor is None:
            return np.full_like(self.rolls, _NOTHING)
        per_roll, plus, most = floor
        least = per_roll * self.rolls + plus
        if most is not None:
            least = np.where(2 * self.rolls <= most, least, _NOTHING)
        return np.asarray(least, dtype=np.int32)


def evaluate_adjustment(
    sample: SearchSample,
    counts: Int32Array,
    charged: tuple[Int8Array, Int8Array],
    least: Int32Array,
    weights: Sequence[int],
    shares: Sequence[Share],
    step: int,
) -> tuple[Float64Array, NDArray[np.int64]]:
    """Compute the losses of a rule with one added adjustment, by weight and divisor."""
    from bearoff.analysis.search.kernels import (
        CountedDecisions,
        TrialValues,
        evaluate_candidates,
    )

    losses = np.empty((len(weights), len(shares)))
    offsets = np.empty((*losses.shape, 3), dtype=np.int64)
    evaluate_candidates(
        CountedDecisions(counts[0], counts[1], *charged, least[0], least[1], sample.gains),
        TrialValues(
            np.array(weights, dtype=np.int64),
            np.array([divisor or 1 for divisor, _ in shares], dtype=np.int64),
            np.array([int(divisor is not None) for divisor, _ in shares], dtype=np.int64),
            np.array(
                [_UNLIMITED if cap is None else 2 * cap for _, cap in shares],
                dtype=np.int64,
            ),
            *OFFSETS,
            step,
        ),
        losses,
        offsets,
    )
    return losses, offsets
