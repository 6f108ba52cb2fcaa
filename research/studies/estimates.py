"""Accuracy of published estimates of the EPC, and the cost of decisions that use them.

Each estimate is tested on the sides for which it is intended. Its errors are averaged over
all such sides with equal weights. The cost of decisions based on the estimate is measured
in races between two such sides, weighted by frequency in games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import POINTS, one_sided_table, unrank
from bearoff.analysis import formulas
from bearoff.analysis.formulas.counting import Count, EpcEstimate, features, get_estimate
from bearoff.analysis.formulas.rules import CountRule, WorkedFormula
from bearoff.analysis.outcomes import Gains
from bearoff.analysis.output import markdown_page, markdown_table, write_text
from bearoff.analysis.scoring import ValuedDecisions, estimate_cost
from bearoff.sim.populations import Population

Float64Array = NDArray[np.float64]

ESTIMATES = (
    *("6-flat", "5-flat", "abc", "fastimate", "mcg", "mm8", "mm8-minus", "nnm"),
    *("matussek", "by-table", "by-shape"),
)
"""Published estimates of the EPC that are tested."""

BESIDE = ("epc", "keith", "isight", *formulas.found_names()[-1:])
"""Formulas that are compared with the estimates on the same races. The first formula uses
exact EPCs."""

NEAR = (0.55, 0.92)
"""Minimum and maximum win probability of the races that are used."""


@dataclass(frozen=True)
class Off:
    """Statistics of an estimate's error in pips, and the number of sides evaluated."""

    sides: int
    mean: float
    rms: float
    worst: float


@dataclass(frozen=True)
class EstimateRow:
    """Errors of one estimate of the EPC, and the cost of decisions that use it.

    Attributes
    ----------
    estimate : EpcEstimate
        Estimate that is tested.
    off : Off
        Errors over all sides for which the estimate is intended.
    positions, share : int, float
        Number of races in which the estimate is intended for both sides, and their share of
        all decisions.
    lost : dict of str to float
        Points that each formula's decisions lose per position in these races. The formula
        `own` is the formula `epc` with the estimate in place of the exact EPC.
    error : float
        Standard error of the loss `own`.
    """

    estimate: EpcEstimate
    off: Off
    positions: int
    share: float
    lost: dict[str, float]
    error: float


OWN = "own"


def study_estimates(population: Population, part: str = "test") -> tuple[EstimateRow, ...]:
    """Test the published estimates on all sides at home, and on close cube decisions."""
    table = one_sided_table()
    sides = features.columns_of(unrank(np.arange(1, len(table.epc)), POINTS))
    exact = np.asarray(table.epc)[1:]
    decisions = ValuedDecisions.of_population(population, part)
    low, high = NEAR
    chance = decisions.win_probability
    decisions = decisions.chosen((low <= chance) & (chance <= high))
    beside = [formulas.get(name) for name in BESIDE]
    return tuple(
        _judged(get_estimate(name), (sides, exact), decisions, beside) for name in ESTIMATES
    )


def _judged(
    estimate: EpcEstimate,
    sides: tuple[features.Columns, Float64Array],
    decisions: ValuedDecisions,
    beside: Sequence[WorkedFormula],
) -> EstimateRow:
    columns, exact = sides
    meant = estimate.meant(columns)
    off = (estimate.of_columns(columns) - exact)[meant]
    both = np.logical_and(
        *(
            estimate.meant(features.columns_of(side))
            for side in (decisions.rollers, decisions.opponents)
        )
    )
    asked = decisions.chosen(np.asarray(both))
    lost = {name: _lost(formula, asked) for name, formula in
            zip((OWN, *BESIDE), (_rule(estimate), *beside), strict=True)}  # fmt: skip
    return EstimateRow(
        estimate,
        Off(
            int(meant.sum()),
            float(off.mean()),
            float(np.sqrt((off * off).mean())),
            float(off[np.abs(off).argmax()]),
        ),
        len(asked),
        float(asked.weights.sum() / decisions.weights.sum()),
        {name: mean for name, (mean, _) in lost.items()},
        lost[OWN][1],
    )


def _rule(estimate: EpcEstimate) -> CountRule:
    """Return a decision rule that uses an estimate as if it were the exact EPC."""
    epc = formulas.get("epc")
    assert isinstance(epc, CountRule)
    lines = epc.double, epc.redouble, epc.last_take
    return CountRule(estimate.name, estimate.source, Count(start=estimate.name), *lines)


def _lost(formula: WorkedFormula, decisions: ValuedDecisions) -> tuple[float, float]:
    """Return the points that a formula's decisions lose per position, and the error."""
    decided = Gains.decided(formula, decisions.rollers, decisions.opponents)
    lost = decisions.lost(decided)
    each, weights = np.sum(list(lost.values()), axis=0), decisions.weights
    whole = weights.sum()
    mean = float((weights * each).sum() / whole)
    of_games = np.bincount(
        np.unique(decisions.games, return_inverse=True)[1], weights * (each - mean)
    )
    return mean, float(np.sqrt((of_games * of_games).sum()) / whole)


def write_estimates(
    rows: Sequence[EstimateRow], population: Population, folder: str | Path
) -> Path:
    """Write the results to a page ``estimates.md`` in a folder; return its path."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    return write_text(_page(rows, population), Path(folder) / "estimates.md")


def _page(rows: Sequence[EstimateRow], population: Population) -> str:
    about = population.about
    low, high = (f"{100 * chance:.0f}" for chance in NEAR)
    off = [
        [
            row.estimate.name,
            f"{row.off.sides:,}",
            f"{row.off.mean:+.2f}",
            f"{row.off.rms:.2f}",
            f"{row.off.worst:+.1f}",
            str(estimate_cost(row.estimate).total),
        ]
        for row in rows
    ]
    lost = [
        [
            row.estimate.name,
            f"{row.positions:,}",
            f"{row.share:.1%}",
            f"{1000 * row.lost[OWN]:.1f} ± {1000 * row.error:.1f}",
            *(f"{1000 * row.lost[name]:.1f}" for name in BESIDE),
        ]
        for row in rows
    ]
    return markdown_page(
        [
            "# Published estimates of an EPC",
            "`python -m research.estimates` compares published rules that estimate an EPC "
            "with the exact EPC. Each estimate is tested on the positions for which it is "
            "intended.",
            "## As an estimate",
            "The error of an estimate is the estimate minus the EPC, in pips. All "
            "positions of up to 15 checkers at home for which the estimate is intended "
            "have the same weight. *Units* are the [mental cost](mental-costs.md) of "
            "the estimate for one side.",
            markdown_table(["estimate", "positions", "mean", "rms", "worst", "units"], off),
            "## As a decision",
            "The column `own` shows how much the double, redouble and take in a position "
            "lose if the formula `epc` uses the estimate instead of the exact EPC. The "
            "last four columns show the losses of the formulas `epc` (with the exact "
            "EPC), `keith`, `isight` and `ladder` in the same races. Losses "
            f"are in thousandths of a point. The races have a win probability of {low} "
            f"to {high}%, and the estimate is intended for both sides of the race. The "
            f"races are from the test split of the population {about['name']} "
            f"{about['digest'][:12]}.",
            markdown_table(["estimate", "positions", "of all", OWN, *BESIDE], lost),
            "## The estimates",
            "\n".join(
                f"- **{row.estimate.name}**: {row.estimate.text} Source: "
                f"{row.estimate.source}."
                for row in rows
            ),
            "The following publications were not available to us: Matussek's own "
            "coefficients and winning chances (we repeated the regression by his "
            "method), the notes on the method *count your misses* (0.2 for each roll "
            "that misses), and Chabot's criteria except for their abstract. The "
            "estimates `NNM5` and `NNM+` add at most 1 to `nnm` for kinds of positions "
            "that the table does not define.",
        ]
    )
