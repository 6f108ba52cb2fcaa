"""Gammon probabilities after each roll, and plays that save gammons.

A side with 15 checkers that may lose a gammon has up to three candidate plays per roll: the
fewest-rolls play, which wins most races; the play with the fewest rolls to the first
checker off (`bearoff.bear_in.saving_bear_in`); and, if the winner may need two rolls, the
play that makes the next roll most likely to take a checker off. It makes the play of
highest value. The chance of winning assumes fewest-rolls play from then on; the gammon and
backgammon chances assume saving plays.

Chances are exact for these plays if both sides are home. If only the winner is home, the
winner's rolls and the loser's next roll are exact, and the loser's further rolls to its
first checker off have a normal distribution. Otherwise both sides' rolls have normal
distributions. So do those for backgammons, in which the loser must leave the winner's home
board.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.bear_in import LAST_SIX, first_off, idle_chances, soonest
from bearoff.one_sided import gammons
from bearoff.sim.rollouts.boards import HOME_BOARD, RollStatistics
from bearoff.sim.rollouts.values import ValueModel

BoolArray = NDArray[np.bool_]
Counts8 = NDArray[np.int8]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

RISK = -3.0
"""Minimum value of the losing side's lead in rolls, in standard deviations, with which a
gammon is possible."""

CARELESS = 0.25
"""Minimum standard deviation of the number of rolls, for a side that does not try to save
the gammon."""

MORE = 1e-6
"""Minimum gain in points for which another play is preferred; it exceeds rounding
errors."""

SOON = 0.5
"""Minimum probability that the winner needs exactly two rolls, given at least two, for the
play `soonest` to be considered. Otherwise a choice by estimated probabilities would bias
the estimates."""


def _ahead(on_roll: bool) -> float:
    """Return the winner's advantage of being on roll, in rolls: 0.5 or -0.5."""
    return 0.5 if on_roll else -0.5


class Needs(NamedTuple):
    """Numbers of rolls that sides with 15 checkers need to save a gammon or backgammon.

    Attributes
    ----------
    numbers : ndarray of int64
        Position number in the home board; -1 with a checker outside the home board.
    first_off, first_off_variance : ndarray of float64
        Mean and variance of the rolls to the first checker off; the mean is minus infinity
        if one is off.
    leaving, leaving_variance : ndarray of float64
        Mean and variance of the rolls to leave the opponent's home board.
    next_roll : ndarray of float64
        Probability of bearing off no checker on the next roll, for sides with checkers
        outside the home board.
    """

    numbers: Int64Array
    first_off: Float64Array
    first_off_variance: Float64Array
    leaving: Float64Array
    leaving_variance: Float64Array
    next_roll: Float64Array

    @classmethod
    def of(cls, values: ValueModel, numbers: Int64Array, counts: Counts8) -> "Needs":
        """Return the rolls needed to save gammons: exact at home, otherwise estimated.

        `counts`, shape (..., 24), are needed for sides with checkers outside.
        """
        outside = numbers < 0
        mean, variance = _first_off_at_home()[:, numbers]
        mean[outside], variance[outside] = first_off(counts[outside])
        back = bearoff.rank(counts[..., LAST_SIX:])
        gone = (back == 0) | ~outside
        next_roll = np.ones(numbers.shape)
        next_roll[outside] = values.idle_next(counts[outside])
        return cls(
            numbers,
            mean,
            variance,
            np.where(gone, -np.inf, values.home.mean_rolls[back]),
            np.where(gone, 1.0, values.home.std_rolls[back] ** 2),
            next_roll,
        )

    def before_rolls(self) -> "Needs":
        """Return the arrays with an additional axis for the roll."""
        return self.at((slice(None), None))

    def at(self, sides: Any) -> "Needs":
        return Needs(
            self.numbers[sides],
            self.first_off[sides],
            self.first_off_variance[sides],
            self.leaving[sides],
            self.leaving_variance[sides],
            self.next_roll[sides],
        )

    def at_risk(self, winner: RollStatistics, *, on_roll: bool) -> BoolArray:
        """Return whether each side may lose a gammon to the winner."""
        lead = self.first_off + _ahead(on_roll) - winner.rolls
        spread = np.sqrt(self.first_off_variance + winner.std_rolls**2)
        return np.asarray(lead > RISK * np.maximum(spread, CARELESS))

    def chances(
        self, winner: RollStatistics, values: ValueModel, *, on_roll: bool
    ) -> tuple[Float64Array, Float64Array]:
        """Return the winner's probabilities of at least a gammon, and of a backgammon."""
        losers, first, first_variance, leaving, leaving_variance, next_roll, *against = (
            np.broadcast_arrays(*self, winner.numbers, winner.rolls, winner.std_rolls)
        )
        winners, rolls, std = against
        gammon, backgammon = np.zeros((2, *winners.shape))
        off = winners == 0  # a gammon that is not saved is lost
        gammon[off], backgammon[off] = np.isfinite(first[off]), np.isfinite(leaving[off])
        home = (losers >= 0) & (winners > 0)
        gammon[home] = values.gammon_at_home(winners[home], losers[home], on_roll)
        known = (losers < 0) & (winners > 0)
        gammon[known] = idle_chances(
            values.home.distribution,
            winners[known],
            first[known],
            first_variance[known],
            next_roll[known],
            on_roll=on_roll,
        )
        ahead = _ahead(on_roll)
        for found, where, mean, variance in (
            (gammon, winners < 0, first, first_variance),
            (backgammon, np.isfinite(leaving) & ~off, leaving, leaving_variance),
        ):
            found[where] = values.chance_above_zero(
                mean[where] + (ahead - rolls[where]),
                np.sqrt(variance[where] + std[where] ** 2),
            )
        return gammon, np.minimum(gammon, backgammon)


class Chances(NamedTuple):
    """Probabilities that one side loses a gammon, after each roll of the side on roll.

    Attributes
    ----------
    games : ndarray of int64, shape (n,)
        Indices of the games in which a gammon is possible.
    gammon, backgammon : ndarray of float64, shape (n, 21)
        The gammon chance includes backgammons.
    """

    games: Int64Array
    gammon: Float64Array
    backgammon: Float64Array

    def before_roll(self, games: int) -> Float64Array:
        """Return gammon and backgammon probabilities before the roll, shape (games, 2)."""
        found = np.zeros((games, 2))
        found[self.games, 0] = self.gammon @ THROWN
        found[self.games, 1] = self.backgammon @ THROWN
        return found


THROWN = np.array(bearoff.WEIGHTS) / 36
"""Probability of each roll."""

NO_CHANCES = Chances(np.empty(0, np.int64), np.empty((0, 21)), np.empty((0, 21)))


@dataclass(frozen=True, eq=False)
class Saves:
    """Plays of a side in games in which it may lose a gammon.

    Attributes
    ----------
    after : RollStatistics
        Statistics of the rolls needed after the chosen plays, shape (games, 21).
    cubeless : ndarray of float64, shape (games, 21)
        Cubeless equity of the opponent, who rolls next, after the play.
    chances : tuple of ndarray of float64, shape (games, 21)
        Probabilities of losing a gammon and of losing a backgammon.
    saves : ndarray of int64, shape (games, 21)
        Index on the first axis of ``led`` of the chosen play.
    rows : ndarray of int64, shape (games,)
        Index on the second axis of ``led`` of each game's position before the play.
    led : ndarray of int8, shape (plays, positions, 21, 24)
        Positions after the fewest-rolls play, after the play that saves most gammons and,
        if considered, after the play that saves the gammon soonest.
    """

    after: RollStatistics
    cubeless: Float64Array
    chances: tuple[Float64Array, Float64Array]
    saves: Int64Array
    rows: Int64Array
    led: Counts8

    def played(self, rolls: NDArray[np.uint8]) -> Counts8:
        """Return the position of each game after its roll, shape (games, 24)."""
        games = np.arange(len(self.rows))
        return np.asarray(self.led[self.saves[games, rolls], self.rows, rolls])


def choose_plays(
    values: ValueModel,
    counts: Counts8,
    fewest: tuple[Counts8, Int64Array],
    winner: RollStatistics,
    stakes: tuple[float, float],
) -> Saves:
    """Choose a play for every roll, in games in which the side may lose a gammon."""
    keys = bearoff.rank(counts)
    _, firsts, rows = np.unique(keys, return_index=True, return_inverse=True)
    positions = np.ascontiguousarray(counts[firsts])
    led = [_fewest(values, positions, fewest[0], fewest[1][firsts])]
    led.append(values.saving.expand(positions)[0])
    soon = np.flatnonzero(_is_soon(values, counts, winner))
    if len(soon):
        some = np.unique(rows[soon])
        led.append(led[1].copy())
        led[2][some] = soonest(positions[some], led[1][some])
    plays = np.stack(led)
    reached = HOME_BOARD.standing(plays)
    needs = Needs.of(values, reached.numbers, plays)

    def worth(play: int, games: Int64Array) -> list[Float64Array]:
        """Return a play's value, the opponent's equity and the gammon probabilities."""
        at, against = (play, rows[games]), winner.of(games)
        cubeless = HOME_BOARD.cubeless_after(against, reached.of(at))
        against = against.of((slice(None), None))
        gammon, backgammon = needs.at(at).chances(against, values, on_roll=True)
        points = -cubeless - stakes[0] * gammon - stakes[1] * backgammon
        return [points, cubeless, gammon, backgammon]

    every = np.arange(len(rows))
    best = worth(0, every)
    chosen = np.zeros(best[0].shape, dtype=np.int64)
    for play, games in ((1, every), (2, soon))[: len(led) - 1]:
        found = worth(play, games)
        better = found[0] > best[0][games] + MORE
        chosen[games] = np.where(better, play, chosen[games])
        for mine, new in zip(best, found, strict=True):
            mine[games] = np.where(better, new, mine[games])
    after = reached.of((chosen, rows[:, None], np.arange(len(bearoff.ROLLS))))
    _, cubeless, gammon, backgammon = best
    return Saves(after, cubeless, (gammon, backgammon), chosen, rows, plays)


def _fewest(
    values: ValueModel, positions: Counts8, known: Counts8, places: Int64Array
) -> Counts8:
    """Return the positions after fewest-rolls plays; known positions are not recomputed."""
    led = np.empty((len(positions), *known.shape[1:]), dtype=np.int8)
    led[places >= 0] = known[places[places >= 0]]
    led[places < 0], _ = values.bear_in.expand(positions[places < 0])
    return led


def _is_soon(values: ValueModel, counts: Counts8, winner: RollStatistics) -> BoolArray:
    """Return whether a side may roll again before the winner bears off all checkers."""
    one, two = values.home.distribution[winner.numbers, 1:3].T
    outside = counts[:, bearoff.POINTS :].any(axis=1)
    return np.asarray((winner.numbers >= 0) & (two > SOON * (1 - one) + MORE) & outside)


@lru_cache(maxsize=1)
def _first_off_at_home() -> Float64Array:
    """Return mean and variance of the rolls until the first checker is off, shape (2, n).

    Positions with a checker off have mean minus infinity and variance 1.
    """
    play = gammons.saving_play()
    saved = play.first_off == 0
    variance = np.where(saved, 1.0, play.first_off_variance)
    return np.array([np.where(saved, -np.inf, play.first_off), variance])
