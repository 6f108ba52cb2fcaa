"""What a player of backgammon is asked."""

from collections.abc import Sequence
from typing import Protocol

from bearoff.game.rules import Board
from bearoff.game.state.state import GameState


class Player(Protocol):
    """Whoever decides for a side; equal seeds and equal games give equal decisions."""

    @property
    def name(self) -> str:
        """What the player is called."""

    def play(self, state: GameState) -> Board:
        """Choose one of the legal plays of ``state.dice``: the board after it.

        From the side of the roller, not turned.
        """

    def double(self, state: GameState) -> bool:
        """Whether to double now; ``state.may_double`` is true."""

    def take(self, state: GameState) -> bool:
        """Whether to take; ``state.board`` is from the side of who rolls next."""

    def evaluate(self, state: GameState) -> Sequence[tuple[Board, float]]:
        """Return the legal plays of ``state.dice``, the best first, with their worth.

        Points that the roller wins on average, or whatever else the player goes by; empty
        if it tells nothing.
        """
