"""Doubling, redoubling and take points that are best for rules based on count and lead.

For races with all checkers home, these points are computed from exact decisions, and for
longer races from the fast model. Positions with the same count and lead may need different
actions. A *point* is therefore the lead at which the mean gain of an action changes sign;
no other lead loses less. The *zone* of an action is the range of leads at which the action
is right in 5% to 95% of the positions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.formulas.rules import CountRule, Line, published
from bearoff.analysis.scoring.decisions import gains_of
from bearoff.analysis.scoring.regions import counted, low_wastage
from bearoff.sim.populations import Population
from bearoff.sources import ModelSource
from bearoff.stakes import MONEY, Stakes, Terms, Values

Float64Array = NDArray[np.float64]

LOW_WASTAGE = 10.0
"""Wastage in pips up to which a side is said to have low wastage."""

FAST_MODEL_WASTAGE = 7.75
"""Wastage in pips that the fast model assumes for both sides: the median in races of 90
pips or more."""

_SURE = 0.05
"""Minimum proportion of a lead's positions in which each of two actions must be right. Only
then does the lead belong to the zone where the action depends on the position."""

_FEW = 20
"""Minimum number of positions with the same lead. Leads with fewer positions are ignored in
finding the zone where the right action depends on the position."""

_WINDOW = 2.0
"""Maximum difference in pips between the roller's count in a position and the roller's
count of a table row that is computed from the position."""


@dataclass(frozen=True)
class GoldPoints:
    """Leads, in pips, at which the right cube action changes.

    Attributes
    ----------
    double, redouble : float
        Smallest leads with which the roller doubles and redoubles.
    last_take : float
        Largest lead at which the opponent takes.
    """

    double: float
    redouble: float
    last_take: float


@dataclass(frozen=True)
class GoldRow:
    """Row of a table of doubling, redoubling and take points, for one count of the roller.

    Attributes
    ----------
    exact : GoldPoints or None
        Leads computed from exact decisions; None if there are too few positions.
    zone_from, zone_to : GoldPoints or None
        Smallest and largest leads of the zones in which the action depends on the position.
    frequency : float
        Number of positions from which `exact` was computed, counting repeated positions.
    model : GoldPoints
        Leads at which the right cube action changes, according to the fast model.
    rules : dict of str to GoldPoints
        Leads at which the cube action changes, according to published rules, by name.
    """

    count: float
    exact: GoldPoints | None
    zone_from: GoldPoints | None
    zone_to: GoldPoints | None
    frequency: float
    model: GoldPoints
    rules: dict[str, GoldPoints]


@dataclass(frozen=True)
class GoldStandard:
    """Table of doubling, redoubling and take points by the roller's count.

    Attributes
    ----------
    measure : {"pips", "epc"}
        How both sides count: pips or EPC.
    wastage : float or None
        Maximum wastage of each side, in pips, in the positions from which the table is
        computed; None for no maximum.
    source : str
        Name of the population of exact decisions.
    decisions : float
        Number of positions in the population, counting repeated positions.
    least : float
        Minimum number of positions near the redoubling point from which the exact leads of
        a row are computed.
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
        """Sentence on how many positions are missing; empty if a row has exact leads."""
        if any(row.exact for row in self.rows):
            return ""
        best = max(self.rows, key=lambda row: row.frequency)
        unit = {"pips": "pips", "epc": "EPC"}[self.measure]
        needs = (
            f"the exact leads of a row need {self.least:,.0f} decisions near the doubling "
            "and take points, but every row has fewer; "
        )
        if not best.frequency:
            return needs + (
                f"none of the {self.decisions:,.0f} decisions is near a doubling or a take "
                "point"
            )
        most = f"the row for {best.count:g} {unit} has {best.frequency:,.0f}"
        size = self.decisions * self.least / best.frequency
        return needs + (
            f"{most}; for exact leads in this row, the population needs about "
            f"{size:,.0f} decisions instead of {self.decisions:,.0f}"
        )


PIP_COUNTS = (*range(10, 70, 5), *range(70, 131, 10))
EPC_COUNTS = (*range(15, 75, 5), *range(80, 141, 10))
"""Roller's EPCs for which the table of doubling and take points has rows."""


def gold_standard(
    population: Population,
    measure: str = "pips",
    *,
    wastage: float | None = LOW_WASTAGE,
    rule: CountRule | None = None,
    least: float = 500.0,
) -> GoldStandard:
    """Return the table of doubling, redoubling and take points by the roller's count."""
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
                GoldPoints(double.point, redouble.point, take.point - step)
                if found
                else None,
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
    """Smallest lead for a cube action, and range of leads at which positions differ."""

    point: float
    low: float
    high: float

    @classmethod
    def of(
        cls, lead: Float64Array, weights: Float64Array, gain: Float64Array, step: float
    ) -> "_Sides":
        """Find the smallest lead for an action, given its gains in many positions."""
        row = np.floor(lead / step + 0.5).astype(np.int64)
        lowest = int(row.min(initial=0))
        n = int(row.max(initial=0)) - lowest + 1
        gained = np.bincount(row - lowest, weights * gain, n)
        right = np.bincount(row - lowest, weights * (gain >= 0), n)
        frequency = np.bincount(row - lowest, weights, n)
        leads = (np.arange(n + 1) + lowest) * step
        # `from_here[k]` is the equity gained by doubling (or passing) in all positions with
        # a lead of at least `leads[k]`.
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
) -> GoldPoints:
    return GoldPoints(
        getattr(double, end), getattr(redouble, end), getattr(take, end) - step
    )


def model_points(
    count: float, measure: str, step: float, stakes: Stakes = MONEY
) -> GoldPoints:
    """Return the leads at which the right cube action changes in the fast model.

    If `measure` is ``pips``, both sides waste `FAST_MODEL_WASTAGE`. At a match score, the
    value of the cube is 1 before the double, and 2 before the redouble. A lead is NaN if
    the action is the same at all leads.

    Examples
    --------
    The first result is for money. The second is for the score 2-away 4-away, at which the
    opponent would redouble at once:

    >>> from bearoff import Match, Score
    >>> model_points(100.0, "pips", 1.0)
    GoldPoints(double=8.0, redouble=9.0, last_take=11.0)
    >>> model_points(100.0, "pips", 1.0, Match(Score((2, 4))))
    GoldPoints(double=13.0, redouble=nan, last_take=13.0)
    """
    model = ModelSource()
    leads = np.arange(-10.0, 40.0, step)
    roller = np.full(len(leads), count + (FAST_MODEL_WASTAGE if measure == "pips" else 0))
    opponent = np.maximum(roller + leads, 49 / 6)
    owned_at = 1 if stakes.score is None else 2
    centred = model.typical(Terms(stakes), "centred", roller, opponent)
    owned = model.typical(Terms(stakes, owned_at), "owned", roller, opponent)
    taken = _last_no(~centred.takes) - 1
    return GoldPoints(
        _first(leads, centred),
        _first(leads, owned),
        float(leads[taken]) if 0 <= taken < len(leads) - 1 else float("nan"),
    )


def _first(leads: Float64Array, values: Values) -> float:
    """Return the smallest lead from which doubling gains equity; NaN if there is none."""
    place = _last_no(values.doubles)
    gains = (values.doubles & ~values.no_matter).any()
    return float(leads[place]) if gains and place < len(leads) else float("nan")


def _last_no(done: NDArray[np.bool_]) -> int:
    """Return the index from which all entries of a boolean array are true."""
    return int(len(done) - np.argmin(done[::-1])) if not done.all() else 0


def rule_points(lines: Sequence[Line], count: float, step: float) -> GoldPoints:
    """Return a rule's smallest leads to double and redouble, and its largest to take.

    Examples
    --------
    Leads required by Keith's formula if the roller's count is 50 pips:

    >>> rule_points((Line(7, -4), Line(7, -3), Line(7, -2)), 50.0, 1.0)
    GoldPoints(double=4.0, redouble=5.0, last_take=5.0)
    """
    leads = np.arange(-20.0, 40.0, step)
    counts = np.full(len(leads), count)
    double, redouble, take = (line.beyond(counts, leads) for line in lines)
    return GoldPoints(
        float(leads[(double >= 0).argmax()]),
        float(leads[(redouble >= 0).argmax()]),
        float(leads[len(leads) - 1 - (take <= 0)[::-1].argmax()]),
    )


def _rule_points(
    count: float, measure: str, step: float, rule: CountRule | None
) -> dict[str, GoldPoints]:
    """Return the leads at which published rules act, for a given count of the roller."""
    points: dict[str, GoldPoints] = {}
    rules: list[CountRule] = (
        [published.KEITH, published.EIGHT_NINE_TWELVE]
        if measure == "pips"
        else [published.EPC]
    )
    if measure == "pips":
        last = float(published.TRICE_62.last_take(np.array([int(count)]))[0])
        points["trice-62"] = GoldPoints(last - 3, last - 2, last)
    if rule is not None and rule.name not in [k.name for k in rules]:
        rules.append(rule)
    for each in rules:
        lines = (each.double, each.redouble, each.last_take)
        points[each.name] = rule_points(lines, count, step)
    return points
