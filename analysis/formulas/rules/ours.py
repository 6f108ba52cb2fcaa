"""Formulas of this laboratory: winners of searches, docs/formula-search.md.

They were found for the decisions of games with the cube. The points lost are those of the
test parts.
"""

from analysis.formulas.counting import Adjustment, Count, Floor
from analysis.formulas.rules.line import Line
from analysis.formulas.rules.rule import CountRule

_MET = "this laboratory, games with the cube 207c6469d1d7"

LIGHT = CountRule(
    "light",
    _MET,
    Count(
        (Adjustment(1, "checkers", (3,), beyond=2), Adjustment(1, "gaps", (1,))),
        values=(3, 3),
    ),
    double=Line(7, -5),
    redouble=Line(7, -4),
    last_take=Line(7, -2),
)
"""Loses 0.030 ± 0.003 points a game, 0.027 in a near decision; Keith 0.033 and 0.027."""

_RUNGS = (6, 7, 8, 9, 11, 13)
_LADDER = (
    Adjustment(1, "checkers", (1,), beyond=3),
    Adjustment(-2, "covered", compared="more"),
)

LADDER = CountRule(
    "ladder",
    _MET,
    Count(_LADDER, values=_RUNGS, each=5, twice=1),
    double=Line(8, -10),
    redouble=Line(8, -8),
    last_take=Line(8, -3),
)
"""Loses 0.029 ± 0.003 a game, 0.022 in a near decision."""

FULL_LADDER = CountRule(
    "full-ladder",
    _MET,
    Count(_LADDER, values=_RUNGS, each=5, twice=1, least=Floor(11)),
    double=Line(8, -10),
    redouble=Line(8, -8),
    last_take=Line(8, -3),
)
"""Loses 0.015 ± 0.001 a game, 0.017 in a near decision; Isight 0.039 and 0.024."""

OURS: tuple[CountRule, ...] = (LIGHT, LADDER, FULL_LADDER)
"""The cheapest first."""
