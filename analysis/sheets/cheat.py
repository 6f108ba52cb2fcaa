"""Content of a formula's cheat sheet; `analysis.sheets.cheat_page` draws it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bearoff import Race, TwoSidedTable
from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.counting import Count
from bearoff.analysis.formulas.rules import CountRule, CountWinRule, Scale, WorkedFormula
from bearoff.analysis.formulas.writing import (
    format_number,
    mixed,
)
from bearoff.analysis.scoring import MeasuredLoss, explanation, gold, mental_cost
from bearoff.analysis.sheets.examples import NO_EXAMPLES, ExampleRaces

MOST_EXAMPLES = 4
"""Maximum number of example races on the page of a cheat sheet."""

COUNTS = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120)
"""Roller's counts for which a cheat sheet lists the opponent's counts at which to double,
redouble and take."""


@dataclass(frozen=True)
class WorkedExample:
    """Example race on a cheat sheet, with the calculation of a formula.

    Attributes
    ----------
    counting : tuple of (str, str, str)
        Rows of the table of counts: description, roller's pips and opponent's pips.
    worked : explanation.Explanation
        Calculation of the formula, and its cube decisions.
    loss : explanation.VerdictLoss or None
        Losses of the cube decisions; None if no table contains the race.
    """

    race: Race
    counting: tuple[tuple[str, str, str], ...]
    steps: tuple[tuple[str, str], ...]
    worked: explanation.Explanation
    loss: explanation.VerdictLoss | None

    @property
    def decisions(self) -> tuple[tuple[str, str, str], ...]:
        """State of the cube, formula's choice and its loss in points, by cube decision."""
        verdict, loss = self.worked.verdict, self.loss
        costs = (loss.double, loss.redouble, loss.take) if loss else (None,) * 3
        verdicts = (
            ("centred", "double" if verdict.double else "no double"),
            ("owned", "redouble" if verdict.redouble else "no redouble"),
            ("doubled", "take" if verdict.take else "pass"),
        )
        return tuple(
            (*line, "" if cost is None else f"{cost:.3f}" if cost else "0")
            for line, cost in zip(verdicts, costs, strict=True)
        )


@dataclass(frozen=True)
class CheatSheet:
    """Content of a formula's cheat sheet.

    Attributes
    ----------
    thresholds : tuple of (str, str)
        Name of each cube action, and the condition for it.
    table_head, table_rows
        Header and rows of the table. For each of some counts of the roller, the table lists
        the opponent's counts at which the cube action changes.
    drawn : str
        Sentence on how the examples were drawn; empty if they were not drawn at random.
    footing : tuple of str
        Sentences on the loss, mental cost and limits of the formula.
    """

    rule: CountRule
    counting: tuple[str, ...]
    thresholds: tuple[tuple[str, str], ...]
    table_head: tuple[str, ...]
    table_rows: tuple[tuple[str, ...], ...]
    examples: tuple[WorkedExample, ...]
    drawn: str
    footing: tuple[str, ...]


def cheat_sheet(
    formula: WorkedFormula,
    table_for: Callable[[Race], TwoSidedTable | None],
    *,
    examples: ExampleRaces = NO_EXAMPLES,
    measured: MeasuredLoss | None = None,
) -> CheatSheet:
    """Return the content of a formula's cheat sheet.

    Parameters
    ----------
    formula : WorkedFormula
        Formula, which must be a `CountRule`.
    table_for : callable
        Function that returns a two-sided table that contains a given race, or None.
    examples : ExampleRaces
        Example races, at most `MOST_EXAMPLES`.
    measured : MeasuredLoss, optional
        Measured loss of the formula.

    Raises
    ------
    FormulaError
        If the formula is not a `CountRule`, or more than `MOST_EXAMPLES` examples are
        given.
    """
    if not isinstance(formula, CountRule):
        raise FormulaError(
            "a cheat sheet requires a formula with a count and three required leads, "
            f"which {formula.name!r} does not have"
        )
    if len(examples.races) > MOST_EXAMPLES:
        raise FormulaError(
            f"a cheat sheet has room for at most {MOST_EXAMPLES} examples, got "
            f"{len(examples.races)}"
        )
    rule = formula
    lines = (rule.double, rule.redouble, rule.last_take)
    step = 1.0 if rule.count.start == "pips" and _whole(rule.count) else 0.5
    points = [
        _with_ties(rule, gold.rule_points(lines, float(c), step), c, step) for c in COUNTS
    ]
    rows = tuple(
        (
            name,
            *(mixed(c + getattr(p, field)) for c, p in zip(COUNTS, points, strict=True)),
        )
        for name, field in (
            ("double from", "double"),
            ("redouble from", "redouble"),
            ("take up to", "last_take"),
        )
    )
    return CheatSheet(
        rule,
        rule.steps,
        rule.thresholds,
        ("your count", *(str(count) for count in COUNTS)),
        rows,
        tuple(worked(rule, race, table_for(race)) for race in examples.races),
        examples.source,
        _footing(rule, measured),
    )


def worked(rule: CountRule, race: Race, table: TwoSidedTable | None) -> WorkedExample:
    """Apply a rule to one race, step by step, as an example for a cheat sheet."""
    found = explanation.explain(rule, race)
    sides = race.roller.counts, race.opponent.counts
    # The table of counts shows both sides next to each other. A worksheet lists all steps
    # of one side first, so the counts are computed again here.
    both = [np.array([side]) for side in sides]
    full = rule.count
    stages = [replace(full, adjustments=(), least=None)]
    labels = ["pips" if full.start == "pips" else "EPC"]
    if full.counted:
        labels = ["sum of checker values"]
    for k, adjustment in enumerate(full.adjustments):
        stages.append(replace(full, adjustments=full.adjustments[: k + 1], least=None))
        labels.append(
            adjustment.what(adjustment.seen.many).replace("the opponent", "the other")
        )
    if full.least is not None:
        stages.append(full)
        labels.append("added to reach the minimum")
    totals = [np.array([float(side[0]) for side in stage.of(*both)]) for stage in stages]
    counting = [(labels[0], *_figures(totals[0]))]
    for label, before, after in zip(labels[1:], totals, totals[1:], strict=False):
        ours, theirs = (_charge(float(value)) for value in after - before)
        counting.append((label, ours, theirs))
    if len(stages) > 1:
        counting.append(("count", *_figures(totals[-1])))
    decided = ("double if", "redouble if", "take if")
    steps = tuple(
        (step.words.replace("the roller's count", "your count"), step.arithmetic)
        for step in found.steps[_counting_length(rule, race) :]
        if not step.words.startswith(decided)
    )
    loss = (
        explanation.verdict_loss(found.verdict, table, race) if table is not None else None
    )
    return WorkedExample(race, tuple(counting), steps, found, loss)


def _counting_length(rule: CountRule, race: Race) -> int:
    from bearoff.analysis.formulas.counting import side_epc
    from bearoff.analysis.formulas.writing import Worksheet

    worksheet = Worksheet(epc=lambda side: float(side_epc(np.array([side]))[0]))
    rule.count.work(worksheet, (race.roller.counts, race.opponent.counts))
    return len(worksheet.steps)


def _with_ties(
    rule: CountRule, points: gold.GoldPoints, count: float, step: float
) -> gold.GoldPoints:
    """Lower the largest lead for a take by one step if the opponent passes at this lead."""
    lead = np.array([points.last_take])
    if not rule.passes_ties or rule.last_take.beyond(np.array([float(count)]), lead)[0] < 0:
        return points
    return gold.GoldPoints(points.double, points.redouble, points.last_take - step)


def _figures(sides: NDArray[np.float64]) -> tuple[str, str]:
    ours, theirs = (format_number(_short(float(value))) for value in sides)
    return ours, theirs


def _whole(count: Count) -> bool:
    """Return whether a count is a whole number of pips for every position."""
    numbers = [*count.values, *(adjustment.pips for adjustment in count.adjustments)]
    if count.least is not None:
        numbers += [count.least.per_roll, count.least.plus]
    return all(number % 1 == 0 for number in numbers)


def _charge(pips: float) -> str:
    return f"{'+' if pips > 0 else '-'} {format_number(abs(pips))}" if pips else "0"


def _short(value: float) -> float:
    return round(value, 2)


def _footing(rule: CountRule, measured: MeasuredLoss | None) -> tuple[str, ...]:
    cost = mental_cost(rule)
    dear = cost.by_rubric()
    others = ", ".join(f"{dear[name]} if {name}" for name in list(dear)[1:])
    sentences = [
        f"Mental cost: {cost.total} units of about a second, {cost.beyond_pips} if pips "
        f"are displayed; by other rubrics {others} (docs/formulas.md)."
    ]
    if measured is not None:
        sentences.insert(0, measured.text)
    limits = (
        "Limits: for races in money play, not for match scores. A rule cannot tell that "
        "the roller is too good to double, which is possible while the opponent has all 15 "
        "checkers on the board. Exact answers exist if all checkers are home; in other "
        "races, a rule can only be compared with models."
    )
    if isinstance(rule, CountWinRule) and isinstance(rule.chance, Scale):
        sentences.insert(0, rule.chance.text)
    return (
        *sentences,
        f"{limits} {rule.note}".strip(),
        f"Source of the rule: {rule.source}.",
    )
