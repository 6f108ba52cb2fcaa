"""What a slip costs: decisions by a count that is one off.

Players miscount. By how much that hurts differs with how finely a rule counts: one unit of
a count of half pips is half as much as one of pips.
"""

from dataclasses import KW_ONLY, dataclass, fields

from bearoff.analysis.battery.rows import Battery, losses_of
from bearoff.analysis.formulas.counting import CountsArray
from bearoff.analysis.formulas.rules import CountRule
from bearoff.matchup import CubeDecision

ROW = "near"
"""Of the battery, in which slips are made."""

SLIPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""By how much the roller's and the opponent's counts are off, each as likely."""


@dataclass(frozen=True)
class Slipped(CountRule):
    """A rule by counts that are off by so much."""

    _: KW_ONLY
    ours: int
    theirs: int

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Decide by the wrong counts."""
        ours, theirs = self.count.of(rollers, opponents)
        ours, theirs = ours + self.ours, theirs + self.theirs
        return self.of_count(ours, theirs - ours)


def one_slip(formula: object, battery: Battery) -> float | None:
    """Points lost in `ROW` with one of both counts one off; None of what has no count."""
    if not isinstance(formula, CountRule):
        return None
    same = {each.name: getattr(formula, each.name) for each in fields(CountRule)}
    lost = 0.0
    for name, shares in battery.row(ROW).shares.items():
        for ours, theirs in SLIPS:
            slipped = Slipped(**same, ours=ours, theirs=theirs)
            lost += float((shares * losses_of(slipped, battery.decisions[name])).sum())
    return lost / len(SLIPS)
