"""Doubling points by the lead alone: lines that a fit fills in with simple numbers.

The *lead* is the opponent's count less the roller's, raw pips or EPC. A rule is a plain
function of count and lead (`LeadRule.of_count`), and satisfies `Formula` by counting the
positions it is given.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal

import numpy as np

from analysis.errors import FormulaError
from analysis.formulas.base import (
    CountsArray,
    Decision,
    Float64Array,
    Verdict,
    count_and_lead,
)
from analysis.formulas.pad import Pad
from analysis.formulas.words import COUNT_NAMES, PARTS, adjusted, mixed, signed

Rounded = Literal["no", "down", "up"]


@dataclass(frozen=True)
class Line:
    """A lead that grows with the roller's count: a share of it and an offset.

    ``parts * (count - less) / divisor + offset``, the share rounded as it says.

    Attributes
    ----------
    divisor : int or None
        None for the same lead at every count.
    offset : float
        In pips, a multiple of one half.
    parts : int
        How many such parts of the count: 8 of 100 for 8 percent.
    rounded : {"no", "down", "up"}
        Whether the share is made whole.
    above : int
        No share of a count up to this.
    less : int
        Taken off the count before it is divided.

    Raises
    ------
    FormulaError
        If a number is not what it may be.
    """

    divisor: int | None
    offset: float
    parts: int = 1
    rounded: Rounded = "no"
    above: int = 0
    less: int = 0

    def __post_init__(self) -> None:
        if (self.divisor is not None and self.divisor < 1) or self.parts < 1:
            raise FormulaError(
                f"a share of a count is of one part or more, got {self.parts} / "
                f"{self.divisor}"
            )
        if 2 * self.offset != int(2 * self.offset):
            raise FormulaError(f"an offset is of whole or half pips, got {self.offset}")

    def at(self, count: Float64Array) -> Float64Array:
        """Lead in pips at each of the roller's counts."""
        return self._whole(count) / self._scale + self.offset

    def beyond(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """How far each lead is above the line, in pips times the divisor.

        Multiplied out, so that counts of half pips meet the line without rounding; times
        1 if the share is rounded.
        """
        scale = self._scale
        return scale * lead - self._whole(count) - scale * self.offset

    @property
    def _scale(self) -> int:
        return (self.divisor or 1) if self.rounded == "no" else 1

    def _whole(self, count: Float64Array) -> Float64Array:
        """Return the share times the scale, which is no fraction."""
        if self.divisor is None:
            return 0 * count
        share = self.parts * (count - self.less)
        # Of half pips: a quotient that is not whole is at least 1 / (2 divisor) from one,
        # far more than the division rounds.
        if self.rounded == "down":
            share = np.floor(share / self.divisor)
        elif self.rounded == "up":
            share = np.ceil(share / self.divisor)
        return np.where(count > self.above, share, 0.0) if self.above else share

    def share(self, count: Fraction) -> Fraction:
        """Share of one count."""
        if self.divisor is None or (self.above and count <= self.above):
            return Fraction(0)
        share = self.parts * (count - self.less) / self.divisor
        if self.rounded == "down":
            return Fraction(floor(share))
        return Fraction(ceil(share)) if self.rounded == "up" else share

    def __str__(self) -> str:
        """Write the line as in ``count/10 - 2``.

        Examples
        --------
        >>> print(Line(10, -2.0), Line(None, 4.5), sep=", ")
        count/10 − 2, 4½
        """
        if self.divisor is None:
            return mixed(self.offset)
        parts = f"{self.parts} " if self.parts > 1 else ""
        return f"{parts}count/{self.divisor}{signed(self.offset)}"


@dataclass(frozen=True)
class LeadRule:
    """Doubling points by the lead.

    Attributes
    ----------
    measure : {"pips", "epc"}
        How both sides are counted.
    double, redouble : Line
        Turn a centred or an owned cube at this lead or more.
    last_take : Line
        The opponent takes at this lead or less.
    name, source : str
        As in `Formula`.
    """

    measure: str
    double: Line
    redouble: Line
    last_take: Line
    name: str = "lead rule"
    source: str = "fitted"

    @property
    def text(self) -> str:
        """The rule as a player says it.

        Examples
        --------
        >>> print(LeadRule("pips", Line(10, -2.0), Line(10, -1.5), Line(10, 2.0)).text)
        Work out a tenth of your pip count. Double when your lead is at least that less
        2, redouble at that less 1½; the last take is at that plus 2.
        """
        lines = (self.double, self.redouble, self.last_take)
        divisors = {line.divisor for line in lines}
        shared = divisors.pop() if len(divisors) == 1 else None
        parts = {
            divisor: f"{part} of your {COUNT_NAMES[self.measure]}"
            for divisor, part in PARTS.items()
        }
        start = f"Work out {parts[shared]}. " if shared else ""

        def said(line: Line) -> str:
            if line.divisor is None:
                return mixed(line.offset)
            return adjusted("that" if shared else parts[line.divisor], line.offset)

        if self.double == self.redouble:
            turn = f"Double and redouble when your lead is at least {said(self.double)}"
        else:
            turn = (
                f"Double when your lead is at least {said(self.double)}, redouble at "
                f"{said(self.redouble)}"
            )
        return f"{start}{turn}; the last take is at {said(self.last_take)}."

    def of_count(self, count: Float64Array, lead: Float64Array) -> Decision:
        """Decide from the roller's counts and leads, in pips, shape (n,)."""
        return Decision(
            double=self.double.beyond(count, lead) >= 0,
            redouble=self.redouble.beyond(count, lead) >= 0,
            take=self.last_take.beyond(count, lead) <= 0,
        )

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> Decision:
        """Decide by counting both sides."""
        return self.of_count(*count_and_lead(self.measure, rollers, opponents))

    def work(self, pad: Pad, sides: Sequence[tuple[int, ...]]) -> Verdict:
        """Work out one race on the pad."""
        from analysis.formulas.count import Count
        from analysis.formulas.rule import CountRule

        count = Count(start=self.measure)
        lines = (self.double, self.redouble, self.last_take)
        return CountRule(self.name, self.source, count, *lines).work(pad, sides)
