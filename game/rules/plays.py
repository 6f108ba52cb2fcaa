"""Legal plays of a roll, as the boards that can follow the roll."""

import numpy as np
from numpy.typing import ArrayLike

from bearoff import checks
from bearoff.game.rules.board import Board, BoardArray
from bearoff.rolls import check_roll


def legal_plays(board: Board | ArrayLike, roll: tuple[int, int]) -> BoardArray:
    """Return the boards that can follow a roll.

    Both numbers of a roll are played if any order allows it, and as many as possible of the
    four numbers of a double. If only one number can be played, it is the higher one if
    possible.

    Parameters
    ----------
    board : Board or array_like of int, shape (26,)
        Board from the roller's viewpoint; see `Board`.
    roll : tuple of int
        Two dice, each from 1 to 6.

    Returns
    -------
    ndarray of int8, shape (n, 26)
        Distinct boards from the roller's viewpoint. If no checker can move, only `board`
        itself.

    Raises
    ------
    PositionError, RollError
        If the board or the roll is impossible.

    Examples
    --------
    >>> legal_plays(Board.start(), (6, 1)).shape
    (10, 26)
    """
    if not isinstance(board, Board):
        board = Board(tuple(checks.integers(board, "a board's counts").ravel().tolist()))
    return plays_of_numbers(board, *check_roll(roll))


def plays_of_numbers(board: Board, first: int, second: int) -> BoardArray:
    """Return the boards after playing two different numbers, or one number four times.

    Numbers above 6 are allowed, unlike in `legal_plays`.
    """
    from bearoff.game.rules import kernels

    states = np.empty((kernels.MOST_SEQUENCES, 26), np.int8)
    lasts = np.empty(kernels.MOST_SEQUENCES, np.int64)
    high, low = max(first, second), min(first, second)
    begin, end = kernels.plays_of_roll(board.array, high, low, states, lasts)
    return states[begin:end].copy()
