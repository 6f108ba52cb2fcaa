"""The class of counts whose frontier is looked for: what they see, and what that costs.

It holds what `analysis.search.candidates` may see at home, and more. Every number is
free, and no number and no multiplication costs anything; so whatever whole numbers a
formula has, it loses no less and costs no less than its place in this class.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from bearoff import POINTS
from bearoff.analysis.formulas.counting import features
from bearoff.analysis.search import library
from bearoff.analysis.search.free_kernels import Sides
from bearoff.analysis.search.objective import Objective

HOME = range(1, POINTS + 1)

ROLLS = 8
"""Rolls up to which a side may have a least count of its own."""

BASE = library.cost_of_share(7)
"""Units of a count by free values of the points, a share of it and three offsets."""

STACKED = library.Seen("spread")
"""Blots and stacks; here what either takes off is free."""

_ELSEWHERE = ("outside", "crossovers")

Columns = features.Columns


@dataclass(frozen=True)
class Sight:
    """Something a count may see, with a coefficient for each of its columns.

    Attributes
    ----------
    name : str
        What it is.
    units : int
        What seeing it adds to the cost.
    columns : callable
        From the checkers of both sides by point, each (points, n), the columns of both:
        pairs of arrays, (n,).
    """

    name: str
    units: int
    columns: Callable[[Columns, Columns], list[tuple[NDArray[np.int16], NDArray[np.int16]]]]


def sights() -> tuple[Sight, ...]:
    """All that may be seen besides the values of the points."""
    return tuple(chain([_stacked()], _of_library(), _of_runs(), _of_few()))


def floor_units() -> NDArray[np.int64]:
    """Units of least counts for up to 0, 1, 2, ... rolls, each a number of its own."""
    # Up to twelve checkers are written; each two rolls more are one look a side more.
    whole = [0, *(library.cost_of_floor((14, 0, 2 * rolls)) for rolls in range(1, 7))]
    while len(whole) <= ROLLS:
        whole.append(2 * whole[-2] - whole[-4])
    return np.array(whole, dtype=np.int64)


def _stacked() -> Sight:
    def columns(
        ours: Columns, theirs: Columns
    ) -> list[tuple[NDArray[np.int16], NDArray[np.int16]]]:
        return [
            (features.FEATURES[name].count(ours, None, 0),
             features.FEATURES[name].count(theirs, None, 0))
            for name in ("covered", "paired")
        ]  # fmt: skip

    return Sight("blots and stacks", library.cost_of_adding(STACKED, -2), columns)


def _of_library() -> Iterator[Sight]:
    """Take what the search may see, but values, blots and stacks, and what is not home."""
    for seen in library.library():
        single = (seen.feature in ("covered", "paired", "spread")) and (
            seen.compared == "own"
        )
        if seen.feature == library.VALUE or seen.feature in _ELSEWHERE or single:
            continue

        def columns(
            ours: Columns, theirs: Columns, seen: library.Seen = seen
        ) -> list[tuple[NDArray[np.int16], NDArray[np.int16]]]:
            return [seen.adjustment(2).charged(ours, theirs)]

        adjustment = seen.adjustment(2)
        only = f", {adjustment.left_text}" if seen.left else ""
        name = f"{adjustment.each.removeprefix('per ')}{only}"
        yield Sight(name, library.cost_of_adding(seen, 2), columns)


def _alike(name: str, units: int, of_side: Callable[[Columns], Columns]) -> Sight:
    """Something that is seen of each side alike."""
    return Sight(name, units, lambda ours, theirs: [(of_side(ours), of_side(theirs))])


def _of_runs() -> Iterator[Sight]:
    """Whether so many checkers stand on a run of points.

    A look at each point and a change of the count for one; a comparison and a number more
    for several.
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
                yield _alike(f"{least} or more on {where}", units, of_side)


def _of_few() -> Iterator[Sight]:
    """What counts on sides of two checkers or four only, which are seen at one look."""
    for most in (2, 4):
        for point in HOME:

            def on_point(side: Columns, point: int = point, most: int = most) -> Columns:
                few = side.sum(axis=0) <= most
                return np.asarray(few * side[point - 1], dtype=np.int16)

            yield _alike(f"of {most} at most, those on {point}", 8, on_point)

        def odd(side: Columns, most: int = most) -> Columns:
            n = side.sum(axis=0)
            return np.asarray((n <= most) & (n % 2 == 1), dtype=np.int16)

        yield _alike(f"of {most} at most, the odd one", 7, odd)


@dataclass(frozen=True, eq=False)
class Laid:
    """Decisions laid out for the kernels.

    Attributes
    ----------
    sides : Sides
        What is seen of both.
    group : ndarray of int64, shape (columns,)
        Which of `sights` each column is of, from 1; 0 for the values.
    """

    sides: Sides
    group: NDArray[np.int64]

    @classmethod
    def of(cls, objective: Objective, seen: tuple[Sight, ...]) -> "Laid":
        """Lay decisions at home out."""
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
        sides = Sides(mine, others, rolls[0], rolls[1], gains)
        return cls(sides, np.array(group, dtype=np.int64))
