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

from analysis.errors import FitError
from analysis.formulas.rules import CountRule, Line
from analysis.studies.match_leads import long_window
from bearoff import POINTS, MatchActions, Score, match_actions, match_table, rank
from sim.populations import SPLITS, Population

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]

EPC = 30.0
"""Effective pips of the roller whose typical races say how to correct, about as many as
rollers of eight checkers have."""

FAR = (25, 25)
"""A score at which equities are nearly money's."""

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
    """

    plain: Lost
    corrected: Lost
    fitted: Lost


@dataclass(frozen=True)
class FormulaStudy:
    """What formulas lose at scores.

    Attributes
    ----------
    checkers : int
        Most checkers of a side.
    decisions : int
        Visits that judge.
    population : str
        What they are of.
    corrections : dict
        Whole pips later to double and further to take, by points away.
    formulas : dict
        By name and points away; at `FAR` next to money's.
    """

    checkers: int
    decisions: int
    population: str
    corrections: dict[tuple[int, int], tuple[int, int]]
    formulas: dict[str, dict[tuple[int, int], Followed]]


def study_match_formulas(
    population: Population,
    rules: Sequence[CountRule],
    checkers: int = 8,
    most_away: int = 9,
    progress: Callable[[float], None] = lambda done: None,
) -> FormulaStudy:
    """Follow formulas at all scores to `most_away`, with a centred cube.

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
        If the population has no such decisions of a centred cube.
    """
    chosen = _decisions(population, checkers)
    assert chosen.cube is not None
    judging = chosen.decisions.splits == SPLITS.index("test")
    weights = chosen.cube.centred
    sides = chosen.roller_counts, chosen.opponent_counts
    x, y = (rank(side.astype(np.int64)) for side in sides)
    followed = [FormulaAtScores(rule, *sides, weights, judging) for rule in rules]
    aways = [*combinations_with_replacement(range(2, most_away + 1), 2), FAR]
    losses: dict[str, dict[tuple[int, int], Followed]] = {rule.name: {} for rule in rules}
    corrections = {}
    for done, away in enumerate(aways, start=1):
        table = match_table(checkers, away)
        for seen in {table.score.away: table, away[::-1]: table.exchanged()}.values():
            answer = match_actions(seen, x, y)
            pips = correction(seen.score)
            corrections[seen.score.away] = pips
            for one in followed:
                losses[one.rule.name][seen.score.away] = one.follow(answer, pips)
        progress(done / len(aways))
    return FormulaStudy(
        checkers,
        int(weights[judging].sum()),
        population.about["text"],
        dict(sorted(corrections.items())),
        {name: dict(sorted(found.items())) for name, found in losses.items()},
    )


def correction(score: Score) -> tuple[int, int]:
    """By how many pips to double later than for money, and how many further to take.

    Examples
    --------
    >>> correction(Score((2, 4))), correction(Score((4, 2)))
    ((4, 2), (1, 1))
    """
    here, money = (long_window(one, EPC) for one in (score, Score(FAR)))
    return (
        round(here.double_lead - money.double_lead),
        round(here.take_lead - money.take_lead),
    )


def _decisions(population: Population, checkers: int) -> Population:
    if population.cube is None or population.about["points"] != POINTS:
        raise FitError(
            f"the population {population.about['name']!r} is not of games with the cube at "
            "home; take cubeful"
        )
    most = np.maximum(
        population.roller_counts.sum(axis=1), population.opponent_counts.sum(axis=1)
    )
    met = population.cube.centred > 0
    return population.chosen(met & (most > BY_MEMORY) & (most <= checkers))


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
    """

    def __init__(
        self,
        rule: CountRule,
        rollers: NDArray[np.int8],
        opponents: NDArray[np.int8],
        weights: NDArray[np.int64],
        judging: BoolArray,
    ) -> None:
        ours, theirs = rule.count.of(rollers, opponents)
        self.rule = rule
        self._weights, self._judging = weights, judging
        self._doubled = _beyond(rule.double, ours, theirs - ours)
        self._taken = _beyond(rule.last_take, ours, theirs - ours)

    def follow(self, answer: MatchActions, pips: tuple[float, float]) -> Followed:
        """Price the formula at a score; `pips` are later to double and further to take."""
        wrong, missed = (
            answer.emg(cost) for cost in (answer.wrong_double, answer.missed_double)
        )
        taken, passed = (
            answer.emg(cost) for cost in (answer.wrong_take, answer.wrong_pass)
        )
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
        return Followed(lost(0.0, 0.0), lost(*pips), lost(later, further))

    def _mean(self, costs: Float64Array, part: BoolArray) -> float:
        weights = self._weights[part]
        return float(costs[part] @ weights / weights.sum()) if weights.sum() else 0.0


def _beyond(line: Line, count: Float64Array, lead: Float64Array) -> Float64Array:
    """Return by how many pips each lead is beyond a line."""
    scaled = line.beyond(count, lead)
    pip = scaled - replace(line, offset=line.offset + 1).beyond(count, lead)
    return np.asarray(scaled / pip)
