"""The search of No Chance Backgammon compared with plain minimax, and with solved races."""

import itertools
import threading
from time import monotonic

import numpy as np
import pytest

from bearoff import BearoffError, Position, PositionError
from bearoff.game.no_chance import (
    NoChancePosition,
    SearchStop,
    search_no_chance,
    solve_no_chance_race,
)
from bearoff.game.no_chance.search_kernels import evaluate
from bearoff.game.rules import Board
from tests.game.rules.test_plays import board_of
from tests.refusals import refused

RNG = np.random.default_rng(5)


def contact(checkers):
    """Return a random board of few checkers with contact."""
    while True:
        points = [0] * 26
        for side in (1, -1):
            for place in RNG.integers(1, 12, checkers):
                point = int(place) if side > 0 else 25 - int(place)
                points[point + side * 6] += side
        board = Board(tuple(points))
        if board.race is None:
            return board


def minimax(position, depth):
    """Return the value of a position by plain minimax."""
    results = []
    for number in position.nameable:
        for board in position.plays(number):
            after = position.after(number, board)
            if after.lost:
                results.append(1_000_000 * worth(after.board))
                continue
            if depth == 1:
                results.append(-int(evaluate(after.board.array)))
            else:
                value = -minimax(after, depth - 1)
                shift = -1 if value > 999_000 else (1 if value < -999_000 else 0)
                results.append(value + shift)
    return max(results)


def worth(board):
    """Return the points of a win if the loser's checkers are on these points."""
    left = [point for point in range(1, 26) for _ in range(max(board.points[point], 0))]
    return 1 if len(left) < 15 else (3 if max(left) > 18 else 2)


def test_a_search_of_each_number_has_the_best_among_them():
    position = NoChancePosition(contact(3), 1, 2, (1, 0), numbers=4)
    limits = {"depth": 2, "positions": 10**7}
    rated = [search_no_chance(position, number, **limits) for number in position.nameable]
    assert [one.number for one in rated] == [2, 3, 4]
    assert all(one.board in position.plays(one.number) for one in rated)
    assert max(one.value for one in rated) == search_no_chance(position, **limits).value
    with refused(PositionError, "named"):
        search_no_chance(position, 1)


@pytest.mark.parametrize(("checkers", "depth"), [(2, 3), (3, 2), (5, 1)])
def test_a_search_is_what_minimax_finds(checkers, depth):
    for _ in range(3):
        own, met = (int(n) for n in RNG.permutation(4)[:2] + 1)
        position = NoChancePosition(contact(checkers), own, met, (1, 0), numbers=4)
        found = search_no_chance(position, depth=depth, positions=10**7)
        value = minimax(position, found.depth)
        if found.turns is None:
            assert found.value == pytest.approx(value / 100)
        else:
            points = -(-abs(value) // 1_000_000)
            assert abs(found.points) == points
            assert abs(found.turns) == 1_000_000 * points + 1 - abs(value)
            assert (found.points > 0) == (found.turns > 0) == (value > 0)
        # `position.after` raises an exception if the play is illegal.
        after = position.after(found.number, found.board)
        if found.turns is None and depth > 1:
            assert -minimax(after, depth - 1) == pytest.approx(value)


@pytest.mark.parametrize(("last", "points"), [("p23", 2), ("p13", 2), ("p3", 3), ("p0", 3)])
def test_gammons_and_backgammons_are_seen(last, points):
    board = board_of(**{"p1": 2, "p24": -14, last: -1})
    found = search_no_chance(NoChancePosition(board, 1, 2), depth=2)
    assert (found.points, found.turns) == (points, 1)


@pytest.mark.parametrize(
    ("one", "other", "mets", "lefts"),
    [
        ("0,0,1,0,1,1", "1,0,1,1,0,0", ((1, 2), (6, 3), (4, 4)), ((0, 0), (2, 1))),
        ("4,1,0,0,0,0", "15,0,0,0,0,0", ((1, 2), (3, 4)), ((2, 2),)),
    ],
)
def test_a_race_ends_when_the_solved_race_says(one, other, mets, lefts):
    one, other = Position.parse(one), Position.parse(other)
    race = solve_no_chance_race(one, other)
    board = Board.of_sides((*one.counts, *[0] * 19), (*other.counts, *[0] * 19))
    starts = (board, (one, other)), (board.turned, (other, one))
    for (start, sides), met, doubles in itertools.product(starts, mets, lefts):
        position = NoChancePosition(start, *met, doubles)
        found = search_no_chance(position, positions=10**7)
        assert found.points == race.points(*sides, *met, doubles)
        assert found.turns == race.turns(*sides, *met, doubles)


def test_a_search_is_stopped_by_another_thread_and_by_the_clock():
    position = NoChancePosition.start(6, 5)
    search_no_chance(position, depth=2)
    stop, began = SearchStop(), monotonic()
    threading.Timer(0.3, stop).start()
    found = search_no_chance(position, positions=10**9, stop=stop)
    assert stop.stopped
    assert found.depth < 12
    found = search_no_chance(position, positions=10**9, seconds=0.3)
    assert found.depth < 12
    # Without their limits, the searches would hardly ever end.
    assert monotonic() - began < 60
    # `stop` is already set, so only depth 1 is searched.
    assert search_no_chance(position, stop=stop).depth == 1


def test_the_authors_example_is_played_by_these_rules():
    # The example is from the author's "How to play NC-Backgammon", bkgm.com: the chosen
    # numbers and the resulting pairs.
    starts, names, pairs = (2, 5), (3, 6, 6), [(3, 5), (3, 6), (6, 6)]
    position = NoChancePosition.start(*starts)
    seen = []
    for name in names:
        seen.append(tuple(sorted((name, position.met))))
        plays = position.plays(name)
        # A double is four moves of the same number, and any other pair is two moves.
        moved = 4 * name if name == position.met else name + position.met
        assert {position.board.pips[0] - b.pips[0] for b in plays} == {moved}
        position = position.after(name, plays[0])
    assert seen == pairs
    # The first player, who moved last, has used one of two doubles.
    assert position.doubles == (2, 1)
    assert list(position.nameable) == [1, 2, 3, 4, 5]


def test_a_pair_that_cannot_be_played_passes_the_turn():
    board = Board((0, 2, *[0] * 17, *[-2] * 6, 1))
    position = NoChancePosition(board, 1, 2)
    assert position.plays(3) == [board]
    after = position.after(3, board)
    assert (after.board, after.own, after.met) == (board.turned, 2, 3)


@pytest.mark.parametrize(
    ("own", "met", "doubles", "number", "named"),
    [
        (3, 5, (2, 2), 3, (1, 2, 4, 5, 6)),
        (3, 5, (0, 2), 5, ("double",)),
        (3, 5, (2, 2), 7, (7, 1, 2, 4, 5, 6)),
    ],
)
def test_numbers_that_may_not_be_named_are_refused(own, met, doubles, number, named):
    with refused(PositionError, *named):
        NoChancePosition(Board.start(), own, met, doubles).plays(number)


def test_what_cannot_be_is_refused():
    with refused(PositionError, "differ"):
        NoChancePosition.start(3, 3)
    with refused(PositionError, "lead"):
        NoChancePosition.start(3, 2).after(1, Board.start())
    over = Board.of_sides([0] * 25, [1, *[0] * 24])
    with refused(BearoffError, "game"):
        search_no_chance(NoChancePosition(over, 1, 2))
    with refused(BearoffError, "search"):
        search_no_chance(NoChancePosition.start(1, 2), depth=0)
