"""Formulas of this laboratory: winners of searches, docs/formula-search.md.

The first three were found for the decisions of games with the cube, the others for the
population ``races``, endings above all. The points lost are those of the test parts.
"""

from fractions import Fraction

from analysis.formulas.counting import Adjustment, Count, Floor
from analysis.formulas.rules.line import Line
from analysis.formulas.rules.percent import Percent
from analysis.formulas.rules.rule import CountRule, CountWinRule

_FROM = "this laboratory, population races b4a421620c12"


def _chance(base: float, per_pip: Fraction = Fraction(9, 2)) -> Percent:
    """Return that percentage at even counts and so much more for each pip of the lead."""
    return Percent(base, per_pip, Line(None, 0))


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

THREES = CountWinRule(
    "threes",
    _FROM,
    Count(values=(3, 3)),
    double=Line(7, -4),
    redouble=Line(7, -4),
    last_take=Line(7, -2),
    chance=_chance(68),
)
"""Loses 0.0157 ± 0.0002 points a position."""

THREES_GAP = CountWinRule(
    "threes-gap",
    _FROM,
    Count((Adjustment(1, "gaps", (3,)),), values=(3, 3, 4)),
    double=Line(7, -4),
    redouble=Line(7, -4),
    last_take=Line(7, -2),
    chance=_chance(69),
)
"""Loses 0.0134 ± 0.0002."""

THREES_EIGHTH = CountWinRule(
    "threes-eighth",
    _FROM,
    Count((Adjustment(1, "gaps", (1,)),), values=(3, 3, 3.5), least=Floor(6)),
    double=Line(8, -4),
    redouble=Line(8, -3.5),
    last_take=Line(8, -2.5),
    chance=_chance(68),
)
"""Loses 0.0073 ± 0.0001."""

THREES_ROLLS = CountWinRule(
    "threes-rolls",
    _FROM,
    Count((Adjustment(1, "gaps", (1, 2)),), values=(3, 3.5, 4), least=Floor(6.5)),
    double=Line(7, -5),
    redouble=Line(7, -4.5),
    last_take=Line(7, -3),
    chance=_chance(69),
)
"""Loses 0.0065 ± 0.0001."""

THREES_EVEN = CountWinRule(
    "threes-even",
    f"{_FROM}, balanced",
    Count(
        (
            Adjustment(1, "checkers", (2,), beyond=3),
            Adjustment(1, "gaps", (1,)),
            Adjustment(1, "gaps", (3,)),
        ),
        values=(3, 3, 4),
        least=Floor(6.5),
    ),
    double=Line(8, -4.5),
    redouble=Line(8, -4),
    last_take=Line(8, -2.5),
    chance=_chance(66, Fraction(4)),
)
"""Loses 0.0075 ± 0.0001 where short and long races count the same."""

OURS: tuple[CountRule, ...] = (
    *(LIGHT, LADDER, FULL_LADDER),
    *(THREES, THREES_GAP, THREES_EIGHTH, THREES_ROLLS, THREES_EVEN),
)
"""Those for games with the cube, then those for endings; the cheapest first."""
