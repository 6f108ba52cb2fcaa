"""Loss of a formula if one player's count is wrong by one unit, such as half a pip.

The loss depends on the unit of the count: a miscount by half a pip costs half as much as a
miscount by one pip.
"""

from dataclasses import KW_ONLY, dataclass, fields

from bearoff.analysis.battery.rows import Battery, losses_of
from bearoff.analysis.formulas.counting import CountsArray
from bearoff.analysis.formulas.rules import CountRule
from bearoff.matchup import CubeDecision

ROW = "near"
"""Name of the test set on which the losses due to miscounting are measured."""

SLIPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Pairs of errors in the roller's and the opponent's count; all pairs are equally
likely."""


@dataclass(frozen=True)
class Slipped(CountRule):
    """Cube rule as applied by a player who makes an error in one of the two counts."""

    _: KW_ONLY
    ours: int
    theirs: int

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        ours, theirs = self.count.of(rollers, opponents)
        ours, theirs = ours + self.ours, theirs + self.theirs
        return self.of_count(ours, theirs - ours)


def one_slip(formula: object, battery: Battery) -> float | None:
    """Return a formula's mean loss in close decisions if one count is wrong by one unit."""
    if not isinstance(formula, CountRule):
        return None
    same = {each.name: getattr(formula, each.name) for each in fields(CountRule)}
    lost = 0.0
    for name, shares in battery.row(ROW).shares.items():
        for ours, theirs in SLIPS:
            slipped = Slipped(**same, ours=ours, theirs=theirs)
            lost += float((shares * losses_of(slipped, battery.decisions[name])).sum())
    return lost / len(SLIPS)
