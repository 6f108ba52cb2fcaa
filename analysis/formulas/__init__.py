"""Formulas for the head: published and found here by name, and the families of fits.

>>> import analysis.formulas
>>> analysis.formulas.names()[:7]
('8-9-12', 'benjamin', 'bower', 'epc', 'epc-estimated', 'isight', 'johansen')
>>> print(analysis.formulas.get("8-9-12").source)
Robertie, Advanced Backgammon; Zare 2000
"""

from analysis.errors import FormulaError
from analysis.formulas.adjustment import Adjustment
from analysis.formulas.base import (
    Decision,
    Formula,
    Verdict,
    WinFormula,
    WorkedFormula,
    decide_by_chance,
)
from analysis.formulas.chance import RatioWin, StraightWin
from analysis.formulas.count import Count
from analysis.formulas.epc_estimates import EpcEstimate, estimates, get_estimate
from analysis.formulas.features import FEATURES
from analysis.formulas.lead import LeadRule, Line
from analysis.formulas.ours import OURS
from analysis.formulas.pad import Pad, Step
from analysis.formulas.percent import ChanceRule, Percent, Ratio
from analysis.formulas.published import PUBLISHED
from analysis.formulas.rule import CountRule, CountWinRule


def names() -> tuple[str, ...]:
    """Names of the published formulas, in alphabetical order."""
    return tuple(sorted(formula.name for formula in PUBLISHED))


def found_names() -> tuple[str, ...]:
    """Names of this laboratory's own formulas, the cheapest first.

    Examples
    --------
    >>> found_names()
    ('threes', 'threes-gap', 'threes-eighth', 'threes-rolls', 'threes-even')
    """
    return tuple(formula.name for formula in OURS)


def get(name: str) -> WorkedFormula:
    """Return the formula of this name, published or found here.

    Raises
    ------
    FormulaError
        If there is none.
    """
    for formula in (*PUBLISHED, *OURS):
        if formula.name == name:
            return formula
    known = ", ".join((*names(), *found_names()))
    raise FormulaError(f"there is no formula {name!r}; there are {known}")


__all__ = [
    "FEATURES",
    "Adjustment",
    "ChanceRule",
    "Count",
    "CountRule",
    "CountWinRule",
    "Decision",
    "EpcEstimate",
    "Formula",
    "LeadRule",
    "Line",
    "Pad",
    "Percent",
    "Ratio",
    "RatioWin",
    "Step",
    "StraightWin",
    "Verdict",
    "WinFormula",
    "WorkedFormula",
    "decide_by_chance",
    "estimates",
    "found_names",
    "get",
    "get_estimate",
    "names",
]
