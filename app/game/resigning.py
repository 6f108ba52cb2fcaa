"""Decision on whether the program accepts the user's resignation."""

import numpy as np

from bearoff.bear_in import bear_in
from bearoff.game import Board
from bearoff.rolls import HOME, PIPS_PER_ROLL


def accepts(board: Board, lost: int) -> bool:
    """Return whether the resignation offers all that the program could win by playing on.

    The program refuses to win only a single game if the user has borne off no checker, and
    bringing all checkers home takes longer than the program's bear-off. It refuses a gammon
    if a checker of the user would then still be in the program's home board or on the bar.

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
