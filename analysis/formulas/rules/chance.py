"""Chances to win from count and lead: families that a fit fills in with simple numbers.

Each is a plain function of the roller's count and *lead*, the opponent's count less the
roller's (`of_count`), and satisfies `WinFormula` by counting the positions it is given.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from analysis.formulas.counting import Count, CountsArray, Float64Array, count_and_lead
from analysis.formulas.rules.formula import decide_by_chance
from analysis.formulas.rules.line import Line
from analysis.formulas.rules.line_steps import divided
from analysis.formulas.rules.percent import Ratio, janowski_percents
from analysis.formulas.writing import (
    PARTS,
    Number,
    Verdict,
    Worksheet,
    format_number,
    mixed,
    steps,
    times,
    wording,
)
from bearoff import RACE_EFFICIENCY
from bearoff.matchup import CubeDecision


class _ChanceFormula(ABC):
    """What formulas of a chance from count and lead have in common."""

    measure: str
    knee: int | None
    efficiency: float

    @abstractmethod
    def of_count(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """Chance to win, 0 to 1, from the roller's counts and leads in pips."""

    def win_probability(self, rollers: CountsArray, opponents: CountsArray) -> Float64Array:
        """Estimate by counting both sides."""
        return self.of_count(*count_and_lead(self.measure, rollers, opponents))

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Decide by the chance, at Janowski's thresholds."""
        return decide_by_chance(self.win_probability(rollers, opponents), self.efficiency)

    @abstractmethod
    def write_percent(self, sheet: Worksheet, ours: Number, theirs: Number) -> Number:
        """Work the percentage out on the worksheet, before it is bent."""

    def work(self, sheet: Worksheet, sides: Sequence[tuple[int, ...]]) -> Verdict:
        """Work out one race on the worksheet."""
        percent = float(
            self.write_percent(sheet, *Count(start=self.measure).work(sheet, sides))
        )
        if self.knee:
            bent = float(bend(np.array([percent]), self.knee)[0])
            sheet.write(
                f"half of what is above {self.knee} or below {100 - self.knee}",
                f"{percent:.2f} becomes {bent:.2f}",
                None, (f"knee {self.knee}",), compare=2, large=2, tenth=1,
            )  # fmt: skip
            percent = bent
        return steps.write_thresholds(
            sheet, "%", percent, *janowski_percents(self.efficiency)
        )


@dataclass(frozen=True)
class StraightWin(_ChanceFormula):
    """A percentage that moves evenly with the lead and the count.

    Attributes
    ----------
    measure : {"pips", "epc"}
        How both sides are counted.
    base : int
        Percent at no lead and no count.
    per_pip : Fraction
        Percent for each pip of the lead.
    divisor : int or None
        One percent less for each so many pips of the roller's count; None for none.
    knee : int or None
        Above this percentage, and below 100 less it, only half of what is more counts.
    name, source : str
        As in `Formula`.
    efficiency : float
        Of the cube, for decisions by the chance.
    """

    measure: str
    base: int
    per_pip: Fraction
    divisor: int | None
    knee: int | None
    name: str = "straight chance"
    source: str = "fitted"
    efficiency: float = RACE_EFFICIENCY

    @property
    def text(self) -> str:
        """The formula as a player says it.

        Examples
        --------
        >>> print(StraightWin("pips", 80, Fraction(2), 3, None).text)
        Your chance in percent is 80, less a third of your pip count, plus 2 for each pip
        of your lead.
        """
        less = ""
        if self.divisor:
            less = (
                f", less {PARTS[self.divisor]} of your {wording.COUNT_NAMES[self.measure]},"
            )
        return (
            f"Your chance in percent is {self.base}{less} plus {mixed(self.per_pip)} for "
            f"each pip of your lead{knee_text(self.knee)}."
        )

    def of_count(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """Chance to win, 0 to 1, from the roller's counts and leads in pips."""
        percent = self.base + float(self.per_pip) * lead
        if self.divisor:
            percent = percent - count / self.divisor
        return bend(percent, self.knee) / 100

    def write_percent(self, sheet: Worksheet, ours: Number, theirs: Number) -> Number:
        """Work the percentage out on the worksheet, before it is bent."""
        lead = steps.write_lead(sheet, ours, theirs)
        found: Number = self.base + self.per_pip * lead
        each = mixed(self.per_pip)
        sheet.write(
            f"{self.base} and {each} for each pip of the lead",
            f"{self.base} + {each} x {format_number(lead)} = {format_number(found)}",
            None, (f"base {self.base}", f"{each} a pip"), large=1,
            **({} if self.per_pip == 1 else {times(float(self.per_pip)): 1}),
        )  # fmt: skip
        if self.divisor is None:
            return found
        share = divided(sheet, Line(self.divisor, 0.0), ours)
        left = found - share
        return sheet.write(
            "less this",
            f"{format_number(found)} - {format_number(share)} = {format_number(left)}",
            left, large=1,
        )  # fmt: skip


@dataclass(frozen=True)
class RatioWin(_ChanceFormula):
    """A percentage that moves with the lead as a share of the count.

    The spread of a race grows with its length, so that a pip is worth less in a long
    one; dividing by the count and something says so.

    Attributes
    ----------
    measure : {"pips", "epc"}
        How both sides are counted.
    scale : int
        Percent for a share of 1.
    head_start : float
        Pips that being on roll is worth, a multiple of one half.
    padding : int
        Pips added to the roller's count before dividing by it.
    knee : int or None
        Above this percentage, and below 100 less it, only half of what is more counts.
    name, source : str
        As in `Formula`.
    efficiency : float
        Of the cube, for decisions by the chance.
    """

    measure: str
    scale: int
    head_start: float
    padding: int
    knee: int | None
    name: str = "ratio chance"
    source: str = "fitted"
    efficiency: float = RACE_EFFICIENCY

    @property
    def text(self) -> str:
        """The formula as a player says it.

        Examples
        --------
        >>> print(RatioWin("epc", 250, 4.5, 30, 80).text)
        Add 4½ to your lead, multiply by 250, divide by your EPC plus 30, and add 50: your
        chance in percent; what is above 80 (or below 20) counts half.
        """
        name = wording.COUNT_NAMES[self.measure]
        padded = f"your {name} plus {self.padding}" if self.padding else f"your {name}"
        return (
            f"Add {mixed(self.head_start)} to your lead, multiply by {self.scale}, divide "
            f"by {padded}, and add 50: your chance in percent{knee_text(self.knee)}."
        )

    def of_count(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """Chance to win, 0 to 1, from the roller's counts and leads in pips."""
        # A side with nothing left has won; 1 keeps its share finite.
        share = (lead + self.head_start) / np.maximum(count + self.padding, 1)
        return bend(50 + self.scale * share, self.knee) / 100

    def write_percent(self, sheet: Worksheet, ours: Number, theirs: Number) -> Number:
        """Work the percentage out on the worksheet, before it is bent."""
        ratio = Ratio(50, self.scale, self.head_start, self.padding)
        return ratio.work(sheet, ours, theirs)


def bend(percent: Float64Array, knee: int | None) -> Float64Array:
    """Halve what lies beyond `knee` and 100 less it, and keep within 0 to 100.

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


def knee_text(knee: int | None) -> str:
    """Say what a knee does, to follow a formula's text."""
    if knee is None:
        return ""
    return f"; what is above {knee} (or below {100 - knee}) counts half"
