"""Functions that make an .xg file of eXtreme Gammon from its published record layout."""

import struct
import zlib

HEAD = 8232
SIZE = 2560


def _record(kind, *numbers):
    made = bytearray(SIZE)
    made[8] = kind
    for place, number in numbers:
        struct.pack_into("<i", made, place, number)
    return made


def made_xg(
    players, board, roll, moves, cube=0, equities=None, *, doubled=0, comment=-1, kept=9
):
    """Return a session of one game: player 1 does not double, then plays a roll.

    Each move is a pair of points, from and to, with 0 for off. A cube of 1 means that
    player 1 owns the cube at 2. The comment is the number of the decision to double's text,
    and `kept` the number of records.
    """
    match = _record(0, (92, 99_999), (576, -1), (580, -1))
    for place, name in zip((880, 1138), players, strict=True):
        match[place : place + 2 * len(name)] = name.encode("utf-16-le")
    game = _record(1, (56, -1), (60, -1))
    struct.pack_into("<26b", game, 21, *board.points)
    doubling = _record(
        2, (12, 1), (16, doubled), (20, -1), (32, cube), (92, 2), (232, -1), (292, comment)
    )
    if equities is not None:
        struct.pack_into("<3f", doubling, 152, *equities)
        struct.pack_into("<i", doubling, 232, 2)
    play = _record(3, (64, 1), (100, roll[0]), (104, roll[1]), (108, cube), (2524, -1))
    places = [place - 1 for move in moves for place in move] + [-1] * 8
    struct.pack_into("<8i", play, 68, *places[:8])
    struct.pack_into("<d", play, 2312, -1000.0)
    head = b"RGMH" + bytes(HEAD - 4)
    return head + zlib.compress(b"".join((match, game, doubling, play)[:kept]))
