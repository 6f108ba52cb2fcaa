"""Decisions laid out for the search, and the price of what it tries on them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.formulas.counting import features
from analysis.scoring import PricedDecisions
from analysis.search.library import Seen

Int8Array = NDArray[np.int8]
Float64Array = NDArray[np.float64]

OFFSETS = (-40, 40)
"""Least and largest offset that is tried, half pips."""

CORE = (0.5, 0.95)
"""Chances to win between which a sample takes decisions four times as often."""

_NOTHING = -10_000
"""Less than any count, half pips."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Decisions in the arrays that the kernels take.

    Attributes
    ----------
    ours, theirs : ndarray of int32, shape (n,)
        Pips of both sides, in half pips.
    rolls : ndarray of int32, shape (2, n)
        Rolls that take two checkers off each, of both sides.
    gains : ndarray of float64, shape (n, 3)
        Of doubling, redoubling and passing, in points per position.
    mine, opponents : ndarray of int8, shape (seen, n)
        What is seen of both sides, in the order of `seen`.
    seen : tuple of Seen
        The library.
    """

    ours: NDArray[np.int32]
    theirs: NDArray[np.int32]
    rolls: NDArray[np.int32]
    gains: Float64Array
    mine: Int8Array
    opponents: Int8Array
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
        ours, theirs = (
            features.columns_of(decisions.rollers),
            features.columns_of(decisions.opponents),
        )
        rolls = [features.FEATURES["rolls"].count(side, None, 0) for side in (ours, theirs)]
        gains = decisions.gains
        passing = -gains.take * decisions.asked
        charged = [each.charged(ours, theirs) for each in seen]
        return cls(
            2 * features.pip_count(ours).astype(np.int32),
            2 * features.pip_count(theirs).astype(np.int32),
            np.stack(rolls).astype(np.int32),
            np.stack([gains.double, gains.redouble, passing], 1) * share[:, None],
            np.stack([mine for mine, _ in charged]),
            np.stack([other for _, other in charged]),
            seen,
        )

    @cached_property
    def places(self) -> dict[Seen, int]:
        """Where each thing seen stands."""
        return {each: place for place, each in enumerate(self.seen)}

    def counted(
        self, added: Iterable[tuple[Seen, int]]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return both sides' counts with these adjustments, half pips."""
        ours, theirs = self.ours.copy(), self.theirs.copy()
        for seen, halves in added:
            place = self.places[seen]
            ours += halves * self.mine[place].astype(np.int32)
            theirs += halves * self.opponents[place].astype(np.int32)
        return ours, theirs

    def least(self, floor: tuple[int, int] | None) -> NDArray[np.int32]:
        """Return what both sides count at least, (2, n), half pips."""
        if floor is None:
            return np.full_like(self.rolls, _NOTHING)
        return np.asarray(floor[0] * self.rolls + floor[1], dtype=np.int32)


def price(
    sample: Sample,
    counts: tuple[NDArray[np.int32], NDArray[np.int32]],
    charged: tuple[Int8Array, Int8Array],
    floor: tuple[int, int] | None,
    weights: Sequence[int],
    divisors: Sequence[int | None],
    step: int,
) -> tuple[Float64Array, NDArray[np.int64]]:
    """Price one more adjustment with every weight and every share.

    Parameters
    ----------
    sample : Sample
        Decisions.
    counts : two ndarrays of int32, shape (n,)
        Both sides' counts so far, half pips.
    charged : two ndarrays of int8, shape (n,)
        What is seen of both sides.
    floor : tuple of int or None
        As of a `Recipe`.
    weights, divisors : sequence of int
        Half pips for each seen; parts of the roller's count, None for none of it.
    step : int
        Half pips between offsets that are tried.

    Returns
    -------
    losses : ndarray of float64, shape (weights, divisors)
        Points per position with the best offsets.
    offsets : ndarray of int64, shape (weights, divisors, 3)
        Those, half pips.
    """
    from analysis.search.kernels import Counted, Tried, price_candidates

    losses = np.empty((len(weights), len(divisors)))
    offsets = np.empty((*losses.shape, 3), dtype=np.int64)
    least_ours, least_theirs = sample.least(floor)
    price_candidates(
        Counted(*counts, *charged, least_ours, least_theirs, sample.gains),
        Tried(
            np.array(weights, dtype=np.int64),
            np.array([divisor or 1 for divisor in divisors], dtype=np.int64),
            np.array([int(divisor is not None) for divisor in divisors], dtype=np.int64),
            *OFFSETS,
            step,
        ),
        losses,
        offsets,
    )
    return losses, offsets
