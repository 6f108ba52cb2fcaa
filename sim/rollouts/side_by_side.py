"""Simultaneous rollouts of the races after alternative plays, until the best is known.

All races use the same dice in each game. The differences between their equities therefore
become accurate after far fewer games than the equities themselves. A rollout stops when the
statistical error is small compared with the systematic error (`sim.rollouts.systematic`),
or after `MOST` games of each race, provided that the equities have reached their target
standard error.

Standard errors are computed as if all dice were independent. They are slightly too large,
because the first rolls are balanced within each 1,296 games.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.sim.engine import worker_count
from bearoff.sim.play import race_key
from bearoff.sim.rollouts.estimate import Goal, exact_values, on_24_points, values_for
from bearoff.sim.rollouts.lanes import Lanes
from bearoff.sim.rollouts.results import CHUNK_GAMES, FIRST_WAVE
from bearoff.sim.rollouts.values import CHANCES, COLUMNS, STATES, ValueModel
from bearoff.sources import PairTable
from bearoff.stakes import PASS

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]

WAVE = 1296
"""Number of games of each race after which the errors are checked again."""

MOST = FIRST_WAVE * CHUNK_GAMES
"""Number of games of each race after which a rollout may stop even if the costs of plays
still have large statistical errors."""

SHARE = 0.4
"""A rollout may stop when the statistical error is at most this fraction of the systematic
error. The combined error is then at most 8% larger than the systematic error."""

NOT_SEEN = 0.0002
"""Error in points at which a rollout always stops: the error of the cost of a play or cube
decision."""

_SURE = 3.0
"""Number of standard errors by which a play must be worse than the best play to be
excluded."""


@dataclass(frozen=True, eq=False)
class Compared:
    """Equities and errors of alternative races; each array has one entry per race.

    Equities are from the roller's viewpoint, in points at a cube value of 1, or in EMG at a
    score. Errors combine the statistical and the systematic error as a root mean square.

    Attributes
    ----------
    no_double, double_take : ndarray of float64
        Equities of not doubling, and of a double that is taken. The latter is NaN if the
        roller may not double.
    no_double_error, double_take_error : ndarray of float64
    gain_error : ndarray of float64
        Error of the difference between `double_take` and `no_double`.
    cost_error : ndarray of float64
        Error of the cost of the play that leads to each race: the difference between its
        equity and the smallest equity. NaN for the race with the smallest equity, which has
        the best play.
    chances : ndarray of float64, shape (n, 3)
        Probabilities without a cube that the roller wins, wins a gammon, and loses a
        gammon.
    win_error : ndarray of float64
        Error of the roller's win probability.
    games : int
        Total number of games that were played.
    """

    no_double: Float64Array
    double_take: Float64Array
    no_double_error: Float64Array
    double_take_error: Float64Array
    gain_error: Float64Array
    cost_error: Float64Array
    chances: Float64Array
    win_error: Float64Array
    games: int


def compare(
    races: Sequence[bearoff.Race],
    goal: Goal,
    *,
    wanted: Sequence[int] = (),
    decided: Sequence[str] = (),
    equities: bearoff.MatchEquities | None = None,
    table: PairTable | None = None,
    seed: int = 0,
    workers: int | str = "auto",
    on_games: Callable[[int], object] = lambda games: None,
) -> Compared:
    """Roll out alternative races simultaneously until it is known which one is best.

    Parameters
    ----------
    races : sequence of Race
        Races after alternative plays of one player, with equal stakes and cube. The
        opponent of this player is on roll.
    goal : Goal
        Target standard error of the equities, or a number of games. Clearly inferior races
        do not need to reach the target.
    wanted : sequence of int
        Indices of the races that are rolled out until the cost of the play is known, even
        if the play is clearly inferior.
    decided : sequence of str
        Names of the cube decisions whose costs must be known before the rollout of a single
        race stops, as in `Answer.decided`. Empty for all cube decisions.
    equities, table, seed, workers
        See `sim.rollouts.rollout`.
    on_games : callable
        Function that is called with the number of games played so far.

    Raises
    ------
    BearoffError, PositionError, ScoreError
        See `sim.rollouts.rollout`.

    Examples
    --------
    The first of two alternative plays is better, so it leaves the opponent less equity:

    >>> there = bearoff.Position.parse("3,3,2,2,2,2")
    >>> places = map(bearoff.Position.parse, ("3,3,2,2,2,0", "4,3,2,2,1,1"))
    >>> races = [bearoff.Race(there, side) for side in places]
    >>> found = compare(races, Goal(0.01), wanted=[1])
    >>> bool(found.no_double[0] < found.no_double[1]), bool(found.cost_error[1] < 0.02)
    (True, True)
    """
    races = [on_24_points(race) for race in races]
    longest = max(races, key=lambda race: max(race.roller.pips, race.opponent.pips))
    values = values_for(longest, table, equities=equities)
    numbers = races[0].roller.number, races[0].opponent.number
    sides = [_Race(values, race, race_key(seed, *numbers)) for race in races]
    count, done = worker_count(workers), 0
    kept = set(wanted)
    with ThreadPoolExecutor(count) as pool:
        while True:
            going = [one for one in sides if not one.over]
            size = max(WAVE, min(done, MOST - done if done < MOST else done))
            starts = range(done, done + size, WAVE)
            asked = [(one, first) for one in going for first in starts]
            for one, played in zip(
                (one for one, _ in asked),
                pool.map(lambda task: task[0].play(task[1]), asked),
                strict=True,
            ):
                one.add(played)
            done += size
            _stop(sides, kept, decided, goal, done)
            on_games(sum(one.games for one in sides))
            if all(one.over for one in sides):
                return _compared(sides)


class _Race:
    """Results of all games of one race that have been played so far."""

    def __init__(self, values: ValueModel, race: bearoff.Race, key: int) -> None:
        self._values, self._race, self._key = values, race, key
        weights = np.zeros((2, len(COLUMNS)))
        weights[0, STATES.index(race.cube)] = values.units[STATES.index(race.cube)]
        weights[1, STATES.index("opponent")] = 2.0
        self._weights = weights
        self.may_double = race.cube in values.doublings
        exact = exact_values(values, race)
        self.systematic = values.systematic_error(race)
        self._parts: list[Float64Array] = []
        self._sums, self._squares = np.zeros(len(COLUMNS)), 0.0
        self.games, self.over = 0, exact is not None
        if exact is not None:
            self.systematic = values.stored_error
            self._parts, self._sums = [(weights @ exact.means)[None]], exact.means

    def play(self, first: int) -> Float64Array:
        return Lanes(self._values, self._race, 0, first, WAVE, key=self._key).play()

    def add(self, played: Float64Array) -> None:
        self._parts.append(played @ self._weights.T)
        self._sums += played.sum(axis=0)
        self._squares += float((played[:, 0] ** 2).sum())
        self.games += len(played)

    @property
    def both(self) -> Float64Array:
        """Equities of no double, and of double and take, in each game, shape (games, 2)."""
        if len(self._parts) > 1:
            self._parts = [np.concatenate(self._parts)]
        return self._parts[0]

    @property
    def right(self) -> tuple[Float64Array, float]:
        """Equity of each game with the right cube action, and its systematic error.

        The error is the larger of the systematic errors with and without a double. If a
        double is clearly passed, it is the error without a double.
        """
        waits, taken = self.both.T
        off = self._waiting
        if not self.may_double:
            return waits, off
        if not self.is_passed_surely:
            off = max(off, self.systematic.double_take)
        if self.is_passed:
            return np.full(len(waits), PASS), off
        return (taken if taken.mean() > waits.mean() else waits), off

    @property
    def is_passed_surely(self) -> bool:
        """Whether passing a double is better than taking by more than the errors."""
        taken = self.both[:, 1]
        error = np.hypot(_error(taken), self.systematic.double_take)
        return bool(self.may_double and taken.mean() - 2 * error > PASS)

    @property
    def is_passed(self) -> bool:
        waits, taken = self.both.mean(axis=0)
        return bool(self.may_double and taken > PASS and waits < PASS)

    @property
    def _waiting(self) -> float:
        """Systematic error of the equity if the roller does not double."""
        if self._race.cube != "opponent":
            return self.systematic.no_double
        unit = float(self._values.units[STATES.index("opponent")])
        return self.systematic.double_take * unit / 2

    def errors(self) -> tuple[float, float, float]:
        """Return standard errors: no double, double and take, and their difference."""
        waits, taken = self.both.T
        return _error(waits), _error(taken), _error(taken - waits)

    def is_known(self, goal: Goal, decided: Sequence[str]) -> bool:
        """Return whether the errors of all required equities and costs are small enough."""
        waits, taken, gain = self.errors()
        off = self.systematic
        worst = waits if not self.may_double else max(waits, taken)
        if worst > goal.standard_error and not self.is_passed_surely:
            return False
        if not self.may_double or self.is_passed_surely:
            return waits <= min(goal.standard_error, max(SHARE * self._waiting, NOT_SEEN))
        no_double, double_take = self.both.mean(axis=0)
        gained = float(min(double_take, PASS) - no_double)
        doubling = gained, gain, off.no_double + off.double_take
        taking = float(PASS - double_take), taken, off.double_take
        for decision in decided or ("double", "no double", "take", "pass"):
            by, dice, players = doubling if "double" in decision else taking
            right = by if decision in ("double", "take") else -by
            # If the decision is clearly right, its cost is 0 and has no error. A larger
            # statistical error of the equities is therefore allowed.
            sure = right > _SURE * np.hypot(dice, players)
            if dice > max((1.0 if sure else SHARE) * players, NOT_SEEN):
                return False
        return True

    def row(self) -> tuple[float, ...]:
        """Return two equities and three errors, in the order of `Compared`."""
        waits, taken = self.both.mean(axis=0)
        dice = self.errors()
        off = self._waiting, self.systematic.double_take
        own, its, gain = (
            float(np.hypot(e, o)) for e, o in zip(dice, (*off, sum(off)), strict=True)
        )
        if not self.may_double:
            taken = its = gain = np.nan
        return waits, taken, own, its, gain

    @property
    def chances(self) -> list[float]:
        """Probabilities that the roller wins, wins a gammon, and loses a gammon."""
        means = self._sums / max(self.games, 1)
        first = COLUMNS.index(CHANCES[0])
        return [(means[0] + 1) / 2, means[first], means[first + 1]]

    @property
    def win_error(self) -> float:
        dice = 0.0
        if self.games:
            variance = self._squares / self.games - (self._sums[0] / self.games) ** 2
            dice = np.sqrt(max(variance, 0.0) / self.games) / 2
        return float(np.hypot(dice, self.systematic.win_probability))


def _error(games: Float64Array) -> float:
    return float(games.std() / np.sqrt(len(games)))


def _difference(one: _Race, best: _Race) -> tuple[float, float, float]:
    """Return the difference between two races' equities, with its errors.

    The two errors are the statistical and the systematic error.
    """
    (mine, off), (theirs, least) = one.right, best.right
    count = min(len(mine), len(theirs)) if one.games and best.games else None
    apart = mine[:count] - theirs[:count]
    return float(apart.mean()), _error(apart), off + least


def _best(sides: Sequence[_Race]) -> _Race:
    """Return the race with the lowest equity, leaving out races that were stopped."""
    most = max(one.games for one in sides)
    near = [one for one in sides if one.games in (0, most)]
    return min(near, key=lambda one: float(one.right[0].mean()))


def _stop(
    sides: Sequence[_Race], wanted: set[int], decided: Sequence[str], goal: Goal, done: int
) -> None:
    """Stop clearly inferior races, or all races if the best one is known."""
    best = _best(sides)
    if len(sides) == 1:
        known = best.is_known(goal, decided)
    else:
        known = _error(best.right[0]) <= goal.standard_error
    for place, one in enumerate(sides):
        if one is best or one.over:
            continue
        apart, dice, off = _difference(one, best)
        if place not in wanted and apart > _SURE * dice + NOT_SEEN:
            one.over = True
            continue
        known &= dice <= max(SHARE * off, NOT_SEEN)
        known &= _error(one.right[0]) <= goal.standard_error
    met = all(one.over or _error(one.right[0]) <= goal.standard_error for one in sides)
    if known or done >= goal.at_most or (done >= MOST and met):
        for one in sides:
            one.over = True


def _compared(sides: Sequence[_Race]) -> Compared:
    rows = np.array([one.row() for one in sides])
    costs = np.full(len(sides), np.nan)
    if len(sides) > 1:
        best = _best(sides)
        own = best.right[0].mean()
        for place, one in enumerate(sides):
            apart, dice, off = _difference(one, best)
            if one is not best:
                costs[place] = np.hypot(dice, off)
            # All races share the same dice. The equity of the best race plus the difference
            # from it is therefore more precise than the mean over the games of this race
            # alone.
            if not one.is_passed:
                rows[place, :2] += own + apart - one.right[0].mean()
    no_double, double_take, own, its, gain = rows.T
    chances = np.array([one.chances for one in sides])
    win_error = np.array([one.win_error for one in sides])
    games = sum(one.games for one in sides)
    return Compared(
        no_double, double_take, own, its, gain, costs, chances, win_error, games
    )
