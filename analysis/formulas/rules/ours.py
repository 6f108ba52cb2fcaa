"""Formulas found by this project's searches; docs/formulas.md describes them.

The weights of these formulas are whole numbers, fitted to decisions in games with the cube.
`LADDER` is for players who count checkers on a board, `SCREEN` for players who see the pip
counts on a screen and adjust them.
"""

from bearoff.analysis.formulas.counting import Adjustment, Count, Floor
from bearoff.analysis.formulas.rules.line import Line
from bearoff.analysis.formulas.rules.rule import CountRule, CountWinRule
from bearoff.analysis.formulas.rules.scale import Scale

_MET = "this laboratory, games with the cube"

LADDER = CountWinRule(
    "ladder",
    _MET,
    Count(
        (
            Adjustment(-1, "spread"),
            Adjustment(1, "checkers", (1,), beyond=3),
            Adjustment(1, "crossovers", compared="more"),
        ),
        values=(6, 7, 8, 9, 11, 13),
        each=5,
        twice=1,
        least=Floor(11, -2, most=8),
    ),
    double=Line(7, -9, rounded="down"),
    redouble=Line(7, -7, rounded="down"),
    last_take=Line(7, -3, rounded="down"),
    chance=Scale(((10, 4, 4), (20, 7, 8), (40, 7, 14), (80, 9, 23), (120, 9, 30))),
)
"""Formula recommended for play at a real board, without displayed pip counts. Its mental
cost is slightly below that of Isight's formula."""

SCREEN = CountRule(
    "screen",
    _MET,
    Count(
        (
            Adjustment(1, "checkers", (1, 2)),
            Adjustment(1, "checkers", (1,), beyond=2),
            Adjustment(1, "checkers", (3,), beyond=3),
            Adjustment(1, "gaps"),
            Adjustment(-1, "covered", (2,)),
            Adjustment(-1, "made", (6,)),
        ),
        least=Floor(5, 2, most=6),
    ),
    double=Line(7, -4, rounded="down"),
    redouble=Line(7, -3, rounded="down"),
    last_take=Line(7, -2, rounded="down"),
)
"""Formula recommended for play on a screen that displays pip counts. Its mental cost is
slightly below that of Isight's formula."""

FOR = {LADDER.name: "for the board", SCREEN.name: "for displayed pips"}
"""Recommended use of each formula, by name of the formula."""

RECOMMENDED: str = LADDER.name
"""Name of the formula that is used by default."""

OURS: tuple[CountRule, ...] = (SCREEN, LADDER)
"""This project's formulas, by increasing mental cost."""
