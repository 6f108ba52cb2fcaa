"""Random boards, and ways to list their legal plays: compiled code, and plain Python."""

import numpy as np
from numpy.typing import NDArray

from bearoff import ROLLS
from bearoff.game import Board, legal_plays
from bearoff.game.rules import BAR, kernels
from bearoff.runtime import njit

BoardArray = NDArray[np.int8]
Points = tuple[int, ...]

_KEPT = 0.1
"""Share of the positions of a random game that are used."""

ALL_ROLLS = np.array(ROLLS, np.int8)


def random_boards(number: int, seed: int) -> BoardArray:
    """Return distinct random boards, seen by the roller, with checkers left on both sides.

    Half are from games of random players. In the others checkers are anywhere, many on bars
    and at home; in a fifth of these the opponent has made at least five home points, and
    the roller is on the bar.

    Returns
    -------
    ndarray of int8, shape (number, 26)
    """
    rng = np.random.default_rng(seed)
    found: dict[Points, None] = {}
    while len(found) < number // 2:
        _play_game(rng, found)
    found = dict.fromkeys(list(found)[: number // 2])
    while len(found) < number:
        found[_placed(rng)] = None
    return rng.permutation(np.array(list(found), np.int8))


def _play_game(rng: np.random.Generator, found: dict[Points, None]) -> None:
    """Play a random game, and add about a tenth of its positions to `found`."""
    board = Board.start()
    while not board.points_won:
        if rng.random() < _KEPT:
            found[board.points] = None
        first, second = map(int, rng.integers(1, 7, 2))
        after = legal_plays(board, (first, second))
        board = Board(tuple(after[rng.integers(len(after))].tolist())).turned


def _placed(rng: np.random.Generator) -> Points:
    """Return a board with checkers at random points."""
    board = np.zeros(26, int)
    theirs = int(rng.integers(1, 16))
    if rng.random() < 0.2:
        board[19:25] = -2
        if rng.random() < 0.5:
            board[rng.integers(19, 25)] = 0
        board[BAR] = 1
        theirs = int(rng.integers(0, 4))
    near = min(int(rng.integers(4, 27)), BAR)
    open_to_us = np.flatnonzero(board[1:near] == 0) + 1
    for _ in range(rng.integers(1, 15)):
        board[BAR if rng.random() < 0.03 else rng.choice(open_to_us)] += 1
    # The opponent's checkers are placed on the bar (index 0) or on points without checkers
    # of the roller.
    open_to_them = np.append(0, np.flatnonzero(board[1:25] <= 0) + 1)
    for _ in range(theirs):
        board[rng.choice(open_to_them)] -= 1
    return tuple(board.tolist())


@njit(cache=True)
def _count(boards, rolls, states, room):
    total = 0
    for row in range(len(boards)):  # compiles kernels for these types
        for high, low in rolls:
            begin, end = kernels.plays_of_roll(boards[row], high, low, states, room)
            total += end - begin
    return total


def count_plays(boards: BoardArray) -> int:
    """Count the boards after all plays of all 21 rolls, in a compiled loop."""
    states = np.empty((kernels.MOST_SEQUENCES, 26), np.int8)
    room = np.empty(kernels.MOST_SEQUENCES, np.int64)
    return int(_count(boards, ROLLS, states, room))


def count_called(boards: BoardArray) -> int:
    """Count the boards after all plays of all 21 rolls, by calls of `legal_plays`."""
    return sum(len(legal_plays(board, roll)) for board in boards for roll in ROLLS)


def count_enumerated(boards: BoardArray) -> int:
    """Count the boards after all plays of all 21 rolls, in plain Python."""
    return sum(len(enumerated(tuple(b), r)) for b in boards.tolist() for r in ROLLS)


def enumerated(board: Points, roll: tuple[int, int]) -> set[Points]:
    """Return the boards that the rules allow after a roll, by trying all move sequences."""
    high, low = max(roll), min(roll)
    if high == low:
        ways = _sequences(board, (high,) * 4)
        most = max(n for n, _ in ways)
    else:
        first, second = _sequences(board, (high, low)), _sequences(board, (low, high))
        most, ways = max(n for n, _ in first + second), first + second
        if most == 1:
            ways = first if max(n for n, _ in first) == 1 else second
    return {end for n, end in ways if n == most}


def _sequences(board: Points, dice: tuple[int, ...]) -> list[tuple[int, Points]]:
    """Return how many dice each way to play the dice in this order uses, and the board."""
    ways = []
    if dice:
        own = [point for point in range(1, 26) if board[point] > 0]
        for source in own:
            if board[25] > 0 and source != 25:
                continue
            target = source - dice[0]
            after = list(board)
            after[source] -= 1
            if target > 0:
                if board[target] < -1:
                    continue
                if board[target] == -1:
                    after[target] = 0
                    after[0] -= 1
                after[target] += 1
            elif max(own) > 6 or (target < 0 and source != max(own)):
                continue
            ways += [(n + 1, end) for n, end in _sequences(tuple(after), dice[1:])]
    return ways or [(0, board)]
