"""Chances to win for a formula's own count: the straight percentage that errs the least."""

from fractions import Fraction
from itertools import product

import numpy as np

from analysis.errors import FitError
from analysis.formulas.rules import CountRule, CountWinRule, Line, Percent
from analysis.scoring import PricedDecisions

BASES = np.arange(40, 101)
"""Percent at a lead equal to the share that are tried."""

PER_PIP = tuple(Fraction(n, 2) for n in range(1, 11))
"""Percent for each pip of the lead that are tried."""

DIVISORS: tuple[int | None, ...] = (None, 2, 3, 4, 5, 6, 7, 8, 10)
"""Parts of the roller's count that are tried; of the rule's own the first is taken."""

ROWS = 20_000


def with_chance(rule: CountRule, training: PricedDecisions, seed: int = 0) -> CountWinRule:
    """Return the rule with the percentage that has the least rms error on a sample.

    Percentages below 0 and above 100 are taken for these.

    Raises
    ------
    FitError
        If there is nothing to fit to.
    """
    if not len(training):
        raise FitError("there is no position to fit a chance to win to")
    share = training.weights / training.weights.sum()
    rows = np.random.default_rng(seed).choice(len(training), ROWS, p=share)
    drawn = training.chosen(rows)
    ours, theirs = rule.count.of(drawn.rollers, drawn.opponents)
    truth = 100 * drawn.win_probability
    own = rule.shared.divisor if rule.shared is not None else None
    divisors = dict.fromkeys((own, *DIVISORS))
    least, best = np.inf, None
    for per_pip, divisor in product(PER_PIP, divisors):
        line = Line(divisor, 0)
        moving = Percent(0, per_pip, line).percent(ours, theirs - ours)
        percent = np.clip(BASES[:, None] + moving, 0, 100)
        squares = ((percent - truth) ** 2).mean(axis=1)
        at = int(squares.argmin())
        if squares[at] < least - 1e-9:
            least, best = squares[at], Percent(float(BASES[at]), per_pip, line)
    assert best is not None
    return CountWinRule(
        rule.name, rule.source, rule.count, rule.double, rule.redouble, rule.last_take,
        rule.passes_ties, rule.note, chance=best,
    )  # fmt: skip
