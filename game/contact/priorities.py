"""Expectiminimax player with priorities, as described by Ciolfi Felice (2010)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff import ROLLS, WEIGHTS
from bearoff.game.rules import Board, legal_plays
from bearoff.rolls import THROWS

BoardArray = NDArray[np.int8]

LOOKS = {"early": (8, 2), "late": (2, 3)}
"""Width and depth of the search, while a player has a checker in the opponent's home board
("early") and afterwards ("late"). The width is the number of plays of each roll that are
searched deeper.
"""

SAMPLE = 14
"""Number of rolls, out of 21, that are evaluated before the search may stop at a node."""


@dataclass(frozen=True)
class PriorityMover:
    """Expectiminimax player of Ciolfi Felice (2010), without its opening book.

    The object can be called as a `game.search.Mover`: for a board and a roll, it returns
    the board after the play, from the opponent's viewpoint.

    Examples
    --------
    >>> mover = PriorityMover()
    >>> board = Board(tuple(mover(Board.start().array, 3, 1).tolist())).turned
    >>> board == mover.rate(Board.start(), (3, 1))[0][0]
    True
    >>> board.points[5]
    2
    """

    @cached_property
    def _room(self) -> Any:
        from bearoff.game.contact import priority_kernels

        return priority_kernels.new_room(ROLLS, np.array(WEIGHTS) / THROWS, 2)

    def __call__(self, board: BoardArray, high: int, low: int) -> BoardArray:
        """Choose a play; return the board after it from the opponent's viewpoint."""
        best = self.rate(Board(tuple(board.tolist())), (high, low))[0][0]
        return best.turned.array

    def rate(self, board: Board, roll: tuple[int, int]) -> list[tuple[Board, float]]:
        """Return the most promising plays and the gain of each in pips, best first."""
        from bearoff.game.contact import priority_kernels as kernels

        plays = legal_plays(board, roll)
        gains = np.empty(len(plays))
        kernels.score_plays(board.array, plays, 0, len(plays), gains)
        early = any(board.roller[18:]) or any(board.opponent[18:])
        width, depth = LOOKS["early" if early else "late"]
        found: list[tuple[Board, float]] = []
        best = -np.inf
        for k in np.argsort(-gains, kind="stable")[:width]:
            after = Board(tuple(plays[k].tolist()))
            reply = kernels.mean_gain(
                self._room, after.turned.array, depth - 1, width, SAMPLE, gains[k] - best
            )
            best = max(best, gains[k] - reply)
            found.append((after, float(gains[k] - reply)))
        return sorted(found, key=lambda each: -each[1])
