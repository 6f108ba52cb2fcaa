"""Simulation of many games of a rollout in parallel, one turn at a time.

Plays maximise the win probability without a cube. The same game therefore serves all
initial cubes: no cube, a centred cube, or a cube owned by either side.
`sim.rollouts.cubes.Cubes` makes the cube decisions and converts points to values.

The *estimate* of a game is its result minus the luck of its rolls. The luck of a roll is
the fast model's value after the roll minus the mean value over all rolls. Luck has an
expected value of 0, so the estimate has the same mean as the result, even if the model is
inaccurate.
"""

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.rolls import ROLL_OF_THROW
from bearoff.sim.play import race_key
from bearoff.sim.rollouts.boards import board_of
from bearoff.sim.rollouts.cubes import Cubes
from bearoff.sim.rollouts.gammons import THROWN, Chances
from bearoff.sim.rollouts.sides import RolloutSide
from bearoff.sim.rollouts.values import COLUMNS, STATES, ValueModel

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

_GAMMONS, _BACKGAMMONS = COLUMNS.index("gammon_won"), COLUMNS.index("backgammon_won")
"""Indices in `COLUMNS` of the roller's gammons and backgammons won. The next column has the
gammons, or backgammons, that the roller loses."""


class Lanes:
    """Unfinished games of one race, all at the same turn.

    Parameters
    ----------
    values : ValueModel
        Tables and models of equities on which decisions and results are based.
    race : Race
        Race in which both positions have 24 points.
    seed : int
        Seed of the dice.
    first, games : int
        Number of the first game, and how many games to play from there.
    key : int, optional
        Key of the dice. Races with equal keys have the same dice. By default, the key is
        derived from the seed and the race.
    """

    def __init__(
        self,
        values: ValueModel,
        race: bearoff.Race,
        seed: int,
        first: int,
        games: int,
        key: int | None = None,
    ) -> None:
        self._values = values
        if key is None:
            key = race_key(seed, race.roller.number, race.opponent.number)
        self._seed = np.uint64(key)
        self._games = np.arange(first, first + games, dtype=np.int64)
        starts = race.roller, race.opponent
        board = board_of(starts)
        self._sides = [
            RolloutSide(values, board, np.array(start.counts, dtype=np.int8), games, side)
            for side, start in enumerate(starts)
        ]
        self._cubes = Cubes(values, board, games)
        self._alive = np.tile(values.asked, (games, 1))
        self._estimates = np.zeros((games, len(COLUMNS)))
        self._first = first
        self._results = np.empty((games, len(COLUMNS)))
        self._rolls = np.empty((2, 0, games), dtype=np.uint8)
        self._turn = 0

    def play(self) -> Float64Array:
        """Play all games to the end, and return their estimates, shape (games, 8)."""
        while len(self._games):
            for side in (0, 1):
                self._settle_exactly(side)
                if not len(self._games):
                    break
                self._play_side(side)
            self._turn += 1
        self._results[:, : len(STATES)] /= self._values.units
        return self._results

    def _play_side(self, side: int) -> None:
        from bearoff.sim.rollouts import kernels

        mover, other = self._sides[side], self._sides[1 - side]
        rolls = self._thrown(side)
        won, lost = mover.look_ahead(other)
        self._cubes.turn(
            side,
            self._turn > 0 or side > 0,
            kernels.TurnPositions(
                other.standing.epc,
                mover.after.epc,
                mover.cubeless_after,
                won.before_roll(len(rolls)),
                lost.before_roll(len(rolls)),
                rolls,
                other.standing.numbers,
                mover.after.numbers,
            ),
            self._alive,
            self._estimates,
        )
        if self._values.techniques.luck:
            for winner, chances in ((side, won), (1 - side, lost)):
                self._take_luck_of_gammons_out(winner, chances, rolls)
        mover.play(rolls)
        self._finish(np.flatnonzero(mover.standing.numbers == 0), side, other)
        self._drop_finished()

    def _take_luck_of_gammons_out(
        self, winner: int, chances: Chances, rolls: NDArray[np.uint8]
    ) -> None:
        """Subtract the part of a roll's luck that comes from changed gammon chances."""
        games = chances.games
        at = np.arange(len(games)), rolls[games]
        luck = [found[at] - found @ THROWN for found in chances[1:]]
        alive = self._alive[games]
        worth = [
            self._cubes.won(games, winner, np.full(len(games), points))
            for points in (1, 2, 3)
        ]
        for more, column, found in zip((1, 2), (_GAMMONS, _BACKGAMMONS), luck, strict=True):
            self._estimates[games, column + winner] -= found * alive[:, 0]
            gained = (worth[more] - worth[more - 1]) * alive
            self._estimates[games, : len(STATES)] -= gained * found[:, None]

    def _thrown(self, side: int) -> NDArray[np.uint8]:
        """Return the index of the roll of each game, in the current turn of a side."""
        from bearoff.sim.play import dice_kernels

        draw, turn = divmod(self._turn, dice_kernels.THROWS_PER_DRAW)
        if turn == 0 and side == 0:
            shape = 2, dice_kernels.THROWS_PER_DRAW, len(self._games)
            self._rolls = np.empty(shape, np.uint8)
            zero = np.uint64(0)
            dice_kernels.throw_lanes(
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
        """Finish the games whose position, with `side` on roll, is in the table."""
        if not self._values.techniques.truncate:
            return
        if self._values.table_size is None:
            return
        rollers, opponents = (self._sides[s].in_table() for s in (side, 1 - side))
        games = np.flatnonzero((rollers >= 0) & (opponents >= 0))
        held = rollers[games], opponents[games]
        self._settle_cubeless(games, side, *held)
        cubeful = self._alive[games]
        cubeful[:, 0] = False
        worth = self._cubes.exact(games, side, *held, cubeful)
        self._estimates[games, : len(STATES)] += worth * cubeful
        self._alive[games, 1:] = False
        self._drop_finished()

    def _settle_cubeless(
        self, games: Int64Array, side: int, rollers: Int64Array, opponents: Int64Array
    ) -> None:
        """Finish games without a cube with the exact values of the table."""
        alive = self._alive[games, 0]
        games = games[alive]
        wins, won, lost = self._values.without_cube(rollers[alive], opponents[alive])
        self._estimates[games, 0] += (1 - 2 * side) * (2 * wins - 1)
        self._estimates[games, _GAMMONS + side] += won
        self._estimates[games, _GAMMONS + 1 - side] += lost
        self._alive[games, 0] = False

    def _finish(self, games: Int64Array, side: int, loser: RolloutSide) -> None:
        """Finish games in which `side` has borne off all checkers and `loser` has not."""
        points, alive = loser.points_lost(games), self._alive[games]
        self._estimates[games, _GAMMONS + side] += (points >= 2) & alive[:, 0]
        self._estimates[games, _BACKGAMMONS + side] += (points == 3) & alive[:, 0]
        worth = self._cubes.won(games, side, points) * alive
        self._estimates[games, : len(STATES)] += worth
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
        self._cubes.select(going_on)
        self._alive = self._alive[going_on]
        self._estimates = self._estimates[going_on]
        self._rolls = self._rolls[:, :, going_on]
