"""Building blocks of the search: features, weights, shares, and their costs.

A `Recipe` is a formula in whole numbers of half pips; `Recipe.rule` makes the `CountRule`
of it, which is what is scored, explained, priced and written to YAML.
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from analysis.formulas.counting import Adjustment, Compared, Count, Floor, features
from analysis.formulas.rules import CountRule, Line
from analysis.scoring import mental_cost

WEIGHTS = (2, 4, 6, -2, -4, 1, 3, -1, -3)
"""Half pips that each of something may count."""

CHANGES = (2, 4, 6, 8, -2, -4, -6, 1, 3, 5, -1, -3)
"""Half pips that a checker's value on a point may be off what others count."""

EACH = (0, 2, 4, 6, 8, 10, 12)
"""Half pips that every checker may count besides its pips. The more, the finer are whole
pips, for then all else counts more as well."""

TWICE: tuple[int | None, ...] = (None, -4, -2, 0, 2, 4)
"""Half pips that checkers beyond home may count besides twice their pips; None for not."""

PER_ROLL, BESIDES = range(12, 31), range(-8, 5, 2)
"""Half pips for each roll, and besides, that a side may count at least."""

MOST: tuple[int | None, ...] = (4, 6, None)
"""Checkers up to which it may; None for all sides."""

Least = tuple[int, int, int | None]
"""Half pips for each roll, and besides, of a side of at most so many checkers."""

DIVISORS: tuple[int | None, ...] = (7, 6, 8, 5, 9, 10, None)
"""Parts of the roller's count that are tried; None for none."""

CAPS: tuple[int | None, ...] = (None, *range(8, 33))
"""Pips that the share may be at most; None for no such limit."""

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

    def weights(self, step: int) -> tuple[int, ...]:
        """Half pips that are tried for each: whole pips with a `step` of 2."""
        tried = CHANGES if self.feature == VALUE else WEIGHTS
        return tuple(halves for halves in tried if halves % step == 0)

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
    floor : tuple or None
        What a side counts at least.
    each : int
        Half pips of every checker besides its pips.
    twice : int or None
        Half pips of a checker beyond home besides twice its pips.
    cap : int or None
        Pips that the share of the roller's count is at most.
    divisor : int or None
        Of the share of the roller's count, which is rounded down.
    offsets : tuple of int
        Of double, redouble and last take, half pips.
    """

    added: tuple[tuple[Seen, int], ...] = ()
    divisor: int | None = 7
    offsets: tuple[int, int, int] = (-8, -6, -4)
    floor: Least | None = None
    each: int = 0
    twice: int | None = None
    cap: int | None = None

    @property
    def base(self) -> "Recipe":
        """The same without offsets, which are found anew whenever it is priced."""
        return replace(self, offsets=(0, 0, 0))

    @property
    def possible(self) -> bool:
        """Whether no checker counts less than nothing."""
        return (self.cap is None or self.divisor is not None) and all(
            2 * seen.on[0] + self.each + halves >= 0
            for seen, halves in self.added
            if seen.feature == VALUE
        )

    def with_weight(self, seen: Seen, halves: int) -> "Recipe":
        """Count something by so many half pips, in place of what it counted."""
        rest = [each for each in self.added if each[0] != seen]
        added = [*rest, (seen, halves)] if halves else rest
        return replace(self, added=tuple(sorted(added, key=_place)))

    @property
    def _least(self) -> Floor | None:
        if self.floor is None:
            return None
        per_roll, plus, most = self.floor
        return Floor(per_roll / 2, plus / 2, most)

    def rule(self, name: str = "found", source: str = "fitted") -> CountRule:
        """Return the formula."""
        changes = {seen.on[0]: h for seen, h in self.added if seen.feature == VALUE}
        last = max(changes, default=0)
        values = tuple(p + (self.each + changes.get(p, 0)) / 2 for p in range(1, last + 1))
        count = Count(
            tuple(
                seen.adjustment(halves)
                for seen, halves in self.added
                if seen.feature != VALUE
            ),
            values=values,
            least=Floor(self.floor[0] / 2, self.floor[1] / 2, self.floor[2])
            if self.floor
            else None,
            each=self.each / 2,
            twice=None if self.twice is None else self.twice / 2,
        )
        double, redouble, take = (
            Line(self.divisor, n / 2, rounded="down", most=self.cap) for n in self.offsets
        )
        return CountRule(name, source, count, double, redouble, take)


def library() -> tuple[Seen, ...]:
    """All that may be seen.

    The value of a checker on each point; all checkers, singly and in pairs, the odd one,
    the tallest stack, gaps below the rearmost checker and points covered, for each side
    or for the one that has more; checkers on any run of points, and those beyond one, two
    or three on runs of up to three or on all; those of the tallest stack beyond two to
    four; gaps on such runs; checkers outside home and crossovers.
    """
    runs = [
        tuple(range(first, last + 1)) for first in HOME for last in HOME if last >= first
    ]
    short = [on for on in runs if len(on) <= 3 or len(on) == len(HOME)]
    seen = [Seen(VALUE, (point,)) for point in HOME]
    seen += [
        Seen(feature, compared=compared)
        for compared in ("own", "more")
        for feature in (
            *("checkers", "rolls", "odd", "tallest", "inner", "covered"),
            *("outside", "crossovers"),
        )
    ]
    seen += [Seen("paired"), Seen("spread")]
    seen += [Seen("tallest", (), free) for free in (2, 3, 4)]
    # All six points are left out, for a `Seen` counts those on the board; so is a single
    # one, for its checkers have a value.
    seen += [Seen("checkers", on) for on in runs if 1 < len(on) < len(HOME)]
    seen += [Seen("checkers", on, free) for on in short for free in (1, 2, 3)]
    seen += [Seen("gaps", on) for on in short]
    seen.append(Seen("gaps", compared="matched"))
    return tuple(seen)


@cache
def cost_of_share(divisor: int | None, *, capped: bool = False) -> int:
    """Units of a formula without adjustments."""
    return mental_cost(Recipe((), divisor, cap=1 if capped else None).rule()).total


def cost_of_adding(seen: Seen, halves: int) -> int:
    """Units that something adds to any formula that has not seen the same."""
    # All that matters is whether there is a half in a value, or a weight that is not 1.
    if seen.feature == VALUE:
        return _cost_of_one(seen, 1 if halves % 2 else 2)
    return _cost_of_one(seen, 2 if abs(halves) == 2 else 4)


@cache
def cost_of_checkers(each: int, twice: int | None) -> int:
    """Units that counting every checker higher adds to any formula."""
    with_it = mental_cost(Recipe((), None, each=each, twice=twice).rule()).total
    return with_it - cost_of_share(None)


@cache
def _cost_of_one(seen: Seen, halves: int) -> int:
    with_it = mental_cost(Recipe(((seen, halves),), None).rule()).total
    return with_it - cost_of_share(None)


@cache
def cost_of_floor(floor: Least | None) -> int:
    """Units that a least count adds to any formula."""
    with_it = mental_cost(Recipe((), None, floor=floor).rule()).total
    return with_it - cost_of_share(None)


def cost_of(recipe: Recipe) -> int:
    """Units of a recipe, as `mental_cost` finds them of its rule."""
    added = sum(cost_of_adding(*each) for each in recipe.added)
    least = cost_of_floor(recipe.floor) + cost_of_checkers(recipe.each, recipe.twice)
    return cost_of_share(recipe.divisor, capped=recipe.cap is not None) + least + added


def _place(added: tuple[Seen, int]) -> tuple[object, ...]:
    """One order of what is seen, so that the same formula is the same recipe."""
    seen, _ = added
    return seen.feature != VALUE, seen.feature, seen.on, seen.beyond, seen.compared
