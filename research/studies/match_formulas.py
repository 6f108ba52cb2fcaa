"""Loss of money formulas at match scores, with and without a correction for the score.

Decisions are weighted by their frequency in games. The correction consists of two whole
numbers of pips: how much larger the lead must be for a double than for money, and how much
larger it may be for a take. These numbers come from typical races of `EPC` pips, and are
not fitted to decisions. For comparison, both limits are also shifted by the numbers of pips
that lose least at each score in other games.
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
"""Cube value before a double, for a centred cube and for a cube that the roller owns."""

EPC = 30.0
"""EPC in pips of the roller in the typical race from which the correction for the match
score is computed."""

LONGER = 2
"""Number of checkers that a longer race may have beyond the maximum number of the study.
Longer races are studied only at the match scores in `SOME`."""

LONGER_EPC = 46.0
"""EPC in pips of the roller in the typical longer race from which the correction for the
match score is computed."""

FAR = (25, 25)
"""Score at which equities are nearly those for money."""

SOME = ((2, 2), (2, 3), (2, 4), (3, 5), (4, 7), FAR)
"""Match scores at which longer races are studied, for both players."""

SHIFTS = np.array(sorted(range(-16, 17), key=abs)) / 2
"""Shifts of a formula's limits that are tried, in pips, with the smallest shift first."""

REASONABLE = 0.05
"""Maximum cost, in EMG, of a double after which the decision to take is tested."""

HOPELESS = 0.5
"""Maximum cost, in EMG, of a take if the decision to take is tested."""

BY_MEMORY = 4
"""Maximum number of checkers in races whose decisions players know by heart."""


@dataclass(frozen=True)
class Lost:
    """Mean cost of wrong doubles and of wrong takes, in EMG per decision."""

    double: float
    take: float


@dataclass(frozen=True)
class Followed:
    """Cost of following a race formula at a match score, with and without corrections.

    Attributes
    ----------
    plain, corrected, fitted : Lost
        Costs of the formula without a correction, with the correction in whole pips, and
        with shifts that were fitted to other games.
    by_chance : Lost or None
        Cost of using the formula's winning chance with the thresholds of the score; None if
        the formula states no winning chance.
    """

    plain: Lost
    corrected: Lost
    fitted: Lost
    by_chance: Lost | None = None


@dataclass(frozen=True)
class Races:
    """Costs of race formulas at match scores, in one class of races.

    Attributes
    ----------
    cube : {"centred", "owned"}
        State of the cube.
    fewest, most : int
        Minimum and maximum number of checkers of the side that has more checkers.
    epc : float
        EPC of the roller for which the corrections were computed.
    decisions : int
        Number of decisions in games on which the loss is measured.
    corrections : dict
        Numbers of pips that are added to a formula's leads for doubling and for taking, by
        match score.
    formulas : dict
        Losses by name of the formula and match score.
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
    """Losses of money formulas at match scores, for several classes of races.

    Attributes
    ----------
    checkers : int
        Maximum number of checkers of a side in races that are studied at all scores.
    population : str
        Name of the population of decisions.
    races : list of Races
        Losses of the formulas for each class of races and state of the cube.
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
    """Apply money formulas at match scores, and measure what their decisions lose.

    Parameters
    ----------
    population : Population
        Population of games with the cube. The loss is measured on its test split, and the
        other games determine the shifts.
    rules : sequence of CountRule
        Formulas to apply.
    checkers, most_away : int
        Maximum number of checkers per side, 1 to 8, and maximum number of points that a
        player needs.
    progress : callable
        Function called with the fraction of the match scores that are completed, 0 to 1.

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
    """Return by how many pips a score shifts the leads for doubling and for taking.

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
    """Decisions in one class of races, and the losses of formulas at match scores."""

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
        """Apply all formulas at a match score."""
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
    """Race formula applied to many decisions, which gives its loss at any match score.

    Parameters
    ----------
    rule : CountRule
        Race formula that makes the cube decisions.
    rollers, opponents : ndarray of int8, shape (n, 6)
        Number of checkers of each side on the ace to the six point.
    weights : ndarray, shape (n,)
        Frequency of each decision.
    judging : ndarray of bool, shape (n,)
        Whether each decision is used to measure the loss. The other decisions determine the
        shifts.
    cube : {"centred", "owned"}
        State of the cube.
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
        """Return the losses of the formula at one match score.

        Parameters
        ----------
        answer : Values
            Exact equities of the choices in all decisions at the match score.
        pips : tuple of float
            Numbers of pips that are added to the formula's leads for doubling and for
            taking.
        chances : tuple of float
            Minimum win probability of the roller for a double, and maximum win probability
            of the roller for a take, as from `asked_of_chance`.
        """
        wrong, missed = answer.wrong_double, answer.missed_double
        taken, passed = answer.wrong_take, answer.wrong_pass
        # Players seldom make a double that loses much equity, so takes after such a double
        # are not tested.
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
    """Return by how many pips each lead exceeds the lead that a formula requires."""
    scaled = line.beyond(count, lead)
    pip = scaled - replace(line, offset=line.offset + 1).beyond(count, lead)
    return np.asarray(scaled / pip)
