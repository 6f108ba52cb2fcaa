"""Values of a race, and of what can become of it, by rollouts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.scores import Game
from bearoff.sources import Kind, Races
from bearoff.stakes import Match, Stakes, Values
from sim.rollouts import (
    Estimate,
    Goal,
    Rollout,
    rollout,
    sums,
    truncation_table,
)

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

_CUBES: dict[int, Literal["centred", "owned", "opponent"]] = {
    1: "owned",
    0: "centred",
    -1: "opponent",
}

ROUNDING = 1e-9
"""Equity that sums of games do not tell apart."""

GOAL = Goal(0.002)
"""When a rollout ends if nothing else is asked for."""

_MATCH_CHECKERS = 6
"""Checkers of the table at a score that games stop in; it is solved in some tenths of a
second."""


@dataclass(frozen=True, eq=False)
class Rolled:
    """Rolls out one race and the positions that its plays lead to.

    Equities are as of `bearoff.answers.Values`; their errors are the standard
    and the systematic errors of rollouts, added in squares.

    Attributes
    ----------
    race : Race
        With cube and score.
    goal : Goal
        When each rollout ends.
    seed : int
        Of the dice, the same for each, so that plays are compared by the same luck.
    workers : int or "auto"
        Threads.
    watch : callable
        Asked for a function at the start of each rollout that is called with the moments
        so far.
    """

    race: bearoff.Race
    goal: Goal = GOAL
    seed: int = 0
    workers: int | str = "auto"
    watch: Callable[[], Callable[[sums.Moments], object]] = lambda: lambda moments: None
    kind: Kind = "rollout"

    def values(self, races: Races) -> Values:
        """Roll the races out, one after the other."""
        columns = np.array([self._of(races, row) for row in range(len(races))])
        found = Values(races.terms, races.owners, *columns.T)
        return replace(found, tie=ROUNDING)

    def _of(self, races: Races, row: int) -> tuple[float, ...]:
        race = replace(
            self.race.exchanged() if races.terms.turned else self.race,
            roller=bearoff.Position(tuple(races.rollers[row].tolist())),
            opponent=bearoff.Position(tuple(races.opponents[row].tolist())),
            cube=_CUBES[int(races.owners[row])],
            dice=None,
        )
        return self._rolled(race, races.terms.seen)

    def _rolled(self, race: bearoff.Race, stakes: Stakes) -> tuple[float, ...]:
        table: bearoff.TwoSidedTable | bearoff.MatchTable | None = None
        equities = None
        if race.score is None:
            table = truncation_table(race)
        else:
            assert isinstance(stakes, Match)
            equities = stakes.equities
            if equities == bearoff.match_equities():
                table = _match_table(race.score.away, race.score.game)
        found = rollout(
            race,
            self.goal,
            equities=equities,
            table=table,
            seed=self.seed,
            workers=self.workers,
            on_progress=self.watch(),
        )
        return _row(found)


@lru_cache(maxsize=4)
def _match_table(away: tuple[int, int], game: Game) -> bearoff.MatchTable:
    return bearoff.match_table(_MATCH_CHECKERS, away, game)


def _row(found: Rollout) -> tuple[float, ...]:
    """Values of a race in the order of `Values`."""
    action = found.action
    return (
        found.value.value,
        np.nan if action is None else action.double_take.value,
        _error(found.value),
        np.nan if action is None else _error(action.double_take),
        found.win_probability.value,
        found.gammon_won.value,
        found.gammon_lost.value,
    )


def _error(estimate: Estimate) -> float:
    """Add the standard and the systematic error in squares."""
    return float(np.hypot(estimate.standard_error, estimate.systematic_error or 0.0))
