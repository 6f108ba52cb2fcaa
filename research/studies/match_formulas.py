"""What formulas for money lose when they are followed at a score, and a correction.

Judged on decisions that games really meet. The correction is read from typical races of
`EPC` pips: by how much longer the lead must be there to double than for money, and by how
much longer it may be to take, in whole pips. Nothing of it is fitted to decisions; beside
it stands what shifts of both lines reach that are, each score's on other games.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from bearoff import (
    POINTS,
    MatchTable,
    Score,
    Values,
    cube_actions,
    match_table,
    rank,
)
from bearoff.analysis.errors import FitError
from bearoff.analysis.formulas.rules import CountRule, CountWinRule, Line
from bearoff.analysis.sheets import asked_of_chance, long_window
from bearoff.sim.populations import SPLITS, Population
from bearoff.stakes import RollersCube

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Away = tuple[int, int]

CUBES: dict[RollersCube, int] = {"centred": 1, "owned": 2}
"""What the cube shows before a double, by where it is."""

EPC = 30.0
"""Effective pips of the roller whose typical races say how to correct, about as many as
rollers of eight checkers have."""

LONGER = 2
"""Checkers by which longer races, followed at scores of `SOME` only, exceed the others."""

LONGER_EPC = 46.0
"""The same as `EPC`, about as many as rollers of nine and ten checkers have."""

FAR = (25, 25)
"""A score at which equities are nearly money's."""

SOME = ((2, 2), (2, 3), (2, 4), (3, 5), (4, 7), FAR)
"""Scores at which longer races are followed, as either side has them: solving takes many
times as long."""

SHIFTS = np.array(sorted(range(-16, 17), key=abs)) / 2
"""Shifts tried, in pips; of equal ones the first is chosen."""

REASONABLE = 0.05
"""EMG that a double may lose and its take still be asked about."""

HOPELESS = 0.5
"""EMG that a take may lose and still be asked about."""

BY_MEMORY = 4
"""Checkers of both sides up to which the last rolls are known by heart."""


@dataclass(frozen=True)
class Lost:
    """Means of what doubling and taking lose, in EMG a decision."""

    double: float
    take: float


@dataclass(frozen=True)
class Followed:
    """What following a formula loses at a score.

    Attributes
    ----------
    plain, corrected, fitted : Lost
        As it is; corrected by whole pips; with both lines shifted as other games choose.
    by_chance : Lost or None
        By the chance that the formula says, if it does, and what the score asks of it.
    """

    plain: Lost
    corrected: Lost
    fitted: Lost
    by_chance: Lost | None = None


@dataclass(frozen=True)
class Races:
    """What formulas lose in races of some size with the cube at some place.

    Attributes
    ----------
    cube : {"centred", "owned"}
        Where the cube is.
    fewest, most : int
        Checkers of the side that has more.
    epc : float
        Of the rollers that the corrections are read from.
    decisions : int
        Visits that judge.
    corrections : dict
        Whole pips later to double and further to take, by points away.
    formulas : dict
        By name and points away; at `FAR` next to money's.
    """

    cube: RollersCube
    fewest: int
    most: int
    epc: float
    decisions: int
    corrections: dict[Away, tuple[int, int]]
    formulas: dict[str, dict[Away, Followed]]


@dataclass(frozen=True)
class FormulaStudy:
    """What formulas lose at scores.

    Attributes
    ----------
    checkers : int
        Most checkers of a side in races that are followed at every score.
    population : str
        What the decisions are of.
    races : list of Races
        Those that the population has: of both cubes at every score, then longer ones.
    """

    checkers: int
    population: str
    races: list[Races]


def study_match_formulas(
    population: Population,
    rules: Sequence[CountRule],
    checkers: int = 8,
    most_away: int = 9,
    progress: Callable[[float], None] = lambda done: None,
) -> FormulaStudy:
    """Follow formulas at all scores to `most_away`, and in longer races at some.

    Parameters
    ----------
    population : Population
        Of games with the cube. Test games judge, the others choose shifts.
    rules : sequence of CountRule
        Formulas to follow.
    checkers, most_away : int
        Most checkers of a side, 1 to 8, and points away.
    progress : callable
        Called with the share of scores that are done.

    Raises
    ------
    FitError
        If the population is not of games with the cube.
    """
    if population.cube is None or population.about["points"] != POINTS:
        raise FitError(
            f"the population {population.about['name']!r} is not of games with the cube at "
            "home; take cubeful"
        )
    every = [*combinations_with_replacement(range(2, most_away + 1), 2), FAR]
    some = [away for away in SOME if away in every]
    sizes = (BY_MEMORY + 1, checkers, EPC), (checkers + 1, checkers + LONGER, LONGER_EPC)
    found: list[_Following] = []
    jobs: list[tuple[list[_Following], int, Away]] = []
    for (fewest, most, epc), aways in zip(sizes, (every, some), strict=True):
        sets = [_Following(population, rules, cube, fewest, most, epc) for cube in CUBES]
        sets = [one for one in sets if one.races.decisions]
        found += sets
        jobs += [(sets, most, away) for away in aways if sets]
    for done, (sets, most, away) in enumerate(jobs, start=1):
        table = match_table(most, away)
        for seen in {table.score.away: table, away[::-1]: table.exchanged()}.values():
            for one in sets:
                one.follow(seen)
        progress(done / len(jobs))
    return FormulaStudy(checkers, population.about["text"], [one.races for one in found])


def correction(
    score: Score, epc: float = EPC, cube: RollersCube = "centred"
) -> tuple[int, int]:
    """By how many pips to double later than for money, and how many further to take.

    Examples
    --------
    >>> correction(Score((2, 4))), correction(Score((4, 2)))
    ((4, 2), (1, 1))
    """
    here, money = (
        long_window(one, epc, cube_value=CUBES[cube], cube=cube)
        for one in (score, Score(FAR))
    )
    return (
        round(here.double_lead - money.double_lead),
        round(here.take_lead - money.take_lead),
    )


class _Following:
    """The decisions of some races with the cube at some place, and what was lost there."""

    def __init__(
        self,
        population: Population,
        rules: Sequence[CountRule],
        cube: RollersCube,
        fewest: int,
        most: int,
        epc: float,
    ) -> None:
        assert population.cube is not None
        met: NDArray[np.int64] = getattr(population.cube, cube)
        rollers, opponents = population.roller_counts, population.opponent_counts
        larger = np.maximum(rollers.sum(axis=1), opponents.sum(axis=1))
        chosen = (met > 0) & (larger >= fewest) & (larger <= most)
        judging = population.decisions.splits[chosen] == SPLITS.index("test")
        sides, weights = (rollers[chosen], opponents[chosen]), met[chosen]
        self._x, self._y = (rank(side.astype(np.int64)) for side in sides)
        self._rules = {
            rule.name: FormulaAtScores(rule, *sides, weights, judging, cube)
            for rule in rules
        }
        decisions = int(weights[judging].sum())
        losses: dict[str, dict[Away, Followed]] = {rule.name: {} for rule in rules}
        self.races = Races(cube, fewest, most, epc, decisions, {}, losses)

    def follow(self, table: MatchTable) -> None:
        """Price all formulas at a score, unless the roller has no use for the cube."""
        cube, at = self.races.cube, table.score.away
        if at[0] <= CUBES[cube]:
            return
        answer = cube_actions(table, self._x, self._y, cube, cube_value=CUBES[cube])
        pips = correction(table.score, self.races.epc, cube)
        self.races.corrections[at] = pips
        asked = asked_of_chance(table.score, CUBES[cube], cube)
        for name, rule in self._rules.items():
            self.races.formulas[name][at] = rule.follow(answer, pips, asked)


class FormulaAtScores:
    """A formula's leads in a set of decisions, to be priced at any score.

    Parameters
    ----------
    rule : CountRule
        The formula.
    rollers, opponents : ndarray of int8, shape (n, 6)
        Checkers on ace to six.
    weights : ndarray, shape (n,)
        How often each decision is met.
    judging : ndarray of bool, shape (n,)
        Which decisions judge; the others choose shifts.
    cube : {"centred", "owned"}
        Where the cube is.
    """

    def __init__(
        self,
        rule: CountRule,
        rollers: NDArray[np.int8],
        opponents: NDArray[np.int8],
        weights: NDArray[np.int64],
        judging: BoolArray,
        cube: RollersCube = "centred",
    ) -> None:
        ours, theirs = rule.count.of(rollers, opponents)
        self.rule = rule
        self._weights, self._judging = weights, judging
        line = rule.double if cube == "centred" else rule.redouble
        self._doubled = _beyond(line, ours, theirs - ours)
        self._taken = _beyond(rule.last_take, ours, theirs - ours)
        self._chance: Float64Array | None = None
        if isinstance(rule, CountWinRule):
            self._chance = rule.win_probability(rollers, opponents)

    def follow(
        self,
        answer: Values,
        pips: tuple[float, float],
        chances: tuple[float, float] = (0.0, 1.0),
    ) -> Followed:
        """Price the formula at a score.

        Parameters
        ----------
        answer : Values
            Of the decisions at the score.
        pips : tuple of float
            Later to double and further to take.
        chances : tuple of float
            What its chance is compared with, see `asked_of_chance`.
        """
        wrong, missed = answer.wrong_double, answer.missed_double
        taken, passed = answer.wrong_take, answer.wrong_pass
        # A double that loses much is not expected, and a take of it is not asked about.
        asked = (wrong <= REASONABLE) & (taken <= HOPELESS)

        def doubling(later: float, part: BoolArray) -> float:
            acts = self._doubled >= later
            return self._mean(np.where(acts, wrong, missed), part)

        def taking(further: float, part: BoolArray) -> float:
            ties = self.rule.passes_ties
            acts = self._taken < further if ties else self._taken <= further
            return self._mean(np.where(acts, taken, passed), part & asked)

        def lost(later: float, further: float) -> Lost:
            return Lost(doubling(later, self._judging), taking(further, self._judging))

        later, further = (
            float(SHIFTS[np.argmin([act(shift, ~self._judging) for shift in SHIFTS])])
            for act in (doubling, taking)
        )
        found = lost(0.0, 0.0), lost(*pips), lost(later, further)
        if self._chance is None:
            return Followed(*found)
        double, last_take = chances
        turned = np.where(self._chance >= double, wrong, missed)
        takes = np.where(self._chance <= last_take, taken, passed)
        by_chance = Lost(
            self._mean(turned, self._judging), self._mean(takes, self._judging & asked)
        )
        return Followed(*found, by_chance)

    def _mean(self, costs: Float64Array, part: BoolArray) -> float:
        weights = self._weights[part]
        return float(costs[part] @ weights / weights.sum()) if weights.sum() else 0.0


def _beyond(line: Line, count: Float64Array, lead: Float64Array) -> Float64Array:
    """Return by how many pips each lead is beyond a line."""
    scaled = line.beyond(count, lead)
    pip = scaled - replace(line, offset=line.offset + 1).beyond(count, lead)
    return np.asarray(scaled / pip)
