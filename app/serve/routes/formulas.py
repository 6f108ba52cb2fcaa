"""Routes of formulas: what there is, and one worked out beside the truth."""

from dataclasses import replace
from typing import Any

from fastapi import Request
from pydantic import BaseModel, Field, StrictStr
from starlette.responses import Response

from bearoff import Race
from bearoff.analysis.formulas import RECOMMENDED
from bearoff.analysis.formulas.rules import CountRule
from bearoff.analysis.formulas.writing import Verdict
from bearoff.analysis.scoring import explanation
from bearoff.answers import Answer, Judge
from bearoff.app.formulas import (
    explanation_as_json,
    formula_named,
    formulas_as_json,
    formulas_by_name,
)
from bearoff.app.serve.asking import race_of
from bearoff.app.serve.json_route import as_response, new_router
from bearoff.app.serve.models import Kind, Patience, RaceIn
from bearoff.app.serve.state import State, state_of
from bearoff.sources import Source
from bearoff.stakes import RollersCube

router = new_router()


class CostOut(BaseModel):
    """What a formula costs in the head, in units of about a second."""

    total: int
    beyond_pips: int
    items: dict[str, int]
    numbers: list[str]


class ListedOut(BaseModel):
    """A formula."""

    name: str
    source: str
    text: str
    estimates_chance: bool
    has_lines: bool
    """Whether it has a count and lines, which a chart can show."""
    recommended: bool
    mental_cost: CostOut


class FormulasOut(BaseModel):
    """All formulas."""

    formulas: list[ListedOut]


class FormulaIn(RaceIn):
    """A race, and the formula to work out for it."""

    formula: StrictStr | None = Field(
        None, max_length=100, description="By name; the recommended one if none."
    )
    patience: Patience = Field(
        0.0, description="Seconds that solving the race may take, about, for the truth."
    )


class StepOut(BaseModel):
    """A step of the count."""

    words: str
    arithmetic: str
    units: int


class TruthOut(BaseModel):
    """What is right with the cube there."""

    action: str
    no_double: float
    double_take: float
    win_probability: float
    error: float


class CostsOut(BaseModel):
    """What the formula's decisions lose, EMG."""

    double: float
    redouble: float
    take: float


class ComparedOut(BaseModel):
    """The truth beside a formula's verdict."""

    kind: Kind
    centred: TruthOut
    owned: TruthOut
    costs: CostsOut


class ExplanationOut(BaseModel):
    """A formula worked out for a race."""

    formula: str
    source: str
    text: str
    roller: list[int]
    opponent: list[int]
    steps: list[StepOut]
    double: bool
    redouble: bool
    take: bool
    mental_cost: CostOut
    truth: ComparedOut


@router.get("/formulas", response_model=FormulasOut)
async def formulas() -> Response:
    """List the formulas with their mental cost."""
    known = formulas_by_name(None)
    listed = [
        one
        | {
            "has_lines": isinstance(known[one["name"]], CountRule),
            "recommended": one["name"] == RECOMMENDED,
        }
        for one in formulas_as_json(known)
    ]
    return as_response({"formulas": listed})


@router.post("/formula", response_model=ExplanationOut)
async def formula(asked: FormulaIn, request: Request) -> Response:
    """Work a formula out for a race, step by step, beside the truth; for money."""
    state, race = state_of(request), replace(race_of(asked), score=None, dice=None)
    named = formula_named(asked.formula, formulas_by_name(None))
    found = explanation.explain(named, race.on_points())
    answer = explanation_as_json(race, found)
    pool = state.solvers if state.judges.solves(race, asked.patience) else state.workers
    truth = await pool.run(
        lambda: _truth(state, race, found.verdict, asked.patience),
        request.is_disconnected,
    )
    return as_response({**answer, "truth": truth})


def _truth(state: State, race: Race, verdict: Verdict, patience: float) -> dict[str, Any]:
    def answered(judge: Judge, by: Source) -> list[Answer]:
        cubes: tuple[RollersCube, ...] = "centred", "owned"
        return [judge.answer(replace(race, cube=cube), source=by) for cube in cubes]

    centred, owned = state.judges.ask(race, answered, patience)
    costs = {
        "double": centred.wrong_double if verdict.double else centred.missed_double,
        "redouble": owned.wrong_double if verdict.redouble else owned.missed_double,
        "take": centred.wrong_take if verdict.take else centred.wrong_pass,
    }
    sides = {"centred": _right(centred), "owned": _right(owned)}
    return {"kind": centred.kind, **sides, "costs": costs}


def _right(answer: Answer) -> dict[str, Any]:
    return {name: getattr(answer, name) for name in TruthOut.model_fields}
