"""Routes of formulas: their list, and the calculation for a race."""

from dataclasses import replace
from functools import cache

from fastapi import Request
from pydantic import BaseModel, Field, StrictStr

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
from bearoff.app.serve.json_route import new_router
from bearoff.app.serve.judges import Judges, Lookup
from bearoff.app.serve.models import Kind, Patience, RaceIn
from bearoff.app.serve.state import state_of
from bearoff.sources import Source
from bearoff.stakes import RollersCube

router = new_router()


class CostOut(BaseModel):
    """Mental cost of a formula, in units of about a second."""

    total: int
    beyond_pips: int
    items: dict[str, int]
    numbers: list[str]


class ListedOut(BaseModel):
    """Formula with its description and mental cost, as listed."""

    name: str
    source: str
    text: str
    estimates_chance: bool
    has_lines: bool
    """Whether a chart can show the formula, because it has a count and a threshold line for
    each decision."""
    recommended: bool
    mental_cost: CostOut


class FormulasOut(BaseModel):
    """All formulas."""

    formulas: list[ListedOut]


class FormulaIn(RaceIn):
    """Race, and the name of the formula to apply."""

    formula: StrictStr | None = Field(
        None,
        max_length=100,
        description="Name of the formula. Default: the recommended one.",
    )
    patience: Patience = Field(
        0.0, description="Approximate time limit for solving the race, in seconds."
    )


class StepOut(BaseModel):
    """Step of a formula's calculation."""

    words: str
    arithmetic: str
    units: int


class TruthOut(BaseModel):
    """Correct cube action and equities for one state of the cube."""

    action: str
    no_double: float
    double_take: float
    win_probability: float
    error: float


class CostsOut(BaseModel):
    """Costs of the formula's cube decisions in a race, in EMG."""

    double: float
    redouble: float
    take: float


class ComparedOut(BaseModel):
    """Correct cube decisions in a race, and what a formula's cube decisions cost."""

    kind: Kind
    centred: TruthOut
    owned: TruthOut
    costs: CostsOut


class ExplanationOut(BaseModel):
    """Calculation of a formula for a race."""

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


@router.get("/formulas")
async def formulas() -> FormulasOut:
    """Return all formulas with their mental costs."""
    return FormulasOut(formulas=_listed())


@cache  # because computing the mental costs takes about 0.2 s
def _listed() -> list[ListedOut]:
    known = formulas_by_name(None)
    return [
        ListedOut(
            **one | {"recommended": one["name"] == RECOMMENDED},
            has_lines=isinstance(known[one["name"]], CountRule),
        )
        for one in formulas_as_json(known)
    ]


@router.post("/formula")
async def formula(asked: FormulaIn, request: Request) -> ExplanationOut:
    """Apply a formula to a race in money play, with all steps and the correct decisions."""
    state, race = state_of(request), replace(race_of(asked), score=None, dice=None)
    named = formula_named(asked.formula, formulas_by_name(None))
    explained = explanation.explain(named, race.on_points())
    found = state.judges.look_up(race, asked.patience)
    truth = await state.pool_of(found).run(
        lambda: _truth(state.judges, found, explained.verdict), request.is_disconnected
    )
    return ExplanationOut(**explanation_as_json(race, explained), truth=truth)


def _truth(judges: Judges, found: Lookup, verdict: Verdict) -> ComparedOut:
    def answered(judge: Judge, by: Source) -> list[Answer]:
        cubes: tuple[RollersCube, ...] = "centred", "owned"
        return [judge.answer(replace(found.race, cube=cube), source=by) for cube in cubes]

    centred, owned = judges.answer(found, answered)
    costs = {
        "double": centred.wrong_double if verdict.double else centred.missed_double,
        "redouble": owned.wrong_double if verdict.redouble else owned.missed_double,
        "take": centred.wrong_take if verdict.take else centred.wrong_pass,
    }
    right = [TruthOut.model_validate(one, from_attributes=True) for one in (centred, owned)]
    return ComparedOut(
        kind=centred.kind,
        centred=right[0],
        owned=right[1],
        costs=CostsOut.model_validate(costs),
    )
