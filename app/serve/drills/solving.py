"""Explanations of cube decisions: how close they are, and what the formula says.

Sentences on the correct choice are written from the equities by which the answer is marked.
Sentences on the recommended formula say whether the formula is right.
"""

from collections.abc import Iterable

import numpy as np

from bearoff import Race
from bearoff.analysis import review
from bearoff.analysis.formulas.writing import Step
from bearoff.analysis.review import Decision
from bearoff.analysis.scoring import explanation
from bearoff.app.serve.drills.asked import SolutionLine
from bearoff.app.serve.drills.sample import Decisions
from bearoff.app.serve.drills.seeing import Asked, formula, gains, misled
from bearoff.stakes import PASS, is_mistake

LIKE = 120
"""Number of decisions, in races of similar length, from which the equity per unit of win
probability is estimated."""

SHORT = 30
"""Minimum pip count of the roller for which the equity per unit of win probability is
estimated."""

UNIT = "points (EMG)"


def distance(one: Decision, races: Decisions, row: int) -> str:
    """Return a sentence on how close a decision is, in equity and in winning chances."""
    told = from_line(one)
    values = races.values.at([row])
    if one.kind == "double" and values.double_take.item() >= PASS:
        lost = values.wrong_take.item()
        told += f"; the opponent passes, and a take would cost {lost:.4f}"
    elif per_chance := _per_chance(one, races, row):
        told += f"; this is about {100 * _margin(one) / per_chance:.1f}% in winning chances"
    return f"{told}."


def from_line(one: Decision) -> str:
    """Return a sentence on how clear a cube decision is, with the other choice's cost."""
    right = one.right_choice
    (other,) = {*one.choices} - {right}
    return how_clear(one.worded(right), one.worded(other), _margin(one))


def how_clear(best: str, other: str, lost: float) -> str:
    """Return a sentence on the best choice, with the cost of the next-best choice.

    Examples
    --------
    >>> how_clear("no double", "double", 0.266)
    'A clear no double: doubling costs 0.266'
    >>> how_clear("double, take", "double, pass", 0.008)
    'A close double, take: passing costs 0.008'
    """
    how = "clear" if lost >= CLEARLY else "close" if lost < BARELY else "sound"
    # If the best choice is "double, take" and the other "double, pass", the sentence names
    # only the pass.
    word = next(word for word in other.split(", ") if word not in best.split(", "))
    return f"A {how} {best}: {_DOING[word]} costs {lost:.3f}"


CLEARLY, BARELY = 0.1, 0.02
"""Limits for the cost of the next-best choice, in points of equity. A decision is called
clear if this cost is at least `CLEARLY`, and close if the cost is below `BARELY`."""

_DOING = {
    "no double": "waiting",
    "no redouble": "waiting",
    "double": "doubling",
    "redouble": "redoubling",
    "take": "taking",
    "pass": "passing",
    "beaver": "beavering",
}
"""Word by which a sentence names each choice, such as "doubling" for "double"."""


def _margin(one: Decision) -> float:
    """Return the cost of the next-best choice, in EMG."""
    return one.next_best.cost or 0.0 if one.next_best is not None else 0.0


def formula_says(one: Decision, races: Decisions, row: int) -> str:
    """Return a sentence on whether the formula is right and, if not, what misleads it."""
    asked: Asked = "take" if one.kind == "take" else "double"
    says = review.formula_says(asked, one.race, formula())
    words = f"The formula {formula().name} says {one.worded(says)}"
    cost = one.cost_of(says)
    if not is_mistake(cost):
        return f"{words}, which is correct."
    told = f"{words}, which is wrong here and costs {cost:.4f} {UNIT}"
    found = misled(asked, races, row)
    if found is None:
        return f"{told}; no single board feature explains this error."
    yours = found.side == (asked == "take")
    whose = "your" if yours else "the opponent's"
    worth = f"{found.points:+.3f} {UNIT} to you"
    told += (
        f"; the formula is misled most by the number of {whose} {found.name}: "
        f"{found.held:g}, compared with {found.usual:.1f} on average. The formula "
        f"ignores this difference, which is worth {worth}."
    )
    return told


def worked(race: Race, asked: Asked) -> list[SolutionLine]:
    """Return the formula's calculation for the decision: double, redouble or take."""
    action = "take" if asked == "take" else "redouble" if race.cube == "owned" else "double"
    *steps, double, redouble, take = explanation.explain(formula(), race).steps
    return lines_of(
        [*steps, {"double": double, "redouble": redouble, "take": take}[action]]
    )


def lines_of(steps: Iterable[Step]) -> list[SolutionLine]:
    """Return the steps of a calculation, without those that repeat an earlier result."""
    lines: list[SolutionLine] = []
    for step in steps:
        same = any(one.arithmetic.endswith(f"= {step.arithmetic}") for one in lines)
        if step.work and step.arithmetic != "none" and not same:
            lines.append(SolutionLine(words=step.words, arithmetic=step.arithmetic))
    return lines


def rule_is(rule: str, off: float, unit: str, within: float, seen: str) -> str:
    """Return a sentence on a rule of thumb's error and, if large, its likely reason."""
    size = f"{abs(off):.1f}{unit if unit == '%' else f' {unit}'}"
    if abs(off) < 0.05:
        return f"{rule} is correct."
    told = f"{rule} is {size} too {'high' if off > 0 else 'low'} here"
    if abs(off) <= within:
        return f"{told}."
    return f"{told} and would be marked wrong. The rule may overlook this: {seen}."


def _per_chance(one: Decision, races: Decisions, row: int) -> float | None:
    """Estimate how much equity a unit of win probability is worth; None for short races."""
    pips = races.rollers @ np.arange(1.0, 25.0)
    if pips[row] < SHORT:
        return None
    asked: Asked = "take" if one.kind == "take" else "double"
    like = races.owned == races.owned[row]
    if asked == "double":
        like &= races.double_take < PASS
    rows = np.flatnonzero(like)
    rows = rows[np.argsort(np.abs(pips[rows] - pips[row]), kind="stable")[:LIKE]]
    chances = races.chance[rows].astype(float)
    return abs(float(np.polyfit(chances, gains(asked, races)[rows], 1)[0]))
