"""Reader of the FIBS board format: one line with the complete state of a game.

The line consists of fields separated by colons: ``board``, two names, the match length, the
points of both players, 26 checker counts, the turn, the dice twice, the cube value, who may
double, whether a double is pending, colour and direction. This module reads the form that
GNU Backgammon 1.07 sends to external players. The turn is 1 for player 1 and -1 for player
0. The points of player 0 come first, except after a double, when the points of player 1
come first. The board and the rights to double are from player 1's viewpoint.
"""

import re

from bearoff.game.rules import Board
from bearoff.game.state.state import GameError, GameState

_FIELDS = 53
"""Number of fields in a line of the FIBS board format. The last field is 0 in the Crawford
game."""


def read_fibs(line: str, *, jacoby: bool = False) -> GameState:
    """Read the state of a game from a line in the FIBS board format.

    Parameters
    ----------
    line : str
        Line that GNU Backgammon sends to the player who must play the dice, answer a
        double, or roll.
    jacoby : bool
        Whether the Jacoby rule applies in money play; the line does not state this.

    Returns
    -------
    GameState
        State of the game, in which player 0 must decide.

    Raises
    ------
    BearoffError
        If the text is not a line in FIBS notation, or the game is impossible.
    """
    fields = line.strip().split(":")
    if fields[0] != "board" or len(fields) != _FIELDS:
        raise GameError(
            f"a board in FIBS notation must be 'board:' followed by {_FIELDS - 1} fields "
            f"separated by colons, got {line.strip()[:60]!r}"
        )
    if not all(re.fullmatch(r"-?\d{1,9}", field, re.A) for field in fields[3:]):
        raise GameError(
            "a board in FIBS notation must have whole numbers after the names, got "
            f"{line.strip()[:60]!r}"
        )
    numbers = list(map(int, fields[3:]))
    length, won, points = numbers[0], numbers[1:3], numbers[3:29]
    turn, first, second = numbers[29:32]
    cube, *rights, doubled, colour, direction = numbers[34:40]
    if {turn, colour, direction} - {1, -1}:
        raise GameError(
            f"the turn, colour and direction in FIBS notation must be 1 or -1, got {turn}, "
            f"{colour} and {direction}"
        )
    if cube < 1 or cube & (cube - 1):
        raise GameError(f"the cube value must be a power of 2 (1, 2, 4, ...), got {cube}")
    if turn == 1:
        won.reverse()
    board = Board(tuple(colour * count for count in points[::-direction]))
    # The player who must decide becomes player 0 of the `GameState`.
    if (turn == 1) == bool(doubled):
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
