"""Legal plays: the boards that a roll can lead to."""

import numpy as np
from numpy.typing import ArrayLike

from bearoff import checks
from bearoff.game.rules.board import Board, BoardArray
from bearoff.rolls import check_roll


def legal_plays(board: Board | ArrayLike, roll: tuple[int, int]) -> BoardArray:
    """Return the boards that a roll can lead to.

    Both numbers of a roll are played if any order allows it, of a double as many of four
    as can be; if only one number can be played, the higher.

    Parameters
    ----------
    board : Board or array_like of int, shape (26,)
        From the side of the roller; see `Board`.
    roll : tuple of int
        Two numbers from 1 to 6.

    Returns
    -------
    ndarray of int8, shape (n, 26)
        Each board once, still from the side of the roller; `board` alone if nothing can be
        played.

    Raises
    ------
    PositionError, RollError
        If there is no such board or roll.

    Examples
    --------
    >>> legal_plays(Board.start(), (6, 1)).shape
    (10, 26)
    """
    if not isinstance(board, Board):
        board = Board(tuple(checks.integers(board, "a board's counts").ravel().tolist()))
    return plays_of_numbers(board, *check_roll(roll))


def plays_of_numbers(board: Board, first: int, second: int) -> BoardArray:
    """Return the boards that two numbers can lead to, in either order; four of equal ones.

    As `legal_plays`, for numbers that no dice need have.
    """
    from bearoff.game.rules import kernels

    states = np.empty((kernels.MOST_SEQUENCES, 26), np.int8)
    lasts = np.empty(kernels.MOST_SEQUENCES, np.int64)
    high, low = max(first, second), min(first, second)
    begin, end = kernels.plays_of_roll(board.array, high, low, states, lasts)
    return states[begin:end].copy()
