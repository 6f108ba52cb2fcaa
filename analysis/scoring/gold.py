"""Points of double, redouble and last take by the roller's count: the gold standard.

Within home they are read off exact decisions, beyond it off the fast model. Of the
positions at one count and lead some want one action and some another; the *point* is
where the mean of what acting gains changes its sign, so that no other single lead loses
less, and the *zone* is where between 5 and 95 of 100 positions want it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.formulas.rules import CountRule, Line, published
from bearoff.analysis.scoring.decisions import gains_of
from bearoff.analysis.scoring.regions import counted, low_wastage
from bearoff.sim.populations import Population
from bearoff.sources import Model
from bearoff.stakes import MONEY, Stakes, Terms, Values

Float64Array = NDArray[np.float64]

LOW_WASTAGE = 10.0
"""Pips that a side may waste to be of low wastage."""

FAST_MODEL_WASTAGE = 7.75
"""Pips that both sides waste where the model is asked.

The median of races as games come to them from 90 pips on: 8.1 at 90, 7.8 at 100, 7.5 at
130."""

_SURE = 0.05
"""Share of positions beyond the zone that want the other action."""

_FEW = 20
"""Frequency of a lead below which it says nothing of the zone."""

_WINDOW = 2.0
"""Counts up to this much above and below are read together, each by its own lead."""


@dataclass(frozen=True)
class Points:
    """Leads of the roller, in pips: the opponent's count less the roller's.

    Attributes
    ----------
    double, redouble : float
        From this lead on.
    last_take : float
        Up to this lead.
    """

    double: float
    redouble: float
    last_take: float


@dataclass(frozen=True)
class GoldRow:
    """The points at one count of the roller.

    Attributes
    ----------
    count : float
        The roller's, in pips or EPC.
    exact : Points or None
        From exact decisions; None where the population has too few.
    zone_from, zone_to : Points or None
        Ends of the zones in which the action depends on the position.
    frequency : float
        Of the positions that they are read off.
    model : Points
        By the fast model.
    rules : dict of str to Points
        What rules say at the same count, by name.
    """

    count: float
    exact: Points | None
    zone_from: Points | None
    zone_to: Points | None
    frequency: float
    model: Points
    rules: dict[str, Points]


@dataclass(frozen=True)
class GoldStandard:
    """The table.

    Attributes
    ----------
    measure : {"pips", "epc"}
        How both sides are counted.
    rows : tuple of GoldRow
        By the roller's count.
    step : float
        Leads are multiples of this.
    wastage : float or None
        Most pips that the sides of the exact rows waste; None for any.
    source : str
        Of the exact rows.
    decisions : float
        Frequency of all positions of that source.
    least : float
        Frequency near the points that an exact row needs.
    """

    measure: str
    rows: tuple[GoldRow, ...]
    step: float
    wastage: float | None
    source: str
    decisions: float
    least: float

    @property
    def shortage(self) -> str:
        """Say what size fills a row, where no count has an exact one; else empty."""
        if any(row.exact for row in self.rows):
            return ""
        best = max(self.rows, key=lambda row: row.frequency)
        unit = {"pips": "pips", "epc": "EPC"}[self.measure]
        needs = (
            f"no count by {unit} has the {self.least:,.0f} decisions near the points that "
            f"an exact row needs; of {self.decisions:,.0f} decisions "
        )
        if not best.frequency:
            return needs + "none is near the points"
        most = f"{best.frequency:,.0f} at {best.count:g} {unit} are the most"
        size = self.decisions * self.least / best.frequency
        return needs + f"{most}: it takes about {size:,.0f} to fill that row alone"


PIP_COUNTS = (*range(10, 70, 5), *range(70, 131, 10))
EPC_COUNTS = (*range(15, 75, 5), *range(80, 141, 10))
"""Counts of the tables."""


def gold_standard(
    population: Population,
    measure: str = "pips",
    *,
    wastage: float | None = LOW_WASTAGE,
    rule: CountRule | None = None,
    least: float = 500.0,
) -> GoldStandard:
    """Find the points at each count, exactly where positions are frequent enough.

    Parameters
    ----------
    population : Population
        Exact decisions within home.
    measure : {"pips", "epc"}
        How sides are counted.
    wastage : float or None
        Leave out positions in which a side wastes more; used by pips only, for EPC
        counts the wastage in.
    rule : CountRule, optional
        Another rule to set beside, by its lines alone.
    least : float
        Frequency around a count, near the points, that an exact row needs.
    """
    count, lead = counted(population, measure)
    keep = np.ones(len(population), dtype=np.bool_)
    if measure == "pips" and wastage is not None:
        keep = low_wastage(population, wastage)
    else:
        wastage = None
    step = 1.0 if measure == "pips" else 0.5
    values = population.values
    gains = gains_of(values)
    weights = population.decisions.weights.astype(np.float64)
    counts = PIP_COUNTS if measure == "pips" else EPC_COUNTS
    rows = []
    for middle in counts:
        near = keep & (np.abs(count - middle) <= _WINDOW) & (np.abs(lead) <= 20)
        at = lead[near], weights[near]
        double, redouble, take = (
            _Sides.of(*at, gain[near], step)
            for gain in (gains.double, gains.redouble, -gains.take)
        )
        model = model_points(float(middle), measure, step)
        close = np.abs(lead[near] - model.redouble) <= 2
        frequency = float(weights[near][close].sum())
        found = frequency >= least
        rows.append(
            GoldRow(
                float(middle),
                Points(double.point, redouble.point, take.point - step) if found else None,
                _points(double, redouble, take, "low", step) if found else None,
                _points(double, redouble, take, "high", step) if found else None,
                frequency,
                model,
                _rule_points(float(middle), measure, step, rule),
            )
        )
    about = population.about
    source = (
        f"population {about['name']}, seed {about['seed']}, digest {about['digest'][:12]}"
    )
    return GoldStandard(
        measure, tuple(rows), step, wastage, source, float(weights.sum()), least
    )


@dataclass(frozen=True)
class _Sides:
    """Where an action becomes right as the lead grows: the point and the zone's ends."""

    point: float
    low: float
    high: float

    @classmethod
    def of(
        cls, lead: Float64Array, weights: Float64Array, gain: Float64Array, step: float
    ) -> "_Sides":
        """Find them from leads, frequencies and gains of acting."""
        row = np.floor(lead / step + 0.5).astype(np.int64)
        lowest = int(row.min(initial=0))
        n = int(row.max(initial=0)) - lowest + 1
        gained = np.bincount(row - lowest, weights * gain, n)
        right = np.bincount(row - lowest, weights * (gain >= 0), n)
        frequency = np.bincount(row - lowest, weights, n)
        leads = (np.arange(n + 1) + lowest) * step
        # Acting from row k on gains the sum from there.
        from_here = np.append(np.cumsum(gained[::-1])[::-1], 0.0)
        share = right / np.maximum(frequency, 1)
        some = (share > _SURE) & (frequency >= _FEW)
        all_but = (share < 1 - _SURE) & (frequency >= _FEW)
        point = int(from_here.argmax())
        low = int(some.argmax()) if some.any() else point
        high = n - int(all_but[::-1].argmax()) if all_but.any() else point
        return cls(float(leads[point]), float(leads[low]), float(leads[high]))


def _points(
    double: _Sides, redouble: _Sides, take: _Sides, end: str, step: float
) -> Points:
    return Points(getattr(double, end), getattr(redouble, end), getattr(take, end) - step)


def model_points(count: float, measure: str, step: float, stakes: Stakes = MONEY) -> Points:
    """Points by the fast model, both sides of `FAST_MODEL_WASTAGE` by pips.

    At a score the roller's first double and redouble are of a cube at 1 and at 2; a point
    is not-a-number where no lead is one.

    Examples
    --------
    For money, and at 2-away 4-away, where the opponent would redouble at once:

    >>> from bearoff import Match, Score
    >>> model_points(100.0, "pips", 1.0)
    Points(double=8.0, redouble=9.0, last_take=11.0)
    >>> model_points(100.0, "pips", 1.0, Match(Score((2, 4))))
    Points(double=13.0, redouble=nan, last_take=13.0)
    """
    model = Model()
    leads = np.arange(-10.0, 40.0, step)
    roller = np.full(len(leads), count + (FAST_MODEL_WASTAGE if measure == "pips" else 0))
    opponent = np.maximum(roller + leads, 49 / 6)
    owned_at = 1 if stakes.score is None else 2
    centred = model.typical(Terms(stakes), "centred", roller, opponent)
    owned = model.typical(Terms(stakes, owned_at), "owned", roller, opponent)
    taken = _last_no(~centred.takes) - 1
    return Points(
        _first(leads, centred),
        _first(leads, owned),
        float(leads[taken]) if 0 <= taken < len(leads) - 1 else float("nan"),
    )


def _first(leads: Float64Array, values: Values) -> float:
    """Return the lead from which doubling gains; NaN where it never does."""
    place = _last_no(values.doubles)
    gains = (values.doubles & ~values.no_matter).any()
    return float(leads[place]) if gains and place < len(leads) else float("nan")


def _last_no(done: NDArray[np.bool_]) -> int:
    """Place from which on all is done."""
    return int(len(done) - np.argmin(done[::-1])) if not done.all() else 0


def rule_points(lines: Sequence[Line], count: float, step: float) -> Points:
    """Least leads in steps that double and redouble by three lines, and the last take.

    Examples
    --------
    Keith's lines at 50 pips:

    >>> rule_points((Line(7, -4), Line(7, -3), Line(7, -2)), 50.0, 1.0)
    Points(double=4.0, redouble=5.0, last_take=5.0)
    """
    leads = np.arange(-20.0, 40.0, step)
    counts = np.full(len(leads), count)
    double, redouble, take = (line.beyond(counts, leads) for line in lines)
    return Points(
        float(leads[(double >= 0).argmax()]),
        float(leads[(redouble >= 0).argmax()]),
        float(leads[len(leads) - 1 - (take <= 0)[::-1].argmax()]),
    )


def _rule_points(
    count: float, measure: str, step: float, rule: CountRule | None
) -> dict[str, Points]:
    """Points of the rules that a player knows, at a count of the roller."""
    points: dict[str, Points] = {}
    rules: list[CountRule] = (
        [published.KEITH, published.EIGHT_NINE_TWELVE]
        if measure == "pips"
        else [published.EPC]
    )
    if measure == "pips":
        last = float(published.TRICE_62.last_take(np.array([int(count)]))[0])
        points["trice-62"] = Points(last - 3, last - 2, last)
    if rule is not None and rule.name not in [k.name for k in rules]:
        rules.append(rule)
    for each in rules:
        lines = (each.double, each.redouble, each.last_take)
        points[each.name] = rule_points(lines, count, step)
    return points
