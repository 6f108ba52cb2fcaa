"""Gammon probabilities after each roll of a rollout, and plays that save gammons.

A side with 15 checkers that may lose a gammon has up to three candidate plays per roll. The
fewest-rolls play wins most races. The second play needs the fewest rolls to the first
checker off (`bearoff.bear_in.saving_bear_in`). If the opponent probably needs two rolls,
the third play is the one after which the next roll is most likely to bear a checker off.
The side chooses the candidate of highest equity. The win probability after a candidate
assumes fewest-rolls play in later turns. The gammon and backgammon probabilities assume
that the loser plays to save the gammon.

Gammon probabilities are exact for these plays if both sides have all checkers in their home
boards. If only the winner has, the winner's number of rolls and the loser's next roll have
exact distributions. After this roll, the loser's number of rolls to the first checker off
is assumed to be normally distributed. In all other races, both sides' numbers of rolls are
assumed to be normally distributed. Backgammon probabilities, too, are based on normal
distributions.
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
"""Limit, in standard deviations, beyond which a gammon counts as impossible: the winner is
expected to bear off the last checker more than 3 standard deviations later than the loser
bears off the first."""

CARELESS = 0.25
"""Minimum standard deviation, in rolls, to which `RISK` is applied. Without the minimum,
the result would be wrong for losers who do not try to save the gammon."""

MORE = 1e-6
"""Minimum gain in points, larger than rounding errors, for which a side prefers a candidate
play to the fewest-rolls play."""

SOON = 0.5
"""The loser considers the play that saves the gammon soonest only if the winner is likely
to need two rolls. This number is the minimum probability that a winner who needs at least
two rolls needs exactly two. Considering the play more often would bias results, because the
loser would choose between estimated probabilities."""


def _ahead(on_roll: bool) -> float:
    """Return 0.5 rolls if the winner is on roll, and -0.5 rolls if the loser is."""
    return 0.5 if on_roll else -0.5


class Needs(NamedTuple):
    """Numbers of rolls that sides with 15 checkers need to save a gammon or backgammon.

    Attributes
    ----------
    numbers : ndarray of int64
        Position number in the home board; -1 if a checker is outside the home board.
    first_off, first_off_variance : ndarray of float64
        Mean and variance of the number of rolls that the side needs to bear off its first
        checker. If the side has already borne off a checker, the mean is minus infinity.
    leaving, leaving_variance : ndarray of float64
        Mean and variance of the number of rolls until all checkers of the side have left
        the opponent's home board.
    next_roll : ndarray of float64
        Probability that the side bears off no checker on its next roll; 1 if all its
        checkers are in its home board, where this number is not used.
    """

    numbers: Int64Array
    first_off: Float64Array
    first_off_variance: Float64Array
    leaving: Float64Array
    leaving_variance: Float64Array
    next_roll: Float64Array

    @classmethod
    def of(cls, values: ValueModel, numbers: Int64Array, counts: Counts8) -> "Needs":
        """Compute the rolls needed: exactly for home positions, estimated for all others.

        The checkers on 24 points, `counts`, are used only for sides with a checker outside
        the home board.
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
        """Return arrays of shape (games, 1), for broadcasting with the 21 rolls."""
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
        """Return whether each side may lose a gammon to its opponent `winner`."""
        lead = self.first_off + _ahead(on_roll) - winner.rolls
        spread = np.sqrt(self.first_off_variance + winner.std_rolls**2)
        return np.asarray(lead > RISK * np.maximum(spread, CARELESS))

    def chances(
        self, winner: RollStatistics, values: ValueModel, *, on_roll: bool
    ) -> tuple[Float64Array, Float64Array]:
        """Return the winner's probabilities of winning a gammon and a backgammon."""
        losers, first, first_variance, leaving, leaving_variance, next_roll, *against = (
            np.broadcast_arrays(*self, winner.numbers, winner.rolls, winner.std_rolls)
        )
        winners, rolls, std = against
        gammon, backgammon = np.zeros((2, *winners.shape))
        off = winners == 0
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
    """Probabilities that a side loses a gammon, after each of the 21 rolls.

    Attributes
    ----------
    games : ndarray of int64, shape (n,)
        Indices of the games in which a gammon is possible.
    gammon, backgammon : ndarray of float64, shape (n, 21)
        Probabilities of losing a gammon or backgammon, and of losing a backgammon.
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
"""Probability of each of the 21 rolls."""

NO_CHANCES = Chances(np.empty(0, np.int64), np.empty((0, 21)), np.empty((0, 21)))


@dataclass(frozen=True, eq=False)
class Saves:
    """Plays of a side in the games in which it may lose a gammon.

    Attributes
    ----------
    after : RollStatistics
        Statistics, after the chosen plays, of the rolls that the side needs, shape (games,
        21).
    cubeless : ndarray of float64, shape (games, 21)
        Cubeless equity of the opponent, who rolls next, after the chosen play.
    chances : tuple of ndarray of float64, shape (games, 21)
        Probabilities of losing a gammon and of losing a backgammon after the chosen play.
    saves : ndarray of int64, shape (games, 21)
        Index of the chosen play: 0, 1 or 2, as on the first axis of ``led``.
    rows : ndarray of int64, shape (games,)
        Index of each game's position before its play, as on the second axis of ``led``.
    led : ndarray of int8, shape (plays, positions, 21, 24)
        Checkers after two or three plays of each roll, on 24 points. Play 0 needs the
        fewest rolls to bear off all checkers, and play 1 the fewest rolls to the first
        checker off. Play 2, if considered, is most likely to allow a checker off on the
        next roll.
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
    """Choose a play of each roll in games in which the side may lose a gammon."""
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
        """Return a play's equity in points, the opponent's equity, and gammon chances."""
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
    """Return positions after fewest-rolls plays; copy those that are already known."""
    led = np.empty((len(positions), *known.shape[1:]), dtype=np.int8)
    led[places >= 0] = known[places[places >= 0]]
    led[places < 0], _ = values.bear_in.expand(positions[places < 0])
    return led


def _is_soon(values: ValueModel, counts: Counts8, winner: RollStatistics) -> BoolArray:
    """Return whether the winner probably needs two rolls and the loser is not all home."""
    one, two = values.home.distribution[winner.numbers, 1:3].T
    outside = counts[:, bearoff.POINTS :].any(axis=1)
    return np.asarray((winner.numbers >= 0) & (two > SOON * (1 - one) + MORE) & outside)


@lru_cache(maxsize=1)
def _first_off_at_home() -> Float64Array:
    """Return mean and variance of the rolls to the first checker off, shape (2, positions).

    If a checker is already off, the mean is minus infinity, and the variance is 1.
    """
    play = gammons.saving_play()
    saved = play.first_off == 0
    variance = np.where(saved, 1.0, play.first_off_variance)
    return np.array([np.where(saved, -np.inf, play.first_off), variance])
