"""Legal actions in a game, and the results of games."""

from itertools import product

import numpy as np
import pytest

from bearoff import ROLLS, PositionError
from bearoff.game import Board, legal_plays
from bearoff.game.state import GameError, GameState
from tests.game.rules.test_plays import board_of
from tests.refusals import refused

START = GameState()
ROLLING = START.open(3, 1).play("8/5 6/5")


STUCK = "XGID=bBBBBBB------------bbbbbbB"


def test_a_stuck_board_is_one_on_which_no_roll_moves_either_side():
    rng, found = np.random.default_rng(3), set()
    for _ in range(60):
        points = [0] * 26
        for side, bar, home in ((1, 25, range(1, 7)), (-1, 0, range(19, 25))):
            points[bar] = side * int(rng.integers(0, 3))
            points[home.start : home.stop] = [2 * side] * 6
            if rng.random() < 0.3:
                points[int(rng.choice(list(home)))] = side
        board = Board(tuple(points))
        sides = product((board, board.turned), ROLLS)
        moves = any((legal_plays(one, roll) != one.array).any() for one, roll in sides)
        assert board.is_stuck != moves
        found.add(moves)
    assert found == {True, False}


def test_the_higher_die_begins_with_both():
    assert START.open(4, 4) is START
    for dice, first in (((6, 2), 0), ((2, 6), 1)):
        state = START.open(*dice)
        assert (state.turn, state.dice, state.to_act) == (first, (6, 2), first)


def test_turns_and_the_cube():
    doubled = ROLLING.double()
    assert (doubled.turn, doubled.to_act, doubled.cube_value) == (1, 0, 1)
    taken = doubled.take()
    assert (taken.cube_value, taken.cube_owner, taken.cube) == (2, 0, "opponent")
    assert taken.to_act == 1
    assert not taken.may_double
    theirs = taken.roll(2, 1).play("13/11 6/5")
    assert theirs.cube == "owned"
    dropped = theirs.double().drop()
    assert (dropped.winner, dropped.points) == (0, 2)


def test_beavers_keep_the_cube_and_double_what_a_pass_loses():
    session = GameState(beavers=2).open(3, 1).play("8/5 6/5")
    beavered = session.double().beaver()
    assert beavered.to_act == 1
    taken = beavered.take()
    assert (taken.cube_value, taken.cube_owner, taken.turn) == (4, 0, 1)
    passed = beavered.drop()
    assert (passed.winner, passed.points) == (0, 2)
    again = beavered.beaver()
    assert (again.take().cube_value, again.take().cube_owner) == (8, 0)
    with refused(GameError, 2):
        again.beaver()


@pytest.mark.parametrize(
    ("theirs", "worth"),
    [({"p2": -14}, 1), ({"p13": -15}, 2), ({"p6": -15}, 3), ({"p0": -1, "p13": -14}, 3)],
)
def test_gammons(theirs, worth):
    state = GameState(turn=0, board=board_of(p1=1, **theirs))
    over = state.roll(2, 1).play("1/off")
    assert (over.winner, over.points, over.to_act) == (0, worth, None)
    # After the last play, the board is seen by the loser.
    assert (over.board.off[1], over.board.points_won) == (15, worth)


@pytest.mark.parametrize(("turned", "points"), [(False, 1), (True, 4)])
def test_jacoby_counts_gammons_once_the_cube_is_turned(turned, points):
    state = GameState(turn=0, board=board_of(p1=1, p13=-15), jacoby=True)
    if turned:
        state = state.double().take()
    assert state.roll(2, 1).play("1/off").points == points
    assert GameState(turn=0, jacoby=True).resign(1, 2).points == 1


def test_a_match_has_one_game_of_crawford():
    state = GameState(length=3, won=(0, 0)).open(1, 2)
    first = state.resign(1, 2)
    assert (first.score_after, first.match_winner) == ((2, 0), None)
    crawford = first.next_game()
    assert crawford.crawford
    assert crawford.won == (2, 0)
    opened = crawford.open(2, 1)
    assert not opened.may_double
    with refused(GameError, "Crawford"):
        opened.play("13/11 6/5").double()
    after = opened.resign(0).next_game()
    assert (after.won, after.crawford) == ((2, 1), False)
    assert after.open(2, 1).play("13/11 6/5").may_double
    over = after.open(1, 2).resign(1)
    assert over.match_winner == 0
    with refused(GameError, "3-1"):
        over.next_game()
    without = GameState(length=3, crawford_rule=False).resign(1, 2).next_game()
    assert not without.crawford


@pytest.mark.parametrize(
    ("act", "named"),
    [
        (lambda: START.roll(2, 1), ("started",)),
        (lambda: START.double(), ("started",)),
        (lambda: START.play("8/5 6/5"), ("no roll",)),
        (lambda: ROLLING.open(2, 1), ("started",)),
        (lambda: ROLLING.roll(2, 1).roll(2, 1), ("2-1",)),
        (lambda: ROLLING.roll(2, 1).double(), ("2-1",)),
        (lambda: ROLLING.double().roll(2, 1), ("neither",)),
        (lambda: ROLLING.double().double(), ("neither",)),
        (lambda: ROLLING.take(), ("double",)),
        (lambda: ROLLING.drop(), ("double",)),
        (lambda: ROLLING.double().beaver(), ("beavers",)),
        (lambda: ROLLING.roll(2, 1).play(Board.start()), ("2-1", "XGID")),
        (lambda: ROLLING.resign(2), (0, 1)),
        (lambda: ROLLING.resign(1, 4), (1, 2)),
        (lambda: ROLLING.resign(1).roll(2, 1), ("game",)),
        (lambda: ROLLING.double().take().double(), ("opponent",)),
        (lambda: START.next_game(), ("game",)),
        (lambda: GameState(length=3, jacoby=True), ("beavers",)),
        (lambda: GameState(length=3, won=(3, 0)), ("3-0",)),
        (lambda: GameState(length=3, crawford=True), (1, "0-0", 3)),
        (lambda: GameState(length=-1), ("length",)),
        # Neither side can ever move.
        (lambda: GameState.parse(f"{STUCK}:0:0:1:00:0:0:0:0:10"), (STUCK,)),
    ],
)
def test_refusals(act, named):
    with refused(GameError, *named):
        act()


def test_a_play_that_is_none():
    with refused(PositionError, "2-1"):
        ROLLING.roll(2, 1).play("13/7")


def test_the_xgid_says_all_of_a_game():
    """The XGID of a game contains its position, score, cube and dice."""
    start = GameState(length=5, won=(1, 3)).open(3, 1)
    assert start.xgid == "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:1:3:0:5:10"
    offered = start.play("8/5 6/5").double()
    assert offered.xgid == "XGID=-b----E-C---eE---b-db---B-:0:0:1:D:3:1:0:5:10"
    owned = offered.take()
    assert owned.xgid.split(":")[1:] == ["1", "-1", "1", "00", "3", "1", "0", "5", "10"]
    crawford = GameState(length=5, won=(4, 1), crawford=True).open(3, 1)
    assert crawford.xgid.endswith(":0:0:1:31:4:1:1:5:10")
    money = GameState(jacoby=True, beavers=1, won=(7, 2)).open(1, 3)
    assert money.xgid.endswith(":0:0:1:31:0:0:3:0:10")
