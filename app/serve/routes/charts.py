"""HTTP routes of the doubling chart and of sheets for printing."""

import tempfile
import threading
from functools import lru_cache
from math import isnan
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from bearoff.analysis.formulas.rules import CountRule
from bearoff.analysis.output import pages
from bearoff.analysis.scoring import gold
from bearoff.app.formulas import formula_named, formulas_by_name
from bearoff.app.serve.json_route import new_router
from bearoff.app.serve.problems import Refusal
from bearoff.app.serve.state import State, state_of
from bearoff.scores import Score
from bearoff.stakes import MONEY, Match, Stakes

router = new_router()

Measure = Literal["pips", "epc"]

COUNTS = {"pips": range(20, 131), "epc": range(28, 141)}
"""Range of the roller's pip counts or EPCs in the chart, in pips."""

CHEAT = "cheat-"
"""Prefix of the names of cheat sheets."""

SHEETS = {
    "n-rolls": "n-roll positions: win probability and cube action",
    "two-checkers": "The last one or two checkers: win probability and cube action",
    "take-points": "Take points and doubling windows at scores",
}

_drawing = threading.Lock()
"""Lock that is held while a figure is drawn, because the style of figures is global."""


class LinesOut(BaseModel):
    """Leads from which to double and to redouble, and the largest lead at which to take.

    A lead is the opponent's count minus the roller's count. It is null where no lead makes
    the action correct.
    """

    step: float
    """Step between the leads of the chart, in pips."""
    counts: list[float]
    double: list[float | None]
    redouble: list[float | None]
    last_take: list[float | None]


class RuleOut(LinesOut):
    """Leads, in a formula's own count, from which to double, to redouble and to take."""

    name: str


class ChartOut(LinesOut):
    """Doubling chart according to the fast model."""

    by: Measure
    wastage: float
    score: str | None
    formula: RuleOut | None


class SheetOut(BaseModel):
    """Sheet for printing, with the addresses of its PDF and PNG files."""

    name: str
    title: str
    pdf: str
    png: str


class SheetsOut(BaseModel):
    """All sheets for printing."""

    sheets: list[SheetOut]


@router.get("/chart")
async def chart(
    request: Request,
    by: Measure = "pips",
    formula: Annotated[str | None, Query(max_length=100)] = None,
    score: Annotated[str | None, Query(max_length=100)] = None,
) -> ChartOut:
    """Return the doubling chart of the fast model, for money or at a match score."""
    state, rule = state_of(request), None
    if formula is not None:
        named = formula_named(formula, formulas_by_name(None))
        if not isinstance(named, CountRule):
            raise Refusal(
                400,
                f"{formula!r} cannot be drawn; choose a formula with a count, and lines "
                "for doubles, redoubles and takes, such as keith",
            )
        lines = named.double, named.redouble, named.last_take
        drawn = _lines(by, _COUNTED[by], lambda n, step: gold.rule_points(lines, n, step))
        rule = RuleOut(name=named.name, **drawn)
    stakes = MONEY if score is None else Match(Score.parse(score))
    found = await state.workers.run(lambda: _by_model(by, stakes))
    return ChartOut(**found, formula=rule)


_STEP = 0.5
"""Step, in pips, between the leads at which the fast model is evaluated for the chart. A
larger step would draw jagged lines."""

_COUNTED = {"pips": 1.0, "epc": 0.5}
"""Step in pips between the leads at which the chart evaluates a formula, for each unit of
the chart's axis."""


@lru_cache(maxsize=32)
def _by_model(by: Measure, stakes: Stakes) -> dict[str, Any]:
    found = _lines(by, _STEP, lambda n, step: gold.model_points(n, by, step, stakes))
    wastage = gold.FAST_MODEL_WASTAGE if by == "pips" else 0.0
    at = None if stakes.score is None else str(stakes.score)
    return {"by": by, "wastage": wastage, "score": at, **found}


def _lines(by: Measure, step: float, points: Any) -> dict[str, Any]:
    rows = [points(float(count), step) for count in COUNTS[by]]
    names = ("double", "redouble", "last_take")
    lines = {name: [_known(getattr(row, name)) for row in rows] for name in names}
    return {"step": step, "counts": [float(count) for count in COUNTS[by]], **lines}


def _known(lead: float) -> float | None:
    return None if isnan(lead) else lead


@router.get("/sheets")
async def sheets(request: Request) -> SheetsOut:
    """List the sheets for printing."""
    named = SHEETS | {
        f"{CHEAT}{name}": f"{name}: how to count, when to double and take"
        for name, formula in formulas_by_name(None).items()
        if isinstance(formula, CountRule)  # Only these formulas have a sheet.
    }
    path = request.url.path
    listed = [
        SheetOut(name=name, title=title, pdf=f"{path}/{name}.pdf", png=f"{path}/{name}.png")
        for name, title in named.items()
    ]
    return SheetsOut(sheets=listed)


@router.get(
    "/sheets/{name}.{kind}",
    response_class=Response,
    responses={200: {"content": {"application/pdf": {}, "image/png": {}}}},
)
async def sheet(
    name: str,
    kind: Literal["pdf", "png"],
    request: Request,
    paper: Literal["a4", "letter"] = "a4",
) -> Response:
    """Return a sheet for printing, as PDF or PNG."""
    state = state_of(request)
    if name not in SHEETS and not name.startswith(CHEAT):
        raise Refusal(404, f"unknown sheet {name[:60]!r}; /api/v1/sheets lists all sheets")
    files = await state.solvers.run(lambda: _draw(state, name, paper))
    media = {"pdf": "application/pdf", "png": "image/png"}[kind]
    return Response(
        files[kind], media_type=media, headers={"Cache-Control": "max-age=3600"}
    )


def _draw(state: State, name: str, paper: str) -> dict[str, bytes]:
    with _drawing:
        key = name, paper
        if key not in _drawn:
            if len(_drawn) >= _KEPT:
                _drawn.clear()
            with tempfile.TemporaryDirectory(prefix="bearoff-sheet-") as folder:
                written = _write(state, name, Path(folder), pages.PAPERS[paper])
                _drawn[key] = {path.suffix[1:]: path.read_bytes() for path in written}
        return _drawn[key]


_drawn: dict[tuple[str, str], dict[str, bytes]] = {}
_KEPT = 100


def _write(state: State, name: str, folder: Path, paper: pages.Paper) -> list[Path]:
    from bearoff import build_two_sided_table, two_sided_table
    from bearoff.analysis.sheets import (
        cheat_sheet,
        n_roll_sheet,
        take_point_sheet,
        two_checker_sheet,
        write_cheat_sheet,
        write_sheet,
    )

    if name.startswith(CHEAT):
        formula = formula_named(name.removeprefix(CHEAT), formulas_by_name(None))
        return write_cheat_sheet(cheat_sheet(formula, lambda race: None), folder, paper)
    if name == "n-rolls":
        return write_sheet(n_roll_sheet(), folder, paper)
    if name == "take-points":
        return write_sheet(take_point_sheet(None), folder, paper)
    build_two_sided_table(2)
    return write_sheet(two_checker_sheet(two_sided_table(2)), folder, paper)
