"""Formulas by name for the commands."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.formulas.rules import WorkedFormula


def formulas_by_name(file: str | None) -> "dict[str, WorkedFormula]":
    """Return the formulas by name: those published, found here, and of the file."""
    from analysis.formulas import found_names, get, names

    formulas = {name: get(name) for name in (*names(), *found_names())}
    if file is not None:
        from analysis.formulas.files import load_formulas

        formulas |= {formula.name: formula for formula in load_formulas(file)}
    return formulas


def formula_named(name: str, formulas: "Mapping[str, WorkedFormula]") -> "WorkedFormula":
    """Return the formula of this name.

    Raises
    ------
    FormulaError
        If there is none; the message names the nearest, or all.
    """
    from difflib import get_close_matches

    from analysis.errors import FormulaError

    if name in formulas:
        return formulas[name]
    alike = [known for known in formulas if known.lower() == name.lower()]
    if len(alike) == 1:
        return formulas[alike[0]]
    near = get_close_matches(name, formulas, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(formulas)}"
    shown = name if len(name) <= 40 else f"{name[:40]}..."
    raise FormulaError(f"there is no formula {shown!r}; {hint}")
