"""Games of a rollout, played side by side until each has a value.

The checkers are played to make the fewest rolls, whatever the cube does. So one game
serves every state of the cube: without one, in the centre, at either side. The cube is
turned, taken and passed by the values of the fast model.

A game's *estimate* is what it came to, less the luck of its rolls. The luck of a roll is
the model's value after it less the mean over all rolls, so its expectation is nothing,
and an estimate has the same mean as the bare result, whatever the model's errors are.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.rolls import ROLL_OF_THROW
from sim.play import arguments, race_key
from sim.rollouts.values import COLUMNS, STATES, ValueModel

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Counts8 = NDArray[np.int8]

FIRST_FULL = arguments.first_full(bearoff.POINTS, bearoff.CHECKERS)
"""Number of the first position of the home board with all 15 checkers on it."""

_GAMMONS, _BACKGAMMONS = COLUMNS.index("gammon_won"), COLUMNS.index("backgammon_won")
"""Columns of what the roller wins; what is lost is in the next."""

_LAST_SIX = 18
"""Of a side's 24 points, those from here on are the other's home board."""

_OWNERS = (2, 0, 1, -1)
"""Owner of the cube in each state, as `sim.rollouts.kernels` names them."""


class Lanes:
    """Games of one race under way, all at the same turn.

    Parameters
    ----------
    values : ValueModel
        What they rest on.
    race : Race
        On 24 points.
    seed : int
        Of the dice.
    first, games : int
        Number of the first game, and how many.
    """

    def __init__(
        self, values: ValueModel, race: bearoff.Race, seed: int, first: int, games: int
    ) -> None:
        self._values = values
        self._seed = np.uint64(race_key(seed, race.roller.number, race.opponent.number))
        self._games = np.arange(first, first + games, dtype=np.int64)
        self._sides = [
            _Side(values, np.array(side.counts, dtype=np.int8), games)
            for side in (race.roller, race.opponent)
        ]
        self._owners = np.tile(np.array(_OWNERS, dtype=np.int8), (games, 1))
        self._stakes = np.ones((games, len(STATES)))
        self._alive = np.ones((games, len(STATES)), dtype=np.bool_)
        self._estimates = np.zeros((games, len(COLUMNS)))
        self._first = first
        self._results = np.empty((games, len(COLUMNS)))
        self._rolls = np.empty((2, 0, games), dtype=np.uint8)
        self._turn = 0

    def play(self) -> Float64Array:
        """Play every game to its end.

        Returns
        -------
        ndarray of float64, shape (games, 8)
            Estimate of each game for each of `COLUMNS`, in points of the roller at a cube
            of 1; without a cube their mean is twice the roller's chance to win less 1.
        """
        while len(self._games):
            for side in (0, 1):
                self._settle_exactly(side)
                if not len(self._games):
                    break
                self._play_side(side)
            self._turn += 1
        return self._results

    def _play_side(self, side: int) -> None:
        from sim.rollouts import kernels

        mover, other = self._sides[side], self._sides[1 - side]
        rolls = self._thrown(side)
        after, cubeless = mover.epc_after(), mover.equities_after(other)
        sign = 1 - 2 * side
        model = self._values.model
        values = self._values
        kernels.turn(
            kernels.Model(model.planes, values.slopes, 1 / model.step),
            sign,
            self._turn > 0 or side > 0,
            values.techniques.luck,
            kernels.Rolls(other.epc, after, cubeless, rolls),
            kernels.Games(self._owners, self._stakes, self._alive, self._estimates),
        )
        mover.play(rolls)
        self._finish(np.flatnonzero(mover.numbers == 0), sign, other)
        self._drop_finished()

    def _thrown(self, side: int) -> NDArray[np.uint8]:
        """Return the roll of every game for this turn of `side`."""
        from sim.play import kernels

        draw, turn = divmod(self._turn, kernels.THROWS_PER_DRAW)
        if turn == 0 and side == 0:
            self._rolls = np.empty((2, kernels.THROWS_PER_DRAW, len(self._games)), np.uint8)
            zero = np.uint64(0)
            kernels.throw_lanes(
                self._seed, zero, zero, self._games.astype(np.uint64), np.uint64(draw),
                self._rolls,
            )  # fmt: skip
            if draw == 0:
                self._share_out_first_rolls()
        return np.ascontiguousarray(self._rolls[side, turn])

    def _share_out_first_rolls(self) -> None:
        shared = self._values.techniques.first_rolls
        if shared > 1:
            self._rolls[0, 0] = ROLL_OF_THROW[self._games % 36]
        if shared > 36:
            self._rolls[1, 0] = ROLL_OF_THROW[self._games // 36 % 36]

    def _settle_exactly(self, side: int) -> None:
        """Settle the games whose values are exact, `side` being on roll."""
        if not self._values.techniques.truncate:
            return
        rollers, opponents = self._sides[side].numbers, self._sides[1 - side].numbers
        sign = 1 - 2 * side
        home = np.flatnonzero((rollers >= 0) & (opponents >= 0) & self._alive[:, 0])
        chance = self._values.home.fewest_rolls_win_probability(
            rollers[home], opponents[home]
        )
        self._estimates[home, 0] += sign * (2 * chance - 1)
        self._alive[home, 0] = False
        full = (rollers[home] >= FIRST_FULL) | (opponents[home] >= FIRST_FULL)
        self._add_gammons(home[full], side)
        table, places = self._values.table, self._values.places
        if table is None or not places:
            return
        held = (rollers >= 0) & (opponents >= 0) & (rollers < places) & (opponents < places)
        equities = np.zeros((int(held.sum()), len(STATES)))
        owners = self._owners[held] * sign
        cubes: tuple[tuple[int, Any], ...] = (
            (1, "owned"),
            (0, "centred"),
            (-1, "opponent"),
        )
        for owner, cube in cubes:
            games, states = np.nonzero((owners == owner) & self._alive[held])
            numbers = rollers[held][games], opponents[held][games]
            jacoby = self._values.jacoby and cube == "centred"
            equities[games, states] = table.equity(*numbers, cube, jacoby=jacoby)
        self._settle(held, sign * equities)
        self._drop_finished()

    def _add_gammons(self, games: Int64Array, side: int) -> None:
        """Add the chances of gammons from here on, all home and `side` on roll."""
        after, before, idle = self._values.gammon_tails
        x, y = self._sides[side].numbers[games], self._sides[1 - side].numbers[games]
        wins = np.einsum("ij,ij->i", after[x], before[y])
        losses = np.einsum("ij,ij->i", after[y], idle[x])
        self._estimates[games, _GAMMONS + side] += wins
        self._estimates[games, _GAMMONS + 1 - side] += losses

    def _settle(self, games: NDArray[np.bool_], values: Float64Array) -> None:
        """End games with a value at a cube of 1 for each state that is still on."""
        worth = self._stakes[games] * values * self._alive[games]
        self._estimates[games, : len(STATES)] += worth
        self._alive[games] = False

    def _finish(self, games: Int64Array, sign: int, loser: "_Side") -> None:
        """End games that a side has won by bearing off: one point, two or three."""
        points, alive = loser.points_lost(games), self._alive[games]
        counted = np.repeat(points[:, None], len(STATES), axis=1)
        counted[:, 0] = 1
        if self._values.jacoby:
            counted[self._owners[games] == 0] = 1
        worth = sign * self._stakes[games] * counted * alive
        self._estimates[games, : len(STATES)] += worth
        lost = int(sign < 0)
        self._estimates[games, _GAMMONS + lost] += (points >= 2) & alive[:, 0]
        self._estimates[games, _BACKGAMMONS + lost] += (points == 3) & alive[:, 0]
        self._alive[games] = False

    def _drop_finished(self) -> None:
        going_on = np.asarray(self._alive.any(axis=1))
        if going_on.all():
            return
        over = ~going_on
        self._results[self._games[over] - self._first] = self._estimates[over]
        for side in self._sides:
            side.select(going_on)
        self._games = self._games[going_on]
        self._owners = self._owners[going_on]
        self._stakes = self._stakes[going_on]
        self._alive = self._alive[going_on]
        self._estimates = self._estimates[going_on]
        self._rolls = self._rolls[:, :, going_on]


class _Side:
    """One side of every game: its checkers, and where each roll would take them.

    ``numbers`` are those of the home board's table, -1 while checkers are outside, and
    ``counts`` are up to date only until then.
    """

    def __init__(self, values: ValueModel, counts: Counts8, games: int) -> None:
        self._values = values
        self._counts = np.tile(counts, (games, 1))
        self._has_all = int(counts.sum()) == bearoff.CHECKERS
        self.numbers = _home_numbers(self._counts)
        self.epc = values.bear_in.epc(self._counts[:1]).repeat(games)
        self.std_rolls = values.bear_in.std_rolls(self._counts[:1]).repeat(games)
        self._after_epc = np.empty((0, 0))
        self._after_std = np.empty((0, 0))
        self._home = np.empty(0, dtype=np.int64)
        self._numbers_after = np.empty((0, 0), dtype=np.uint16)
        self._outside = np.empty(0, dtype=np.int64)
        self._row = np.empty(0, dtype=np.int64)
        self._after = np.empty((0, 0, 0), dtype=np.int8)

    def epc_after(self) -> Float64Array:
        """EPC after the play of each roll, shape (games, 21)."""
        values = self._values
        after = np.empty((len(self.numbers), len(bearoff.ROLLS)))
        self._home = np.flatnonzero(self.numbers >= 0)
        self._numbers_after = values.home.policy[self.numbers[self._home]]
        after[self._home] = values.home.epc[self._numbers_after]
        self._outside = np.flatnonzero(self.numbers < 0)
        # Many games have met the same position: it is looked at once.
        keys = bearoff.rank(self._counts[self._outside])
        _, firsts, self._row = np.unique(keys, return_index=True, return_inverse=True)
        positions = np.ascontiguousarray(self._counts[self._outside[firsts]])
        self._after, mean_rolls = values.bear_in.expand(positions)
        after[self._outside] = mean_rolls[self._row] * bearoff.PIPS_PER_ROLL
        self._after_epc = after
        self._after_std = np.empty_like(after)
        self._after_std[self._home] = values.home.std_rolls[self._numbers_after]
        self._after_std[self._outside] = values.bear_in.std_rolls(self._after)[self._row]
        return after

    def equities_after(self, other: "_Side") -> Float64Array:
        """Return the other side's equity without a cube after the play of each roll.

        Shape (games, 21): by convolution where both sides are home, else as good as the
        means and standard deviations of the rolls needed tell; `epc_after` came before.
        """
        from sim.rollouts import kernels

        equities = np.empty((len(self.numbers), len(bearoff.ROLLS)))
        kernels.equities_by_spread(
            other.epc, other.std_rolls, self._after_epc, self._after_std, equities
        )
        both = other.numbers[self._home] >= 0
        games = self._home[both]
        exact = np.empty((len(games), len(bearoff.ROLLS)))
        kernels.equities_after(
            *self._values.rolls_needed,
            other.numbers[games],
            self._numbers_after[both],
            exact,
        )
        equities[games] = exact
        return equities

    def play(self, rolls: NDArray[np.uint8]) -> None:
        """Play each game's roll; `epc_after` came before."""
        self.epc = np.take_along_axis(self._after_epc, rolls[:, None], axis=1)[:, 0]
        self.std_rolls = np.take_along_axis(self._after_std, rolls[:, None], axis=1)[:, 0]
        at = np.arange(len(self._home)), rolls[self._home]
        self.numbers[self._home] = self._numbers_after[at]
        played = self._after[self._row, rolls[self._outside]]
        self._counts[self._outside] = played
        self.numbers[self._outside] = _home_numbers(played)

    def select(self, games: NDArray[np.bool_]) -> None:
        """Go on with these games alone."""
        self._counts, self.numbers = self._counts[games], self.numbers[games]
        self.epc, self.std_rolls = self.epc[games], self.std_rolls[games]

    def points_lost(self, games: Int64Array) -> Int64Array:
        """Points at a cube of 1 that the side loses where the other has borne off.

        A gammon with all 15 checkers on the board, and a backgammon if one of them is
        in the other's home board, on the side's own last six points.
        """
        numbers, away = self.numbers[games], self.numbers[games] < 0
        full = (numbers >= FIRST_FULL) | (away & self._has_all)
        behind = away & self._counts[games, _LAST_SIX:].any(axis=1)
        return np.asarray(1 + full + (full & behind), dtype=np.int64)


def _home_numbers(counts: Counts8) -> Int64Array:
    """Numbers on the home board, -1 where a checker is outside."""
    outside = counts[:, bearoff.POINTS :].any(axis=1)
    numbers = bearoff.rank(counts[:, : bearoff.POINTS])
    return np.where(outside, -1, numbers)
