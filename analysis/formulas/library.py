"""Published formulas and this laboratory's own, by name."""

from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.rules import WorkedFormula, ours, published

RECOMMENDED = ours.RECOMMENDED
"""Where no other formula is named."""


def names() -> tuple[str, ...]:
    """Names of the published formulas, in alphabetical order."""
    return tuple(sorted(formula.name for formula in published.PUBLISHED))


def found_names() -> tuple[str, ...]:
    """Names of this laboratory's own formulas, the cheapest first.

    Examples
    --------
    >>> found_names()
    ('screen', 'ladder')
    """
    return tuple(formula.name for formula in ours.OURS)


def recommended_for(name: str) -> str | None:
    """Return what this laboratory recommends a formula for, if it does.

    Examples
    --------
    >>> recommended_for("ladder"), recommended_for("keith")
    ('for the board', None)
    """
    return ours.FOR.get(name)


def get(name: str) -> WorkedFormula:
    """Return the formula of this name, published or this laboratory's.

    Raises
    ------
    FormulaError
        If there is none.
    """
    for formula in (*published.PUBLISHED, *ours.OURS):
        if formula.name == name:
            return formula
    there = ", ".join((*names(), *found_names()))
    raise FormulaError(f"there is no formula {name!r}; there are {there}")
