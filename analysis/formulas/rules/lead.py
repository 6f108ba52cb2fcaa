"""Doubling points by the lead alone: lines that a fit fills in with simple numbers.

The *lead* is the opponent's count less the roller's, raw pips or EPC. A rule is a plain
function of count and lead (`LeadRule.of_count`), and satisfies `Formula` by counting the
positions it is given.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.formulas.counting import CountsArray, Float64Array, count_and_lead
from analysis.formulas.rules.line import Line
from analysis.formulas.writing import (
    PARTS,
    Verdict,
    Worksheet,
    mixed,
    wording,
)
from bearoff.matchup import CubeDecision


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
            divisor: f"{part} of your {wording.COUNT_NAMES[self.measure]}"
            for divisor, part in PARTS.items()
        }
        start = f"Work out {parts[shared]}. " if shared else ""

        def text_of(line: Line) -> str:
            if line.divisor is None:
                return mixed(line.offset)
            return wording.adjusted("that" if shared else parts[line.divisor], line.offset)

        if self.double == self.redouble:
            turn = f"Double and redouble when your lead is at least {text_of(self.double)}"
        else:
            turn = (
                f"Double when your lead is at least {text_of(self.double)}, redouble at "
                f"{text_of(self.redouble)}"
            )
        return f"{start}{turn}; the last take is at {text_of(self.last_take)}."

    def of_count(self, count: Float64Array, lead: Float64Array) -> CubeDecision:
        """Decide from the roller's counts and leads, in pips, shape (n,)."""
        return CubeDecision(
            double=self.double.beyond(count, lead) >= 0,
            redouble=self.redouble.beyond(count, lead) >= 0,
            take=self.last_take.beyond(count, lead) <= 0,
        )

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Decide by counting both sides."""
        return self.of_count(*count_and_lead(self.measure, rollers, opponents))

    def work(self, sheet: Worksheet, sides: Sequence[tuple[int, ...]]) -> Verdict:
        """Work out one race on the worksheet."""
        from analysis.formulas.counting import Count
        from analysis.formulas.rules.rule import CountRule

        count = Count(start=self.measure)
        lines = (self.double, self.redouble, self.last_take)
        return CountRule(self.name, self.source, count, *lines).work(sheet, sides)
