"""Look-up of formulas by name."""

from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.rules import WorkedFormula, ours, published

RECOMMENDED = ours.RECOMMENDED
"""Name of the formula that is used by default."""


def names() -> tuple[str, ...]:
    """Return the names of the published formulas, in alphabetical order."""
    return tuple(sorted(formula.name for formula in published.PUBLISHED))


def found_names() -> tuple[str, ...]:
    """Return the names of the formulas found by this project, by increasing mental cost.

    Examples
    --------
    >>> found_names()
    ('screen', 'ladder')
    """
    return tuple(formula.name for formula in ours.OURS)


def recommended_for(name: str) -> str | None:
    """Return the recommended use of a formula; None for other formulas.

    Examples
    --------
    >>> recommended_for("ladder"), recommended_for("keith")
    ('for the board', None)
    """
    return ours.FOR.get(name)


def get(name: str) -> WorkedFormula:
    """Return the formula with a given name.

    Raises
    ------
    FormulaError
        If no formula has this name.
    """
    for formula in (*published.PUBLISHED, *ours.OURS):
        if formula.name == name:
            return formula
    there = ", ".join((*names(), *found_names()))
    raise FormulaError(f"unknown formula {name!r}; choose one of {there}")
