"""Interface of a backgammon player."""

from collections.abc import Sequence
from typing import Protocol

from bearoff.game.rules import Board
from bearoff.game.state.state import GameState


class Player(Protocol):
    """Interface of a backgammon player, which must decide equally in equal situations."""

    @property
    def name(self) -> str:
        """Name of the player, as shown to users."""

    def play(self, state: GameState) -> Board:
        """Return the board after the legal play of ``state.dice`` that the player chooses.

        The board is from the roller's viewpoint.
        """

    def double(self, state: GameState) -> bool:
        """Return whether to double now; requires that ``state.may_double`` is true."""

    def take(self, state: GameState) -> bool:
        """Return whether to take; the board is from the viewpoint of the player on roll."""

    def evaluate(self, state: GameState) -> Sequence[tuple[Board, float]]:
        """Return the legal plays of ``state.dice`` with their values, best first.

        A play's value is the roller's equity in points, or another number that is larger
        for better plays. The result is empty if the player does not reveal values.
        """
