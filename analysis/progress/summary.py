"""Errors a decision: by what they have in common, over time, and beside others."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bearoff.analysis.progress.beyond_chance import Finding, findings
from bearoff.analysis.progress.clusters import Mean, difference, mean
from bearoff.analysis.progress.luck import RaceResult
from bearoff.analysis.progress.made import BoolArray, Decisions, Names

BLOCKS, A_BLOCK = 12, 40
"""Blocks of time that are shown at most, and the fewest decisions of one."""

OPPONENTS = 5
"""Opponents that are shown by themselves, those met most."""

FEATURES = {"gaps": (0, 1, 2), "stack": (3, 4, 5, 6), "crossovers": (0, 1, 4, 8)}
"""Features by which errors are shown, and where their classes begin."""


@dataclass(frozen=True)
class Group:
    """Decisions that have something in common, and what they cost.

    Attributes
    ----------
    by, name : str
        By what they are grouped, such as ``kind``, and what they share.
    errors : Mean
        Cost of a decision, in EMG.
    mistakes : int
        Decisions that cost more than their error, as a review counts them.
    """

    by: str
    name: str
    errors: Mean
    mistakes: int


@dataclass(frozen=True)
class Luck:
    """Races of one unit, summed: ``result = start - lost + their_lost + luck``.

    Attributes
    ----------
    unit : str
        ``points``, or ``chance`` to win the match.
    races : int
    start, result, lost, their_lost, luck : float
        As of `RaceResult`.
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
        """The result with luck taken out."""
        return self.result - self.luck


@dataclass(frozen=True)
class Progress:
    """All that is known of a player's decisions.

    Attributes
    ----------
    player : str
    whole : Group
    groups : list of Group
        By kind, stakes, length and features.
    course : list of Group
        Blocks of successive decisions, by the days they began.
    opponents : list of Group
        Of their decisions in the same matches: all, and each of the most frequent.
    beside_opponents : Mean
        The player's cost a decision less theirs.
    formula : Mean
        What the formula would have lost a cube decision.
    beside_formula : Mean
        The player's cost a cube decision less the formula's.
    luck : list of Luck
    findings : list of Finding
    tests : int
        Made to find them.
    """

    player: str
    whole: Group
    groups: list[Group]
    course: list[Group]
    opponents: list[Group]
    beside_opponents: Mean
    formula: Mean
    beside_formula: Mean
    luck: list[Luck]
    findings: list[Finding]
    tests: int


def progress(player: str, made: Decisions, races: Sequence[RaceResult] = ()) -> Progress:
    """Sum up a player's decisions and races.

    Parameters
    ----------
    player : str
        Upper and lower case are one.
    made : Decisions
        Of the player and of the opponents, those of a match in order.
    races : sequence of RaceResult
        Results, each from either side.
    """
    own, theirs = (
        made.select(made.player.are(player)),
        made.select(made.opponent.are(player)),
    )
    own = own.select(np.lexsort((own.match, own.day.codes)))
    cubes = own.select(~np.isnan(own.formula_cost))
    found, tests = findings(own, theirs)
    return Progress(
        player=player,
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
        luck=_luck(player.casefold(), races),
        findings=found,
        tests=tests,
    )


def _group(
    by: str, name: str, made: Decisions, rows: BoolArray | slice = slice(None)
) -> Group:
    errors = mean(made.match[rows], made.cost[rows])
    return Group(by, name, errors, int(made.mistake[rows].sum()))


def _grouped(by: str, made: Decisions, key: Names, most: int | None = None) -> list[Group]:
    """Group by names, in their order; or only the most frequent, those first."""
    names = key.counts()
    if most is not None:
        names = sorted(names, key=lambda one: -one[1])[:most]
    return [_group(by, name, made, key.codes == key.names.index(name)) for name, _ in names]


def _by_feature(feature: str, own: Decisions) -> list[Group]:
    """Group by how many there are of a feature."""
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


def _course(own: Decisions) -> list[Group]:
    """Cut decisions into blocks of time, of whole matches."""
    if not len(own):
        return []
    count = min(BLOCKS, max(len(own) // A_BLOCK, 1))
    begins = [0]
    for start in (np.flatnonzero(np.diff(own.match)) + 1).tolist():
        if (start - begins[-1]) * count >= len(own) and len(begins) < count:
            begins.append(start)
    return [
        _group("since", own.day.names[own.day.codes[first]], own, slice(first, end))
        for first, end in pairwise([*begins, len(own)])
    ]


def _luck(name: str, races: Sequence[RaceResult]) -> list[Luck]:
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
            found.append(Luck(unit, len(own), *sums))
    return found
