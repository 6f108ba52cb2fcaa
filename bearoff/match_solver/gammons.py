"""Gammon chances in solved races, as `TwoSidedTable.gammon_probability` defines them.

A player who has not borne off a checker can lose a gammon; the player's position is called
*full*. The other player is called the *winner*. Both maximise points in a game without a
cube. After the player of the full position has borne off a checker, no gammon is possible,
and the equity follows from the solved win probability. Therefore, only pairs with a full
position are computed here.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.match_solver.sides import LANES, SolverSide, reachable
from bearoff.match_solver.values import MatchValues
from bearoff.positions import CHECKERS, POINTS, position_count
from bearoff.rolls import ROLLS

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

MOST_PAIRS = 30_000_000
"""Maximum number of pairs of positions for which gammon chances are solved at once, which
takes one to two seconds."""


class _Solved(NamedTuple):
    """Gammon chances of one player against opposing positions with no checker borne off.

    Attributes
    ----------
    winner, full : SolverSide
        Positions of the player who may win a gammon, and of the player who may lose a
        gammon.
    chances : ndarray of float64, shape (2, full positions, positions of the winner)
        Gammon chances with the winner on roll, and with the other player on roll. Full
        positions have no checker borne off.
    columns : ndarray of int64
        Index on the second axis of `chances`, for each position of the player who may lose
        a gammon. The index is -1 for a position with a checker borne off.
    """

    winner: SolverSide
    full: SolverSide
    chances: Float64Array
    columns: Int64Array

    def holds(self, winners: Int64Array, losers: Int64Array) -> bool:
        return all(
            numbers.max() < len(side.slots) and (side.slots[numbers] >= 0).all()
            for side, numbers in ((self.winner, winners), (self.full, losers))
        )

    def of(self, winners: Int64Array, losers: Int64Array, full_rolls: int) -> Float64Array:
        columns = self.columns[self.full.slots[losers]]
        return np.asarray(self.chances[full_rolls, columns, self.winner.slots[winners]])


class SolvedGammons:
    """Gammon chances of pairs of positions in a solved race; the last result is cached."""

    def __init__(self, values: MatchValues) -> None:
        self._values = values
        self._last: dict[int, _Solved] = {}

    def __reduce__(self) -> tuple[type["SolvedGammons"], tuple[MatchValues]]:
        return SolvedGammons, (self._values,)

    def of(
        self, player: int, rollers: Int64Array, opponents: Int64Array
    ) -> tuple[Float64Array, Float64Array]:
        """Return the chances that the roller, `player` 0 or 1, wins and loses a gammon.

        `rollers` and `opponents` are position numbers of players who have a checker on the
        board. The result is NaN if both players have all checkers on the board, if more
        than `MOST_PAIRS` pairs would have to be solved, or if a player has all checkers on
        a board of more than six points.
        """
        points = self._values.points
        full = [_is_full(numbers, points) for numbers in (rollers, opponents)]
        won, lost = np.zeros((2, len(rollers)))
        if points != POINTS:
            won[full[0] | full[1]] = lost[full[0] | full[1]] = np.nan
            return won, lost
        won[full[0] & full[1]] = lost[full[0] & full[1]] = np.nan
        at = np.flatnonzero(full[1] & ~full[0])
        won[at] = self._lost_by(1 - player, rollers[at], opponents[at], full_rolls=0)
        at = np.flatnonzero(full[0] & ~full[1])
        lost[at] = self._lost_by(player, opponents[at], rollers[at], full_rolls=1)
        return won, lost

    def _lost_by(
        self, loser: int, winners: Int64Array, losers: Int64Array, full_rolls: int
    ) -> Float64Array:
        """Return the chances that a player with no checker borne off loses a gammon."""
        if not winners.size:
            return np.empty(0)
        solved = self._solved(loser, winners, losers)
        if solved is not None:
            return solved.of(winners, losers, full_rolls)
        if (winners == winners[0]).all() and (losers == losers[0]).all():
            return np.full(len(winners), np.nan)
        # Together, the pairs of positions lead to too many positions, so each pair is
        # solved separately.
        pairs, places = np.unique([winners, losers], axis=1, return_inverse=True)
        each = [self._lost_by(loser, x, y, full_rolls) for x, y in pairs.T[:, :, None]]
        return np.concatenate(each)[places.ravel()]

    def _solved(
        self, loser: int, winners: Int64Array, losers: Int64Array
    ) -> _Solved | None:
        """Solve the gammon chances of given pairs; return None for too many pairs."""
        last = self._last.get(loser)
        if last is not None and last.holds(winners, losers):
            return last
        sides = [
            reachable(tuple(np.unique(numbers).tolist()), CHECKERS, CHECKERS)
            for numbers in (winners, losers)
        ]
        if sides[0].size * sides[1].size > MOST_PAIRS:
            return None
        self._last[loser] = solved = self._solve(loser, *sides)
        return solved

    def _solve(self, loser: int, winner: SolverSide, full: SolverSide) -> _Solved:
        from bearoff.match_solver import kernels  # Importing numba is slow.

        each = np.diff(full.offsets)
        of_full = np.repeat(full.full, np.diff(full.offsets[:: len(ROLLS)]))
        followers = full.successors[of_full]
        # `ends` are the positions in which the loser has just borne off a first checker.
        # From these positions, no gammon is possible.
        ends = np.unique(followers[~full.full[followers]])
        columns = np.full(full.size, -1)
        columns[full.full] = np.arange(np.count_nonzero(full.full))
        places = columns.copy()
        places[ends] = columns.max() + 1 + np.arange(len(ends))
        lengths = each[np.repeat(full.full, len(ROLLS))]
        after = np.concatenate([[0], lengths.cumsum()]), places[followers].astype(np.int32)
        x = self._values.slots(winner.numbers, 1 - loser)
        y = self._values.slots(full.numbers[ends], loser)
        decided = self._values.payoffs.decided
        chances = np.zeros((2, columns.max() + 1, winner.size))
        chances[1, :, 0] = 1.0  # The winner has borne off all checkers.
        points = np.full(chances.shape[1:], 2.0)
        for first in range(1, winner.size, LANES):
            some = x[first : first + LANES]
            pairs = np.tile(some, len(y)), np.repeat(y, len(some))
            wins = self._values.values(decided, 1 - loser, *pairs)
            kernels.fill_chances(
                (winner.offsets, winner.successors),
                after,
                first,
                wins.reshape(len(y), -1),
                points,
                chances,
            )
        return _Solved(winner, full, chances, columns)


def _is_full(numbers: Int64Array, points: int) -> NDArray[np.bool_]:
    """Return for each position number whether no checker has been borne off."""
    return np.asarray(numbers >= position_count(points, CHECKERS - 1))
