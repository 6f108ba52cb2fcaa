"""Encoder and decoder of GNU Backgammon's position ID: both players in 14 characters.

A position ID encodes 80 bits: first the checkers of the player who is *not* on roll, then
those of the player on roll. For each point of a player from 1 to 24, and then for the bar,
there is a one for each checker, followed by a zero. The bits are packed into bytes, lowest
bit first, and written in base 64 without padding. The source is GNU Backgammon's manual,
"Technical Notes"; the order of the players is that of ``gnubg`` 1.07.
"""

import base64
import binascii
import re

from bearoff.errors import PositionError
from bearoff.positions.setup import Board

_BITS = 80
_SLOTS = 25


def looks_like_position_id(text: str) -> bool:
    """Return whether `text` looks like a position ID of GNU Backgammon, valid or not."""
    return re.fullmatch(r"[A-Za-z0-9+/]{14}", text) is not None


def decode_position_id(text: str) -> tuple[Board, Board]:
    """Return the boards of the player on roll and of the opponent.

    Raises `PositionError` if `text` has the wrong form, a player has more than 15 checkers,
    or bits are set after the end of the position.

    Examples
    --------
    >>> roller, opponent = decode_position_id("4HPwATDgc/ABMA")
    >>> roller == opponent, roller[5], roller[23]
    (True, 5, 2)
    """
    if not looks_like_position_id(text):
        raise PositionError(
            "a position ID must be 14 characters out of A-Z, a-z, 0-9, + and /, got "
            f"{text!r}"
        )
    try:
        key = base64.b64decode(text + "==", validate=True)
    except binascii.Error as error:
        raise PositionError(f"{text!r} is not a position ID: {error}") from error
    boards = []
    counts = [0]
    for bit in range(_BITS):
        if key[bit // 8] >> bit % 8 & 1:
            counts[-1] += 1
        elif len(counts) < _SLOTS:
            counts.append(0)
        else:
            boards.append(tuple(counts))
            counts = [0]
            if len(boards) == 2:
                break
    if len(boards) < 2 or encode_position_id(boards[1], boards[0]) != text:
        raise PositionError(
            f"{text!r} is not a position ID, because its bits do not describe two boards"
        )
    opponent, roller = boards
    for board in boards:
        if sum(board) > 15:
            raise PositionError(
                f"a side may have at most 15 checkers, got {sum(board)} in {text!r}"
            )
    return roller, opponent


def encode_position_id(roller: Board, opponent: Board) -> str:
    """Return the position ID for the boards of the player on roll and of the opponent.

    Examples
    --------
    >>> start = (0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, *[0] * 10, 2, 0)
    >>> encode_position_id(start, start)
    '4HPwATDgc/ABMA'
    """
    bits = "".join(["0" + "1" * count for count in (*roller[::-1], *opponent[::-1])])
    key = int(bits, 2)
    return base64.b64encode(key.to_bytes(_BITS // 8, "little")).decode()[:14]
