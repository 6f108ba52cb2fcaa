"""Computer player of No Chance Backgammon: alpha-beta search with iterative deepening."""

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff import BearoffError, checks
from bearoff.game.no_chance.position import NoChancePosition
from bearoff.game.rules import Board

DEEPEST = 12
MOST_POSITIONS = 10**9
MOST_POINTS = 3
_SLOTS = 1 << 18


@dataclass(frozen=True)
class SearchResult:
    """Result of a search: the number to name, its best play, and their value.

    Attributes
    ----------
    number : int
        Number that the player names.
    board : Board
        Board after the play, from the viewpoint of the player who named the number.
    value : float
        Value in pips for the player who named the number. It is an estimate unless `turns`
        is given.
    points : int or None
        Points won if the search reached the end of the game; negative if the opponent wins.
        A winning player may win more than this number. None if the search did not reach the
        end.
    turns : int or None
        Number of turns of both players to the end of the game; negative if the opponent
        wins. None if the search did not reach the end.
    depth : int
        Search depth: number of turns of both players together.
    positions : int
        Number of positions that the search visited.
    """

    number: int
    board: Board
    value: float
    points: int | None
    turns: int | None
    depth: int
    positions: int


class SearchStop:
    """Switch that stops a search from another thread or at a deadline.

    A stopped search returns the best result that it has found. A search that is stopped
    before its start still looks one turn ahead.
    """

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._counts: NDArray[np.int64] | None = None

    def __call__(self) -> None:
        """Stop the search now."""
        self._stopped.set()
        if self._counts is not None:
            self._counts[1] = 0

    @property
    def stopped(self) -> bool:
        """Whether the search has been stopped."""
        return self._stopped.is_set()

    def watch(self, counts: NDArray[np.int64]) -> None:
        """Let this switch stop the search that counts positions in `counts`."""
        self._counts = counts
        if self.stopped:
            counts[1] = 0


def search_no_chance(
    position: NoChancePosition,
    number: int | None = None,
    *,
    depth: int = DEEPEST,
    positions: int = 100_000,
    seconds: float | None = None,
    stop: SearchStop | None = None,
) -> SearchResult:
    """Search for the best number to name and its best play.

    The search deepens by one turn at a time, up to the maximum depth or number of
    positions. The static evaluation counts pips, made points, primes, anchors and blots,
    with weights chosen by hand. A search that finds a win continues, because it may find a
    gammon or a backgammon.

    Parameters
    ----------
    position : NoChancePosition
    number : int, optional
        Number that the player on roll must name. By default, the search chooses the number.
    depth : int
        Maximum number of turns to search, from 1 to 12.
    positions : int
        Maximum number of positions to visit, up to 1e9. The first turn is always searched.
        A processor core visits about 50,000 positions per second.
    seconds : float, optional
        Time limit in seconds.
    stop : SearchStop, optional
        Switch that stops the search from another thread.

    Returns
    -------
    SearchResult

    Raises
    ------
    BearoffError
        If the game is over, a limit is out of range, or the number may not be named.

    Examples
    --------
    >>> found = search_no_chance(NoChancePosition.start(6, 5), depth=2)
    >>> found.depth, found.turns
    (2, None)
    """
    from bearoff.game.no_chance import search_kernels as kernels

    depth = checks.integer(depth, "turns to search", 1, DEEPEST, BearoffError)
    positions = checks.integer(
        positions, "positions to visit", 1, MOST_POSITIONS, BearoffError
    )
    if position.lost or not any(position.board.roller):
        raise BearoffError("the game is over, so there is nothing to search")
    if number is not None:
        position.check_nameable(number)
    only = number or 0
    memory, room = _arrays(kernels)
    count = np.array([0, 2])  # The search of the first turn has no limit.
    stop = stop or SearchStop()
    timer = threading.Timer(seconds or 0.0, stop)
    timer.daemon = True
    found: SearchResult | None = None
    for deep in range(1, depth + 1):
        value = kernels.search(
            position.board.array,
            position.own,
            position.met,
            *position.doubles,
            deep,
            -kernels.MOST,
            kernels.MOST,
            0,
            position.numbers,
            only,
            memory,
            room,
            count,
        )
        if count[0] >= count[1]:
            break
        visited = int(count[0])
        found = _found(kernels, position, only, int(value), deep, visited, memory, room)
        if found.points is not None and not _may_be_more(position, found.points):
            break
        if deep == 1:
            count[1] = max(positions, 2)
            stop.watch(count)
            if seconds is not None:
                timer.start()
        if stop.stopped:
            break
    timer.cancel()
    assert found is not None
    return found


def _may_be_more(position: NoChancePosition, points: int) -> bool:
    """Return whether the winner might still win more than a given number of points."""
    loser = position.board.off[1 if points > 0 else 0]
    return loser == 0 and abs(points) < MOST_POINTS


def _arrays(kernels: Any) -> tuple[Any, Any]:
    """Return an empty transposition table, and the work arrays of the kernel."""
    memory = (
        np.zeros(_SLOTS, np.uint64),
        np.zeros(_SLOTS, np.int64),
        np.zeros(_SLOTS, np.int64),
        np.zeros(_SLOTS, np.int64),
        np.zeros(_SLOTS, np.int64),
    )
    plies = DEEPEST + 1
    room = (
        np.empty((plies, kernels.MOST_CHILDREN, 26), np.int8),
        np.empty((plies, kernels.MOST_CHILDREN), np.int64),
        np.empty((plies, kernels.MOST_CHILDREN), np.int64),
        _scratch(),
    )
    return memory, room


def _scratch() -> tuple[Any, Any]:
    from bearoff.game.rules import kernels as rules

    return (
        np.empty((rules.MOST_SEQUENCES, 26), np.int8),
        np.empty(rules.MOST_SEQUENCES, np.int64),
    )


def _found(
    kernels: Any,
    position: NoChancePosition,
    only: int,
    value: int,
    depth: int,
    visited: int,
    memory: Any,
    room: Any,
) -> SearchResult:
    """Return the best turn that a finished search has found."""
    doubles, theirs = position.doubles
    key = kernels.key_of(position.board.array, position.own, position.met, doubles, theirs)
    chosen = memory[4][int((key + np.uint64(only)) % np.uint64(_SLOTS))]
    boards, values, named, scratch = room
    kernels.children(
        position.board.array,
        position.own,
        position.met,
        doubles,
        position.numbers,
        only,
        boards[0],
        values[0],
        named[0],
        scratch,
    )
    points = turns = None
    if abs(value) > kernels.SURE:
        sign = 1 if value > 0 else -1
        points = -(-abs(value) // kernels.WON)
        turns = sign * (points * kernels.WON - abs(value) + 1)
        points *= sign
    board = Board(tuple((-boards[0, chosen, ::-1]).tolist()))
    return SearchResult(
        int(named[0, chosen]), board, value / 100, points, turns, depth, visited
    )
