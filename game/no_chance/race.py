"""Solved races of No Chance Backgammon: results, numbers of turns and best choices."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff import Position, PositionError, rank
from bearoff.game.no_chance.naming import DOUBLES, check_named, nameable
from bearoff.game.no_chance.sides import POINTS, ROOM, is_full, position_of


@dataclass(frozen=True)
class NumberChoice:
    """Number that a player may name, with a play of both numbers and its result.

    Attributes
    ----------
    number : int
        Number that the player names.
    after : Position
        Position of the roller after both numbers have been played.
    points : int
        Result of the game in points: 1, or 2 for a gammon; negative if the opponent wins.
    turns : int
        Number of turns of both players until the end, including this turn; negative if the
        opponent wins.
    """

    number: int
    after: Position
    points: int
    turns: int


class NoChanceRace:
    """Solved races of No Chance Backgammon between all pairs of given positions.

    Use `solve_no_chance_race` to create this object.

    Parameters
    ----------
    positions : ndarray of int64, shape (n,)
        Position numbers for 15 checkers on six points, sorted by pip count.
    moves : ndarray of int64, shape (n, N, 6)
        For each position and number, the indices of the positions after each legal move of
        one checker, filled up with -1.
    best, number, second : ndarray of int8, shape (n, n, N, 3, 3)
        For every state: the roller's best result, the number that achieves the best result,
        and the best result with any other number.
    """

    def __init__(
        self,
        positions: NDArray[np.int64],
        moves: NDArray[np.int64],
        best: NDArray[np.int8],
        number: NDArray[np.int8],
        second: NDArray[np.int8],
    ) -> None:
        self._index = {int(p): k for k, p in enumerate(positions)}
        self._positions, self._moves = positions, moves
        self._best, self._number, self._second = best, number, second

    @property
    def numbers(self) -> int:
        """Largest number that players may name."""
        return int(self._best.shape[2])

    def points(
        self,
        roller: Position,
        opponent: Position,
        own: int,
        met: int,
        doubles: tuple[int, int] = (DOUBLES, DOUBLES),
    ) -> int:
        """Return the result of best play in points; negative if the opponent wins.

        See `turns` for the parameters and errors.

        Returns
        -------
        int
            Result of the game: 1, or 2 if the loser has borne off no checker. Negative if
            the opponent wins.

        Examples
        --------
        >>> from bearoff.game.no_chance import solve_no_chance_race
        >>> last, aces = Position.parse("1,0,0,0,0,0"), Position.parse("15,0,0,0,0,0")
        >>> race = solve_no_chance_race(last, aces)
        >>> race.points(last, aces, 1, 2), race.points(aces, last, 1, 2)
        (2, -1)
        """
        return _decoded(self._value(roller, opponent, own, met, doubles))[0]

    def turns(
        self,
        roller: Position,
        opponent: Position,
        own: int,
        met: int,
        doubles: tuple[int, int] = (DOUBLES, DOUBLES),
    ) -> int:
        """Return the number of turns to the end; negative if the opponent wins.

        Parameters
        ----------
        roller, opponent : Position
            Positions on six points that have been solved.
        own, met : int
            Number that the roller named last, and number that the opponent named last.
        doubles : tuple of int
            Number of doubles left to the roller, and to the opponent.

        Returns
        -------
        int
            Number of turns of both players with best play, including the winner's last
            turn.

        Raises
        ------
        PositionError
            If the state is impossible or has not been solved.

        Examples
        --------
        Each player has four checkers on the 1 point. Without a double, the roller needs two
        turns to bear off, and the game has three turns. With a double, one turn is enough:

        >>> from bearoff.game.no_chance import solve_no_chance_race
        >>> aces = Position.parse("4,0,0,0,0,0")
        >>> race = solve_no_chance_race(aces, aces)
        >>> race.turns(aces, aces, 1, 2, (0, 0)), race.turns(aces, aces, 1, 2, (1, 0))
        (3, 1)
        """
        return _decoded(self._value(roller, opponent, own, met, doubles))[1]

    def choices(
        self,
        roller: Position,
        opponent: Position,
        own: int,
        met: int,
        doubles: tuple[int, int] = (DOUBLES, DOUBLES),
    ) -> list[NumberChoice]:
        """Return all numbers that the roller may name, with all their plays, best first.

        A gammon is better than a single win. Among equal results, the winner minimises and
        the loser maximises the number of turns. See `turns` for the parameters and errors.
        """
        from bearoff.game.no_chance import kernels

        place = self._where(roller, opponent, own, met, doubles)[0]
        found = []
        for named in nameable(self.numbers, own, met, doubles[0]):
            left = doubles[0] - (named == met), doubles[1]
            for after in self._plays(place, named, met):
                value = (1 + is_full(opponent)) * kernels.END - 1
                if any(after.counts):
                    value = -self._value(opponent, after, met, named, left[::-1])
                    value += -1 if value > 0 else 1
                found.append((value, NumberChoice(named, after, *_decoded(value))))
        return [one for _, one in sorted(found, key=lambda pair: pair[0], reverse=True)]

    def openings(self, first: Position, second: Position) -> dict[int, dict[int, int]]:
        """Return the number of turns to the end for each pair of first numbers.

        Parameters
        ----------
        first, second : Position
            Position of the player who has the first turn, and position of the opponent.

        Returns
        -------
        dict of int to dict of int to int
            Number of turns to the end, by the first player's number and then by the second
            player's number. Positive if the first player wins.
        """
        names = range(1, self.numbers + 1)
        return {
            x: {y: self.turns(first, second, x, y) for y in names if y != x} for x in names
        }

    def _plays(self, place: int, named: int, met: int) -> list[Position]:
        """Return the positions after a play of the numbers that both players named."""
        from bearoff.game.no_chance import kernels

        targets = np.empty(ROOM, np.int64)
        begin, end = kernels.after_pair(self._moves, place, named - 1, met - 1, targets)
        return [position_of(int(self._positions[k])) for k in targets[begin:end]]

    def knows(self, roller: Position, opponent: Position) -> bool:
        """Return whether the results of a race between two positions are known."""
        places = (self._index.get(int(rank(side.counts))) for side in (roller, opponent))
        return all(places)

    def _value(
        self,
        roller: Position,
        opponent: Position,
        own: int,
        met: int,
        doubles: tuple[int, int],
    ) -> int:
        where = self._where(roller, opponent, own, met, doubles)
        excluded = self._number[where] == own - 1
        return int(self._second[where] if excluded else self._best[where])

    def _where(
        self,
        roller: Position,
        opponent: Position,
        own: int,
        met: int,
        doubles: tuple[int, int],
    ) -> tuple[int, int, int, int, int]:
        check_named(self.numbers, own, met, doubles)
        places = []
        for name, side in (("the roller", roller), ("the opponent", opponent)):
            place = self._index.get(int(rank(side.counts)) if side.points == POINTS else -1)
            if not place:
                raise PositionError(
                    f"the position {side} of {name} has not been solved; solve the race "
                    "with it as a start"
                )
            places.append(place)
        return places[0], places[1], met - 1, doubles[0], doubles[1]


def _decoded(value: int) -> tuple[int, int]:
    """Convert a stored result to the points won and the number of turns to the end."""
    from bearoff.game.no_chance import kernels

    points = -(-abs(value) // kernels.END)
    turns = points * kernels.END - abs(value)
    return (points, turns) if value > 0 else (-points, -turns)
