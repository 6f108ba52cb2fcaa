"""Decide whether to accept the user's resignation."""

import numpy as np

from bearoff.bear_in import bear_in
from bearoff.game import Board
from bearoff.rolls import HOME, PIPS_PER_ROLL


def accepts(board: Board, lost: int) -> bool:
    """Return whether the other side cannot win more than is offered.

    While the user has borne nothing off, a single game is refused if bringing all checkers
    home takes longer than the other side's bear-off. A gammon is refused if a checker would
    then still be in that side's home or on the bar.

    Parameters
    ----------
    board : Board
        Board from the side that resigns.
    lost : int
        1 for a single game, 2 for a gammon, 3 for a backgammon.

    Examples
    --------
    >>> accepts(Board.start(), 1)
    True
    """
    if lost == 3 or board.off[0] > 0:
        return True
    opponent = np.array(board.opponent)
    if opponent[24]:
        return True
    rolls = float(bear_in().mean_rolls(opponent[:24]))
    beyond = HOME if lost == 1 else 18
    pips = sum(
        (point - beyond) * count
        for point, count in enumerate(board.roller, start=1)
        if point > beyond
    )
    needed = pips + (lost == 1)
    return needed / PIPS_PER_ROLL <= rolls
