"""Position of No Chance Backgammon on the whole board, and its possible turns."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bearoff import PositionError
from bearoff.game.no_chance.naming import (
    DOUBLES,
    NUMBERS,
    check_named,
    check_numbers,
    nameable,
)
from bearoff.game.rules import Board, plays_of_numbers


@dataclass(frozen=True)
class NoChancePosition:
    """Position of No Chance Backgammon: board, numbers named last, and doubles left.

    In each turn, the roller names a number, and plays this number together with the number
    that the opponent named last, like a roll of two dice. Where Cagman's paper is
    ambiguous, the following rules apply. As in backgammon, a double is played four times,
    and gammons and backgammons count. A pair of numbers that cannot be played completely is
    played as far as possible. The number counts as named even if no checker can move. The
    player who names the first number has the first turn. The first two numbers must be
    different.

    Attributes
    ----------
    board : Board
        Board from the viewpoint of the player on roll, who names the next number.
    own, met : int
        Number that the player on roll named last, and number that the opponent named last.
    doubles : tuple of int
        Number of doubles left to the player on roll, and to the opponent.
    numbers : int
        Largest number that players may name, from 4 to 7.

    Raises
    ------
    PositionError
        If the board or the numbers are impossible.

    Examples
    --------
    >>> position = NoChancePosition.start(6, 5)
    >>> list(position.nameable)
    [1, 2, 3, 4, 5]
    >>> len(position.plays(1))
    8
    """

    board: Board
    own: int
    met: int
    doubles: tuple[int, int] = (DOUBLES, DOUBLES)
    numbers: int = NUMBERS

    def __post_init__(self) -> None:
        check_numbers(self.numbers)
        check_named(self.numbers, self.own, self.met, self.doubles)

    @classmethod
    def start(
        cls,
        first: int,
        second: int,
        numbers: int = NUMBERS,
        board: Board | None = None,
        doubles: int = DOUBLES,
    ) -> Self:
        """Return the position after both players have named their first numbers.

        `doubles` is the number of doubles that each player may name in the game.

        Raises
        ------
        PositionError
            If the numbers are equal or out of range.
        """
        if first == second:
            raise PositionError(
                f"the first two numbers must be different, got {first} twice"
            )
        return cls(board or Board.start(), first, second, (doubles, doubles), numbers)

    @property
    def nameable(self) -> Iterator[int]:
        """Numbers that the player on roll may name."""
        return nameable(self.numbers, self.own, self.met, self.doubles[0])

    def plays(self, number: int) -> list[Board]:
        """Return the boards after each play of a named number, from the player's viewpoint.

        Raises
        ------
        PositionError
            If the number may not be named.
        """
        self.check_nameable(number)
        return [Board(tuple(row)) for row in self._rows(number).tolist()]

    def check_nameable(self, number: int) -> None:
        """Raise an error if the player may not name a given number.

        Raises
        ------
        PositionError
            If the player may not name the number. The message states the reason.
        """
        allowed = list(self.nameable)
        if number in allowed:
            return
        why = "is not a number that may be named"
        if number == self.own:
            why = "is the number you named last"
        elif number == self.met:
            why = "would be a double, and you have no double left"
        raise PositionError(f"{number} {why}; you may name {', '.join(map(str, allowed))}")

    def after(self, number: int, board: Board) -> "NoChancePosition":
        """Return the position after a number is named and played; the opponent is to move.

        Raises
        ------
        PositionError
            If the number may not be named, or no play leads to the given board.
        """
        self.check_nameable(number)
        if not (self._rows(number) == board.array).all(axis=1).any():
            raise PositionError(
                f"no legal play of {number} and {self.met} leads to {board}"
            )
        left = self.doubles[0] - (number == self.met)
        return replace(
            self,
            board=board.turned,
            own=self.met,
            met=number,
            doubles=(self.doubles[1], left),
        )

    @property
    def lost(self) -> bool:
        """Whether the opponent has borne off all checkers."""
        return not any(self.board.opponent)

    def _rows(self, number: int) -> NDArray[np.int8]:
        return plays_of_numbers(self.board, number, self.met)
