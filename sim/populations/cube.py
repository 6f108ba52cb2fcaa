"""Games with the cube: who may turn it when, if both sides double and take perfectly.

The plays of a race do not depend on the cube, so the harvest of races is taken as it is,
valued, and then every race is gone through with a cube: it starts in the centre; the side
on roll doubles where that costs nothing, the other takes where that costs nothing, and a
pass ends the game. Where the table does not reach, the fast model decides.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import bearoff
from sim.populations.decisions import RaceDecisions, merge, rows_of
from sim.populations.harvest import HarvestedPairs, joined
from sim.populations.population import CubeVisits, Values
from sim.populations.values import (
    Checkpoints,
    Progress,
    model_values,
    rollout_values,
    table_values,
)

Int64Array = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

PIPS = (60, 130)
"""Least and most pips of either side when a race with the cube starts."""

LIKELY = (0.5, 0.95)
"""Chances by the fast model between which decisions may be rolled out: outside, no head
formula errs, and the model's answer does as well."""


@dataclass(frozen=True, eq=False)
class CubefulDecisions:
    """Decisions of games that are still on, with their values.

    Attributes
    ----------
    decisions : RaceDecisions
        Frequencies are those of games not yet ended by a pass.
    values : Values
        What they are worth.
    cube : CubeVisits
        Whose cube it was.
    """

    decisions: RaceDecisions
    values: Values
    cube: CubeVisits


def beyond_home(
    beyond: HarvestedPairs,
    seed: int,
    workers: int | str,
    checkpoints: Checkpoints,
    progress: Progress,
) -> CubefulDecisions:
    """Go through races with a cube until all checkers are home.

    Parameters
    ----------
    beyond : HarvestedPairs
        All visits, numbered on 24 points. They come first in a game, so nothing of it at
        home matters.
    seed : int
        Of the rollouts of what is `LIKELY` to matter.
    workers : int or "auto"
        Threads for them.
    checkpoints : Checkpoints
        Where finished pieces are stored.
    progress : callable
        Called with the name of a task and the share done, 0 to 1.
    """
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
) -> CubefulDecisions:
    """Go through races with a cube; return what they come to when all checkers are home.

    Parameters
    ----------
    home, beyond : HarvestedPairs
        All visits, numbered on 6 points and on 24.
    table : TwoSidedTable
        Values what it holds, the fast model what is only passed through.
    checkpoints : Checkpoints
        Where finished pieces are stored.
    progress : callable
        Called with the name of a task and the share done, 0 to 1.
    """
    most = bearoff.position_count(bearoff.POINTS, table.checkers)
    held = (home.rollers < most) & (home.opponents < most)
    inside = home.chosen(held)
    outside = joined([_on_24_points(home.chosen(~held)), beyond])
    met, row = _once(inside)
    found = table_values(table, met, checkpoints, progress).chosen(row)
    met, row = _once(outside)
    others = model_values(met, checkpoints, progress).chosen(row)
    walked = _walk([inside, outside], [found, others])
    return _joined(inside, found, walked.chosen(slice(len(inside))))


def _once(visits: HarvestedPairs) -> tuple[RaceDecisions, Int64Array]:
    """Return every pair once, and where each visit's stands."""
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
    """By visit: whose cube (a state of the kernel), whether it was turned, its value."""

    states: NDArray[np.int8]
    doubled: BoolArray
    stakes: Int64Array

    def chosen(self, rows: slice | BoolArray) -> "_Walked":
        return _Walked(self.states[rows], self.doubled[rows], self.stakes[rows])


def _walk(visits: list[HarvestedPairs], values: list[Values]) -> _Walked:
    """Follow the cube through each game."""
    from sim.populations import kernels

    games = np.concatenate([each.games for each in visits])
    plies = np.concatenate([each.plies for each in visits])
    equities = [
        np.concatenate([getattr(each, name) for each in values])
        for name in ("no_double", "no_redouble", "double_take")
    ]
    order = np.lexsort((plies, games))
    walked = _Walked(
        np.empty(len(games), dtype=np.int8),
        np.zeros(len(games), dtype=np.bool_),
        np.zeros(len(games), dtype=np.int64),
    )
    kernels.walk_cube(
        order, games, plies, *equities, walked.states, walked.doubled, walked.stakes
    )
    return walked


def _joined(visits: HarvestedPairs, values: Values, walked: _Walked) -> CubefulDecisions:
    """Merge the visits of games that were on."""
    from sim.populations import kernels

    on = walked.states != kernels.OVER
    visits, values, walked = visits.chosen(on), values.chosen(on), walked.chosen(on)
    pairs = visits.rollers, visits.opponents, visits.games, visits.plies
    met = merge(*pairs)
    rows = rows_of(met, *pairs[:3])
    first = np.empty(len(met), dtype=np.int64)
    first[rows] = np.arange(len(rows))

    def summed(counted: BoolArray, each: Int64Array | None = None) -> Int64Array:
        weights = counted.astype(np.float64) * (1 if each is None else each)
        return np.bincount(rows, weights, minlength=len(met)).astype(np.int64)

    owned = walked.states == kernels.OWNED
    return CubefulDecisions(
        met,
        values.chosen(first),
        CubeVisits(
            summed(walked.states == kernels.CENTRED),
            summed(owned),
            summed(walked.doubled),
            summed(owned, walked.stakes),
            summed(walked.doubled, walked.stakes),
        ),
    )


def _on_24_points(visits: HarvestedPairs) -> HarvestedPairs:
    """Number home positions as those beyond are."""

    def renumbered(numbers: Int64Array) -> Int64Array:
        counts = np.zeros((len(numbers), 24), dtype=np.int8)
        counts[:, : bearoff.POINTS] = bearoff.unrank(numbers)
        return np.asarray(bearoff.rank(counts))

    return HarvestedPairs(
        renumbered(visits.rollers), renumbered(visits.opponents), visits.games, visits.plies
    )
