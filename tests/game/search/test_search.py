"""The search for the best play, compared with plain expectiminimax, and the settings."""

import itertools
import math
import threading
import time

import numpy as np
import pytest

from bearoff import ROLLS, WEIGHTS, BearoffError
from bearoff.game import Board, legal_plays
from bearoff.game.evaluation import Net
from bearoff.game.search import Searcher, SearchSettings
from tests.game.rules.test_plays import board_of, met_boards
from tests.refusals import refused

NET = Net.load()


def searcher(**settings):
    return Searcher(NET, SearchSettings(**settings))


def mean_best(board, value, width=None):
    """Return the value of the best play, averaged over all rolls.

    With a width, only this many plays, those which are best at once, are examined.
    """
    best = []
    for roll in ROLLS:
        plays = [Board(tuple(row)).turned for row in legal_plays(board, roll).tolist()]
        looked = sorted(plays, key=NET.equity)[:width] if width else plays
        best.append(max(map(value, looked)))
    return np.average(best, weights=WEIGHTS)


def expected(board, depth, width):
    """Return the equity of a board before a roll by plain expectiminimax."""
    if depth == 0 or board.points_won:
        return NET.equity(board)
    return mean_best(board, lambda play: -expected(play, depth - 1, width), width)


BOARDS = [
    Board.start(),
    board_of(bar=1, p22=-1, p18=-1, p13=2, p6=4, p5=2, p1=-2, p20=-3),
    board_of(p6=2, p5=1, p3=-1, p1=-1, p20=-2),
    board_of(p2=2, p1=1, p23=-1),
]
METHODS = ("plain", "star1", "star2")


@pytest.mark.parametrize(
    ("board", "depth", "width"), [*((board, 1, 99) for board in BOARDS), (BOARDS[2], 2, 2)]
)
def test_a_look_of_one_or_two_rolls_is_by_definition(board, depth, width):
    right = expected(board, depth, width)
    for method in METHODS:
        found = searcher(depth=depth, inner_width=width, method=method).equity(board)
        assert found == pytest.approx(right, abs=1e-6), method


@pytest.mark.parametrize("depth", [1, 2])
def test_methods_and_tables_agree(depth):
    for board, roll in met_boards(10, 1)[:: 40 * depth]:
        found = []
        for method, table in itertools.product(METHODS, (0, 1 << 12)):
            given = {"width": 3, "inner_width": 2, "method": method, "table": table}
            found.append(searcher(depth=depth, **given).rate(board, roll)[0])
        assert len({best.board for best in found}) == 1
        assert np.ptp([best.equity for best in found]) < 1e-9


def test_every_rating_is_by_definition_and_the_chosen_play_has_the_best():
    board, roll = BOARDS[1], (5, 3)
    plays = [Board(tuple(row)) for row in legal_plays(board, roll).tolist()]
    right = {play: -expected(play.turned, 1, 99) for play in plays}
    for method in METHODS:
        looking = searcher(depth=1, width=99, method=method)
        rated = looking.rate(board, roll)
        assert {one.board: one.equity for one in rated} == pytest.approx(right, abs=1e-6)
        for one in rated:
            assert looking.worth(one.board) == pytest.approx(right[one.board], abs=1e-6)
        assert looking.choose(board, roll) == rated[0]
        assert rated[0].equity == max(one.equity for one in rated)


def test_cuts_save_positions():
    counts = {}
    for method in METHODS:
        looking = searcher(depth=2, width=3, inner_width=3, method=method, table=0)
        looking.choose(BOARDS[2], (2, 1))
        counts[method] = looking.counts.positions
    assert counts["star2"] < counts["star1"] < counts["plain"]


def test_all_rolls_sampled_are_all_rolls_and_few_are_near():
    def draw(seed):
        return searcher(depth=1, rolls=14, seed=seed).equity(BOARDS[1])

    draws, exact = list(map(draw, range(40))), searcher(depth=1).equity(BOARDS[1])
    error = np.std(draws) / 40**0.5
    assert 0 < error < 0.05
    assert np.mean(draws) == pytest.approx(exact, abs=5 * error)
    assert draw(3) == draws[3]


def test_time_ends_a_search_and_the_best_so_far_stays():
    ticks = itertools.count(0.0, 0.01)
    settings = SearchSettings(depth=4, width=2, inner_width=2, seconds=0.05)
    rated = Searcher(NET, settings, clock=lambda: next(ticks)).rate(Board.start(), (4, 2))
    assert len(rated) == len(legal_plays(Board.start(), (4, 2)))
    assert rated[0].depth < 4
    with refused(BearoffError, "clock"):
        Searcher(NET, settings)


def test_who_searches_is_stopped_in_the_middle_of_a_play():
    """A time limit or another thread stops a search in the middle of a play."""
    ticks = itertools.chain([0.0, 0.01], itertools.repeat(math.inf))
    limited = SearchSettings(depth=2, seconds=100.0)
    rated = Searcher(NET, limited, clock=lambda: next(ticks)).rate(Board.start(), (4, 2))
    assert rated[0].depth < 2
    looking, began = searcher(depth=4, width=30, inner_width=30), time.monotonic()
    threading.Timer(0.3, looking.stop).start()
    rated = looking.rate(Board.start(), (1, 1))
    # A search without `stop` would take minutes.
    assert 0.3 <= time.monotonic() - began < 60
    assert rated[0].depth == 0


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"depth": 9}, ("depth", 0, 4, 9)), ({"width": 0}, ("width", 1)),
        ({"table": 3}, (0, 3)), ({"rolls": 22}, ("rolls", 1, 21)),
        ({"seconds": 0.0}, ("seconds", 0)), ({"method": "star3"}, ("star",)),
    ],
)  # fmt: skip
def test_settings_are_checked(given, named):
    with refused(BearoffError, *named):
        SearchSettings(**given)


@pytest.mark.parametrize("method", ["star1", "star2"])
@pytest.mark.parametrize("depth", [1, 2])
def test_outside_its_window_a_value_is_a_bound(depth, method):
    board, lasting = BOARDS[2].array, 1 << 62
    exact = searcher(depth=depth, inner_width=2, method="plain").equity(BOARDS[2])
    looking = searcher(depth=depth, inner_width=2, method=method, table=0)
    steps = (1e-4, 1e-2, 0.1)
    for alpha in (exact + sign * step for step in steps for sign in (-1, 1)):
        for width in (*steps, 6.0):
            beta = alpha + width
            value = looking._value(board, depth, 0, (alpha, beta), lasting)
            if value <= alpha:
                assert exact <= value + 1e-9
            elif value >= beta:
                assert exact >= value - 1e-9
            else:
                assert value == pytest.approx(exact, abs=1e-9)
