"""Percentages from a count and a lead, and the rule that doubles by them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from analysis.formulas.base import CountsArray, Decision, Float64Array, Verdict
from analysis.formulas.count import Count
from analysis.formulas.lead import Line
from analysis.formulas.line_text import share_text
from analysis.formulas.pad import Number, Pad, times
from analysis.formulas.words import figure, mixed
from analysis.formulas.writing import EVEN, divided, write_lead, write_thresholds
from bearoff import CubeThresholds


@dataclass(frozen=True)
class Percent:
    """``base + per_pip x (lead - share of the count)``.

    Attributes
    ----------
    base : float
        Percent at a lead equal to the share.
    per_pip : Fraction
        Percent for each pip of the lead.
    line : Line
        The share of the roller's count.
    """

    base: float
    per_pip: Fraction
    line: Line

    def percent(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """Percentages from the roller's counts and leads in pips, shape (n,)."""
        return self.base + float(self.per_pip) * (lead - self.line.at(count))

    @property
    def text(self) -> str:
        """The percentage as a player says it, of a lead and a count.

        Examples
        --------
        >>> print(Percent(80, Fraction(2), Line(6, 0)).text)
        80 and 2 for each pip of the lead beyond a sixth of the roller's count
        """
        beyond = f" beyond {share_text(self.line, 'count')}" if self.line.divisor else ""
        return (
            f"{mixed(self.base)} and {mixed(self.per_pip)} for each pip of the lead{beyond}"
        )

    def work(self, pad: Pad, ours: Number, theirs: Number) -> Number:
        """Work it out on the pad, as a whole count: the lead, the share, the percent."""
        lead = write_lead(pad, ours, theirs)
        share = divided(pad, self.line, ours) if self.line.divisor else Fraction(0)
        beyond = lead - share
        found = Fraction(self.base) + self.per_pip * beyond
        each = figure(self.per_pip)
        return pad.write(
            "your chance in percent",
            f"{figure(self.base)} + {each} x ({figure(lead)} - {figure(share)}) = "
            f"{figure(found)}",
            found,
            (f"base {self.base:g}", f"{each} a pip"),
            large=1 + bool(self.line.divisor),
            **({} if self.per_pip == 1 else {times(float(self.per_pip)): 1}),
        )


@dataclass(frozen=True)
class Ratio:
    """``base + scale x (lead + head_start) / (count + padding)``; attributes as there."""

    base: float
    scale: int
    head_start: float = 0.0
    padding: int = 0

    def percent(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """Percentages from the roller's counts and leads in pips, shape (n,)."""
        # A side with nothing left has won; 1 keeps its share finite.
        share = (lead + self.head_start) / np.maximum(count + self.padding, 1)
        return self.base + self.scale * share

    @property
    def text(self) -> str:
        """The percentage as a player says it, of a lead and a count."""
        head = f" and {mixed(self.head_start)}" if self.head_start else ""
        padding = f" and {self.padding}" if self.padding else ""
        return (
            f"{mixed(self.base)} and {self.scale} times the lead{head} divided by the "
            f"roller's count{padding}"
        )

    def work(self, pad: Pad, ours: Number, theirs: Number) -> Number:
        """Work it out on the pad: a division by a count is a long one."""
        lead = write_lead(pad, ours, theirs)
        top = lead + Fraction(self.head_start)
        bottom = max(Fraction(ours + self.padding), Fraction(1))
        found = Fraction(self.base) + self.scale * top / bottom
        return pad.write(
            "your chance in percent",
            f"{figure(self.base)} + {self.scale} x {figure(top)} / {figure(bottom)} = "
            f"{figure(found)}",
            found,
            tuple(
                f"{name} {value:g}"
                for name, value in vars(self).items()
                if value or name in ("base", "scale")
            ),
            large=1 + bool(self.padding),
            small=int(bool(self.head_start)),
            round=1,
            # By the scale, and by a count that is not known beforehand.
            **Counter((times(self.scale), "long")),
        )


@dataclass(frozen=True)
class ChanceRule:
    """A count, a percentage, and the percentages to double, redouble and pass at.

    Attributes
    ----------
    name, source : str
        As in `Formula`.
    count : Count
        What is counted of each side.
    chance : Percent or Ratio
        The roller's chance in percent.
    double, redouble, last_take : float
        Percent: turn the cube from here on, take up to here.
    note : str
        What the rule is meant for, added to its text.
    """

    name: str
    source: str
    count: Count
    chance: Percent | Ratio
    double: float
    redouble: float
    last_take: float
    note: str = ""

    @property
    def text(self) -> str:
        """The rule as a player says it."""
        note = f" {self.note}" if self.note else ""
        return (
            f"{self.count.text}The chance in percent is {self.chance.text}. Double at "
            f"{self.double:.4g}, redouble at {self.redouble:.4g}, take up to "
            f"{self.last_take:.4g}.{note}"
        )

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> Decision:
        """Decide by the percentage."""
        ours, theirs = self.count.of(rollers, opponents)
        percent = self.chance.percent(ours, theirs - ours)
        return Decision(
            double=percent >= self.double - EVEN,
            redouble=percent >= self.redouble - EVEN,
            take=percent <= self.last_take + EVEN,
        )

    def win_probability(self, rollers: CountsArray, opponents: CountsArray) -> Float64Array:
        """The percentage, kept within 0 and 100, as a probability, shape (n,)."""
        ours, theirs = self.count.of(rollers, opponents)
        return np.clip(self.chance.percent(ours, theirs - ours), 0, 100) / 100

    def work(self, pad: Pad, sides: Sequence[tuple[int, ...]]) -> Verdict:
        """Work out one race on the pad."""
        percent = self.chance.work(pad, *self.count.work(pad, sides))
        return write_thresholds(
            pad, "%", float(percent), self.double, self.redouble, self.last_take
        )


def janowski_percents(efficiency: float) -> tuple[float, float, float]:
    """Percent to double, redouble and pass at, for methods without their own."""
    at = CubeThresholds.janowski(efficiency)
    return 100 * at.double, 100 * at.redouble, 100 * at.cash
