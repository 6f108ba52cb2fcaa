"""Right cube actions, grouped by count and lead for doubling charts.

Positions with the same count and lead may have different right actions. A cell records the
proportion of its positions, by frequency, for which each action is right.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.counting import CountsArray, count_and_lead
from bearoff.analysis.formulas.rules import CountRule, Formula
from bearoff.analysis.outcomes import Gains
from bearoff.analysis.scoring.n_rolls import REGIONS
from bearoff.sim.populations import Population

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

MEASURES = ("pips", "epc", "count")
"""Ways to count in a doubling chart: pips, EPC, or the count of a given formula."""


def right_regions(population: Population) -> Int64Array:
    """Return the right cube action in each decision, as an index into `REGIONS`.

    If doubling and not doubling are equally good, doubling counts as right. If taking and
    passing are equally good, taking counts as right.
    """
    values = population.values
    taken = values.double_take
    waiting = (taken >= values.no_double).astype(np.int64)
    region = np.where(values.redoubled >= values.no_redouble, 2, waiting)
    return np.where(taken > 1, 3, region)


def rule_regions(rule: Formula, population: Population) -> Int64Array:
    """Return a formula's cube action in each decision, as an index into `REGIONS`."""
    said = Gains.decided(rule, population.roller_counts, population.opponent_counts)
    acted = np.where(said.take, np.where(said.redouble, 2, 1), 3)
    return np.where(said.double, acted, 0)


def counted(
    population: Population, measure: str, rule: CountRule | None = None
) -> tuple[Float64Array, Float64Array]:
    """Return the roller's count and lead in pips in each decision of a population."""
    rollers: CountsArray = population.roller_counts
    opponents: CountsArray = population.opponent_counts
    if measure == "pips":
        return count_and_lead("pips", rollers, opponents)
    if measure == "epc":
        return population.roller_epc, population.opponent_epc - population.roller_epc
    if measure != "count":
        raise FormulaError(
            f"the measure of a chart must be one of {', '.join(MEASURES)}, got {measure!r}"
        )
    if rule is None:
        raise FormulaError("a chart with the measure count needs a formula")
    ours, theirs = rule.count.of(rollers, opponents)
    return ours, theirs - ours


def low_wastage(population: Population, most: float) -> NDArray[np.bool_]:
    """Return whether both sides waste at most `most` pips in each race, shape (n,)."""
    if not 0 <= most < np.inf:
        raise FormulaError(f"the wastage must be at least 0 pips and finite, got {most}")
    pips = np.arange(1, population.roller_counts.shape[1] + 1)
    return np.asarray(
        (population.roller_epc - population.roller_counts @ pips <= most)
        & (population.opponent_epc - population.opponent_counts @ pips <= most)
    )


@dataclass(frozen=True)
class Grid:
    """Grid of cells in a doubling chart; the cells' centres are multiples of the cell size.

    Attributes
    ----------
    count_step, lead_step : float
        Width and height of a cell: steps of the roller's count and of the lead, in pips.
    lead_from, lead_to : float
        Smallest and largest lead in the chart.
    """

    count_step: float = 1.0
    lead_step: float = 1.0
    lead_from: float = -6.0
    lead_to: float = 16.0


@dataclass(frozen=True, eq=False)
class RegionCells:
    """Statistics of the chart cells with enough positions, one array entry per cell.

    Attributes
    ----------
    count, lead : ndarray of float64, shape (n,)
        Centre of the cell.
    frequency : ndarray of float64, shape (n,)
        Number of positions in each cell, counting repeated positions.
    shares : ndarray of float64, shape (n, 4)
        Proportion of positions for which each action in `REGIONS` is right; rows sum to 1.
    """

    grid: Grid
    count: Float64Array
    lead: Float64Array
    frequency: Float64Array
    shares: Float64Array

    def wrong(self, others: "RegionCells") -> float:
        """Return how often each cell's most frequent action is wrong in other decisions.

        Examples
        --------
        >>> import numpy as np
        >>> at = np.array([20.0, 20.0, 20.0]), np.array([2.0, 2.0, 2.0])
        >>> cells, others = (
        ...     gather_regions(*at, np.array(right), np.ones(3), Grid(), least=1)
        ...     for right in ([0, 1, 1], [1, 1, 3])
        ... )
        >>> round(cells.wrong(others), 3)
        0.333
        """
        shown = {cell: k for k, cell in enumerate(zip(self.count, self.lead, strict=True))}
        right = total = 0.0
        region = self.region
        for k, cell in enumerate(zip(others.count, others.lead, strict=True)):
            if cell in shown:
                total += others.frequency[k]
                right += others.frequency[k] * others.shares[k, region[shown[cell]]]
        return float(1 - right / total) if total else float("nan")

    @property
    def region(self) -> Int64Array:
        """Most frequent right action in each cell, as an index into `REGIONS`."""
        return np.asarray(self.shares.argmax(axis=1))

    @property
    def agreement(self) -> Float64Array:
        """Proportion of each cell's positions where its most frequent action is right."""
        return np.asarray(self.shares.max(axis=1))


def gather_regions(
    count: Float64Array,
    lead: Float64Array,
    region: Int64Array,
    weights: NDArray[np.number],
    grid: Grid,
    *,
    least: float = 10.0,
) -> RegionCells:
    """Group decisions into chart cells, and omit cells with too few positions.

    Examples
    --------
    >>> import numpy as np
    >>> cells = gather_regions(
    ...     np.array([20.0, 20.0, 21.0]), np.array([2.0, 2.0, 2.0]),
    ...     np.array([0, 1, 1]), np.array([1, 3, 5]), Grid(), least=1,
    ... )
    >>> cells.count.tolist(), cells.shares[0].tolist()
    ([20.0, 21.0], [0.25, 0.75, 0.0, 0.0])
    """
    column = np.floor(count / grid.count_step + 0.5).astype(np.int64)
    row = np.floor(lead / grid.lead_step + 0.5).astype(np.int64)
    lowest, highest = (round(x / grid.lead_step) for x in (grid.lead_from, grid.lead_to))
    inside = (row >= lowest) & (row <= highest)
    column, row = column[inside], row[inside]
    width = highest - lowest + 1
    key = column * width + row - lowest
    keys, cell = np.unique(key, return_inverse=True)
    by_region = np.zeros((len(keys), len(REGIONS)))
    np.add.at(by_region, (cell, region[inside]), weights[inside])
    total = by_region.sum(axis=1)
    enough = total >= least
    keys, by_region, total = keys[enough], by_region[enough], total[enough]
    return RegionCells(
        grid,
        (keys // width) * grid.count_step,
        (keys % width + lowest) * grid.lead_step,
        total,
        by_region / total[:, None],
    )
