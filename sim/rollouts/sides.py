"""One side in the games of a rollout: checkers, plays and numbers of rolls needed."""

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.bear_in import LAST_SIX
from bearoff.sim.play import arguments
from bearoff.sim.rollouts.boards import RaceBoard, RollStatistics
from bearoff.sim.rollouts.gammons import NO_CHANCES, Chances, Needs, Saves, choose_plays
from bearoff.sim.rollouts.values import ValueModel

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Counts8 = NDArray[np.int8]

FIRST_FULL = arguments.first_full(bearoff.POINTS, bearoff.CHECKERS)
"""Smallest position number of the home board with all 15 checkers on the board."""


class RolloutSide:
    """Checkers of one side in all games of a rollout, and its plays of every roll.

    Parameters
    ----------
    values : ValueModel
        Tables and models of equities on which plays are based.
    board : RaceBoard
        Race board, which assigns numbers to the positions of both sides.
    counts : ndarray of int8, shape (24,)
        Number of checkers on each point in the position from which all games start.
    games : int
        Number of games.
    side : int
        0 for the side that rolls first, 1 for its opponent.

    Attributes
    ----------
    standing : RollStatistics
        Statistics of the rolls that the side needs in each game, shape (games,).
    after : RollStatistics
        Statistics of the rolls that the side needs after its play of each roll, shape
        (games, 21). `look_ahead` computes them.
    cubeless_after : ndarray of float64, shape (games, 21)
        Cubeless equity of the opponent, who rolls next, after the play of each roll.
    """

    def __init__(
        self, values: ValueModel, board: RaceBoard, counts: Counts8, games: int, side: int
    ) -> None:
        self._values, self._board = values, board
        self._stakes = values.gammon_stakes[side]
        # The checkers in `_counts` are up to date only in games in which the race board
        # does not contain the side's position.
        self._counts = np.tile(counts, (games, 1))
        self._has_all = int(counts.sum()) == bearoff.CHECKERS
        first = board.standing(self._counts[:1])
        self.standing = first.of(np.zeros(games, dtype=np.int64))
        self._play_fewest()
        self.cubeless_after = np.empty((0, 0))
        self._saves: Saves | None = None
        self._needs: Needs | None = None

    def look_ahead(self, other: "RolloutSide") -> tuple[Chances, Chances]:
        """Choose the play of each roll, and compute the equities after the plays.

        Returns
        -------
        won, lost : Chances
            Probabilities that this side wins a gammon, and that it loses a gammon.
        """
        values, board = self._values, self._board
        self._play_fewest()
        self.cubeless_after = np.empty(self.after.epc.shape)
        held = (self.standing.numbers >= 0) & (other.standing.numbers >= 0)
        both, rest = np.flatnonzero(held), np.flatnonzero(~held)
        if len(rest):
            self.cubeless_after[rest] = board.cubeless_after(
                other.standing.of(rest), self.after.of(rest)
            )
        if len(both):
            sides = other.standing.numbers[both], self.standing.numbers[both]
            after, self.cubeless_after[both] = board.win_most(*sides)
            for mine, chosen in zip(self.after, after, strict=True):
                mine[both] = chosen
        self._saves = None
        lost = NO_CHANCES
        games = self._at_risk(other.standing, on_roll=False)
        if len(games):
            against = other.standing.of(games)
            self._risky = games
            rows = np.full(len(held), -1)
            rows[self._outside] = self._row
            known = self._after, rows[games]
            counts = self.counts(games)
            self._saves = choose_plays(values, counts, known, against, self._stakes)
            for mine, chosen in zip(self.after, self._saves.after, strict=True):
                mine[games] = chosen
            self.cubeless_after[games] = self._saves.cubeless
            lost = Chances(games, *self._saves.chances)
        won = other.gammons_lost_to(self)
        return won, lost

    def gammons_lost_to(self, mover: "RolloutSide") -> Chances:
        """Return the probabilities of losing a gammon after each roll of the opponent."""
        games = self._at_risk(mover.standing, on_roll=True)
        if not len(games):
            return NO_CHANCES
        needs = self._needed().at(games).before_rolls()
        chances = needs.chances(mover.after.of(games), self._values, on_roll=False)
        return Chances(games, *chances)

    def _at_risk(self, winner: RollStatistics, *, on_roll: bool) -> Int64Array:
        if not self._has_all:
            return np.empty(0, dtype=np.int64)
        return np.flatnonzero(self._needed().at_risk(winner, on_roll=on_roll))

    def _needed(self) -> Needs:
        """Return the rolls needed to save gammons, cached until the side's next play."""
        if self._needs is None:
            self._needs = Needs.of(self._values, self.standing.numbers, self._counts)
        return self._needs

    def _play_fewest(self) -> None:
        """Compute the position after the fewest-rolls play of each roll."""
        board, numbers, player = self._board, self.standing.numbers, self._values.bear_in
        shape = len(numbers), len(bearoff.ROLLS)
        after = RollStatistics(np.empty(shape, np.int64), np.empty(shape), np.empty(shape))
        held = np.flatnonzero(numbers >= 0)
        led = board.arrays.policy[numbers[held]].astype(np.int64)
        self._outside = np.flatnonzero(numbers < 0)
        # Plays are computed only once for positions that occur in several games.
        keys = bearoff.rank(self._counts[self._outside])
        _, firsts, self._row = np.unique(keys, return_index=True, return_inverse=True)
        positions = np.ascontiguousarray(self._counts[self._outside[firsts]])
        self._after, mean_rolls = player.expand(positions)
        table = board.table
        on_board = led, table.epc[led], table.std_rolls[led]
        elsewhere = (
            board.numbers(self._after),
            mean_rolls * bearoff.PIPS_PER_ROLL,
            player.std_rolls(self._after),
        )
        for found, inside, beyond in zip(after, on_board, elsewhere, strict=True):
            found[held], found[self._outside] = inside, beyond[self._row]
        self.after = after

    def play(self, rolls: NDArray[np.uint8]) -> None:
        """Play the roll of each game with the play that `look_ahead` has chosen before."""
        self._needs = None
        at = np.arange(len(rolls)), rolls
        self.standing = self.after.of(at)
        self._counts[self._outside] = self._after[self._row, rolls[self._outside]]
        if self._saves is not None:
            games = self._risky
            self._counts[games] = self._saves.played(rolls[games])

    def select(self, games: NDArray[np.bool_]) -> None:
        self._counts, self.standing = self._counts[games], self.standing.of(games)
        self._needs = self._needs and self._needs.at(games)

    def counts(self, games: Int64Array) -> Counts8:
        """Return the checkers on 24 points in the given games, shape (n, 24)."""
        numbers = self.standing.numbers[games]
        held = self._board.counts[np.maximum(numbers, 0)]
        return np.where(numbers[:, None] < 0, self._counts[games], held)

    def in_table(self) -> Int64Array:
        """Return position numbers in the two-sided table; -1 for other positions."""
        values, held = self._values, self.standing.numbers
        numbers = np.where(held < 0, -1, values.board_in_table(self._board)[held])
        if values.table_size is not None and values.table_size.points > bearoff.POINTS:
            outside = np.flatnonzero(held < 0)
            numbers[outside] = values.in_table(self._counts[outside])
        return numbers

    def points_lost(self, games: Int64Array) -> Int64Array:
        """Return how many points the side loses (1 to 3) if the opponent is off first.

        The side loses a gammon if all its 15 checkers are on the board, and a backgammon if
        one of them is also on its last six points, which are the opponent's home board.
        """
        numbers = self.standing.numbers[games]
        full = self._has_all & ((numbers >= FIRST_FULL) | (numbers < 0))
        behind = (numbers < 0) & self._counts[games, LAST_SIX:].any(axis=1)
        return np.asarray(1 + full + (full & behind), dtype=np.int64)
