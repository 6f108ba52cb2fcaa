"""What a slip costs: decisions by a count that is one off.

Players miscount. By how much that hurts differs with how finely a rule counts: one unit of
a count of half pips is half as much as one of pips.
"""

from dataclasses import dataclass

import numpy as np

from analysis.battery.rows import Battery, losses_of
from analysis.formulas.counting import CountsArray
from analysis.formulas.rules import CountRule
from bearoff.matchup import CubeDecision

ROW = "near"
"""Of the battery, in which slips are made."""

SLIPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""By how much the roller's and the opponent's counts are off, each as likely."""


@dataclass(frozen=True)
class Slipped:
    """A rule by counts that are off; attributes as it says."""

    rule: CountRule
    ours: int
    theirs: int

    @property
    def name(self) -> str:
        """Of the rule."""
        return self.rule.name

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Decide by the wrong counts."""
        ours, theirs = self.rule.count.of(rollers, opponents)
        ours, theirs = ours + self.ours, theirs + self.theirs
        return self.rule.of_count(ours, theirs - ours)


def one_slip(formula: object, battery: Battery) -> float | None:
    """Points lost in `ROW` with one of both counts one off; None of what has no count."""
    if not isinstance(formula, CountRule):
        return None
    shares = battery.row(ROW).shares
    return float(
        np.mean(
            [
                sum(
                    (shares[name] * losses_of(slipped, battery.decisions[name])).sum()
                    for name in shares
                )
                for slipped in (Slipped(formula, *off) for off in SLIPS)
            ]
        )
    )
