"""Boards are read in every notation, and written in two notations."""

import pytest

from bearoff import PositionError
from bearoff.game import Board
from tests.game.rules.test_plays import scattered
from tests.refusals import refused

START = Board.start()
DRAWN = """
 GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : cAkAAAAAAAAE
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg
 | X           O    |   | O              X |     0 points
 | X           O    |   | O              X |
 | X           O    |   | O                |
 | X                |   | O                |
 | X                |   | O                |
v|                  |BAR|                  |     (Cube: 1)
 | O                |   | X                |
 | O                |   | X                |
 | O           X    |   | X                |
 | O           X    |   | X              O |     On roll
 | O           X    |   | X              O |     0 points
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: root
"""


@pytest.mark.parametrize(
    "text",
    [
        "4HPwATDgc/ABMA", "4HPwATDgc/ABMA:cAkAAAAAAAAE",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        "look at -b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10 there",
        "11ccccchhhjjjjj:66666888dddddoo:N0N::W", DRAWN,
        "0,-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0",
    ],
)  # fmt: skip
def test_every_notation(text):
    assert Board.parse(text) == START


def test_what_is_written_is_read():
    for board, _ in scattered(5, 300):
        if sum(board.roller) and sum(board.opponent):
            for text in (board.xgid, board.position_id, str(board)):
                assert Board.parse(text) == board, text


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "position"), ("hello", "hello"), ("4HPwATDgc/ABM", "position"),
        (",".join(["x"] * 26), 26),
        ("XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10", 26),
    ],
)  # fmt: skip
def test_refusals(text, named):
    with refused(PositionError, named):
        Board.parse(text)
