"""Results of a simulation run, grouped by count and lead into cells for doubling charts."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bearoff import RACE_EFFICIENCY, CubeThresholds
from bearoff.analysis.outcomes.intervals import CONFIDENCE, normal_quantile, wilson_interval
from bearoff.analysis.outcomes.outcomes import Float64Array, Outcomes
from bearoff.analysis.outcomes.run import Run

Int64Array = NDArray[np.int64]

MANY_PAIRS = 2000
"""Minimum number of pairs of positions with which a chart has small cells, if the run's
configuration defines no grid."""


@dataclass(frozen=True)
class CellLayout:
    """Grid of chart cells; the axes are the roller's count and the lead.

    Attributes
    ----------
    count_start, count_step, lead_start, lead_step : float
        Start of each axis and size of the cells, in pips of raw count or EPC.
    lead_from, lead_to : float
        Smallest and largest lead; pairs of positions with leads outside this range are left
        out.
    """

    count_start: float
    count_step: float
    lead_start: float
    lead_step: float
    lead_from: float
    lead_to: float

    @classmethod
    def of(cls, config: dict[str, Any], measure: str, pairs: int) -> "CellLayout":
        """Return the first grid in a run's configuration that counts by `measure`.

        If the configuration has no grid by `measure`, a cell spans 5 pips of the roller's
        count and 2 pips of lead. With at least `MANY_PAIRS` pairs, a cell spans 1 pip of
        lead.
        """
        for source in config.get("pairs", []):
            grid = source.get("grid")
            if grid and grid["by"] == measure:
                roller, lead = grid["roller"], grid["lead"]
                return cls(
                    count_start=roller["from"],
                    count_step=roller["step"],
                    lead_start=lead["from"],
                    lead_step=lead["step"],
                    lead_from=lead["from"],
                    lead_to=lead["to"],
                )
        return cls(0, 5, 0, 1 if pairs >= MANY_PAIRS else 2, -6, 18)


@dataclass(frozen=True, eq=False)
class Cells:
    """Statistics of the nonempty cells of a doubling chart, one array entry per cell.

    Attributes
    ----------
    measure : {"pips", "epc"}
        How both sides count: a name in `Outcomes.MEASURES`.
    layout : CellLayout
        Grid to which the chart's cells belong.
    efficiency : float
        Cube efficiency, which determines the win probabilities at which the cube action
        changes.
    count, lead : ndarray of float64
        Centre of each cell: the roller's count and the lead, in pips.
    pairs : ndarray of int64
        Number of pairs of positions in each cell.
    probability, low, high : ndarray of float64
        Weighted mean of the simulated win probabilities in each cell, with its 95%
        confidence interval. The interval covers simulation noise and the differences
        between the pairs of a cell.
    region : ndarray of int64
        Cube action at the mean win probability of each cell, as an index into `REGIONS`.
    decided : ndarray of bool
        Whether the cube action is the same at both ends of the confidence interval.
    REGIONS : tuple of str
        Names of the cube actions, in order of increasing win probability. A roller who
        should redouble should also double a centred cube.
    """

    measure: str
    layout: CellLayout
    efficiency: float
    count: Float64Array
    lead: Float64Array
    pairs: Int64Array
    probability: Float64Array
    low: Float64Array
    high: Float64Array
    region: Int64Array
    decided: NDArray[np.bool_]

    REGIONS: ClassVar = ("no double", "double, take", "redouble, take", "double, pass")

    @classmethod
    def of_run(
        cls,
        run: Run,
        outcomes: Outcomes,
        measure: str,
        efficiency: float = RACE_EFFICIENCY,
    ) -> Self:
        """Group a run's pairs of positions into the cells of the grid in its configuration.

        If the configuration has no grid, `CellLayout.of` defines the cells.
        """
        layout = CellLayout.of(run.config, measure, len(outcomes))
        return cls.gather(outcomes, measure, layout, efficiency)

    @classmethod
    def gather(
        cls,
        outcomes: Outcomes,
        measure: str,
        layout: CellLayout,
        efficiency: float = RACE_EFFICIENCY,
    ) -> Self:
        """Group pairs of positions into cells by count and lead, and omit empty cells."""
        lead = outcomes.lead(measure)
        half = layout.lead_step / 2
        within = (lead >= layout.lead_from - half) & (lead < layout.lead_to + half)
        outcomes = outcomes[within & (outcomes.count(measure) > 0)]
        column = _nearest(outcomes.count(measure), layout.count_start, layout.count_step)
        row = _nearest(outcomes.lead(measure), layout.lead_start, layout.lead_step)
        keys, cell = np.unique(np.column_stack([column, row]), axis=0, return_inverse=True)
        cell = cell.reshape(-1)
        size = len(keys)
        pairs = np.bincount(cell, minlength=size)

        def total(values: Float64Array) -> Float64Array:
            return np.bincount(cell, values, size).astype(np.float64)

        share = outcomes.weight / total(outcomes.weight)[cell]
        p = outcomes.win_probability
        mean = total(share * p)
        noise = total(share**2 * outcomes.variance)
        between = total(share**2 * (p - mean[cell]) ** 2) * pairs / np.maximum(pairs - 1, 1)
        reach = normal_quantile(CONFIDENCE) * np.sqrt(np.maximum(noise, between))
        low, high = np.maximum(mean - reach, 0), np.minimum(mean + reach, 1)
        # A cell with a single pair of positions uses the pair's Wilson interval.
        alone = pairs[cell] == 1
        ends = wilson_interval(outcomes.wins[alone], outcomes.games[alone])
        low[cell[alone]], high[cell[alone]] = ends
        at = CubeThresholds.janowski(efficiency)
        region = _regions(mean, at)
        return cls(
            measure=measure,
            layout=layout,
            efficiency=efficiency,
            count=(layout.count_start + keys[:, 0] * layout.count_step).astype(np.float64),
            lead=(layout.lead_start + keys[:, 1] * layout.lead_step).astype(np.float64),
            pairs=pairs,
            probability=mean,
            low=low,
            high=high,
            region=region,
            decided=(_regions(low, at) == region) & (_regions(high, at) == region),
        )


def _regions(win_probability: Float64Array, thresholds: CubeThresholds) -> Int64Array:
    """Return the cube action at each win probability, as an index into `Cells.REGIONS`.

    Examples
    --------
    >>> _regions(np.array([0.5, 0.7, 0.75, 0.9]), CubeThresholds.janowski(0.7))
    array([0, 1, 2, 3])
    """
    p, at = win_probability, thresholds
    index = np.zeros(p.shape, dtype=np.int64)
    for reached in (p >= at.double, p >= at.redouble, p > at.cash):
        index += reached
    return index


def _nearest(values: Float64Array, start: float, step: float) -> Int64Array:
    return np.floor((values - start) / step + 0.5).astype(np.int64)
