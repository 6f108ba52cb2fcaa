"""Error rates of a player: by category, over time, and compared with opponents."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bearoff.analysis.progress.beyond_chance import ErrorPattern, findings
from bearoff.analysis.progress.clusters import ClusteredMean, blocks, difference, mean
from bearoff.analysis.progress.luck import RaceResult
from bearoff.analysis.progress.made import BoolArray, Categories, DecisionColumns
from bearoff.analysis.progress.ratings import CountedSum, RatingCourse, ratings_over_time

OPPONENTS = 5
"""Maximum number of opponents that are listed individually, beginning with the most
frequent."""

FEATURES = {"gaps": (0, 1, 2), "stack": (3, 4, 5, 6), "crossovers": (0, 1, 4, 8)}
"""Features of a position by which errors are grouped, with the smallest number of
occurrences in each group."""


@dataclass(frozen=True)
class DecisionGroup:
    """Group of decisions, with their mean cost and the number of mistakes.

    Attributes
    ----------
    by, name : str
        Criterion of the grouping, such as ``kind``, and the name of the category.
    errors : ClusteredMean
        Mean cost per decision, in EMG.
    mistakes : int
        Number of decisions whose cost exceeds the error of the cost.
    """

    by: str
    name: str
    errors: ClusteredMean
    mistakes: int


@dataclass(frozen=True)
class LuckSum:
    """Totals of results and luck over races whose values have the same unit.

    Attributes
    ----------
    unit : str
        Unit of the values: ``points``, or ``chance`` for the match-winning chance.
    races : int
    start, result, lost, their_lost, luck : float
        Sums of the fields of `RaceResult`.
    """

    unit: str
    races: int
    start: float
    result: float
    lost: float
    their_lost: float
    luck: float

    @property
    def fair(self) -> float:
        """Total result that the player would have had without luck."""
        return self.result - self.luck


@dataclass(frozen=True)
class Progress:
    """Statistics of a player's decisions and races.

    Attributes
    ----------
    player : str
    ratings : list of RatingCourse
        Performance ratings (PR) of whole matches and of races only. All other attributes
        describe decisions in races.
    whole : DecisionGroup
    groups : list of DecisionGroup
        Groups of decisions by kind, stakes, race length and feature.
    course : list of DecisionGroup
        Groups of consecutive decisions in time, named by the date of their first match.
    opponents : list of DecisionGroup
        Opponents' decisions in the same matches: of all opponents, and of each frequent
        opponent.
    beside_opponents : ClusteredMean
        The player's mean cost per decision, minus the mean cost per decision of the
        opponents.
    formula : ClusteredMean
        Mean cost per cube decision of the formula, excluding races with likely gammons,
        which formulas ignore.
    beside_formula : ClusteredMean
        The player's mean cost per cube decision minus the formula's, in the same races.
    formula_with_gammons : ClusteredMean
        Mean cost per cube decision of the formula, in races with likely gammons only.
    luck : list of LuckSum
    findings : list of ErrorPattern
    tests : int
        Number of significance tests performed.
    """

    player: str
    ratings: list[RatingCourse]
    whole: DecisionGroup
    groups: list[DecisionGroup]
    course: list[DecisionGroup]
    opponents: list[DecisionGroup]
    beside_opponents: ClusteredMean
    formula: ClusteredMean
    beside_formula: ClusteredMean
    formula_with_gammons: ClusteredMean
    luck: list[LuckSum]
    findings: list[ErrorPattern]
    tests: int


def progress(
    player: str,
    made: DecisionColumns,
    races: Sequence[RaceResult] = (),
    sums: Sequence[CountedSum] = (),
) -> Progress:
    """Compute the statistics of a player's decisions and races.

    Parameters
    ----------
    player : str
        Name of the player, in upper or lower case.
    made : DecisionColumns
        Decisions that the player and the opponents made in races, in chronological order
        within each match.
    races : sequence of RaceResult
        Results of races; each race is seen from the viewpoint of one of its players.
    sums : sequence of CountedSum
        Total costs of the player's decisions that count in a rating, by match.
    """
    own, theirs = (
        made.select(made.player.are(player)),
        made.select(made.opponent.are(player)),
    )
    own = own.select(np.lexsort((own.match, own.day.codes)))
    cubes, apart = (own.of_formula(gammons=gammons) for gammons in (False, True))
    found, tests = findings(own, theirs)
    return Progress(
        player=player,
        ratings=ratings_over_time(sums),
        whole=_group("all", "all decisions", own),
        groups=[
            *_grouped("kind", own, own.kind),
            *_grouped("stakes", own, own.stakes),
            *_grouped("length", own, own.length),
            *(group for feature in FEATURES for group in _by_feature(feature, own)),
        ],
        course=_course(own),
        opponents=[
            *([_group("opponents", "all opponents", theirs)] if len(theirs) else []),
            *_grouped("opponents", theirs, theirs.player, most=OPPONENTS),
        ],
        beside_opponents=difference((own.match, own.cost), (theirs.match, theirs.cost)),
        formula=mean(cubes.match, cubes.formula_cost),
        beside_formula=mean(cubes.match, cubes.cost - cubes.formula_cost),
        formula_with_gammons=mean(apart.match, apart.formula_cost),
        luck=_luck(player.casefold(), races),
        findings=found,
        tests=tests,
    )


def _group(
    by: str, name: str, made: DecisionColumns, rows: BoolArray | slice = slice(None)
) -> DecisionGroup:
    errors = mean(made.match[rows], made.cost[rows])
    return DecisionGroup(by, name, errors, int(made.mistake[rows].sum()))


def _grouped(
    by: str, made: DecisionColumns, key: Categories, most: int | None = None
) -> list[DecisionGroup]:
    """Group decisions by name; if `most` is given, keep only the most frequent names."""
    names = key.counts()
    if most is not None:
        names = sorted(names, key=lambda one: -one[1])[:most]
    return [_group(by, name, made, key.codes == key.names.index(name)) for name, _ in names]


def _by_feature(feature: str, own: DecisionColumns) -> list[DecisionGroup]:
    """Group decisions by how often a feature occurs in the position."""
    if feature not in own.features:
        return []
    counts = own.features[feature]
    edges = [*FEATURES[feature], None]
    found = []
    for low, high in pairwise(edges):
        assert low is not None
        inside = counts < (np.inf if high is None else high)
        if low != edges[0]:
            inside &= counts >= low
        if inside.any():
            name = _class(low, high, first=low == edges[0])
            found.append(_group(feature, name, own, inside))
    return found


def _class(low: int, high: int | None, *, first: bool) -> str:
    if high is None:
        return f"{low} or more"
    if first and low:
        return f"up to {high - 1}"
    return f"{low}" if high == low + 1 else f"{low} to {high - 1}"


def _course(own: DecisionColumns) -> list[DecisionGroup]:
    begins = [0, *(np.flatnonzero(np.diff(own.match)) + 1).tolist(), len(own)]
    counts = [end - begin for begin, end in pairwise(begins)]
    return [
        _group(
            "since",
            own.day.names[own.day.codes[begins[span.start]]],
            own,
            slice(begins[span.start], begins[span.stop]),
        )
        for span in blocks(counts)
    ]


def _luck(name: str, races: Sequence[RaceResult]) -> list[LuckSum]:
    found = []
    for unit in ("points", "chance"):
        own = [
            one if one.player.casefold() == name else one.exchanged()
            for one in races
            if one.unit == unit and name in (one.player.casefold(), one.opponent.casefold())
        ]
        if own:
            sums = [
                sum(getattr(one, field) for one in own)
                for field in ("start", "result", "lost", "their_lost", "luck")
            ]
            found.append(LuckSum(unit, len(own), *sums))
    return found
