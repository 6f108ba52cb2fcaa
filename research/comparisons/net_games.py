"""Boards and rolls from games of the network against itself."""

from collections.abc import Callable, Iterator

import numpy as np

from bearoff.game import Board
from bearoff.game.evaluation import Net
from bearoff.game.search import net_mover

_LONGEST = 300
"""Maximum number of turns, after which a new game is started."""


def boards_met(
    rng: np.random.Generator, is_over: Callable[[Board], bool], every: int
) -> Iterator[tuple[Board, tuple[int, int]]]:
    """Yield the board and the roll of one in `every` turns, with the higher die first.

    A new game is started when `is_over` returns true for the board.
    """
    move, board, turns = net_mover(Net.load()), Board.start(), 0
    while True:
        first, second = map(int, rng.integers(1, 7, 2))
        if is_over(board) or turns > _LONGEST:
            board, turns = Board.start(), 0
            continue
        high, low = max(first, second), min(first, second)
        turns += 1
        if turns % every == 3:
            yield board, (high, low)
        board = Board(tuple(move(board.array, high, low).tolist()))
