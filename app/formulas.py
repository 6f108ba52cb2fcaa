"""Formulas by name, and their JSON representation."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bearoff import Race
    from bearoff.analysis.formulas.rules import WorkedFormula
    from bearoff.analysis.scoring import MentalCost, explanation


def formulas_by_name(file: str | None) -> "dict[str, WorkedFormula]":
    """Return formulas by name, the recommended one first and those from a file last."""
    from bearoff.analysis.formulas import RECOMMENDED, found_names, get, names

    every = sorted((*found_names(), *names()), key=lambda name: name != RECOMMENDED)
    formulas = {name: get(name) for name in every}
    if file is not None:
        from bearoff.analysis.formulas.files import load_formulas

        formulas |= {formula.name: formula for formula in load_formulas(file)}
    return formulas


def formula_named(
    name: str | None, formulas: "Mapping[str, WorkedFormula]"
) -> "WorkedFormula":
    """Return the formula with a given name, or the recommended one for None."""
    from bearoff.analysis.errors import FormulaError
    from bearoff.analysis.formulas import RECOMMENDED
    from bearoff.checks import did_you_mean

    if name is None:
        name = RECOMMENDED
    if name in formulas:
        return formulas[name]
    alike = [known for known in formulas if known.lower() == name.lower()]
    if len(alike) == 1:
        return formulas[alike[0]]
    hint = did_you_mean(name, formulas) or f"; there are {', '.join(formulas)}"
    shown = name if len(name) <= 40 else f"{name[:40]}..."
    raise FormulaError(f"unknown formula {shown!r}{hint}")


def formulas_as_json(formulas: "Mapping[str, WorkedFormula]") -> list[dict[str, Any]]:
    """Return the description and mental cost of each formula as JSON values."""
    from bearoff.analysis.formulas import recommended_for
    from bearoff.analysis.formulas.rules import WinFormula
    from bearoff.analysis.scoring import mental_cost

    return [
        {
            "name": name,
            "source": formula.source,
            "text": formula.text,
            "recommended": recommended_for(name),
            "estimates_chance": isinstance(formula, WinFormula),
            "mental_cost": _cost_as_json(mental_cost(formula)),
        }
        for name, formula in formulas.items()
    ]


def explanation_as_json(race: "Race", found: "explanation.Explanation") -> dict[str, Any]:
    """Return the calculation of a formula as a dictionary for the JSON output."""
    from bearoff.analysis.scoring import mental_cost

    return {
        "formula": found.formula.name,
        "source": found.formula.source,
        "text": found.formula.text,
        "roller": list(race.roller.counts),
        "opponent": list(race.opponent.counts),
        "steps": [
            {"words": step.words, "arithmetic": step.arithmetic, "units": step.units}
            for step in found.steps
        ],
        **asdict(found.verdict),
        "mental_cost": _cost_as_json(mental_cost(found.formula)),
    }


def _cost_as_json(cost: "MentalCost") -> dict[str, Any]:
    return {
        "total": cost.total,
        "beyond_pips": cost.beyond_pips,
        "items": cost.items,
        "numbers": list(cost.numbers),
    }
