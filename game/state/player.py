"""Interface of a backgammon player."""

from collections.abc import Sequence
from typing import Protocol

from bearoff.game.rules import Board
from bearoff.game.state.state import GameState


class Player(Protocol):
    """Interface of a player; equal seeds and equal games give equal decisions."""

    @property
    def name(self) -> str:
        """Name of the player."""

    def play(self, state: GameState) -> Board:
        """Return the board after the chosen legal play of ``state.dice``.

        The board is from the roller's viewpoint.
        """

    def double(self, state: GameState) -> bool:
        """Return whether to double now; ``state.may_double`` is true."""

    def take(self, state: GameState) -> bool:
        """Return whether to take; ``state.board`` is from the next roller's viewpoint."""

    def evaluate(self, state: GameState) -> Sequence[tuple[Board, float]]:
        """Return the legal plays of ``state.dice``, best first, with their values.

        Values are the roller's mean points or another measure; the result is empty if the
        player states no values.
        """
