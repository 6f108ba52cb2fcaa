"""Formulas as data with which the static web page does its own calculations.

For each formula, the data contain its constants and the texts of its steps. The page
calculates with them in `app/serve/web/local/formulas.js`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from bearoff import CHECKERS
from bearoff.analysis.formulas import Adjustment, CountRule, Line, WorkedFormula
from bearoff.analysis.formulas.counting import Count
from bearoff.analysis.formulas.rules import ChanceRule, Percent
from bearoff.analysis.formulas.writing import Step, Worksheet
from bearoff.app.formulas import formulas_as_json

BOARD = 24
"""Number of points of the board for which the value of a checker is given."""


def formulas_as_data(formulas: Mapping[str, WorkedFormula]) -> dict[str, Any]:
    """Return the formulas that the page can calculate, the recommended one first.

    A formula is included if it starts from the pip counts and decides by leads or by a
    percentage. Other formulas need a table of EPCs or special arithmetic.
    """
    rules = {name: rule_as_data(formula) for name, formula in formulas.items()}
    known = {name: rule for name, rule in rules.items() if rule is not None}
    listed = [
        one | {"has_lines": isinstance(formulas[one["name"]], CountRule)}
        for one in formulas_as_json({name: formulas[name] for name in known})
    ]
    return {"listed": listed, "rules": known}


def rule_as_data(formula: WorkedFormula) -> dict[str, Any] | None:
    """Return the constants of a formula; None if the page cannot calculate with it."""
    if type(formula) is ChanceRule and isinstance(formula.chance, Percent):
        percent = formula.chance
        chance = {
            "base": float(percent.base),
            "per_pip": float(percent.per_pip),
            "line": asdict(percent.line),
            "double": formula.double,
            "redouble": formula.redouble,
            "take": formula.last_take,
        }
        none = dict.fromkeys(("double", "redouble", "take"))
        decides = {"chance": chance, **none, "shared": False, "passes_ties": False}
    elif isinstance(formula, CountRule):
        lines: Iterable[Line] = (formula.double, formula.redouble, formula.last_take)
        named = zip(("double", "redouble", "take"), map(asdict, lines), strict=True)
        shared = formula.shared is not None
        decides = {"chance": None, **dict(named), "shared": shared}
        decides["passes_ties"] = formula.passes_ties
    else:
        return None
    if formula.count.start != "pips":
        return None
    return {**_counted(formula.count), **decides, "steps": _steps(formula)}


def _counted(count: Count) -> dict[str, Any]:
    return {
        "values": _values(count) if count.counted else None,
        "adjustments": [_added(one) for one in count.adjustments],
        "least": asdict(count.least) if count.least else None,
    }


def _values(count: Count) -> list[float]:
    """Return how many pips a formula counts for one checker on each point of the board."""
    alone = Count(values=count.values, each=count.each, twice=count.twice)
    sides = [tuple(int(p == point) for p in range(BOARD)) for point in range(BOARD)]
    return [float(alone.work(Worksheet(), (side, side))[0]) for side in sides]


def _added(one: Adjustment) -> dict[str, Any]:
    on = one.on or one.seen.points or ()
    if one.compared == "matched" and not on:
        on = tuple(range(1, BOARD + 1))
    return asdict(one) | {"on": list(on), "left": one.left and list(one.left)}


def _steps(formula: WorkedFormula) -> list[dict[str, Any]]:
    """Return the text of each step of a formula, and the step's largest mental cost."""
    worked = []
    for checkers in range(1, CHECKERS + 1):
        sheet, side = Worksheet(), (checkers, *[0] * 5)
        formula.work(sheet, (side, side))
        worked.append(sheet.steps)
    return [_step(alike) for alike in zip(*worked, strict=True)]


def _step(alike: tuple[Step, ...]) -> dict[str, Any]:
    return {"words": alike[0].words, "units": max(step.units for step in alike)}
