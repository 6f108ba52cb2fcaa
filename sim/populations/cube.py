"""Perfect cube decisions in simulated races, and the cube owner at each decision.

Checker plays in these races do not depend on the cube. The races are therefore played
without a cube, and the equities of all positions are computed. The cube decisions are then
added, from the start of each race, which has a centred cube. A side doubles or takes
whenever this is right by these equities. A pass ends the game. Positions outside the
two-sided table have equities of the fast model.

Optionally, one side decides by a given cube strategy instead of perfectly. The decisions in
each race are then made twice, so that each side uses the strategy once. Only decisions of
the side with the strategy are counted.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.matchup import CubeDecision, CubeStrategy
from bearoff.sim.populations.decisions import RaceDecisions, merge, rows_of
from bearoff.sim.populations.harvest import HarvestedPairs, joined
from bearoff.sim.populations.population import CubeVisits, DecisionValues
from bearoff.sim.populations.values import (
    Checkpoints,
    Progress,
    model_values,
    rollout_values,
    table_values,
)

Int64Array = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

PIPS = (60, 130)
"""Minimum and maximum pip count of a side at the start of a race with a cube."""

LIKELY = (0.5, 0.95)
"""Range of win probabilities in which cube decisions may be rolled out. Outside this range,
cube formulas make no errors, and the fast model is accurate enough."""


@dataclass(frozen=True, eq=False)
class CubefulDecisions:
    """Cube decisions that occur in games with a cube, and their equities.

    Attributes
    ----------
    decisions : RaceDecisions
        Decisions with their frequencies. A game that ends with a pass contributes no
        decisions after the pass.
    """

    decisions: RaceDecisions
    values: DecisionValues
    cube: CubeVisits


def beyond_home(
    beyond: HarvestedPairs,
    seed: int,
    workers: int | str,
    checkpoints: Checkpoints,
    progress: Progress,
) -> CubefulDecisions:
    """Return the cube decisions of races in which a checker is outside a home board."""
    met, row = _once(beyond)
    values = model_values(met, checkpoints, progress)
    low, high = LIKELY
    chance = values.win_probability
    rows = np.flatnonzero((low <= chance) & (chance <= high))
    if len(rows):
        rolled = rollout_values(met, rows, seed, workers, checkpoints, progress)
        values = values.replaced(rows, rolled)
    found = values.chosen(row)
    return _joined(beyond, found, _walk([beyond], [found]))


def at_home(
    home: HarvestedPairs,
    beyond: HarvestedPairs,
    table: bearoff.TwoSidedTable,
    checkpoints: Checkpoints,
    progress: Progress,
    strategy: CubeStrategy | None = None,
) -> CubefulDecisions:
    """Return the cube decisions of races in which all checkers are in the home boards."""
    most = bearoff.position_count(bearoff.POINTS, table.checkers)
    held = (home.rollers < most) & (home.opponents < most)
    inside = home.chosen(held)
    outside = joined([_on_24_points(home.chosen(~held)), beyond])
    met, row = _once(inside)
    found = table_values(table, met, checkpoints, progress).chosen(row)
    others, other_row = _once(outside)
    modelled = model_values(others, checkpoints, progress).chosen(other_row)
    visits, values = [inside, outside], [found, modelled]
    if strategy is None:
        walked = _walk(visits, values)
        return _joined(inside, found, walked.chosen(slice(len(inside))))
    decided = _together(
        [
            _decided(strategy, met, bearoff.POINTS, row),
            _decided(strategy, others, 24, other_row),
        ]
    )
    walks = [
        _walk(visits, values, decided, player).chosen(slice(len(inside)))
        for player in (0, 1)
    ]
    twice = np.tile(np.arange(len(inside)), 2)
    walked = _Walked(
        *(
            np.concatenate([getattr(walk, field.name) for walk in walks])
            for field in fields(_Walked)
        )
    )
    return _joined(inside.chosen(twice), found.chosen(twice), walked)


def _decided(
    strategy: CubeStrategy, met: RaceDecisions, points: int, row: Int64Array
) -> CubeDecision:
    """Return a strategy's decisions for all rows, asking once per pair of positions."""
    sides = (bearoff.unrank(side, points) for side in (met.rollers, met.opponents))
    answer = strategy.decide(*sides)
    return CubeDecision(answer.double[row], answer.redouble[row], answer.take[row])


def _together(answers: list[CubeDecision]) -> CubeDecision:
    return CubeDecision(
        *(
            np.concatenate([getattr(each, field.name) for each in answers])
            for field in fields(CubeDecision)
        )
    )


def _once(visits: HarvestedPairs) -> tuple[RaceDecisions, Int64Array]:
    """Return the distinct pairs of positions, and for every row the index of its pair."""
    _, first, row = np.unique(
        np.stack([visits.rollers, visits.opponents], 1),
        axis=0,
        return_index=True,
        return_inverse=True,
    )
    once = visits.chosen(first)
    met = merge(once.rollers, once.opponents, 0 * once.games, once.plies)
    return met, np.asarray(row.ravel(), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Walked:
    """Owner and value of the cube at each decision in recorded games.

    The mask `rolls` tells whether the roller's decision is counted, and `answers` whether
    the answer to a double is.
    """

    states: NDArray[np.int8]
    doubled: BoolArray
    stakes: Int64Array
    rolls: BoolArray
    answers: BoolArray

    def chosen(self, rows: slice | BoolArray) -> "_Walked":
        return _Walked(*(getattr(self, field.name)[rows] for field in fields(self)))

    @property
    def counted(self) -> BoolArray:
        """Mask of the cube decisions that are counted, all of them before any pass."""
        from bearoff.sim.populations import kernels

        if (self.rolls & self.answers).all():
            return np.asarray(self.states != kernels.OVER)
        able = (self.states == kernels.CENTRED) | (self.states == kernels.OWNED)
        return np.asarray(able & self.rolls | self.doubled & self.answers)


def _walk(
    visits: list[HarvestedPairs],
    values: list[DecisionValues],
    decided: CubeDecision | None = None,
    player: int = 0,
) -> _Walked:
    """Compute the cube's owner and value at each decision of simulated races."""
    from bearoff.sim.populations import kernels

    games = np.concatenate([each.games for each in visits])
    plies = np.concatenate([each.plies for each in visits])
    no_double, no_redouble, double_take = (
        np.concatenate([getattr(each, name) for each in values])
        for name in ("no_double", "no_redouble", "double_take")
    )
    worth = np.minimum(double_take, 1.0)
    doubles, redoubles, takes = worth >= no_double, worth >= no_redouble, double_take <= 1
    mine = others = np.ones(len(games), dtype=np.bool_)
    if decided is not None:
        mine = plies % 2 == player
        others = ~mine
        doubles = np.where(mine, decided.double, doubles)
        redoubles = np.where(mine, decided.redouble, redoubles)
        takes = np.where(others, decided.take, takes)
    walked = _Walked(
        np.empty(len(games), dtype=np.int8),
        np.zeros(len(games), dtype=np.bool_),
        np.zeros(len(games), dtype=np.int64),
        mine,
        others,
    )
    kernels.walk_cube(
        np.lexsort((plies, games)),
        games,
        plies,
        doubles,
        redoubles,
        takes,
        walked.states,
        walked.doubled,
        walked.stakes,
    )
    return walked


def _joined(
    visits: HarvestedPairs, values: DecisionValues, walked: _Walked
) -> CubefulDecisions:
    """Merge equal cube decisions that occur before a pass, and sum their frequencies."""
    from bearoff.sim.populations import kernels

    on = walked.counted
    visits, values, walked = visits.chosen(on), values.chosen(on), walked.chosen(on)
    pairs = visits.rollers, visits.opponents, visits.games, visits.plies
    met = merge(*pairs)
    rows = rows_of(met, *pairs[:3])
    first = np.empty(len(met), dtype=np.int64)
    first[rows] = np.arange(len(rows))

    def summed(counted: BoolArray, each: Int64Array | None = None) -> Int64Array:
        weights = counted.astype(np.float64) * (1 if each is None else each)
        return np.bincount(rows, weights, minlength=len(met)).astype(np.int64)

    owned = (walked.states == kernels.OWNED) & walked.rolls
    doubled = walked.doubled & walked.answers
    return CubefulDecisions(
        met,
        values.chosen(first),
        CubeVisits(
            summed((walked.states == kernels.CENTRED) & walked.rolls),
            summed(owned),
            summed(doubled),
            summed(owned, walked.stakes),
            summed(doubled, walked.stakes),
        ),
    )


def _on_24_points(visits: HarvestedPairs) -> HarvestedPairs:
    """Convert position numbers on the home board to position numbers on 24 points."""

    def renumbered(numbers: Int64Array) -> Int64Array:
        counts = np.zeros((len(numbers), 24), dtype=np.int8)
        counts[:, : bearoff.POINTS] = bearoff.unrank(numbers)
        return np.asarray(bearoff.rank(counts))

    return HarvestedPairs(
        renumbered(visits.rollers), renumbered(visits.opponents), visits.games, visits.plies
    )
