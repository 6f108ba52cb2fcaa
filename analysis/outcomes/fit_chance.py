"""Least-squares fitting of formulas for the win probability, with simple coefficients.

Every combination of the coefficients below is tried. Simulation noise adds the same amount
to the mean square error of every formula, so it does not affect the choice.
"""

from fractions import Fraction
from itertools import product

import numpy as np

from bearoff import RACE_EFFICIENCY
from bearoff.analysis.errors import FitError
from bearoff.analysis.formulas.counting import Count
from bearoff.analysis.formulas.rules import (
    ChanceRule,
    LinearChance,
    RatioChance,
    bend,
    janowski_percents,
)
from bearoff.analysis.outcomes.fit_lead import EQUAL, FEWEST_PAIRS, MEASURES
from bearoff.analysis.outcomes.outcomes import Float64Array, Outcomes

KNEES: tuple[int | None, ...] = (None, 80, 75, 85, 90)

# Coefficients tried for the formula `LinearChance`. Coefficients per pip are halves and
# thirds of a percentage point.
BASES = np.arange(40, 101)
PER_PIP = tuple(Fraction(n, 6) for n in range(3, 25) if n % 6 in (0, 2, 3, 4))
DIVISORS: tuple[int | None, ...] = (None, 10, 5, 4, 3, 2, 6, 8)

# Coefficients tried for the formula `RatioChance`.
SCALES = (100, 150, 200, 250, 300, 400)
HEAD_STARTS = np.arange(17) / 2
PADDINGS = tuple(range(0, 90, 10))

SEARCHED = 3000
"""Maximum number of pairs of positions to which a formula is fitted."""


def fit_straight(
    outcomes: Outcomes, measure: str, efficiency: float = RACE_EFFICIENCY
) -> ChanceRule:
    """Fit a formula in which the win probability is linear in lead and count."""
    count, lead, percent, share = _sample(outcomes, measure)

    least: float = np.inf
    best: tuple[LinearChance | RatioChance, int | None] | None = None
    for per_pip, divisor, knee in product(PER_PIP, DIVISORS, KNEES):
        moving = float(per_pip) * lead - (count / divisor if divisor else 0)
        squares = _mean_squares(BASES[:, None] + moving, knee, percent, share)
        at = squares.argmin()
        if squares[at] < least - EQUAL:
            least = squares[at]
            best = LinearChance(int(BASES[at]), per_pip, divisor), knee
    return _rule("straight chance", measure, best, efficiency)


def fit_ratio(
    outcomes: Outcomes, measure: str, efficiency: float = RACE_EFFICIENCY
) -> ChanceRule:
    """Fit a formula in which the win probability is linear in lead / count."""
    count, lead, percent, share = _sample(outcomes, measure)

    least: float = np.inf
    best: tuple[LinearChance | RatioChance, int | None] | None = None
    for scale, padding, knee in product(SCALES, PADDINGS, KNEES):
        ahead = (lead + HEAD_STARTS[:, None]) / np.maximum(count + padding, 1)
        squares = _mean_squares(50 + scale * ahead, knee, percent, share)
        at = squares.argmin()
        if squares[at] < least - EQUAL:
            least = squares[at]
            best = RatioChance(50, scale, float(HEAD_STARTS[at]), padding), knee
    return _rule("ratio chance", measure, best, efficiency)


def _rule(
    name: str,
    measure: str,
    best: tuple[LinearChance | RatioChance, int | None] | None,
    efficiency: float,
) -> ChanceRule:
    """Return the cube rule that is based on a fitted win probability formula."""
    assert best is not None
    chance, knee = best
    return ChanceRule(
        f"{name}, {MEASURES[measure]}",
        "fitted",
        Count(start=measure),
        chance,
        *janowski_percents(efficiency),
        knee=knee,
    )


def _sample(
    outcomes: Outcomes, measure: str
) -> tuple[Float64Array, Float64Array, Float64Array, Float64Array]:
    """Return count, lead, win percentage and weight for each pair of positions."""
    if len(outcomes) < FEWEST_PAIRS:
        raise FitError(
            f"fitting a win probability formula needs at least {FEWEST_PAIRS} pairs, got "
            f"{len(outcomes)}"
        )
    if len(outcomes) > SEARCHED:
        outcomes = outcomes[np.linspace(0, len(outcomes) - 1, SEARCHED).astype(np.int64)]
    return (
        outcomes.count(measure),
        outcomes.lead(measure),
        100 * outcomes.win_probability,
        outcomes.weight / outcomes.weight.sum(),
    )


def _mean_squares(
    estimates: Float64Array, knee: int | None, percent: Float64Array, share: Float64Array
) -> Float64Array:
    """Return the weighted mean square error of each formula's win percentages."""
    squares: Float64Array = (bend(estimates, knee) - percent) ** 2
    return squares @ share
