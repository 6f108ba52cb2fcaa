"""The protocol of a backgammon player."""

from collections.abc import Sequence
from typing import Protocol

from bearoff.game.rules import Board
from bearoff.game.state.state import GameState


class Player(Protocol):
    """A player; equal seeds and equal games give equal decisions."""

    @property
    def name(self) -> str:
        """Name of the player."""

    def play(self, state: GameState) -> Board:
        """Choose a legal play of ``state.dice`` and return the board after it.

        The board is from the roller's view.
        """

    def double(self, state: GameState) -> bool:
        """Whether to double now; ``state.may_double`` is true."""

    def take(self, state: GameState) -> bool:
        """Whether to take; ``state.board`` is from the view of the side that rolls next."""

    def evaluate(self, state: GameState) -> Sequence[tuple[Board, float]]:
        """Return the legal plays of ``state.dice``, best first, with their values.

        Values are mean points of the roller or another measure; the result is empty if the
        player gives none.
        """
