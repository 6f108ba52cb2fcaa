"""Doubling points by the lead alone: lines that a fit fills in with simple numbers.

The *lead* is the opponent's count less the roller's, raw pips or EPC. A rule is a plain
function of count and lead (`LeadRule.of_count`), and satisfies `Formula` by counting the
positions it is given.
"""

from dataclasses import dataclass

from analysis.formulas.base import CountsArray, Decision, Float64Array, count_and_lead
from analysis.formulas.words import COUNT_NAMES, PARTS, adjusted, mixed, signed


@dataclass(frozen=True)
class Line:
    """A lead that grows with the roller's count: ``count / divisor + offset``.

    Attributes
    ----------
    divisor : int or None
        None for the same lead at every count.
    offset : float
        In pips, a multiple of one half.
    """

    divisor: int | None
    offset: float

    def at(self, count: Float64Array) -> Float64Array:
        """Lead in pips at each of the roller's counts."""
        return (count / self.divisor if self.divisor else 0 * count) + self.offset

    def beyond(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """How far each lead is above the line, in pips times the divisor.

        Multiplied out, so that whole counts meet the line without rounding.
        """
        divisor = self.divisor or 1
        share = count if self.divisor else 0 * count
        return divisor * lead - share - divisor * self.offset

    def __str__(self) -> str:
        """Write the line as in ``count/10 - 2``.

        Examples
        --------
        >>> print(Line(10, -2.0), Line(None, 4.5), sep=", ")
        count/10 − 2, 4½
        """
        if self.divisor is None:
            return mixed(self.offset)
        return f"count/{self.divisor}{signed(self.offset)}"


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
