"""Fitting of cube rules: search for the required leads that lose the least equity.

For a given divisor, a rule's loss depends only on which pairs of positions have at least
the required lead. The pairs are sorted by their lead minus the fraction of the roller's
count. A cumulative sum over the sorted pairs then gives the loss for every offset. All
divisors and offsets are tried.
"""

import numpy as np

from bearoff import RACE_EFFICIENCY
from bearoff.analysis.errors import FitError
from bearoff.analysis.formulas.counting import Count
from bearoff.analysis.formulas.rules import CountRule, Line
from bearoff.analysis.outcomes.outcomes import Float64Array, Outcomes
from bearoff.analysis.outcomes.scores import Gains

DIVISORS: tuple[int | None, ...] = (10, None, 5, 6, 7, 8, 9, 12, 15, 20)
"""Divisors of the roller's count that a fit tries; of equally good divisors, the first is
chosen."""

OFFSETS = np.arange(-24, 41) / 2
"""Offsets of the required lead that a fit tries, in pips: from -12 to 20 in steps of 0.5.
"""

FEWEST_PAIRS = 60
"""Minimum number of pairs of positions to which a formula can be fitted."""

MEASURES = {"pips": "pips", "epc": "EPC"}
"""Abbreviations of pip count and effective pip count, for the names of fitted formulas."""

EQUAL = 1e-12
"""Difference up to which two losses are considered equal."""


def fit_lead_rule(
    outcomes: Outcomes,
    measure: str,
    *,
    efficiency: float = RACE_EFFICIENCY,
    one_divisor: bool = True,
) -> CountRule:
    """Fit the cube rule that loses the least equity on given pairs of positions.

    Parameters
    ----------
    outcomes : Outcomes
        Results of the pairs of positions used for fitting, excluding held-out pairs.
    measure : {"pips", "epc"}
        How both sides count: a name in `Outcomes.MEASURES`.
    efficiency : float
        Cube efficiency in Janowski's model, which gives the equity of each decision.
    one_divisor : bool
        Whether the three required leads must have the same divisor, which is easier to
        remember.

    Raises
    ------
    FitError
        If there are fewer than `FEWEST_PAIRS` pairs, or the same decision is right for all
        pairs.
    """
    if len(outcomes) < FEWEST_PAIRS:
        raise FitError(
            f"fitting a cube rule needs at least {FEWEST_PAIRS} pairs, got {len(outcomes)}"
        )
    gains = Gains.at(outcomes.win_probability, efficiency)
    share = outcomes.weight / outcomes.weight.sum()
    count, lead = outcomes.count(measure), outcomes.lead(measure)
    # For takes, the fit finds the smallest lead at which the opponent should pass. A pass
    # gains the equity that a take would lose.
    goals = {
        "double": share * gains.double,
        "redouble": share * gains.redouble,
        "last_take": -share * gains.take,
    }
    for action, goal in goals.items():
        if not (goal > 0).any() or not (goal < 0).any():
            raise FitError(
                f"no required lead for {action.replace('_', ' ')} can be fitted, because "
                "the same decision is right for every pair"
            )
    column_of = {
        action: [
            best_offset(count, lead, goal, divisor, upper=action == "last_take")
            for divisor in DIVISORS
        ]
        for action, goal in goals.items()
    }
    if one_divisor:
        totals = [
            sum(column[at][0] for column in column_of.values())
            for at in range(len(DIVISORS))
        ]
        chosen = dict.fromkeys(goals, first_least(totals))
    else:
        chosen = {
            action: first_least([loss for loss, _ in column])
            for action, column in column_of.items()
        }

    def line(action: str) -> Line:
        at = chosen[action]
        return Line(DIVISORS[at], column_of[action][at][1])

    name = "lead rule" if one_divisor else "lead rule with separate shares"
    return CountRule(
        f"{name}, {MEASURES[measure]}",
        "fitted",
        Count(start=measure),
        line("double"),
        line("redouble"),
        line("last_take"),
    )


def best_offset(
    count: Float64Array,
    lead: Float64Array,
    goal: Float64Array,
    divisor: int | None,
    *,
    upper: bool,
) -> tuple[float, float]:
    """Return the smallest loss possible with a given divisor, and the best offset."""
    where = Line(divisor, 0.0).beyond(count, lead)
    order = np.argsort(where, kind="stable")
    # `losses[i]` is the total loss of a rule that acts in all sorted pairs of positions
    # except the first i. To act is to double or, for takes, to pass.
    not_acting = np.concatenate([[0.0], np.cumsum(np.maximum(goal[order], 0))])
    acting = np.concatenate([[0.0], np.cumsum(np.maximum(-goal[order], 0))])
    losses = not_acting + acting[-1] - acting
    at = OFFSETS * (divisor or 1)
    below = np.searchsorted(where[order], at, side="right" if upper else "left")
    loss = losses[below]
    least = float(loss.min())
    tied = OFFSETS[loss <= least + EQUAL]
    middle = (tied[0] + tied[-1]) / 2
    offset = min(tied, key=lambda d: (d % 1 != 0, abs(d - middle), d))
    return least, float(offset)


def first_least(losses: list[float]) -> int:
    """Return the index of the first loss that is minimal, up to rounding errors."""
    values = np.array(losses)
    return int((values <= values.min() + EQUAL).argmax())
