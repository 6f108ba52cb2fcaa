"""Building blocks of the search: features, weights, shares, and their costs.

A `Recipe` is a formula in whole numbers of half pips; `Recipe.rule` makes the `CountRule`
of it, which is what is scored, explained, priced and written to YAML.
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.formulas.counting import Adjustment, Compared, Count, Floor, features
from bearoff.analysis.formulas.rules import CountRule, Line
from bearoff.analysis.scoring import costs_by_race

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

Int64Array = NDArray[np.int64]

Least = tuple[int, int, int | None]
"""Half pips for each roll, and besides, of a side of at most so many checkers."""

DIVISORS: tuple[int | None, ...] = (7, 6, 8, 5, 9, 10, None)
"""Parts of the roller's count that are tried; None for none."""

CAPS: tuple[int | None, ...] = (None, *range(8, 33))
"""Pips that the share may be at most; None for no such limit."""

HOME = range(1, 7)

LEFT = ((1, 4), (1, 8), (5, 15), (9, 15))
"""Sides, by checkers left, that alone may be charged for something."""

VALUE = "value"
"""In place of a feature: the value of a checker on one point."""


@dataclass(frozen=True)
class Seen:
    """Something seen of a side: an `Adjustment` whose pips are open.

    Attributes
    ----------
    feature, on, beyond, compared, left
        As of an `Adjustment`; or `VALUE` on one point, what its checkers are worth.
    """

    feature: str
    on: tuple[int, ...] = ()
    beyond: int = 0
    compared: Compared = "own"
    left: tuple[int, int] | None = None

    def adjustment(self, halves: int) -> Adjustment:
        """Return the adjustment of so many half pips for each."""
        feature = "checkers" if self.feature == VALUE else self.feature
        return Adjustment(
            halves / 2, feature, self.on, self.beyond, self.compared, self.left
        )

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
    or for the one that has more; whether a point is covered or made; checkers on any run
    of points, and those beyond one, two or three on runs of up to three or on all; those
    of the tallest stack beyond two to four; gaps on such runs; checkers outside home and
    crossovers. Of sides with so many checkers `LEFT` alone: those on a point, those beyond
    one to three, whether it is covered or made, and gaps.
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
    single = [Seen(held, (point,)) for held in ("covered", "made") for point in HOME]
    on_one = [Seen("checkers", (point,), free) for point in HOME for free in range(4)]
    some = (*single, *on_one, Seen("gaps"))
    return (*seen, *single, *(replace(s, left=left) for s in some for left in LEFT))


@cache
def _units(recipe: Recipe) -> Int64Array:
    """Units on each of the races that formulas are priced on."""
    return np.array([cost.total for cost in costs_by_race(recipe.rule())])


def _most(units: Int64Array) -> int:
    return int(units.max())


def cost_of_share(divisor: int | None, *, capped: bool = False) -> int:
    """Units of a formula without adjustments."""
    return _most(_units(_share(divisor, capped=capped)))


def cost_of_adding(seen: Seen, halves: int) -> int:
    """Units that something adds to any formula that has not seen the same."""
    return _most(_added(seen, halves))


def cost_of_floor(floor: Least | None) -> int:
    """Units that a least count adds to any formula."""
    return _most(_besides(Recipe((), None, floor=floor)))


def cost_of(recipe: Recipe) -> int:
    """Units of a recipe, as `mental_cost` finds them of its rule."""
    units = _units(_share(recipe.divisor, capped=recipe.cap is not None)).copy()
    units += _besides(Recipe((), None, floor=recipe.floor))
    units += _besides(Recipe((), None, each=recipe.each, twice=recipe.twice))
    for each in recipe.added:
        units += _added(*each)
    # How many are left is one number to be known, whatever such sides are charged for.
    asked = [seen.left for seen, _ in recipe.added if seen.left]
    return _most(units) - len(asked) + len(set(asked))


def _share(divisor: int | None, *, capped: bool = False) -> Recipe:
    return Recipe((), divisor, cap=1 if capped else None)


def _added(seen: Seen, halves: int) -> Int64Array:
    # All that matters is whether there is a half in a value, or a weight that is not 1.
    if seen.feature == VALUE:
        halves = 1 if halves % 2 else 2
    elif abs(halves) != 2:
        halves = 4
    return _besides(Recipe(((seen, halves),), None))


def _besides(recipe: Recipe) -> Int64Array:
    """Units that a recipe without a share costs more than bare pips."""
    return _units(recipe) - _units(_share(None))


def _place(added: tuple[Seen, int]) -> tuple[object, ...]:
    """One order of what is seen, so that the same formula is the same recipe."""
    seen, _ = added
    return (
        seen.feature != VALUE,
        seen.feature,
        seen.on,
        seen.beyond,
        seen.compared,
        seen.left or (),
    )
