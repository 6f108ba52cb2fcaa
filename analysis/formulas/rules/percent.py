"""Win percentages computed from a count and a lead, and cube rules that use them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bearoff import CubeThresholds
from bearoff.analysis.formulas.counting import Count, CountsArray, Float64Array
from bearoff.analysis.formulas.rules.line import Line
from bearoff.analysis.formulas.rules.line_steps import divided
from bearoff.analysis.formulas.writing import (
    PARTS,
    Number,
    Verdict,
    Worksheet,
    format_number,
    mixed,
    steps,
    times,
)
from bearoff.matchup import CubeDecision


@dataclass(frozen=True)
class Percent:
    """Win percentage that is linear in the lead beyond a fraction of the roller's count.

    The percentage is ``base + per_pip * (lead - fraction)``.

    Attributes
    ----------
    base : float
        Win percentage if the lead equals the given fraction of the roller's count.
    per_pip : Fraction
        Percentage points per pip of lead.
    line : Line
        Fraction of the roller's count.
    """

    base: float
    per_pip: Fraction
    line: Line

    def percent(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """Return win percentages, given the roller's counts and leads in pips."""
        return self.base + float(self.per_pip) * (lead - self.line.at(count))

    @property
    def text(self) -> str:
        """The formula for the win percentage, in words for players.

        Examples
        --------
        >>> print(Percent(80, Fraction(2), Line(6, 0)).text)
        80 plus 2 for each pip of the lead beyond a sixth of the roller's count
        """
        beyond = f" beyond {self.line.share_text('count')}" if self.line.divisor else ""
        each = f"{mixed(self.per_pip)} for each pip of the lead{beyond}"
        return f"{mixed(self.base)} plus {each}"

    def work(self, sheet: Worksheet, ours: Number, theirs: Number) -> Number:
        """Write the lead, the fraction of the roller's count and the win percentage."""
        lead = steps.write_lead(sheet, ours, theirs)
        share = divided(sheet, self.line, ours) if self.line.divisor else Fraction(0)
        beyond = lead - share
        found = Fraction(self.base) + self.per_pip * beyond
        each = format_number(self.per_pip)
        return sheet.write(
            "your chance in percent",
            f"{format_number(self.base)} + {each} x ({format_number(lead)} - "
            f"{format_number(share)}) = {format_number(found)}",
            found,
            (f"base {self.base:g}", f"{each} a pip"),
            large=1 + bool(self.line.divisor),
            **({} if self.per_pip == 1 else {times(float(self.per_pip)): 1}),
        )


@dataclass(frozen=True)
class LinearChance:
    """Win percentage that is linear in the lead and in the roller's count.

    The percentage is ``base + per_pip * lead - count / divisor``.

    Attributes
    ----------
    base : int
        Win percentage if the lead and the roller's count were 0.
    per_pip : Fraction
        Percentage points per pip of lead.
    divisor : int or None
        Divisor of the roller's count; the quotient is subtracted from the win percentage.
        None if nothing is subtracted.
    """

    base: int
    per_pip: Fraction
    divisor: int | None

    def percent(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """Return win percentages, given the roller's counts and leads in pips."""
        percent = self.base + float(self.per_pip) * lead
        return percent - count / self.divisor if self.divisor else percent

    @property
    def text(self) -> str:
        """The formula for the win percentage, in words for players.

        Examples
        --------
        >>> print(LinearChance(80, Fraction(2), 3).text)
        80, less a third of the roller's count, plus 2 for each pip of the lead
        """
        less = (
            f", less {PARTS[self.divisor]} of the roller's count," if self.divisor else ""
        )
        return f"{self.base}{less} plus {mixed(self.per_pip)} for each pip of the lead"

    def work(self, sheet: Worksheet, ours: Number, theirs: Number) -> Number:
        """Write the lead and the win percentage of a race on the worksheet."""
        lead = steps.write_lead(sheet, ours, theirs)
        found: Number = self.base + self.per_pip * lead
        each = mixed(self.per_pip)
        sheet.write(
            f"{self.base} plus {each} for each pip of the lead",
            f"{self.base} + {each} x {format_number(lead)} = {format_number(found)}",
            None, (f"base {self.base}", f"{each} a pip"), large=1,
            **({} if self.per_pip == 1 else {times(float(self.per_pip)): 1}),
        )  # fmt: skip
        if self.divisor is None:
            return found
        share = divided(sheet, Line(self.divisor, 0.0), ours)
        left = found - share
        return sheet.write(
            "this percentage minus the fraction of your count",
            f"{format_number(found)} - {format_number(share)} = {format_number(left)}",
            left, large=1,
        )  # fmt: skip


@dataclass(frozen=True)
class RatioChance:
    """Win percentage that depends on the lead divided by the roller's count.

    The percentage is ``base + scale * (lead + head_start) / (count + padding)``. In a
    longer race, a pip of lead is worth less, because the difference in rolls varies more.
    """

    base: float
    scale: int
    head_start: float = 0.0
    padding: int = 0

    def percent(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """Return win percentages, given the roller's counts and leads in pips."""
        # A roller with no checkers left has a count of 0, so the divisor is limited to at
        # least 1.
        share = (lead + self.head_start) / np.maximum(count + self.padding, 1)
        return self.base + self.scale * share

    @property
    def text(self) -> str:
        """The formula for the win percentage, in words for players."""
        lead = f"(lead + {mixed(self.head_start)})" if self.head_start else "lead"
        count = f"(roller's count + {self.padding})" if self.padding else "roller's count"
        return f"{mixed(self.base)} + {self.scale} × {lead} / {count}"

    def work(self, sheet: Worksheet, ours: Number, theirs: Number) -> Number:
        """Write the lead, the division and the win percentage on the worksheet."""
        lead = steps.write_lead(sheet, ours, theirs)
        top = lead + Fraction(self.head_start)
        bottom = max(Fraction(ours + self.padding), Fraction(1))
        found = Fraction(self.base) + self.scale * top / bottom
        return sheet.write(
            "your chance in percent",
            f"{format_number(self.base)} + {self.scale} x {format_number(top)} / "
            f"{format_number(bottom)} = {format_number(found)}",
            found,
            tuple(
                f"{name} {value:g}"
                for name, value in vars(self).items()
                if value or name in ("base", "scale")
            ),
            large=1 + bool(self.padding),
            small=int(bool(self.head_start)),
            round=1,
            # The player multiplies by a constant, and divides by a number that differs in
            # every race.
            **Counter((times(self.scale), "long")),
        )


@dataclass(frozen=True)
class ChanceRule:
    """Cube rule that estimates a win percentage from counts and compares it to thresholds.

    Attributes
    ----------
    name, source : str
        Name of the rule, and its publication or the data to which it was fitted.
    count : Count
        Adjusted count of each side.
    chance : Percent, LinearChance or RatioChance
        Win percentage as a function of the roller's count and lead.
    double, redouble, last_take : float
        Smallest win percentages for a double and a redouble, and the largest for a take.
    note : str
        Purpose of the rule, added to its description.
    knee : int or None
        Percentage above which half of the excess is subtracted. Below 100 - `knee`, half of
        the shortfall is added. None leaves percentages unchanged.
    """

    name: str
    source: str
    count: Count
    chance: Percent | LinearChance | RatioChance
    double: float
    redouble: float
    last_take: float
    note: str = ""
    knee: int | None = None

    @property
    def text(self) -> str:
        """The rule in words for players."""
        note = f" {self.note}" if self.note else ""
        knee = (
            f"; the part above {self.knee} (or below {100 - self.knee}) counts half"
            if self.knee
            else ""
        )
        return (
            f"{' '.join(self.count.steps)} The chance in percent is {self.chance.text}"
            f"{knee}. "
            f"Double from {self.double:.4g}%, redouble from {self.redouble:.4g}%, take up "
            f"to {self.last_take:.4g}%.{note}"
        )

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Return cube decisions by comparing the win percentage with the thresholds."""
        ours, theirs = self.count.of(rollers, opponents)
        percent = self._percent(ours, theirs - ours)
        return CubeDecision(
            double=percent >= self.double - steps.EVEN,
            redouble=percent >= self.redouble - steps.EVEN,
            take=percent <= self.last_take + steps.EVEN,
        )

    def win_probability(self, rollers: CountsArray, opponents: CountsArray) -> Float64Array:
        """Return the roller's win probability, clipped to the range 0 to 1, shape (n,)."""
        ours, theirs = self.count.of(rollers, opponents)
        return self.of_count(ours, theirs - ours)

    def of_count(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """Return the win probability, given the roller's counts and leads, shape (n,)."""
        return np.clip(self._percent(count, lead), 0, 100) / 100

    def _percent(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        percent = self.chance.percent(count, lead)
        return percent if self.knee is None else bend(percent, self.knee)

    def work(self, sheet: Worksheet, sides: Sequence[tuple[int, ...]]) -> Verdict:
        """Write the calculation for one race on the worksheet."""
        percent = float(self.chance.work(sheet, *self.count.work(sheet, sides)))
        if self.knee:
            bent = float(bend(np.array([percent]), self.knee)[0])
            sheet.write(
                f"the part above {self.knee} or below {100 - self.knee} counts half",
                f"{percent:.2f} becomes {bent:.2f}",
                None, (f"knee {self.knee}",), compare=2, large=2, tenth=1,
            )  # fmt: skip
            percent = bent
        return steps.write_thresholds(
            sheet, "%", percent, self.double, self.redouble, self.last_take
        )


def bend(percent: Float64Array, knee: int | None) -> Float64Array:
    """Compress percentages above `knee` and below 100 - `knee`, and clip the result.

    The distance from `knee`, or from 100 - `knee`, is halved.

    Examples
    --------
    >>> import numpy as np
    >>> bend(np.array([0.0, 50.0, 90.0, 150.0]), 80)
    array([ 10.,  50.,  85., 100.])
    """
    if knee is not None:
        within = np.clip(percent, 100 - knee, knee)
        percent = (percent + within) / 2
    return np.clip(percent, 0, 100)


def janowski_percents(efficiency: float) -> tuple[float, float, float]:
    """Return Janowski's win percentages for doubling, redoubling and passing."""
    at = CubeThresholds.janowski(efficiency)
    return 100 * at.double, 100 * at.redouble, 100 * at.cash
