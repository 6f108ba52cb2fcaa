"""Boards of games of the net with itself, each with the roll that is thrown there."""

from collections.abc import Callable, Iterator

import numpy as np

from bearoff.game import Board
from bearoff.game.evaluation import Net
from bearoff.game.search import net_mover

_LONGEST = 300
"""Turns after which a game is begun anew."""


def boards_met(
    rng: np.random.Generator, is_over: Callable[[Board], bool], every: int
) -> Iterator[tuple[Board, tuple[int, int]]]:
    """Yield boards without end, of every so many turns, and the roll: the higher die first.

    A game is begun anew where a board says that it is over.
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
