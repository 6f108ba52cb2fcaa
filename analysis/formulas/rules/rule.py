"""Cube rules that compare the lead with required leads, like most published rules.

A player counts both sides, computes a share of the roller's count (a seventh, a tenth, 8
percent) and compares the lead with it. The roller doubles or redoubles if ``lead >= share +
offset``; the opponent takes if ``lead <= share + offset``. For example, "raise the roller's
count by a seventh; double if it is then at most 4 above the opponent's" has share 1/7 and
offset -4.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction

import numpy as np

from bearoff.analysis.formulas.counting import Count, CountsArray, Float64Array
from bearoff.analysis.formulas.rules.line import Line
from bearoff.analysis.formulas.rules.line_steps import write_raise, write_share
from bearoff.analysis.formulas.rules.percent import Percent
from bearoff.analysis.formulas.rules.scale import Scale
from bearoff.analysis.formulas.writing import (
    Number,
    Verdict,
    Worksheet,
    format_number,
    mixed,
    signed,
    steps,
)
from bearoff.matchup import CubeDecision

_MEASURES = {"epc": "EPC", "pips": "pip count"}
"""Displayed names of the counts by which a doubling chart can be drawn."""


@dataclass(frozen=True)
class CountRule:
    """Cube rule that compares the lead in adjusted counts with three required leads.

    Attributes
    ----------
    name, source : str
        Name of the rule, and its publication or the data to which it was fitted.
    count : Count
        Adjusted count of each side.
    double, redouble : Line
        Smallest leads for a double and for a redouble.
    last_take : Line
        Largest lead at which the opponent takes.
    passes_ties : bool
        Whether the opponent passes if the lead equals the largest lead for a take.
    note : str
        Purpose of the rule, added to its description.

    Examples
    --------
    >>> import numpy as np
    >>> rule = CountRule("tenth", "mine", Count(), Line(10, -2), Line(10, -1), Line(10, 2))
    >>> print(rule.text)
    Each side counts pips. Roller: add a tenth. Roller's minus opponent's: double ≤2,
    redouble ≤1, take ≥−2.
    >>> rule.decide(np.array([[0, 0, 0, 0, 0, 10]]), np.array([[0, 0, 0, 0, 2, 9]])).double
    array([ True])
    """

    name: str
    source: str
    count: Count
    double: Line
    redouble: Line
    last_take: Line
    passes_ties: bool = False
    note: str = ""

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Return cube decisions from the counts of both sides."""
        ours, theirs = self.count.of(rollers, opponents)
        return self.of_count(ours, theirs - ours)

    def of_count(self, count: Float64Array, lead: Float64Array) -> CubeDecision:
        """Return cube decisions, given the roller's adjusted counts and leads in pips."""
        # Differences of EPC estimates have rounding errors, so the comparisons need a
        # tolerance.
        even = steps.EVEN
        short = -self.last_take.beyond(count, lead)
        return CubeDecision(
            double=self.double.beyond(count, lead) >= -even,
            redouble=self.redouble.beyond(count, lead) >= -even,
            take=short > even if self.passes_ties else short >= -even,
        )

    @property
    def shared(self) -> Line | None:
        """Fraction of the count in all three required leads; None if fractions differ."""
        lines = {replace(line, offset=0.0) for line in self._lines}
        return lines.pop() if len(lines) == 1 else None

    @property
    def _lines(self) -> tuple[Line, Line, Line]:
        return self.double, self.redouble, self.last_take

    @property
    def steps(self) -> tuple[str, ...]:
        """Instructions for counting both sides, as a list of sentences."""
        shared = self.shared
        if shared is None:
            return (*self.count.steps, "Your lead is the opponent's count minus yours.")
        return *self.count.steps, *((shared.raise_text,) if shared.divisor else ())

    @property
    def thresholds(self) -> tuple[tuple[str, str], ...]:
        """Conditions for doubling, redoubling and taking (or passing), in a few words each.

        Examples
        --------
        >>> CountRule("a", "b", Count(), Line(10, -2), Line(10, -1), Line(10, 2)).thresholds
        (('double', '≤2'), ('redouble', '≤1'), ('take', '≥−2'))
        """
        if self.shared is not None:
            double, redouble, take = (mixed(-line.offset) for line in self._lines)
            last = ("pass", f"≤{take}") if self.passes_ties else ("take", f"≥{take}")
            return ("double", f"≤{double}"), ("redouble", f"≤{redouble}"), last
        double, redouble, take = (line.share_text("count") for line in self._lines)
        last = ("pass", f"≥ {take}") if self.passes_ties else ("take", f"≤ {take}")
        return ("double", f"≥ {double}"), ("redouble", f"≥ {redouble}"), last

    @property
    def text(self) -> str:
        """The rule in words for players."""
        when = ", ".join(" ".join(each) for each in self.thresholds)
        compared = "Roller's minus opponent's"
        if self.shared is None:
            # Each condition may contain commas, so semicolons join the conditions.
            when = "; ".join(" ".join(each) for each in self.thresholds)
            compared, of = "Lead", " of the roller's count"
            first, found, rest = when.partition(of)
            when = first + found + rest.replace(of, "")
        note = f" {self.note}" if self.note else ""
        return f"{' '.join(self.steps)} {compared}: {when}.{note}"

    @property
    def leads(self) -> str:
        """The rule in words, as conditions on the lead in adjusted counts.

        Examples
        --------
        >>> lines = Line(10, -4), Line(10, -3), Line(10, 0)
        >>> CountRule("a", "b", Count(start="epc"), *lines).leads
        'With t = EPC/10: double from a lead of t − 4, redouble from t − 3, take up to t.'
        """
        measure = _MEASURES.get(self.count.start)
        if measure is None or self.count != Count(start=self.count.start):
            return self.text
        if not all(line.is_straight for line in self._lines):
            return self.text
        shared = self.shared
        if shared is None or shared.divisor is None:
            first, leads = "Double", [line.over(measure) for line in self._lines]
        else:
            first = f"With t = {shared.over(measure)}: double"
            leads = [f"t{signed(line.offset)}" for line in self._lines]
        double, redouble, take = leads
        last = "pass from" if self.passes_ties else "take up to"
        return f"{first} from a lead of {double}, redouble from {redouble}, {last} {take}."

    def work(self, sheet: Worksheet, sides: Sequence[tuple[int, ...]]) -> Verdict:
        """Write the calculation for one race on the worksheet."""
        ours, theirs = self.count.work(sheet, sides)
        return self.compare(sheet, ours, theirs)

    def compare(self, sheet: Worksheet, ours: Number, theirs: Number) -> Verdict:
        """Compare the adjusted counts on the worksheet, and return the cube decisions."""
        shared = self.shared
        if shared is not None:
            over = self.excess(sheet, shared, ours, theirs)
            return Verdict(
                self._check(sheet, "double", over, self.double),
                self._check(sheet, "redouble", over, self.redouble),
                self._check(sheet, "take", over, self.last_take),
            )
        lead = steps.write_lead(sheet, ours, theirs)
        seen: set[tuple[int | None, int]] = set()
        needed = []
        for line in self._lines:
            division = line.divisor, line.less
            needed.append(write_share(sheet, line, ours, first=division not in seen))
            seen.add(division)
        double, redouble, take = needed
        takes = lead < take if self.passes_ties else lead <= take
        return Verdict(
            steps.write_check(sheet, "double", lead, ">=", double, lead >= double),
            steps.write_check(sheet, "redouble", lead, ">=", redouble, lead >= redouble),
            steps.write_check(
                sheet, "take", lead, "<" if self.passes_ties else "<=", take, takes
            ),
        )

    def excess(
        self, sheet: Worksheet, shared: Line, ours: Number, theirs: Number
    ) -> Number:
        """Write and return the roller's raised count minus the opponent's count."""
        raised = write_raise(sheet, shared, ours)
        over = raised - theirs
        return sheet.write(
            "your count minus the opponent's",
            f"{format_number(raised)} - {format_number(theirs)} = {format_number(over)}",
            over,
            large=1,
        )

    def _check(self, sheet: Worksheet, action: str, over: Number, line: Line) -> bool:
        limit, number = (
            Fraction(-line.offset),
            f"{action} {format_number(-line.offset)}",
        )
        if action != "take":
            return steps.write_check(
                sheet, action, over, "<=", limit, over <= limit, number
            )
        if self.passes_ties:
            return steps.write_check(sheet, action, over, ">", limit, over > limit, number)
        return steps.write_check(sheet, action, over, ">=", limit, over >= limit, number)


@dataclass(frozen=True)
class CountWinRule(CountRule):
    """Cube rule that compares counts, and also estimates the win probability.

    Attributes
    ----------
    chance : Percent or Scale
        Win percentage as a function of the roller's count and lead.
    """

    _: KW_ONLY
    chance: Percent | Scale

    def win_probability(self, rollers: CountsArray, opponents: CountsArray) -> Float64Array:
        """Estimate the roller's win probability from both counts, shape (n,)."""
        ours, theirs = self.count.of(rollers, opponents)
        return np.clip(self.chance.percent(ours, theirs - ours), 0, 100) / 100
