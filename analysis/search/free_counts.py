"""Features of a search with real-valued weights, which estimates the smallest loss.

The search may use all features that `analysis.search.candidates` uses for checkers at home,
and more. The coefficients are real numbers. Numbers to memorise and multiplications have no
mental cost. The search therefore includes every formula with whole numbers, at the same or
a lower mental cost.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from bearoff import POINTS
from bearoff.analysis.formulas.counting import features
from bearoff.analysis.search import library
from bearoff.analysis.search.free_kernels import SideFeatures
from bearoff.analysis.search.objective import Objective

HOME = range(1, POINTS + 1)

ROLLS = 8
"""Largest number of rolls for which a count may have a separate minimum.
"""

BASE = library.cost_of_share(7)
"""Mental cost of an adjusted count with point values, a divisor and three offsets."""

STACKED = library.CountedFeature("spread")
"""Feature that defines the mental cost of counting blots and stacks."""

_ELSEWHERE = ("outside", "crossovers")

Columns = features.Columns


@dataclass(frozen=True)
class FreeFeature:
    """Feature of a position: one or more columns, each with a real-valued coefficient.

    Attributes
    ----------
    columns : callable
        Function that returns the columns of the feature, given both sides' checkers by
        point, arrays of shape (points, n). A column is a pair of arrays of shape (n,): the
        roller's values and the opponent's values.
    """

    name: str
    units: int
    columns: Callable[[Columns, Columns], list[tuple[NDArray[np.int16], NDArray[np.int16]]]]


def sights() -> tuple[FreeFeature, ...]:
    """Return all features that the search may use, except the values of checkers."""
    return tuple(chain([_stacked()], _of_library(), _of_runs(), _of_few()))


def floor_units() -> NDArray[np.int64]:
    """Return the mental cost of minimum counts for up to 0, 1, 2, ... rolls."""
    # The mental cost of a minimum count is known for up to six rolls. For every two further
    # rolls, the player looks at one more point on each side.
    whole = [0, *(library.cost_of_floor((14, 0, 2 * rolls)) for rolls in range(1, 7))]
    while len(whole) <= ROLLS:
        whole.append(2 * whole[-2] - whole[-4])
    return np.array(whole, dtype=np.int64)


def _stacked() -> FreeFeature:
    def columns(
        ours: Columns, theirs: Columns
    ) -> list[tuple[NDArray[np.int16], NDArray[np.int16]]]:
        return [
            (features.FEATURES[name].count(ours, None, 0),
             features.FEATURES[name].count(theirs, None, 0))
            for name in ("covered", "paired")
        ]  # fmt: skip

    return FreeFeature("blots and stacks", library.cost_of_adding(STACKED, -2), columns)


def _of_library() -> Iterator[FreeFeature]:
    """Yield the features of `analysis.search.library`, except values, blots and stacks."""
    for seen in library.library():
        single = (seen.feature in ("covered", "paired", "spread")) and (
            seen.compared == "own"
        )
        if seen.feature == library.VALUE or seen.feature in _ELSEWHERE or single:
            continue

        def columns(
            ours: Columns, theirs: Columns, seen: library.CountedFeature = seen
        ) -> list[tuple[NDArray[np.int16], NDArray[np.int16]]]:
            return [seen.adjustment(2).charged(ours, theirs)]

        adjustment = seen.adjustment(2)
        only = f", {adjustment.left_text}" if seen.left else ""
        name = f"{adjustment.each.removeprefix('per ')}{only}"
        yield FreeFeature(name, library.cost_of_adding(seen, 2), columns)


def _alike(name: str, units: int, of_side: Callable[[Columns], Columns]) -> FreeFeature:
    return FreeFeature(name, units, lambda ours, theirs: [(of_side(ours), of_side(theirs))])


def _of_runs() -> Iterator[FreeFeature]:
    """Yield features that tell whether consecutive points hold at least 1 to 4 checkers.

    The mental cost of each feature is one look per point and one addition. For two or more
    checkers, a comparison and a number to memorise are added.
    """
    for first in HOME:
        for last in range(first, POINTS + 1):
            where = f"{first} to {last}" if last > first else str(first)
            looks = last - first + 1
            for least in (1, 2, 3, 4):

                def of_side(
                    side: Columns, run: slice = slice(first - 1, last), least: int = least
                ) -> Columns:
                    return np.asarray(side[run].sum(axis=0) >= least, dtype=np.int16)

                units = 2 * (looks + 1) if least == 1 else 2 * (looks + 2) + 1
                yield _alike(f"at least {least} on {where}", units, of_side)


def _of_few() -> Iterator[FreeFeature]:
    """Yield features for sides with at most two or at most four remaining checkers."""
    for most in (2, 4):
        for point in HOME:

            def on_point(side: Columns, point: int = point, most: int = most) -> Columns:
                few = side.sum(axis=0) <= most
                return np.asarray(few * side[point - 1], dtype=np.int16)

            yield _alike(
                (f"checkers on point {point} if at most {most} are left"), 8, on_point
            )

        def odd(side: Columns, most: int = most) -> Columns:
            n = side.sum(axis=0)
            return np.asarray((n <= most) & (n % 2 == 1), dtype=np.int16)

        yield _alike(f"odd checker if at most {most} checkers are left", 7, odd)


@dataclass(frozen=True, eq=False)
class DecisionArrays:
    """Cube decisions as arrays for compiled code.

    Attributes
    ----------
    group : ndarray of int64, shape (columns,)
        Number of the feature to which each column belongs, counted from 1; 0 for columns of
        checker values.
    """

    sides: SideFeatures
    group: NDArray[np.int64]

    @classmethod
    def of(cls, objective: Objective, seen: tuple[FreeFeature, ...]) -> "DecisionArrays":
        """Convert decisions with all checkers home to arrays."""
        ours, theirs = (
            features.columns_of(side[:, :POINTS])
            for side in (objective.rollers, objective.opponents)
        )
        pairs = [(ours[p], theirs[p]) for p in range(POINTS)]
        group = [0] * POINTS
        for place, sight in enumerate(seen, 1):
            columns = sight.columns(ours, theirs)
            pairs += columns
            group += [place] * len(columns)
        rolls = [
            features.FEATURES["rolls"].count(side, None, 0).astype(np.int64)
            for side in (ours, theirs)
        ]
        both = (np.stack([pair[side] for pair in pairs]) for side in (0, 1))
        mine, others = (np.ascontiguousarray(each, dtype=np.float32) for each in both)
        gains = np.ascontiguousarray(objective.gains)
        sides = SideFeatures(mine, others, rolls[0], rolls[1], gains)
        return cls(sides, np.array(group, dtype=np.int64))
