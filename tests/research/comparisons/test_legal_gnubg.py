"""The comparison of legal plays with those of GNU Backgammon reports differences."""

import numpy as np
import pytest

from bearoff.game import Board, legal_plays
from oracles import gnubg, legal_ways
from oracles.gnubg_plays import listed_plays
from research.comparisons import legal_gnubg

START = Board.start().array


def test_a_difference_is_a_sentence():
    after = legal_plays(START, (6, 1))
    assert not list(legal_gnubg.differences(START, (6, 1), after[::-1]))
    (said,) = legal_gnubg.differences(START, (6, 1), after[1:])
    assert "with 6-1: 1 plays that only this program lists, 0 plays that only GNU" in said
    (said,) = legal_gnubg.differences(START, (6, 1), np.vstack([after, START]))
    assert "0 plays that only this program lists, 1 plays that only GNU" in said


def test_boards_are_told_by_kind():
    back, closed = np.zeros((2, 26), np.int8)
    back[[2, 3, 25]] = 1, -1, 1
    closed[25], closed[19:25] = 2, -2
    found = legal_gnubg.kinds(np.array([START, back, closed]))
    assert list(found.values()) == [3, 2, 1, 1, 0, 0, 0, 2]
    back[25], back[0] = 0, -1
    assert list(legal_gnubg.kinds(back[np.newaxis]).values()) == [1, 0, 0, 0, 1, 1, 1, 0]


def test_all_ways_count_the_same():
    boards = legal_ways.random_boards(6, 2)
    count = legal_ways.count_plays(boards)
    assert count == legal_ways.count_called(boards) == legal_ways.count_enumerated(boards)


@pytest.mark.skipif(gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed")
def test_gnubg_lists_the_same(monkeypatch):
    monkeypatch.setattr(legal_gnubg, "FEW", 1)
    found = legal_gnubg.compare(3, 1)
    assert not found.different
    text = legal_gnubg.page(found)
    assert f"3 boards, 63 pairs of a board and a roll, and {found.plays:,} plays" in text
    assert found.plays == legal_ways.count_plays(found.boards)


@pytest.mark.skipif(gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed")
def test_gnubg_refuses_what_is_no_board():
    boards = np.zeros((1, 26), np.int8)
    boards[0, 6] = 16
    with pytest.raises(RuntimeError, match="GNU Backgammon refuses"):
        listed_plays(boards, np.array([[2, 1]], np.int8))
