"""Plays written and read: every legal play of boards met comes back from its text."""

import pytest

from bearoff import PositionError
from game import Board, format_play, legal_plays, read_play
from tests.game.rules.test_plays import board_of, met_boards, scattered


@pytest.mark.parametrize("cases", [met_boards(3, 2), scattered(4, 150)], ids=["met", "any"])
def test_what_is_written_is_read(cases: list) -> None:
    for points, roll in cases:
        board = Board(points)
        for row in legal_plays(board, roll):
            after = Board(tuple(row.tolist()))
            text = format_play(board, after, roll)
            assert read_play(board, text, roll) == after, (points, roll, text)


HIT = board_of(bar=1, p22=-1, p18=-1, p13=2, p1=-2)


@pytest.mark.parametrize(
    ("points", "roll", "text", "written"),
    [
        (Board.start().points, (3, 1), "6/5 8/5", "8/5 6/5"),
        (Board.start().points, (6, 5), "24/18 18/13", "24/13"),
        (Board.start().points, (5, 5), "13/8 13/8 8/3 8/3", "13/3(2)"),
        (Board.start().points, (6, 6), "24/18(2) 13/7(2)", "24/18(2) 13/7(2)"),
        (HIT, (3, 4), "bar/22*/18*", "bar/22*/18*"),
        (HIT, (3, 4), "25/22* 13/9", "bar/22* 13/9"),
        (HIT, (3, 4), "Bar/22 22/18", "bar/22*/18*"),
        (board_of(p6=1, p5=2, p1=-2), (6, 5), "6/off 5/Off", "6/off 5/off"),
        (board_of(p6=2, p1=-2), (6, 6), "6/0(2)", "6/off(2)"),
        (board_of(p7=1, p1=-2), (6, 5), "7/2", None),
        (board_of(bar=1, **{f"p{25 - p}": -2 for p in range(1, 7)}), (6, 5), "", None),
    ],
)
def test_as_players_write(points, roll, text, written) -> None:
    board = Board(tuple(points))
    after = None
    if written is None:
        rows = legal_plays(board, roll)
        if (rows == board.array).all():
            assert format_play(board, board, roll) == "cannot move"
            assert read_play(board, text, roll) == board
            return
        with pytest.raises(PositionError, match="is no play of"):
            read_play(board, text, roll)
        return
    after = read_play(board, text, roll)
    assert format_play(board, after, roll) == written


def test_marks_say_which_way_a_checker_went() -> None:
    board = Board(tuple(board_of(p13=1, p10=-1, p9=0, p1=-2)))
    hit, missed = read_play(board, "13/10*/6", (4, 3)), read_play(board, "13/6", (4, 3))
    assert (hit.points[0], missed.points[0]) == (-1, 0)
    assert format_play(board, hit, (4, 3)) == "13/10*/6"
    assert format_play(board, missed, (4, 3)) == "13/6"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("13/7 14/13", "'13/7 14/13' is no play of 6-1: point 14 has no checker to move"),
        ("bar/22", "'bar/22' is no play of 6-1: the bar has no checker to move"),
        ("13/7", "'13/7' is no play of 6-1: more of the roll can be moved"),
        ("8/4 6/5", "no play of 6-1: 8/4 moves 4 pips, which 6-1 does not allow"),
        ("13/7 24/23 6/5", "no play of 6-1: it moves 8 pips, and the roll has 7"),
        ("24/18 13/12", "no play of 6-1: point 12 is held by the opponent"),
        ("6/off", "no play of 6-1: checkers are borne off once all are in the home board"),
        ("13/7(70)", "a play is written as .* got '13/7"),
        ("13/7x 8/7", "a play is written as .* got '13/7x'"),
        ("13/7 6/off*", "a play is written as .* got '6/off"),
        # As many as would come round to one in eight bits.
        ("13/7 " * 256 + "13/7 8/7", "at most 200 characters, got 1288: '13/7 13/7 "),
        ("7/13", "move to lower points"),
        ("26/20", "points run from 1 to 24, got 26"),
        ("13/7 8/", "a play is written as .* got '8/'"),
        ("", "no move is no play of 6-1: a checker can move"),
    ],
)
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(PositionError, match=words):
        read_play(Board.start(), text, (6, 1))


def test_refusals_on_the_bar_and_of_ways_that_are_shut() -> None:
    """The board is not told: it would be 26 numbers."""
    for points, roll, text, words in (
        (board_of(bar=1, p13=2, p1=-2), (6, 1), "13/6", "the bar comes in first"),
        (board_of(p13=2, p12=-2, p7=-2), (6, 1), "13/6", "6 and 1 lead there by no way"),
    ):
        with pytest.raises(PositionError, match=rf"of 6-1: [^,]*{words}$"):
            read_play(Board(tuple(points)), text, roll)
    start = Board.start()
    with pytest.raises(PositionError, match=r"^no play of 2-1 leads from XGID=\S+ to XGID"):
        format_play(start, start, (2, 1))
