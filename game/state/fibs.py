"""Boards in FIBS notation: a line of numbers that says a game's whole state.

``board:``, two names, the match's length and both points; 26 counts; a player's turn, the
dice twice, the cube, who may double, whether one has; colour and direction. Read is what
GNU Backgammon 1.07 sends to external players. Of its players 1 and 0 the turn is 1 and -1;
points are first of player 0, and after a double of player 1; board and rights to double
are player 1's.
"""

import re

from bearoff.game.rules import Board
from bearoff.game.state.state import GameError, GameState

_FIELDS = 53
"""The last says that the game is not Crawford's."""


def read_fibs(line: str, *, jacoby: bool = False) -> GameState:
    """Read the state of a game from a line in FIBS notation.

    Parameters
    ----------
    line : str
        As one gets it who is to decide: to play the dice, to answer a double, or to roll.
    jacoby : bool
        Whether a session is by Jacoby's rule, which the line does not say.

    Returns
    -------
    GameState
        Player 0 is to decide.

    Raises
    ------
    BearoffError
        If it is no such line, or no game can be so.
    """
    fields = line.strip().split(":")
    if fields[0] != "board" or len(fields) != _FIELDS:
        raise GameError(
            f"a board in FIBS notation is 'board:' and {_FIELDS - 1} fields between "
            f"colons, got {line.strip()[:60]!r}"
        )
    if not all(re.fullmatch(r"-?\d{1,9}", field, re.A) for field in fields[3:]):
        raise GameError(
            "a board in FIBS notation has whole numbers behind the names, got "
            f"{line.strip()[:60]!r}"
        )
    numbers = list(map(int, fields[3:]))
    length, won, points = numbers[0], numbers[1:3], numbers[3:29]
    turn, first, second = numbers[29:32]
    cube, *rights, doubled, colour, direction = numbers[34:40]
    if {turn, colour, direction} - {1, -1}:
        raise GameError(
            "turn, colour and direction are 1 or -1 in FIBS notation, got "
            f"{turn}, {colour} and {direction}"
        )
    if cube < 1 or cube & (cube - 1):
        raise GameError(f"a cube shows 1, 2, 4 and so on, got {cube}")
    if turn == 1:
        won.reverse()
    board = Board(tuple(colour * count for count in points[::-direction]))
    if (turn == 1) == bool(doubled):  # Whoever decides is player 0 there.
        rights.reverse()
        board = board.turned
    dice = None if doubled or not (first and second) else (first, second)
    state = GameState(
        length=length,
        won=(won[0], won[1]),
        crawford=length > 1 and not numbers[-1],
        jacoby=jacoby and not length,
        board=board.turned if doubled else board,
        turn=int(doubled != 0),
        cube_value=cube,
        cube_owner=None if rights[0] and rights[1] else int(not rights[0]),
        offers=int(doubled != 0),
    )
    return state.roll(*dice) if dice else state
