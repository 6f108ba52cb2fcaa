"""Parts of formulas that a search tries: features, weights, divisors and mental costs.

A `Recipe` is a formula whose parameters are integers in half pips. `Recipe.rule` converts a
recipe to a `CountRule`, which can be scored, explained and written to YAML.
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.formulas.counting import Adjustment, Compared, Count, Floor, features
from bearoff.analysis.formulas.rules import CountRule, Line
from bearoff.analysis.scoring import costs_by_race

WEIGHTS = (2, 4, 6, -2, -4, 1, 3, -1, -3)
"""Weights of a feature that a search tries, in half pips."""

CHANGES = (2, 4, 6, 8, -2, -4, -6, 1, 3, 5, -1, -3)
"""Differences between the value of a checker and its pips that a search tries, in half
pips."""

EACH = (0, 2, 4, 6, 8, 10, 12)
"""Half pips that a search tries to add to the value of every checker."""

TWICE: tuple[int | None, ...] = (None, -4, -2, 0, 2, 4)
"""Numbers of half pips that a search adds to twice the pips of each checker outside the
home board; None means that the pips are counted once."""

PER_ROLL, BESIDES = range(12, 31), range(-8, 5, 2)
"""Half pips per roll, and constants in half pips, that a search tries for minimum counts.
"""

MOST: tuple[int | None, ...] = (4, 6, None)
"""Maximum numbers of remaining checkers for which a minimum count may apply; None means no
maximum."""

Int64Array = NDArray[np.int64]

Least = tuple[int, int, int | None]
"""Type of a minimum count: half pips per roll, a constant in half pips, and the largest
number of checkers for which the minimum applies."""

DIVISORS: tuple[int | None, ...] = (7, 6, 8, 5, 9, 10, None)
"""Divisors of the roller's count that a search tries. With None, the required leads do not
depend on the roller's count."""

CAPS: tuple[int | None, ...] = (None, *range(8, 33))
"""Upper limits that a search tries for the required lead, which is a fraction of the
roller's count. The unit is the pip; None means no limit."""

HOME = range(1, 7)

LEFT = ((1, 4), (1, 8), (5, 15), (9, 15))
"""Ranges of the number of remaining checkers to which an adjustment may be restricted."""

VALUE = "value"
"""Name of the feature that stands for the value of a checker on one point."""


@dataclass(frozen=True)
class CountedFeature:
    """Feature of a position that a formula may count: an `Adjustment` without its pips.

    Attributes
    ----------
    feature, on, beyond, compared, left
        Attributes of the `Adjustment`. The feature `VALUE` stands for the value of a
        checker on one point.
    """

    feature: str
    on: tuple[int, ...] = ()
    beyond: int = 0
    compared: Compared = "own"
    left: tuple[int, int] | None = None

    def adjustment(self, halves: int) -> Adjustment:
        """Return the adjustment that adds `halves` half pips per unit of this feature."""
        feature = "checkers" if self.feature == VALUE else self.feature
        return Adjustment(
            halves / 2, feature, self.on, self.beyond, self.compared, self.left
        )

    def weights(self, step: int) -> tuple[int, ...]:
        """Return the weights to try, in half pips; only whole pips if `step` is 2."""
        tried = CHANGES if self.feature == VALUE else WEIGHTS
        return tuple(halves for halves in tried if halves % step == 0)

    def charged(
        self, ours: features.Columns, theirs: features.Columns
    ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return the occurrences for which each count is adjusted, as two (n,) arrays."""
        mine, other = self.adjustment(2).charged(ours, theirs)
        return mine.astype(np.int8), other.astype(np.int8)


@dataclass(frozen=True)
class Recipe:
    """Count rule whose parameters are integers in half pips.

    Attributes
    ----------
    added : tuple of (CountedFeature, int)
        Features used, with their weights in half pips.
    floor : tuple or None
        Minimum of each side's count; None for no minimum.
    each : int
        Half pips added to the value of each checker.
    twice : int or None
        Half pips added to twice the pips of each checker outside the home board; None if
        the pips are not doubled.
    cap : int or None
        Maximum of the fraction of the roller's count, in pips; None for no maximum.
    divisor : int or None
        Divisor of the roller's count; the quotient is rounded down. None if the required
        leads do not depend on the roller's count.
    offsets : tuple of int
        Offsets for doubling, redoubling and the largest lead for a take, in half pips.
    """

    added: tuple[tuple[CountedFeature, int], ...] = ()
    divisor: int | None = 7
    offsets: tuple[int, int, int] = (-8, -6, -4)
    floor: Least | None = None
    each: int = 0
    twice: int | None = None
    cap: int | None = None

    @property
    def base(self) -> "Recipe":
        """Formula with all offsets set to 0; each evaluation fits the offsets again."""
        return replace(self, offsets=(0, 0, 0))

    @property
    def possible(self) -> bool:
        """Whether checker values are nonnegative, and `cap` is used only with a divisor."""
        return (self.cap is None or self.divisor is not None) and all(
            2 * seen.on[0] + self.each + halves >= 0
            for seen, halves in self.added
            if seen.feature == VALUE
        )

    def with_weight(self, seen: CountedFeature, halves: int) -> "Recipe":
        """Return the formula with a new weight for a feature, in half pips."""
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
        """Convert the parameters to a count rule."""
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


def library() -> tuple[CountedFeature, ...]:
    """Return all features that a search may use.

    - For each side, or as the difference between the sides: checkers, pairs of checkers, an
      odd checker, the tallest stack, gaps below the rearmost checker, covered points,
      checkers outside home, and crossovers.
    - For each side: blots and stacks, and the checkers of the tallest stack beyond two,
      three or four.
    - For each point: the value of a checker, and whether the point is covered or made.
    - For two to five adjacent points: checkers. For up to three adjacent points or all six:
      gaps, and checkers beyond one, two or three on each point.
    - Gaps that the opponent does not have.
    - For sides whose number of remaining checkers is in a range of `LEFT`: checkers on one
      point, all or beyond one, two or three; covered points; made points; and gaps.
    """
    runs = [
        tuple(range(first, last + 1)) for first in HOME for last in HOME if last >= first
    ]
    short = [on for on in runs if len(on) <= 3 or len(on) == len(HOME)]
    seen = [CountedFeature(VALUE, (point,)) for point in HOME]
    seen += [
        CountedFeature(feature, compared=compared)
        for compared in ("own", "more")
        for feature in (
            *("checkers", "rolls", "odd", "tallest", "inner", "covered"),
            *("outside", "crossovers"),
        )
    ]
    seen += [CountedFeature("paired"), CountedFeature("spread")]
    seen += [CountedFeature("tallest", (), free) for free in (2, 3, 4)]
    # Features count checkers on two to five consecutive points. Single points have checker
    # values, and all six points have the feature "all checkers".
    seen += [CountedFeature("checkers", on) for on in runs if 1 < len(on) < len(HOME)]
    seen += [CountedFeature("checkers", on, free) for on in short for free in (1, 2, 3)]
    seen += [CountedFeature("gaps", on) for on in short]
    seen.append(CountedFeature("gaps", compared="matched"))
    single = [
        CountedFeature(held, (point,)) for held in ("covered", "made") for point in HOME
    ]
    on_one = [
        CountedFeature("checkers", (point,), free) for point in HOME for free in range(4)
    ]
    some = (*single, *on_one, CountedFeature("gaps"))
    return (*seen, *single, *(replace(s, left=left) for s in some for left in LEFT))


@cache
def _units(recipe: Recipe) -> Int64Array:
    """Return the mental cost of a formula in each of the typical `RACES`."""
    return np.array([cost.total for cost in costs_by_race(recipe.rule())])


def _most(units: Int64Array) -> int:
    return int(units.max())


def cost_of_share(divisor: int | None, *, capped: bool = False) -> int:
    """Return the mental cost of a formula without adjustments, given its divisor."""
    return _most(_units(_share(divisor, capped=capped)))


def cost_of_adding(seen: CountedFeature, halves: int) -> int:
    """Return the mental cost that a feature adds to a formula."""
    return _most(_added(seen, halves))


def cost_of_floor(floor: Least | None) -> int:
    """Return the mental cost that a minimum count adds to a formula."""
    return _most(_besides(Recipe((), None, floor=floor)))


def cost_of(recipe: Recipe) -> int:
    """Return the mental cost of a formula, which equals the `mental_cost` of its rule."""
    units = _units(_share(recipe.divisor, capped=recipe.cap is not None)).copy()
    units += _besides(Recipe((), None, floor=recipe.floor))
    units += _besides(Recipe((), None, each=recipe.each, twice=recipe.twice))
    for each in recipe.added:
        units += _added(*each)
    # A range of remaining checkers is memorised only once, even if several adjustments use
    # it.
    asked = [seen.left for seen, _ in recipe.added if seen.left]
    return _most(units) - len(asked) + len(set(asked))


def _share(divisor: int | None, *, capped: bool = False) -> Recipe:
    return Recipe((), divisor, cap=1 if capped else None)


def _added(seen: CountedFeature, halves: int) -> Int64Array:
    # The mental cost depends only on whether a checker value contains a half pip, or a
    # weight is a whole pip.
    if seen.feature == VALUE:
        halves = 1 if halves % 2 else 2
    elif abs(halves) != 2:
        halves = 4
    return _besides(Recipe(((seen, halves),), None))


def _besides(recipe: Recipe) -> Int64Array:
    """Return the mental cost of a formula beyond counting pips, in each of the `RACES`."""
    return _units(recipe) - _units(_share(None))


def _place(added: tuple[CountedFeature, int]) -> tuple[object, ...]:
    """Return a sort key for features; sorted features make equal recipes equal."""
    seen, _ = added
    return (
        seen.feature != VALUE,
        seen.feature,
        seen.on,
        seen.beyond,
        seen.compared,
        seen.left or (),
    )
