"""Formulas for the head: the published ones by name, and the families that fits fill in.

>>> import analysis.formulas
>>> analysis.formulas.names()
('8-9-12', 'keith', 'kleinman', 'thorp', 'trice-62')
>>> print(analysis.formulas.get("8-9-12").source)
Robertie, Advanced Backgammon; Zare 2000
"""

from analysis.errors import FormulaError
from analysis.formulas.base import Decision, Formula, WinFormula, decide_by_chance
from analysis.formulas.chance import RatioWin, StraightWin
from analysis.formulas.lead import LeadRule, Line
from analysis.formulas.published import (
    EightNineTwelve,
    Keith,
    Kleinman,
    Thorp,
    TriceRule62,
)

_PUBLISHED: tuple[Formula, ...] = (
    EightNineTwelve(),
    Keith(),
    Kleinman(),
    Thorp(),
    TriceRule62(),
)


def names() -> tuple[str, ...]:
    """Names of the formulas that `get` knows, in alphabetical order."""
    return tuple(sorted(formula.name for formula in _PUBLISHED))


def get(name: str) -> Formula:
    """Return the formula of this name.

    Raises
    ------
    FormulaError
        If there is none.
    """
    for formula in _PUBLISHED:
        if formula.name == name:
            return formula
    raise FormulaError(f"there is no formula {name!r}; there are {', '.join(names())}")


__all__ = [
    "Decision",
    "EightNineTwelve",
    "Formula",
    "Keith",
    "Kleinman",
    "LeadRule",
    "Line",
    "RatioWin",
    "StraightWin",
    "Thorp",
    "TriceRule62",
    "WinFormula",
    "decide_by_chance",
    "get",
    "names",
]
