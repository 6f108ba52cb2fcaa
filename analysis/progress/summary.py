"""Errors a decision: by what they have in common, over time, and beside others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from analysis.progress.beyond_chance import Finding, findings
from analysis.progress.clusters import Mean, difference, mean
from analysis.progress.luck import RaceResult
from analysis.progress.made import Made

BLOCKS, A_BLOCK = 12, 40
"""Blocks of time that are shown at most, and the fewest decisions of one."""

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
        Decisions that cost anything at all by the answers.
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


def progress(
    player: str, made: Sequence[Made], races: Sequence[RaceResult] = ()
) -> Progress:
    """Sum up a player's decisions and races.

    Parameters
    ----------
    player : str
        Upper and lower case are one.
    made : sequence of Made
        Decisions of the player and of the opponents.
    races : sequence of RaceResult
        Results, each from either side.
    """
    name = player.casefold()
    own = [one for one in made if one.player.casefold() == name]
    theirs = [one for one in made if one.opponent.casefold() == name]
    own.sort(key=lambda one: (one.day, one.match))
    cubes = [one for one in own if one.formula_cost is not None]
    found, tests = findings(own, theirs)
    return Progress(
        player=player,
        whole=_group("all", "all decisions", own),
        groups=[
            *_grouped("kind", own, lambda one: one.kind),
            *_grouped("stakes", own, lambda one: one.stakes),
            *_grouped("length", own, lambda one: one.length),
            *(group for feature in FEATURES for group in _by_feature(feature, own)),
        ],
        course=_course(own),
        opponents=[
            *([_group("opponents", "all opponents", theirs)] if theirs else []),
            *_most(_grouped("opponents", theirs, lambda one: one.player)),
        ],
        beside_opponents=difference(_costs(own), _costs(theirs)),
        formula=mean((one.match, one.formula_cost or 0.0) for one in cubes),
        beside_formula=mean(
            (one.match, one.cost - (one.formula_cost or 0.0)) for one in cubes
        ),
        luck=_luck(name, races),
        findings=found,
        tests=tests,
    )


def _costs(made: Sequence[Made]) -> list[tuple[int, float]]:
    return [(one.match, one.cost) for one in made]


def _group(by: str, name: str, made: Sequence[Made]) -> Group:
    wrong = sum(one.decided != one.best and one.cost > 0 for one in made)
    return Group(by, name, mean(_costs(made)), wrong)


def _grouped(by: str, made: Sequence[Made], key: Callable[[Made], str]) -> list[Group]:
    groups: dict[str, list[Made]] = {}
    for one in made:
        groups.setdefault(key(one), []).append(one)
    return [_group(by, name, groups[name]) for name in sorted(groups)]


def _most(groups: list[Group]) -> list[Group]:
    """Keep the opponents met most."""
    return sorted(groups, key=lambda one: -one.errors.decisions)[:5]


def _by_feature(feature: str, own: Sequence[Made]) -> list[Group]:
    """Group by how many there are of a feature."""
    counted = [one for one in own if feature in one.features]
    edges = [*FEATURES[feature], None]
    found = []
    for low, high in pairwise(edges):
        assert low is not None
        inside = [
            one
            for one in counted
            if (low == edges[0] or one.features[feature] >= low)
            and (high is None or one.features[feature] < high)
        ]
        if inside:
            found.append(_group(feature, _class(low, high, first=low == edges[0]), inside))
    return found


def _class(low: int, high: int | None, *, first: bool) -> str:
    if high is None:
        return f"{low} or more"
    if first and low:
        return f"up to {high - 1}"
    return f"{low}" if high == low + 1 else f"{low} to {high - 1}"


def _course(own: Sequence[Made]) -> list[Group]:
    """Cut decisions into blocks of time, of whole matches."""
    count = min(BLOCKS, max(len(own) // A_BLOCK, 1))
    blocks: list[list[Made]] = [[]]
    for one in own:
        last = blocks[-1]
        full = len(last) * count >= len(own) and len(blocks) < count
        if full and last[-1].match != one.match:
            blocks.append([])
        blocks[-1].append(one)
    return [_group("since", block[0].day, block) for block in blocks if block]


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
