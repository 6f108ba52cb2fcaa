"""Decision on whether the program accepts the user's resignation."""

import numpy as np

from bearoff.bear_in import bear_in
from bearoff.game import Board
from bearoff.rolls import HOME, PIPS_PER_ROLL


def accepts(board: Board, lost: int) -> bool:
    """Return whether playing on could not win more than the offered resignation.

    As long as the user has borne off no checker, a single game is refused if bringing all
    checkers home takes longer than the opponent's bear-off. A gammon is refused if a
    checker would then still be in the opponent's home board or on the bar.

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
