"""Fit of doubling points: the simple lines that give the least equity away.

For a given divisor the equity lost is a sum over pairs of what is lost on the side of
the line they fall on. Sorted by where they fall, one running sum prices every offset.
The search is therefore complete: every divisor with every offset is tried.
"""

import numpy as np

from bearoff import RACE_EFFICIENCY
from bearoff.analysis.errors import FitError
from bearoff.analysis.formulas.counting import Count
from bearoff.analysis.formulas.rules import CountRule, Line
from bearoff.analysis.outcomes.outcomes import Float64Array, Outcomes
from bearoff.analysis.outcomes.scores import Gains

DIVISORS: tuple[int | None, ...] = (10, None, 5, 6, 7, 8, 9, 12, 15, 20)
"""Parts of the count that are tried; of equals the first is chosen."""

OFFSETS = np.arange(-24, 41) / 2
"""Pips that are tried, added to the part: from -12 to 20 by halves."""

FEWEST_PAIRS = 60
"""Pairs below which nothing is fitted."""

MEASURES = {"pips": "pips", "epc": "EPC"}
"""What formulas that are fitted count, as their names say it."""

EQUAL = 1e-12
"""Prices closer than this differ by rounding alone."""


def fit_lead_rule(
    outcomes: Outcomes,
    measure: str,
    *,
    efficiency: float = RACE_EFFICIENCY,
    one_divisor: bool = True,
) -> CountRule:
    """Find the rule that gives the least equity away on these pairs.

    Parameters
    ----------
    outcomes : Outcomes
        The pairs to fit to, without those that the fit is scored on.
    measure : {"pips", "epc"}
        How both sides are counted.
    efficiency : float
        Of the cube in Janowski's model, which prices the decisions.
    one_divisor : bool
        Whether the three lines share a divisor, which is easier to remember.

    Raises
    ------
    FitError
        If there are fewer than `FEWEST_PAIRS` pairs, or a double is right at no pair.
    """
    if len(outcomes) < FEWEST_PAIRS:
        raise FitError(
            f"too few pairs to fit doubling points: {len(outcomes)}, and "
            f"{FEWEST_PAIRS} are needed"
        )
    gains = Gains.at(outcomes.win_probability, efficiency)
    share = outcomes.weight / outcomes.weight.sum()
    count, lead = outcomes.count(measure), outcomes.lead(measure)
    # Passing gains what taking loses; each line is the lead from which something is done.
    goals = {
        "double": share * gains.double,
        "redouble": share * gains.redouble,
        "last_take": -share * gains.take,
    }
    for action, goal in goals.items():
        if not (goal > 0).any() or not (goal < 0).any():
            raise FitError(
                f"nothing to fit: at every pair the same {action.replace('_', ' ')} "
                f"decision is right"
            )
    priced = {
        action: [
            best_offset(count, lead, goal, divisor, upper=action == "last_take")
            for divisor in DIVISORS
        ]
        for action, goal in goals.items()
    }
    if one_divisor:
        totals = [
            sum(column[at][0] for column in priced.values()) for at in range(len(DIVISORS))
        ]
        chosen = dict.fromkeys(goals, first_least(totals))
    else:
        chosen = {
            action: first_least([price for price, _ in column])
            for action, column in priced.items()
        }

    def line(action: str) -> Line:
        at = chosen[action]
        return Line(DIVISORS[at], priced[action][at][1])

    name = "lead rule" if one_divisor else "lead rule of own parts"
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
    """Price every offset of a line and return the least price and its offset.

    Parameters
    ----------
    count, lead : ndarray of float64, shape (n,)
        The roller's counts and leads, in pips.
    goal : ndarray of float64, shape (n,)
        Gained by acting beyond the line, lost by not acting; negative: the reverse.
    divisor : int or None
        Of the line.
    upper : bool
        Whether a pair on the line itself lies below it, as with a last take.

    Returns
    -------
    price, offset : float
        Of several offsets with the least price a whole one before one with a half,
        then the one nearest to their middle, so that the line runs between the pairs.
    """
    where = Line(divisor, 0.0).beyond(count, lead)
    order = np.argsort(where, kind="stable")
    # below[i] is lost if the first i pairs, from the lowest, are below the line.
    not_acting = np.concatenate([[0.0], np.cumsum(np.maximum(goal[order], 0))])
    acting = np.concatenate([[0.0], np.cumsum(np.maximum(-goal[order], 0))])
    prices = not_acting + acting[-1] - acting
    at = OFFSETS * (divisor or 1)
    below = np.searchsorted(where[order], at, side="right" if upper else "left")
    price = prices[below]
    least = float(price.min())
    tied = OFFSETS[price <= least + EQUAL]
    middle = (tied[0] + tied[-1]) / 2
    offset = min(tied, key=lambda d: (d % 1 != 0, abs(d - middle), d))
    return least, float(offset)


def first_least(prices: list[float]) -> int:
    """Index of the first price that is least but for rounding."""
    values = np.array(prices)
    return int((values <= values.min() + EQUAL).argmax())
