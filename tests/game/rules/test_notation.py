"""Every legal play on boards from games is written and read back."""

from functools import partial

import numpy as np
import pytest

import bearoff
from bearoff import PositionError
from bearoff.game import Board, format_play, legal_plays, read_play
from bearoff.game.records import parse_match
from bearoff.game.rules import move_checkers
from bearoff.plays import write_moves
from research.public_matches import contents
from tests.game.rules.test_plays import board_of, met_boards, scattered
from tests.refusals import refused


@pytest.mark.parametrize(("cases", "count"), [(met_boards, 2), (scattered, 150)])
def test_what_is_written_is_read(cases, count):
    for board, roll in cases(3, count):
        for row in legal_plays(board, roll).tolist():
            text = format_play(board, Board(tuple(row)), roll)
            assert list(read_play(board, text, roll).points) == row, (board, roll, text)


START = Board.start()
HIT = board_of(bar=1, p22=-1, p18=-1, p13=2, p1=-2)
SHUT = {f"p{25 - p}": -2 for p in range(1, 7)}


@pytest.mark.parametrize(
    ("board", "roll", "text", "written"),
    [
        (START, (3, 1), "6/5 8/5", "8/5 6/5"),
        (START, (6, 5), "24/18 18/13", "24/13"),
        (START, (5, 5), "13/8 13/8 8/3 8/3", "13/3(2)"),
        (START, (6, 6), "24/18(2) 13/7(2)", "24/18(2) 13/7(2)"),
        (HIT, (3, 4), "bar/22*/18*", "bar/22*/18*"),
        (HIT, (3, 4), "25/22* 13/9", "bar/22* 13/9"),
        (HIT, (3, 4), "Bar/22 22/18", "bar/22*/18*"),
        (board_of(p6=1, p5=2, p1=-2), (6, 5), "6/off 5/Off", "6/off 5/off"),
        (board_of(p6=2, p1=-2), (6, 6), "6/0(2)", "6/off(2)"),
        (board_of(bar=1, **SHUT), (6, 5), "", "cannot move"),
    ],
)
def test_as_players_write(board, roll, text, written):
    assert format_play(board, read_play(board, text, roll), roll) == written


def test_marks_say_which_way_a_checker_went():
    board = board_of(p13=1, p10=-1, p1=-2)
    hit, missed = read_play(board, "13/10*/6", (4, 3)), read_play(board, "13/6", (4, 3))
    assert (hit.points[0], missed.points[0]) == (-1, 0)
    assert format_play(board, hit, (4, 3)) == "13/10*/6"
    assert format_play(board, missed, (4, 3)) == "13/6"


@pytest.mark.parametrize(
    ("text", "roll", "point"),
    [
        ("8/5*/4", (3, 1), 5), ("13/10* 6/5", (3, 1), 10),
        ("24/23 13/10*", (3, 1), 10), ("8/5*(2) 6/3(2)", (3, 3), 5),
    ],
)  # fmt: skip
def test_a_mark_where_nothing_is_hit_is_refused(text, roll, point):
    for reads in (lambda text: read_play(START, text, roll), partial(move_checkers, START)):
        reads(text.replace("*", ""))
        with refused(PositionError, point):
            reads(text)


def test_marks_of_hits_may_be_left_out_or_stand_at_either_end_of_a_stop():
    texts = "bar/22*/18*", "bar/22/18*", "bar/22*/18", "bar/22* 22*/18*"
    (after,) = {read_play(HIT, text, (3, 4)) for text in texts}
    assert after == move_checkers(HIT, texts[0])
    assert after.points[0] == -2


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("13/7 14/13", ("13/7 14/13", "6-1", "point 14")),
        ("bar/22", ("bar/22", "6-1")),
        ("13/7", ("13/7", "6-1")),
        ("8/4 6/5", ("6-1", 8, 4)),
        ("13/7 24/23 6/5", ("6-1", 8, 7)),
        ("24/18 13/12", ("6-1", "point 12")),
        ("6/off", ("6-1",)),
        ("13/7(70)", (13, 7)),
        ("13/7x 8/7", ("13/7x",)),
        ("13/7 6/off*", (6,)),
        # The number of moves would overflow an 8-bit integer.
        ("13/7 " * 256 + "13/7 8/7", (200, 1288, 13, 7)),
        ("7/13", ("points",)),
        ("26/20", (1, 24, 26)),
        ("13/7 8/", ("8/",)),
        ("", ("6-1",)),
    ],
)
def test_refusals(text, named):
    with refused(PositionError, *named):
        read_play(START, text, (6, 1))


def test_refusals_on_the_bar_and_of_ways_that_are_shut():
    """Error messages about illegal plays do not contain the board."""
    shut = board_of(p13=2, p12=-2, p7=-2)
    for board, text, words in (
        (board_of(bar=1, p13=2, p1=-2), "13/6", "the bar must enter first"),
        (shut, "13/6", "no order of the dice 6 and 1 allows this play"),
        (board_of(p7=1, p1=-2), "7/6", "the roll allows a play that moves more pips"),
    ):
        with pytest.raises(PositionError, match=rf"of 6-1: [^,]*{words}$"):
            read_play(board, text, (6, 1))
    with refused(PositionError, "2-1", "XGID"):
        format_play(START, START, (2, 1))


def test_a_race_writes_plays_as_a_whole_board_does():
    rng = np.random.default_rng(5)
    for _ in range(60):
        counts = rng.multinomial(rng.integers(1, 6), np.full(9, 1 / 9)).tolist()
        roll = tuple(sorted(rng.integers(1, 7, 2).tolist(), reverse=True))
        board = Board((0, *counts, *[0] * 16))
        for play in bearoff.legal_plays(bearoff.Position(tuple(counts)), roll):
            after = Board((0, *play.after.counts, *[0] * 16))
            assert str(play) == format_play(board, after, roll)


def test_moves_from_one_point_stand_in_the_order_of_extreme_gammon():
    """Moves from one point are written in the same order as by eXtreme Gammon."""
    seen = 0
    for name in ("5nqfGw9bWG3deTaU.xg", "hQ8sVn2LbTdF4wRm.xg"):
        games = parse_match(contents()[name], name).games
        for action in (action for game in games for action in game.actions):
            plays = [one.equities for one in action.analyses if one.about == "play"]
            for words in (text.split() for equities in plays for text, _ in equities):
                moves = [
                    (int(a), 0 if b == "off" else int(b), False)
                    for a, _, b in (word.partition("/") for word in words)
                    if a != "bar"
                ]
                if len(moves) == 2 and moves[0][0] == moves[1][0] and moves[0] != moves[1]:
                    assert write_moves(moves[::-1]) == " ".join(words)
                    seen += 1
    assert seen > 50
