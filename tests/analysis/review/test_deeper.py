"""Reviews of matches by a search one roll deeper."""

import pytest

from bearoff import ROLLS, WEIGHTS
from bearoff.analysis.review import Estimates
from bearoff.game import Board, legal_plays
from bearoff.game.evaluation import Net
from bearoff.game.search import Searcher, SearchSettings, cube_of
from bearoff.game.state import GameState

ONCE, DEEP = Estimates(), Estimates(deep=True)

CLOSE = GameState.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:0:10")


def test_a_clear_play_or_game_is_searched_no_further():
    clear = GameState.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    assert DEEP.plays(clear) == ONCE.plays(clear)
    assert DEEP.plays(CLOSE, 0) == ONCE.plays(CLOSE, 0)
    won = GameState.parse("XGID=aB------------------------:0:0:1:00:0:0:0:0:10")
    waits, taken, _ = DEEP.cube(won).alternatives
    assert (waits.equity, taken.equity) == pytest.approx((1, 2))


def test_close_plays_are_worth_what_two_rolls_say_and_others_keep_their_distance():
    one, boards = DEEP.plays(CLOSE)
    before, _ = ONCE.plays(CLOSE)
    first = {each.name: each.cost for each in before.alternatives}
    near = [name for name, cost in first.items() if cost <= 0.03]
    assert (one.depth, before.depth) == (2, 1)
    assert 1 < len(near) < len(first)
    # This simple search uses no cutoffs and no transposition table.
    plain = SearchSettings(depth=2, inner_width=2, method="plain", table=0)
    searcher = Searcher(Net.load(), plain)
    for each, board in zip(one.alternatives, boards, strict=True):
        if each.name in near:
            worth = searcher.worth(board, cube_of(CLOSE))
            assert each.equity == pytest.approx(worth, abs=1e-6)
        else:
            assert each.cost == pytest.approx(first[each.name], abs=1e-9)
    equities = [each.equity for each in one.alternatives]
    assert equities == sorted(equities, reverse=True)
    assert one.alternatives[0].cost == 0


def worth_twice(state):
    """Return the value of a state by a plain search one roll ahead over the three most
    promising plays.
    """
    total = 0.0
    net = Searcher(Net.load(), SearchSettings(depth=0))
    for roll, weight in zip(ROLLS, WEIGHTS, strict=True):
        boards = [Board(tuple(row.tolist())) for row in legal_plays(state.board, roll)]
        ranked = sorted(boards, key=lambda after: -net.worth(after, cube_of(state)))
        rolled = GameState.roll(state, *roll)
        found = []
        for after in ranked[:3]:
            then = rolled.play(after)
            values = net.decide(then.board, cube_of(then))
            waits, taken = values.no_double.item(), values.double_take.item()
            doubles = then.may_double and min(taken, 1) > waits
            found.append(-(min(taken, 1) if doubles else waits))
        total += weight / 36 * max(found)
    return total


@pytest.mark.parametrize("length", [0, 7])
def test_a_close_cube_is_worth_what_two_rolls_say(length):
    state = GameState.parse("XGID=-b---BDBB---bB---b-d-b--B-:0:0:1:00:0:0:0:0:10")
    state = GameState(length=length, board=state.board, turn=0)
    one = DEEP.cube(state)
    assert (ONCE.cube(state).depth, one.depth) == (1, 2)
    waits, taken, _ = one.alternatives
    assert waits.equity == pytest.approx(worth_twice(state), abs=1e-6)
    doubled = state.double().take()
    after = worth_twice(doubled)
    if length:
        then, now = cube_of(doubled).terms, cube_of(state).terms
        after = float(now.equity(then.chance(after)))
    else:
        after *= 2
    assert taken.equity == pytest.approx(after, abs=1e-6)
