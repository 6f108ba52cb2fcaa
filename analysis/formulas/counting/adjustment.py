"""Adjustments of a pip count for features of a position, such as gaps and stacks."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

import numpy as np

from bearoff import CHECKERS
from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.counting.features import FEATURES, Columns, Feature
from bearoff.analysis.formulas.writing import (
    Number,
    Worksheet,
    format_number,
    is_halves,
    mixed,
    steps,
    wording,
)

Compared = Literal["own", "more", "matched"]

_MORE = " more than the opponent"
_UNMATCHED = " where the opponent has fewer"


@dataclass(frozen=True)
class Adjustment:
    """Adjustment of a pip count: pips for each occurrence of a feature of the position.

    Attributes
    ----------
    pips : float
        Pips added for each occurrence, a multiple of one half; negative to subtract.
    feature : str
        Name of the feature, a key of `FEATURES`.
    on : tuple of int
        Points on which the feature is counted; if empty, the feature's default points.
    beyond : int
        Number of checkers on each point that are left out, for features that count
        checkers.
    compared : {"own", "more", "matched"}
        Way of comparing the two sides. With ``own``, each side's count is adjusted for all
        occurrences on that side. With ``more``, only the count of the side with more
        occurrences is adjusted, for the difference. With ``matched``, the same is done
        separately on each point.
    left : (int, int) or None
        Minimum and maximum number of remaining checkers for which the adjustment applies;
        None for no limits.

    Raises
    ------
    FormulaError
        If a parameter has a value that is not allowed.

    Examples
    --------
    >>> print(Adjustment(2, "checkers", (1,), beyond=2))
    +2 per 1-point checker after two
    >>> print(Adjustment(2, "outside", compared="more"))
    +2 per checker beyond home more than the opponent
    """

    pips: float
    feature: str
    on: tuple[int, ...] = ()
    beyond: int = 0
    compared: Compared = "own"
    left: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.feature not in FEATURES:
            raise FormulaError(
                f"unknown feature {self.feature!r}; choose one of {', '.join(FEATURES)}"
            )
        if not is_halves(self.pips) or self.pips == 0:
            raise FormulaError(
                "the pips of an adjustment must be a nonzero multiple of 0.5, got "
                f"{self.pips}"
            )
        if self.compared not in get_args(Compared):
            raise FormulaError(
                f"'compared' must be one of {', '.join(get_args(Compared))}, got "
                f"{self.compared!r}"
            )
        if self.seen.of_side and (self.on or self.compared == "matched"):
            raise FormulaError(
                f"{self.seen.many} belong to all checkers of a player together; omit the "
                "keys 'on' and 'compared: matched'"
            )
        if self.beyond and self.feature not in ("checkers", "tallest"):
            raise FormulaError(
                "the key 'beyond' may be used only with the features checkers and "
                f"tallest, got the feature {self.feature}"
            )
        if self.left is not None and (
            self.compared != "own" or not 1 <= self.left[0] <= self.left[1]
        ):
            raise FormulaError(
                "the key 'left' must list a minimum and a maximum number of remaining "
                "checkers, at least 1 and in ascending order, and requires the key "
                f"'compared: own'; got {list(self.left)}"
            )
        if (
            self.beyond < 0
            or len(set(self.on)) < len(self.on)
            or min(self.on, default=1) < 1
        ):
            raise FormulaError(
                "the key 'beyond' of an adjustment must be 0 or more, and the key 'on' "
                "must list different point numbers of at least 1; got "
                f"{self.beyond} and {list(self.on)}"
            )

    @property
    def seen(self) -> Feature:
        """Feature of the position whose occurrences are counted."""
        return FEATURES[self.feature]

    def charged(self, ours: Columns, theirs: Columns) -> tuple[Columns, Columns]:
        """Return the occurrences for which each count is adjusted, as two (n,) arrays."""
        if self.compared == "matched":
            more_ours, more_theirs = np.zeros_like(ours[0]), np.zeros_like(ours[0])
            for point in self.seen.on(self.on, len(ours)):
                a = self.seen.count(ours, (point,), self.beyond)
                b = self.seen.count(theirs, (point,), self.beyond)
                more_ours += np.maximum(a - b, 0)
                more_theirs += np.maximum(b - a, 0)
            return more_ours, more_theirs
        a = self.seen.count(ours, self.on, self.beyond)
        b = self.seen.count(theirs, self.on, self.beyond)
        if self.left is not None:
            low, high = self.left
            a, b = (
                np.where((low <= n) & (n <= high), charged, 0).astype(np.int16)
                for charged, n in ((a, ours.sum(axis=0)), (b, theirs.sum(axis=0)))
            )
        if self.compared == "own":
            return a, b
        return np.maximum(a - b, 0), np.maximum(b - a, 0)

    def met_by(self, checkers: int) -> bool:
        """Return whether the adjustment applies to a side with this number of checkers."""
        return self.left is None or self.left[0] <= checkers <= self.left[1]

    @property
    def looks(self) -> int:
        """Number of points that a player examines on each side to find the feature."""
        return len(self.on) or self.seen.looks

    @property
    def numbers(self) -> tuple[str, ...]:
        """Descriptions of the numbers that a player must memorise for the adjustment."""
        if self.seen.stacked:
            return tuple(f"{each} off for {self.seen.many}" for each in self.amounts)
        each, free = str(self), f"{self.beyond} free of {self.what(self.seen.many)}"
        return (
            ((each,) if abs(self.pips) != 1 else ())
            + ((free,) if self.beyond else ())
            + ((self.left_text,) if self.left else ())
        )

    @property
    def left_text(self) -> str:
        """Text on the number of checkers that must remain; empty if any number is allowed.

        Examples
        --------
        >>> Adjustment(1, "gaps", left=(9, 15)).left_text
        'over eight left'
        """
        if self.left is None:
            return ""
        low, high = self.left
        if low == 1:
            return f"up to {wording.number_word(high)} left"
        if high >= CHECKERS:
            return f"over {wording.number_word(low - 1)} left"
        return f"{wording.number_word(low)} to {wording.number_word(high)} left"

    @property
    def held(self) -> str:
        """Text such as "point 6 with 2+" if one point must be occupied; otherwise empty."""
        held = {"covered": "any", "made": "2+"}.get(self.feature, "")
        return f"point {self.on[0]} with {held}" if held and len(self.on) == 1 else ""

    def what(self, name: str) -> str:
        """Describe the feature in words, given its noun in the singular or plural.

        Examples
        --------
        >>> Adjustment(1, "checkers", (1, 2)).what("checkers")
        'checkers on points 1–2'
        >>> Adjustment(1, "checkers", (1, 2), beyond=2).what("checkers")
        'checkers after two on each of points 1–2'
        """
        if self.held:
            return self.held
        after = f" after {wording.number_word(self.beyond)}" if self.beyond else ""
        on, where, one = self.on, "", name == self.seen.one
        if self.feature == "gaps":
            points = wording.point_numbers(on or self.seen.points or ())
            named = f"empty {points.replace('points', 'point') if one else points}"
            if self.compared == "matched":
                return f"{named} not empty for the opponent"
        elif self.feature == "checkers" and len(on) == 1:
            named = f"{on[0]}-point {name}"
        else:
            each = after and self.seen.of_side is None
            if on:
                where = f" on {'each of ' if each else ''}{wording.point_numbers(on)}"
            elif each:
                where = " on each point"
            named = name
        than = {"own": "", "more": _MORE, "matched": _UNMATCHED}[self.compared]
        return f"{named}{after}{where}{than}"

    @property
    def amounts(self) -> tuple[str, ...]:
        """Pips for a point with one checker and for one with several, without sign."""
        return tuple(mixed(abs(self.pips) * given) for given in self.seen.stacked or ())

    @property
    def each(self) -> str:
        """Text on one occurrence of the feature, such as "for each gap".

        Examples
        --------
        >>> Adjustment(1, "checkers", (3,), beyond=3).each
        'per 3-point checker after three'
        >>> Adjustment(-1, "made", (6,)).each
        'if point 6 has 2+'
        """
        if self.held:
            return f"if {self.held.replace('with', 'has')}"
        return f"per {self.what(self.seen.one)}"

    @property
    def joins(self) -> bool:
        """Whether one sentence can combine this adjustment with another of equal pips."""
        return not self.seen.stacked

    @property
    def amount(self) -> str:
        """Pips added or subtracted for each occurrence, as text with a sign.

        Examples
        --------
        >>> Adjustment(-1.5, "gaps").amount
        '−1½'
        """
        return f"{'+' if self.pips > 0 else '−'}{mixed(abs(self.pips))}"

    def __str__(self) -> str:
        if self.seen.stacked:
            sign = self.amount[0]
            alone, more = self.amounts
            return f"Per home point: {sign}{alone} with one checker, {sign}{more} with more"
        only = f"{self.left_text}: " if self.left else ""
        return f"{only}{self.amount} {self.each}"


def write_own(
    sheet: Worksheet,
    adjustment: Adjustment,
    who: str,
    total: Number,
    charged: int,
    *,
    met: bool = True,
) -> Number:
    """Write the worksheet step that adjusts one side's count."""
    change = _times(adjustment, charged)
    pips = adjustment.pips
    sign = "+" if pips > 0 else "-"
    each = f"{mixed(abs(pips))} x " if abs(pips) != 1 else ""
    only = f", if {adjustment.left_text}" if adjustment.left else ""
    what = adjustment.what(adjustment.seen.many)
    if adjustment.seen.stacked:
        alone, more = adjustment.amounts
        what = f"home points: {alone} for one checker on a point, {more} for several"
    return sheet.write(
        f"{who} {what}{only}",
        f"{format_number(total)} {sign} {each}{charged} = {format_number(total + change)}",
        total + change,
        adjustment.numbers,
        # The player checks only once whether the number of remaining checkers is in the
        # allowed range.
        compare=int(adjustment.left is not None and met),
        points=adjustment.looks if met else 0,
        # The player subtracts the checkers that are left out, multiplies the rest by the
        # pips, and adds the product to the count.
        small=_free(adjustment) + _multiplied(adjustment) + 1 if met else 0,
    )


def _multiplied(adjustment: Adjustment) -> bool:
    return abs(adjustment.pips) != 1 and not adjustment.seen.stacked


def _free(adjustment: Adjustment) -> int:
    if not adjustment.beyond:
        return 0
    return 1 if adjustment.seen.of_side is not None else adjustment.looks


def write_compared(
    sheet: Worksheet, adjustment: Adjustment, totals: list[Number], charged: Sequence[int]
) -> None:
    """Write the adjustment for the side with more occurrences of a feature."""
    changed = []
    for i, who in enumerate(steps.SIDES):
        change = _times(adjustment, charged[i])
        if change:
            changed.append(f"{who} {format_number(totals[i] + change)}")
        totals[i] += change
    each = len(adjustment.on) or (
        adjustment.looks if adjustment.compared == "matched" else 1
    )
    sheet.write(
        adjustment.what(adjustment.seen.many).replace("the opponent", "the other side"),
        ", ".join(changed) or "none",
        None,
        adjustment.numbers,
        # The player looks for the feature on both sides, but adjusts the count of only one
        # side.
        points=2 * adjustment.looks,
        small=each + 2 * _free(adjustment) + _multiplied(adjustment) + 1,
    )


def _times(adjustment: Adjustment, charged: int) -> Number:
    return Fraction(adjustment.pips) * charged
