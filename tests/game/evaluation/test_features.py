"""Features of positions compared with counts by hand and with all rolls."""

import pytest

from bearoff.game import Board, legal_plays
from bearoff.game.evaluation import FEATURES, feature_kernels, features_of
from tests.game.rules.test_plays import board_of, met_boards


def throws_that_hit(board):
    """Return the number of rolls, out of 36, that can hit a checker."""
    return sum(
        (legal_plays(board, (a, b))[:, 0] < board.points[0]).any()
        for a in range(1, 7)
        for b in range(1, 7)
    )


def test_shots_are_the_throws_that_can_hit():
    compared = wrong = 0
    for board, _ in met_boards(5, 12):
        if sum(board.roller) == 15 and board.points[25] < 3:
            compared += 1
            shots = features_of(board)["shots"][0] * 36
            wrong += abs(shots - throws_that_hit(board)) > 0.01
    assert compared > 300
    assert wrong <= compared // 100


@pytest.mark.parametrize(
    ("board", "name", "ours", "theirs"),
    [
        (Board.start(), "pips", 1.0, 1.0),
        (Board.start(), "home points", 1 / 6, 1 / 6),
        (Board.start(), "back", 0.5, 0.5),
        (Board.start(), "anchor", 1 / 7, 1 / 7),
        (Board.start(), "shots", 0.0, 0.0),
        (board_of(p8=2, p7=2, p6=2, p5=2, p4=2, p1=-2), "prime", 5 / 6, 0.0),
        (board_of(p8=2, p7=2, p6=2, p5=2, p4=2, p1=-2), "trapped", 50 / 72, 0.0),
        (board_of(p8=2, p1=-2), "off", 13 / 15, 13 / 15),
        # A checker 7 pips away is hit by six rolls: 6-1, 5-2 and 4-3.
        (board_of(p13=1, p6=-1), "shots", 6 / 36, 6 / 36),
        (board_of(p13=5, p6=-4), "stacks", 2 / 6, 1 / 6),
    ],
)
def test_features_by_hand(board, name, ours, theirs):
    assert features_of(board)[name] == pytest.approx((ours, theirs))


def test_sides_are_treated_alike():
    for board, _ in met_boards(6, 2):
        theirs = features_of(board.turned)
        for name, (a, b) in features_of(board).items():
            assert theirs[name] == (b, a), (board, name)


def test_every_input_is_named_once():
    assert len(FEATURES) == feature_kernels.NAMED


@pytest.mark.parametrize(
    ("board", "throws"),
    [
        (board_of(p24=1, p1=-2), 36),
        (board_of(bar=1, **{f"p{25 - p}": -2 for p in range(1, 7)}), 0),
        # The blocked point 6 pips ahead stops 6-6, 5-1, 4-2 and 3-3.
        (board_of(p24=1, p18=-2), 36 - 1 - 2 - 2 - 1),
        # A block from 7 to 12 pips ahead stops all rolls of 7 pips or more.
        (board_of(p24=1, **{f"p{p}": -2 for p in range(12, 18)}), 15),
    ],
)
def test_throws_that_a_checker_can_play_in_full(board, throws):
    assert features_of(board)["escape"][0] * 36 == pytest.approx(throws)
