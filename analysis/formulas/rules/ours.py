"""Formulas of this laboratory: winners of searches, docs/formulas.md.

They were found for the decisions of games with the cube. The points lost are those of the
test parts.
"""

from analysis.formulas.counting import Adjustment, Count, Floor
from analysis.formulas.rules.line import Line
from analysis.formulas.rules.rule import CountRule

_MET = "this laboratory, games with the cube 409b4e93b5c0"

LIGHT = CountRule(
    "light",
    _MET,
    Count(
        (Adjustment(1, "checkers", (3,), beyond=2), Adjustment(1, "gaps", (1,))),
        values=(3, 3),
        least=Floor(6, most=4),
    ),
    double=Line(7, -5),
    redouble=Line(7, -4),
    last_take=Line(7, -2),
)
"""For who counts pips."""

_RUNGS = (6, 7, 8, 9, 11, 13)

LADDER = CountRule(
    "ladder",
    _MET,
    Count(
        (Adjustment(-1, "spread"),),
        values=_RUNGS,
        each=5,
        twice=2,
        least=Floor(11, -2, most=4),
    ),
    double=Line(7, -10, most=24),
    redouble=Line(7, -8, most=24),
    last_take=Line(7, -3, most=24),
)
"""At about the cost of Keith's count."""

FULL_LADDER = CountRule(
    "full-ladder",
    _MET,
    Count(
        (
            Adjustment(1, "checkers", (1,), beyond=3),
            Adjustment(2, "crossovers", compared="more"),
            Adjustment(-1, "spread"),
        ),
        values=_RUNGS,
        each=5,
        twice=0,
        least=Floor(11, -2, most=6),
    ),
    double=Line(7, -10),
    redouble=Line(7, -8),
    last_take=Line(7, -3),
)
"""Below the cost of Isight's."""

OURS: tuple[CountRule, ...] = (LIGHT, LADDER, FULL_LADDER)
"""The cheapest first."""
