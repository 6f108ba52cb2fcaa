"""Whether to accept that the person gives up."""

import numpy as np

from bearoff.bear_in import bear_in
from bearoff.game import Board
from bearoff.rolls import HOME, PIPS_PER_ROLL


def accepts(board: Board, lost: int) -> bool:
    """Whether the other side has no more to win than is offered.

    As long as the person has borne nothing off, a game is refused once bringing the
    checkers home takes longer than the other side's way out; a gammon once one of them
    then still stands in that side's home, or on the bar.

    Parameters
    ----------
    board : Board
        From the side of who gives up.
    lost : int
        1 for a game, 2 for a gammon, 3 for a backgammon.

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
