"""How a cube decision is explained: how near it is, whether the formula errs, its steps.

All that is said of who is right rests on the same values as the answer, so that the text
cannot contradict it; the formula is told apart from them.
"""

from collections.abc import Iterable

import numpy as np

from bearoff import Race
from bearoff.analysis.formulas.writing import Step
from bearoff.analysis.scoring import explanation
from bearoff.app.serve.drills.asked import Line
from bearoff.app.serve.drills.sample import Decisions
from bearoff.app.serve.drills.seeing import Asked, formula, gains, misled
from bearoff.stakes import is_mistake

LIKE = 120
"""Decisions of about the same length that say how much a chance is worth."""

SHORT = 30
"""Pips below which points and chances go together too loosely."""

UNIT = "points (EMG)"

Choices = tuple[str, str]


def distance(asked: Asked, races: Decisions, row: int, choices: Choices) -> str:
    """Say how far a decision is from the line between its choices."""
    gain = float(gains(asked, races)[row])
    best = choices[gain > 0]
    told = from_line(abs(gain), choices, best)
    passed = float(races.double_take[row]) - 1
    if asked == "double" and passed >= 0:
        told += f"; the opponent passes, and a take would cost {passed:.4f}"
    elif per_chance := _per_chance(asked, races, row):
        told += f"; about {100 * abs(gain) / per_chance:.1f}% of chances to win"
    return f"{told}."


def from_line(points: float, choices: Choices, best: str) -> str:
    """Say how far it is to the line between two choices."""
    one, other = choices
    where = f"from the line between {one} and {other}, on the side of {best}"
    return f"{points:.4f} {UNIT} {where}"


def cube_costs(
    asked: Asked, waits: float, taken: float, passed: float = 1.0
) -> tuple[float, float, float]:
    """Return what is lost by no double, a double and a take, a double and a pass, EMG.

    By both sides together; who is asked for a take is not told what the double lost.
    """
    turned = min(taken, passed)
    early = max(waits - turned, 0.0) if asked == "double" else 0.0
    return max(turned - waits, 0.0), early + taken - turned, early + passed - turned


def formula_says(asked: Asked, races: Decisions, row: int, choices: Choices) -> str:
    """Say whether the formula is right here; if not, what it costs and what misleads it."""
    one = slice(row, row + 1)
    decided = formula().decide(races.rollers[one], races.opponents[one])
    cube = decided.redouble if races.owned[row] else decided.double
    acts = bool((decided.take if asked == "take" else cube)[0])
    words = f"The formula {formula().name} says {choices[acts]}"
    gain = float(gains(asked, races)[row])
    if acts == (gain > 0) or not is_mistake(abs(gain)):
        return f"{words}, which is right."
    told = f"{words}, which is wrong here and costs {abs(gain):.4f} {UNIT}"
    found = misled(asked, races, row)
    if found is None:
        return f"{told}; no single feature explains it."
    yours = found.side == (asked == "take")
    whose = "your" if yours else "the opponent's"
    worth = f"{abs(found.points):.3f} {'for' if found.points > 0 else 'against'} you"
    told += (
        f"; misled most by {whose} {found.name}: "
        f"{found.held:g}, where {found.usual:.1f} are usual, which is {worth} beyond "
        "what it counts."
    )
    return told


def worked(race: Race, asked: Asked) -> list[Line]:
    """Work the formula out as far as it is asked."""
    action = "take" if asked == "take" else "redouble" if race.cube == "owned" else "double"
    *steps, double, redouble, take = explanation.explain(formula(), race).steps
    return lines_of(
        [*steps, {"double": double, "redouble": redouble, "take": take}[action]]
    )


def lines_of(steps: Iterable[Step]) -> list[Line]:
    """Return the steps of a worksheet that change something."""
    lines: list[Line] = []
    for step in steps:
        same = any(one.arithmetic.endswith(f"= {step.arithmetic}") for one in lines)
        if step.work and step.arithmetic != "none" and not same:
            lines.append(Line(words=step.words, arithmetic=step.arithmetic))
    return lines


def rule_is(rule: str, off: float, unit: str, within: float, seen: str) -> str:
    """Say how far a rule is off, and if it is wrong, what it may be misled by."""
    size = f"{abs(off):.1f}{unit if unit == '%' else f' {unit}'}"
    if abs(off) < 0.05:
        return f"{rule} is right."
    told = f"{rule} is {size} too {'high' if off > 0 else 'low'} here"
    if abs(off) <= within:
        return f"{told}."
    return f"{told} and would be marked wrong. What it may miss: {seen}."


def _per_chance(asked: Asked, races: Decisions, row: int) -> float | None:
    """Return points by which a decision moves with the whole chance; about."""
    pips = races.rollers @ np.arange(1.0, 25.0)
    if pips[row] < SHORT:
        return None
    like = races.owned == races.owned[row]
    if asked == "double":
        like &= races.double_take < 1
    rows = np.flatnonzero(like)
    rows = rows[np.argsort(np.abs(pips[rows] - pips[row]), kind="stable")[:LIKE]]
    chances = races.chance[rows].astype(float)
    return abs(float(np.polyfit(chances, gains(asked, races)[rows], 1)[0]))
