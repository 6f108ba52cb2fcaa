"""Legal plays compared with GNU Backgammon and an independent enumeration."""

from pathlib import Path

import numpy as np
import pytest

from bearoff import PositionError, RollError
from bearoff.game import Board, legal_plays
from oracles.legal_ways import enumerated
from tests.refusals import refused

GNUBG = Path(__file__).parents[2] / "data" / "gnubg_plays.npz"


def met_boards(seed, games):
    """Return boards and rolls from games between random players."""
    rng = np.random.default_rng(seed)
    met = []
    for _ in range(games):
        board = Board.start()
        while not board.points_won:
            roll = tuple(map(int, rng.integers(1, 7, 2)))
            met.append((board, roll))
            after = legal_plays(board, roll)
            board = Board(tuple(after[rng.integers(len(after))].tolist())).turned
    return met


def scattered(seed, number):
    """Return random boards, each with a roll."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(number):
        board = np.zeros(26, int)
        near = rng.integers(4, 27)
        for _ in range(rng.integers(1, 16)):
            board[25 if rng.random() < 0.03 else rng.integers(1, min(near, 25))] += 1
        free = np.append(0, np.flatnonzero(board[:25] == 0)[1:])
        for _ in range(rng.integers(0, 16)):
            board[rng.choice(free)] -= 1
        found.append((Board(tuple(board)), tuple(map(int, rng.integers(1, 7, 2)))))
    return found


@pytest.mark.parametrize(("cases", "count"), [(met_boards, 12), (scattered, 1500)])
def test_as_an_obvious_enumeration(cases, count):
    for board, roll in cases(1, count):
        after = legal_plays(board, roll)
        rows = set(map(tuple, after.tolist()))
        assert len(rows) == len(after), (board, roll)
        assert rows == enumerated(board.points, roll), (board, roll)


def test_as_gnubg_lists_them():
    with np.load(GNUBG) as recorded:
        ends = np.cumsum(recorded["plays"])
        listed = np.split(recorded["after"], ends[:-1])
        asked = list(zip(recorded["boards"], recorded["rolls"].tolist(), strict=True))
    assert len(asked) == len(listed) == 420
    for (board, (high, low)), theirs in zip(asked, listed, strict=True):
        after = legal_plays(board, (high, low))
        assert len(after) == len(theirs), (board, high, low)
        assert set(map(bytes, after)) == set(map(bytes, theirs)), (board, high, low)


def board_of(**points):
    """Return a board with these numbers of checkers, such as p6=2 for two checkers on the 6
    point."""
    board = [0] * 26
    for name, count in points.items():
        board[25 if name == "bar" else int(name[1:])] = count
    return Board(tuple(board))


@pytest.mark.parametrize(
    ("board", "roll", "error", "named"),
    [
        ([0] * 25, (6, 1), PositionError, (26, 25)),
        ([1] + [0] * 25, (6, 1), PositionError, (0,)),
        ([0] * 25 + [-1], (6, 1), PositionError, (0,)),
        ([0, 16] + [0] * 24, (6, 1), PositionError, (16,)),
        ([0, -16] + [0] * 24, (6, 1), PositionError, (16,)),
        ([0.5] * 26, (6, 1), PositionError, ()),
        ([0] * 26, (7, 1), RollError, (1, 6)),
        ([0] * 26, (6,), RollError, (1, 6)),
    ],
)
def test_refusals(board, roll, error, named):
    with refused(error, *named):
        legal_plays(board, roll)
