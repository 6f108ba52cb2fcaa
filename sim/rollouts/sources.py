"""Sources of race equities that are estimated by rollouts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.scores import Game
from bearoff.sim.rollouts import sums
from bearoff.sim.rollouts.estimate import Goal, rollout, truncation_table
from bearoff.sim.rollouts.results import ROUNDING, Rollout, whole_error
from bearoff.sim.rollouts.side_by_side import compare
from bearoff.sources import Kind, PairTable, Races
from bearoff.stakes import CubeOwner, Match, Stakes, Values

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

GOAL = Goal(0.002)
"""Default condition that ends a rollout: a standard error of 0.002, or the default maximum
number of games."""

_MATCH_CHECKERS = 6
"""Number of checkers per side in the table at which games at a match score stop."""


@dataclass(frozen=True, eq=False)
class RolloutSource:
    """Source of equities that rolls out the given races one after another.

    Equities are those of `bearoff.stakes.Values`, and each error is a `whole_error`.

    Attributes
    ----------
    race : Race
        Race whose cube and match score apply to all races that are rolled out.
    goal : Goal
        Condition that ends each rollout.
    seed : int
        Seed of the dice. All races after alternative plays have the same dice.
    workers : int or "auto"
        Number of threads.
    watch : callable
        Function that is called at the beginning of each rollout and returns the
        `on_progress` function of the rollout; see `sim.rollouts.rollout`.
    """

    race: bearoff.Race
    goal: Goal = GOAL
    seed: int = 0
    workers: int | str = "auto"
    watch: Callable[[], Callable[[sums.Moments], bool | None]] = lambda: lambda _: None
    kind: Kind = "rollout"

    def values(self, races: Races) -> Values:
        """Roll out the races one after another; return the roller's equities."""
        columns = np.array([self._of(races, row) for row in range(len(races))])
        unknown = np.full((1, len(races)), np.nan)
        return replace(
            Values(races.terms, races.owners, *columns.T, *unknown), tie=ROUNDING
        )

    def _of(self, races: Races, row: int) -> tuple[float, ...]:
        race = _race_of(self.race, races, row)
        table, equities = _rests_on(race, races.terms.seen)
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


def _race_of(race: bearoff.Race, races: Races, row: int) -> bearoff.Race:
    return replace(
        race.exchanged() if races.terms.turned else race,
        roller=bearoff.Position(tuple(races.rollers[row].tolist())),
        opponent=bearoff.Position(tuple(races.opponents[row].tolist())),
        cube=CubeOwner(races.owners[row]).cube,
        dice=None,
    )


def _rests_on(
    race: bearoff.Race, stakes: Stakes
) -> tuple[PairTable | None, bearoff.MatchEquities | None]:
    """Return the two-sided table at which games stop, and the match equity table."""
    if not isinstance(stakes, Match):
        return truncation_table(race), None
    if stakes.equities != bearoff.match_equities():
        return None, stakes.equities
    return _match_table(stakes.score.away, stakes.score.game), stakes.equities


@lru_cache(maxsize=4)
def _match_table(away: tuple[int, int], game: Game) -> bearoff.MatchTable:
    return bearoff.match_table(_MATCH_CHECKERS, away, game)


def _row(found: Rollout) -> tuple[float, ...]:
    action = found.action
    return (
        found.value.value,
        np.nan if action is None else action.double_take.value,
        whole_error(found.value, found.units),
        np.nan if action is None else whole_error(action.double_take, found.units),
        found.win_probability.value,
        whole_error(found.win_probability, found.units),
        found.gammon_won.value,
        found.gammon_lost.value,
        np.nan if action is None else whole_error(action.gain, found.units),
    )


@dataclass(frozen=True, eq=False)
class PairedSource:
    """Source of equities that rolls out the races after alternative plays simultaneously.

    All races have the same dice, so that the costs of plays become accurate after few
    games; see `sim.rollouts.side_by_side`. Attributes not listed here are the same as in
    `RolloutSource`.

    Attributes
    ----------
    played : Position or None
        Position after the play whose cost is required; None if no cost is required.
    decided : tuple of str
        Names of the cube decisions whose costs are required. Empty for all decisions.
    """

    race: bearoff.Race
    goal: Goal = GOAL
    played: bearoff.Position | None = None
    decided: tuple[str, ...] = ()
    seed: int = 0
    workers: int | str = "auto"
    watch: Callable[[int], object] = lambda games: None
    kind: Kind = "rollout"

    def values(self, races: Races) -> Values:
        """Roll out the races simultaneously; return the roller's equities."""
        rows = [_race_of(self.race, races, row) for row in range(len(races))]
        turned = [row.opponent for row in rows]
        wanted = [k for k, side in enumerate(turned) if _same(side, self.played)]
        table, equities = _rests_on(rows[0], races.terms.seen)
        found = compare(
            rows,
            self.goal,
            wanted=wanted,
            decided=self.decided if len(rows) == 1 else (),
            equities=equities,
            table=table,
            seed=self.seed,
            workers=self.workers,
            on_games=self.watch,
        )
        return Values(
            races.terms,
            races.owners,
            found.no_double,
            found.double_take,
            found.no_double_error,
            found.double_take_error,
            found.chances[:, 0],
            found.win_error,
            found.chances[:, 1],
            found.chances[:, 2],
            found.gain_error,
            found.cost_error,
            tie=ROUNDING,
        )


def _same(side: bearoff.Position, played: bearoff.Position | None) -> bool:
    """Return whether two positions, perhaps on different boards, have the same checkers."""
    if played is None:
        return False
    one, other = (position.counts for position in (side, played))
    count = min(len(one), len(other))
    return one[:count] == other[:count] and not any(one[count:] + other[count:])
