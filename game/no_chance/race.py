"""The race of No Chance Backgammon, solved: who wins, in how many turns, and how."""

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff import Position, PositionError, TableError, rank, unrank
from bearoff.runtime import memory_available
from game.no_chance.naming import DOUBLES, NUMBERS, check_named, check_numbers, nameable

POINTS = 6
_ROOM = 4096
"""Positions that one pair of numbers leads to on its way, more than there can be."""

_QUICK = 500
"""Positions whose pairs are solved before anyone asks."""

_BYTES = 3
"""Of a state: the best result, its number, and the best of the others."""


@dataclass(frozen=True)
class Choice:
    """A number to name and what is played with it.

    Attributes
    ----------
    number : int
        The number named.
    after : Position
        The roller's checkers once the pair is played.
    turns : int
        Turns of both sides to the end from before the choice, this one included: above 0
        if the roller wins, below if the opponent does.
    """

    number: int
    after: Position
    turns: int


class NoChanceRace:
    """Every state of the races between some positions, solved.

    Made by `solve_no_chance_race`.

    Parameters
    ----------
    positions : ndarray of int64, shape (n,)
        Numbers of the positions of 15 checkers on six points, in the order of their pips.
    moves : ndarray of int64, shape (n, N, 6)
        Places of the positions after playing one number; -1 where there is none.
    best, number, second : ndarray of int8, shape (n, n, N, 3, 3)
        See `game.no_chance.kernels`.
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
        """How many numbers there are to name."""
        return int(self._best.shape[2])

    def turns(
        self,
        roller: Position,
        opponent: Position,
        own: int,
        met: int,
        doubles: tuple[int, int] = (DOUBLES, DOUBLES),
    ) -> int:
        """Return the turns to the end with best play, below 0 if the opponent wins.

        Parameters
        ----------
        roller, opponent : Position
            Six points; among those that were solved.
        own, met : int
            The number that the roller named last, and the opponent's.
        doubles : tuple of int
            Doubles that the roller and the opponent may still name.

        Returns
        -------
        int
            Turns of both sides, the winner's last one included.

        Raises
        ------
        PositionError
            If there is no such state, or it was not solved.

        Examples
        --------
        Four checkers on the ace point each, and no doubles left: two turns win.

        >>> aces = Position.parse("4,0,0,0,0,0")
        >>> race = solve_no_chance_race(aces, aces)
        >>> race.turns(aces, aces, 1, 2, (0, 0)), race.turns(aces, aces, 1, 2, (1, 0))
        (3, 1)
        """
        from game.no_chance import kernels

        where = self._where(roller, opponent, own, met, doubles)
        excluded = self._number[where] == own - 1
        result = int(self._second[where] if excluded else self._best[where])
        return kernels.END - result if result > 0 else -kernels.END - result

    def choices(
        self,
        roller: Position,
        opponent: Position,
        own: int,
        met: int,
        doubles: tuple[int, int] = (DOUBLES, DOUBLES),
    ) -> list[Choice]:
        """Return everything the roller may name and play, best first.

        See `turns` for the parameters and errors.
        """
        place = self._where(roller, opponent, own, met, doubles)[0]
        found = []
        for named in nameable(self.numbers, own, met, doubles[0]):
            left = doubles[0] - (named == met), doubles[1]
            for after in self._plays(place, named, met):
                turns = 1
                if any(after.counts):
                    turns = -self.turns(opponent, after, met, named, left[::-1])
                    turns += 1 if turns > 0 else -1
                found.append(Choice(named, after, turns))
        return sorted(found, key=lambda choice: _rating(choice.turns), reverse=True)

    def openings(self, first: Position, second: Position) -> dict[int, dict[int, int]]:
        """Return what each pair of first numbers leads to.

        Parameters
        ----------
        first, second : Position
            The side that names first and has the first turn, and the other.

        Returns
        -------
        dict of int to dict of int to int
            For the first side's number and the second's answer, the turns to the end from
            the first turn: above 0 if the first side wins.
        """
        names = range(1, self.numbers + 1)
        return {
            x: {y: self.turns(first, second, x, y) for y in names if y != x} for x in names
        }

    def _plays(self, place: int, named: int, met: int) -> list[Position]:
        """Return the positions that a pair of numbers leads to."""
        from game.no_chance import kernels

        targets = np.empty(_ROOM, np.int64)
        begin, end = kernels.after_pair(self._moves, place, named - 1, met - 1, targets)
        return [_position(int(self._positions[k])) for k in targets[begin:end]]

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
                    f"{name}'s position {side} was not solved; solve the race from it"
                )
            places.append(place)
        return places[0], places[1], met - 1, doubles[0], doubles[1]


def solve_no_chance_race(
    roller: Position,
    opponent: Position | None = None,
    *,
    numbers: int = NUMBERS,
    progress: Any = None,
) -> NoChanceRace:
    """Solve every race that two positions can lead to.

    Either side may have either position, and either may have the turn.

    Parameters
    ----------
    roller : Position
        Six points.
    opponent : Position, optional
        The same as `roller` if not given.
    numbers : int
        How many numbers there are to name, from 4 to 7.
    progress : callable, optional
        Called with the share of the pairs that are solved, of races that take seconds.

    Returns
    -------
    NoChanceRace

    Raises
    ------
    PositionError
        If a position has not six points or no checker.
    TableError
        If the memory does not hold it.

    Notes
    -----
    Seven checkers a side, 1,716 positions, take 0.5 GB, nine 4.1 GB.
    """
    from game.no_chance import kernels

    numbers = check_numbers(numbers)
    starts = [roller, opponent or roller]
    for side in starts:
        if side.points != POINTS or not any(side.counts):
            raise PositionError(f"a race here has checkers on six points; got {side}")
    states = numbers * (DOUBLES + 1) ** 2
    most = isqrt(memory_available() // (_BYTES * states))
    moves, positions = _reachable(starts, numbers, most)
    count = len(positions)
    shape = (count, count, numbers, DOUBLES + 1, DOUBLES + 1)
    offsets, after = _plays(moves)
    best, number, second = (np.empty(shape, np.int8) for _ in range(_BYTES))
    step = max(1, count // 100)
    for begin in range(1, count, step):
        end = min(begin + step, count)
        kernels.solve_rows(offsets, after, begin, end, best, number, second)
        if progress is not None and count > _QUICK:
            progress((end / count) ** 2)
    return NoChanceRace(positions, moves, best, number, second)


def _position(number: int) -> Position:
    return Position(tuple(int(count) for count in unrank(number)))


def _rating(turns: int) -> float:
    """Order results: a sooner win before a later one, a later loss before a sooner one."""
    return 1 / turns


def _reachable(
    starts: list[Position], numbers: int, most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the moves between all positions that can be reached, in order of their pips.

    Raises `TableError` once there are more than `most`.

    Returns
    -------
    moves : ndarray of int64, shape (n, numbers, 6)
        Places of the positions after playing one number; -1 where there is none.
    positions : ndarray of int64, shape (n,)
        Their numbers.
    """
    from game.no_chance import kernels

    sources = np.empty(POINTS, np.int64)
    found: dict[tuple[int, ...], list[tuple[int, int, tuple[int, ...]]]] = {}
    waiting = [tuple(side.counts) for side in starts] + [(0,) * POINTS]
    while waiting:
        counts = waiting.pop()
        if counts in found:
            continue
        if len(found) == most:
            raise TableError(
                f"more than {most:,} positions can be reached, and this machine's free "
                "memory does not hold their pairs; take fewer checkers: nine a side need "
                "4.1 GB at most"
            )
        found[counts] = steps = []
        for number in range(1, numbers + 1):
            many = kernels.single_moves(np.array(counts), number, sources)
            for s, source in enumerate(sources[:many].tolist()):
                moved = list(counts)
                moved[source - 1] -= 1
                if source > number:
                    moved[source - number - 1] += 1
                steps.append((number - 1, s, tuple(moved)))
                waiting.append(tuple(moved))
    order = sorted(found, key=lambda c: (sum(p * n for p, n in enumerate(c, 1)), c))
    place = {counts: k for k, counts in enumerate(order)}
    moves = np.full((len(order), numbers, POINTS), -1, np.int64)
    for k, counts in enumerate(order):
        for number, s, after in found[counts]:
            moves[k, number, s] = place[after]
    return moves, rank(np.array(order)).astype(np.int64)


def _plays(moves: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the plays of all pairs of numbers, as rows of one array."""
    from game.no_chance import kernels

    numbers = moves.shape[1]
    pairs = [(high, low) for high in range(numbers) for low in range(high + 1)]
    offsets = np.zeros((len(moves), len(pairs) + 1), np.int64)
    targets = np.empty(_ROOM, np.int64)
    parts, found = [], 0
    for position in range(len(moves)):
        for k, (high, low) in enumerate(pairs):
            offsets[position, k] = found
            if position:
                begin, end = kernels.after_pair(moves, position, high, low, targets)
                parts.append(targets[begin:end].astype(np.int32))
                found += end - begin
        offsets[position, -1] = found
    return offsets, np.concatenate(parts)
