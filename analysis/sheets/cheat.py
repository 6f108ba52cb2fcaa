"""One page of a formula: what stands on it; `analysis.sheets.cheat_page` draws it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.errors import FormulaError
from analysis.formulas.counting import Count
from analysis.formulas.rules import CountRule, CountWinRule, Scale, WorkedFormula
from analysis.formulas.writing import (
    format_number,
    mixed,
    wording,
)
from analysis.scoring import Price, explanation, gold, mental_cost
from analysis.sheets.examples import NO_EXAMPLES, Examples
from bearoff import Race, TwoSidedTable

MOST_EXAMPLES = 4
"""What a page has room for."""

COUNTS = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120)
"""Counts of the roller in the table of thresholds."""


@dataclass(frozen=True)
class Example:
    """A race worked out.

    Attributes
    ----------
    race : Race
        Both sides.
    counting : tuple of (str, str, str)
        What is counted, and for it the roller's and the opponent's pips.
    steps : tuple of (str, str)
        What is done next, and the numbers; as on the worksheet.
    worked : explanation.Explanation
        The formula's verdict.
    loss : explanation.VerdictLoss or None
        The exact answer, if a table holds the race.
    """

    race: Race
    counting: tuple[tuple[str, str, str], ...]
    steps: tuple[tuple[str, str], ...]
    worked: explanation.Explanation
    loss: explanation.VerdictLoss | None

    @property
    def decisions(self) -> tuple[tuple[str, str, str], ...]:
        """Each decision: by the formula, and the error of following it."""
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
    """What stands on the page.

    Attributes
    ----------
    rule : CountRule
        The formula.
    counting : tuple of str
        How to count, step by step.
    thresholds : tuple of (str, str)
        The decisions, and when to make them.
    table_head, table_rows
        The opponent's counts for some of the roller's.
    examples : tuple of Example
        Races worked out.
    drawn : str
        Where these are from, if they were drawn.
    footing : tuple of str
        Loss, mental cost and limits.
    """

    rule: CountRule
    counting: tuple[str, ...]
    thresholds: tuple[tuple[str, str], ...]
    table_head: tuple[str, ...]
    table_rows: tuple[tuple[str, ...], ...]
    examples: tuple[Example, ...]
    drawn: str
    footing: tuple[str, ...]


def cheat_sheet(
    formula: WorkedFormula,
    table_for: Callable[[Race], TwoSidedTable | None],
    *,
    examples: Examples = NO_EXAMPLES,
    price: Price | None = None,
) -> CheatSheet:
    """Put a formula on a page.

    Parameters
    ----------
    formula : WorkedFormula
        A `CountRule`: a count and three lines.
    table_for : callable
        Gives the two-sided table that holds a race, or None.
    examples : Examples
        At most `MOST_EXAMPLES`.
    price : Price, optional
        What it was measured to lose.

    Raises
    ------
    FormulaError
        If the formula is of another kind, or the examples are too many.
    """
    if not isinstance(formula, CountRule):
        raise FormulaError(
            f"a cheat sheet is of a formula with a count and three lines, and "
            f"{formula.name!r} is of another kind"
        )
    if len(examples.races) > MOST_EXAMPLES:
        raise FormulaError(
            f"a cheat sheet has room for {MOST_EXAMPLES} examples, got "
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
        counting_steps(rule),
        thresholds(rule),
        ("your count", *(str(count) for count in COUNTS)),
        rows,
        tuple(worked(rule, race, table_for(race)) for race in examples.races),
        examples.source,
        _footing(rule, price),
    )


def counting_steps(rule: CountRule) -> tuple[str, ...]:
    """Write how to count with a rule, step by step.

    Examples
    --------
    >>> from analysis import formulas
    >>> for step in counting_steps(formulas.get("zare")):
    ...     print(step)
    Count your pips and the opponent's.
    Raise your count by a tenth.
    Take the opponent's count off yours, and compare.
    """
    count = rule.count
    if count.counted:
        steps = [f"Count both sides, checker by checker: {count.worth}."]
    elif count.start == "pips":
        steps = ["Count your pips and the opponent's."]
    elif count.start == "epc":
        steps = ["Look up your EPC and the opponent's."]
    else:
        steps = [Count(start=count.start).text.strip()]
    for adjustment in count.adjustments:
        if adjustment.seen.stacked:
            steps.append(f"{adjustment}.")
            continue
        verb = "add" if adjustment.pips > 0 else "take off"
        what = (
            f"{mixed(abs(adjustment.pips))} for each {adjustment.what(adjustment.seen.one)}"
        )
        if adjustment.left:
            what += f", if {adjustment.left_text}"
        if adjustment.held:
            what = str(adjustment)
        steps.append(f"On each side {verb} {what}.")
    if count.least is not None:
        steps.append(count.least.text)
    shared = rule.shared
    if shared is None:
        steps.append("Your lead is the opponent's count less yours.")
    else:
        if shared.divisor is not None:
            text = shared.raise_text(count.name)
            steps.append(text.replace(f"the roller's {count.name}", "your count"))
        steps.append("Take the opponent's count off yours, and compare.")
    return tuple(steps)


def thresholds(rule: CountRule) -> tuple[tuple[str, str], ...]:
    """Write when to double, to redouble and to take, each in a few words.

    Examples
    --------
    >>> from analysis import formulas
    >>> for decision, when in thresholds(formulas.get("zare")):
    ...     print(f"{decision}: {when}")
    double: at most 2 above
    redouble: at most 1 above
    take: at most 2 below
    """
    if rule.shared is not None:
        take = ("take", wording.at_least(-rule.last_take.offset))
        if rule.passes_ties:
            take = ("pass", wording.at_most(-rule.last_take.offset))
        return (
            ("double", wording.at_most(-rule.double.offset)),
            ("redouble", wording.at_most(-rule.redouble.offset)),
            take,
        )
    double, redouble, most = (
        line.share_text("count").replace("the roller's", "your")
        for line in (rule.double, rule.redouble, rule.last_take)
    )
    return (
        ("double", f"{double} or more"),
        ("redouble", f"{redouble} or more"),
        ("take", f"{'below' if rule.passes_ties else 'up to'} {most}"),
    )


def worked(rule: CountRule, race: Race, table: TwoSidedTable | None) -> Example:
    """Work a race out."""
    found = explanation.explain(rule, race)
    sides = race.roller.counts, race.opponent.counts
    # The worksheet counts one side after the other; in a table they stand side by side.
    both = [np.array([side]) for side in sides]
    full = rule.count
    stages = [replace(full, adjustments=(), least=None)]
    labels = ["pips" if full.start == "pips" else "EPC"]
    if full.counted:
        labels = ["checkers by their values"]
    for k, adjustment in enumerate(full.adjustments):
        stages.append(replace(full, adjustments=full.adjustments[: k + 1], least=None))
        labels.append(
            adjustment.what(adjustment.seen.many).replace("the opponent", "the other")
        )
    if full.least is not None:
        stages.append(full)
        labels.append("up to the least")
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
        explanation.price_verdict(found.verdict, table, race) if table is not None else None
    )
    return Example(race, tuple(counting), steps, found, loss)


def _counting_length(rule: CountRule, race: Race) -> int:
    """Return how many steps of the worksheet count both sides."""
    from analysis.formulas.counting import side_epc
    from analysis.formulas.writing import Worksheet

    worksheet = Worksheet(epc=lambda side: float(side_epc(np.array([side]))[0]))
    rule.count.work(worksheet, (race.roller.counts, race.opponent.counts))
    return len(worksheet.steps)


def _with_ties(
    rule: CountRule, points: gold.Points, count: float, step: float
) -> gold.Points:
    """Take one step off the last take where a tie is passed."""
    lead = np.array([points.last_take])
    if not rule.passes_ties or rule.last_take.beyond(np.array([float(count)]), lead)[0] < 0:
        return points
    return gold.Points(points.double, points.redouble, points.last_take - step)


def _figures(sides: NDArray[np.float64]) -> tuple[str, str]:
    """Write both sides' counts."""
    ours, theirs = (format_number(_short(float(value))) for value in sides)
    return ours, theirs


def _whole(count: Count) -> bool:
    """Whether a count of pips is a whole number whatever the position."""
    numbers = [*count.values, *(adjustment.pips for adjustment in count.adjustments)]
    if count.least is not None:
        numbers += [count.least.per_roll, count.least.plus]
    return all(number % 1 == 0 for number in numbers)


def _charge(pips: float) -> str:
    return f"{'+' if pips > 0 else '-'} {format_number(abs(pips))}" if pips else "0"


def _short(value: float) -> float:
    return round(value, 2)


def _footing(rule: CountRule, price: Price | None) -> tuple[str, ...]:
    cost = mental_cost(rule)
    dear = cost.by_rubric()
    others = ", ".join(f"{dear[name]} if {name}" for name in list(dear)[1:])
    sentences = [
        f"Mental cost: {cost.total} units of about a second, {cost.beyond_pips} if pips "
        f"are displayed; by other rubrics {others} (docs/formulas.md)."
    ]
    if price is not None:
        sentences.insert(0, price.text)
    limits = (
        "Limits: money play, the race only, no match score. A rule never finds a roller "
        "too good to double, as one may be while the opponent has all 15 checkers on the "
        "board. Exact answers are of races with all checkers home; beyond that a rule can "
        "only be compared with models."
    )
    if isinstance(rule, CountWinRule) and isinstance(rule.chance, Scale):
        sentences.insert(0, rule.chance.text)
    return (
        *sentences,
        f"{limits} {rule.note}".strip(),
        f"Source of the rule: {rule.source}.",
    )
