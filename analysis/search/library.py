"""Building blocks of the search: features, weights, shares, and their costs.

A `Recipe` is a formula in whole numbers of half pips; `Recipe.rule` makes the `CountRule`
of it, which is what is scored, explained, priced and written to YAML.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from analysis.formulas.counting import Adjustment, Compared, Count, Floor, features
from analysis.formulas.rules import CountRule, Line
from analysis.scoring import mental_cost

WEIGHTS = (1, 2, 3, 4, 6, -1, -2, -3, -4)
"""Half pips that each of something may count."""

OF_CHECKERS = (1, 2, 3, 4, 5, 6, 8, 10)
"""The same of what grows with the number of checkers left."""

CHANGES = (1, 2, 3, 4, 5, 6, 7, -1, -2)
"""Half pips that a checker's value on a point may be off its pips."""

FLOORS: tuple[tuple[int, int] | None, ...] = (None, (13, -5), (12, 0), (14, -8))
"""Least counts that a search begins with, as of a `Recipe`."""

PER_ROLL = range(8, 19)
"""Half pips for each roll that a search may come to."""

DIVISORS: tuple[int | None, ...] = (7, 6, 8, 5, 10, None)
"""Parts of the roller's count that are tried; None for none."""

HOME = range(1, 7)

VALUE = "value"
"""In place of a feature: the value of a checker on one point."""


@dataclass(frozen=True)
class Seen:
    """Something seen of a side: an `Adjustment` whose pips are open.

    Attributes
    ----------
    feature, on, beyond, compared
        As of an `Adjustment`; or `VALUE` on one point, what its checkers are worth.
    """

    feature: str
    on: tuple[int, ...] = ()
    beyond: int = 0
    compared: Compared = "own"

    def adjustment(self, halves: int) -> Adjustment:
        """Return the adjustment of so many half pips for each."""
        feature = "checkers" if self.feature == VALUE else self.feature
        return Adjustment(halves / 2, feature, self.on, self.beyond, self.compared)

    @property
    def weights(self) -> tuple[int, ...]:
        """Half pips that are tried for each."""
        if self.feature == VALUE:
            return tuple(h for h in CHANGES if 2 * self.on[0] + h >= 0)
        many = self.feature in ("checkers", "rolls", "odd") and not self.on
        return OF_CHECKERS if many else WEIGHTS

    def charged(
        self, ours: features.Columns, theirs: features.Columns
    ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """How many each side is charged for, from checkers by point, each (n,)."""
        mine, other = self.adjustment(2).charged(ours, theirs)
        return mine.astype(np.int8), other.astype(np.int8)


@dataclass(frozen=True)
class Recipe:
    """A formula of the family, in half pips.

    Attributes
    ----------
    added : tuple of (Seen, int)
        What is seen and how many half pips each counts.
    floor : tuple of int or None
        Half pips for each roll, and besides, that a side counts at least.
    divisor : int or None
        Of the share of the roller's count.
    offsets : tuple of int
        Of double, redouble and last take, half pips.
    """

    added: tuple[tuple[Seen, int], ...] = ()
    divisor: int | None = 7
    offsets: tuple[int, int, int] = (-8, -6, -4)
    floor: tuple[int, int] | None = None

    def rule(self, name: str = "found", source: str = "fitted") -> CountRule:
        """Return the formula."""
        changes = {seen.on[0]: h for seen, h in self.added if seen.feature == VALUE}
        values = tuple(p + changes.get(p, 0) / 2 for p in HOME) if changes else ()
        count = Count(
            tuple(
                seen.adjustment(halves)
                for seen, halves in self.added
                if seen.feature != VALUE
            ),
            values=values,
            least=Floor(self.floor[0] / 2, self.floor[1] / 2) if self.floor else None,
        )
        double, redouble, take = (Line(self.divisor, n / 2) for n in self.offsets)
        return CountRule(name, source, count, double, redouble, take)


def library() -> tuple[Seen, ...]:
    """All that may be seen.

    The value of a checker on each point; all checkers, singly and in pairs, the odd one,
    the tallest stack, gaps below the rearmost checker and points covered, for each side
    or for the one that has more; checkers on any run of points, and those beyond one, two
    or three on runs of up to three or on all; gaps on such runs.
    """
    runs = [
        tuple(range(first, last + 1)) for first in HOME for last in HOME if last >= first
    ]
    short = [on for on in runs if len(on) <= 3 or len(on) == len(HOME)]
    seen = [Seen(VALUE, (point,)) for point in HOME]
    seen += [
        Seen(feature, compared=compared)
        for compared in ("own", "more")
        for feature in ("checkers", "rolls", "odd", "tallest", "inner", "covered")
    ]
    # Checkers on all six points are left out: a `Seen` counts those on the board.
    seen += [Seen("checkers", on) for on in runs if len(on) < len(HOME)]
    seen += [Seen("checkers", on, free) for on in short for free in (1, 2, 3)]
    seen += [Seen("gaps", on) for on in short]
    seen.append(Seen("gaps", compared="matched"))
    return tuple(seen)


@cache
def cost_of_share(divisor: int | None) -> int:
    """Units of a formula without adjustments."""
    return mental_cost(Recipe((), divisor).rule()).total


def cost_of_adding(seen: Seen, halves: int) -> int:
    """Units that something adds to any formula that has not seen the same."""
    # All that matters is whether there is a half in a value, or a weight that is not 1.
    if seen.feature == VALUE:
        return _cost_of_one(seen, 1 if halves % 2 else 2)
    return _cost_of_one(seen, 2 if abs(halves) == 2 else 4)


@cache
def _cost_of_one(seen: Seen, halves: int) -> int:
    with_it = mental_cost(Recipe(((seen, halves),), None).rule()).total
    return with_it - cost_of_share(None)


@cache
def cost_of_floor(floor: tuple[int, int] | None) -> int:
    """Units that a least count adds to any formula."""
    with_it = mental_cost(Recipe((), None, floor=floor).rule()).total
    return with_it - cost_of_share(None)


def cost_of(recipe: Recipe) -> int:
    """Units of a recipe, as `mental_cost` finds them of its rule."""
    added = sum(cost_of_adding(*each) for each in recipe.added)
    return cost_of_share(recipe.divisor) + cost_of_floor(recipe.floor) + added
