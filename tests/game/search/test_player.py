"""Plays, doubles and takes of the player that searches ahead."""

import pytest

from bearoff.game.search import SearchPlayer, SearchSettings, settings_by_phase
from bearoff.game.state import GameState
from tests.game.rules.test_plays import board_of

PLAYER = SearchPlayer(SearchSettings(depth=0))
RACE = {"p6": 5, "p5": 4, "p4": 3, "p3": 3}
BEHIND = {"p19": -5, "p20": -5, "p21": -2, "p16": -3}
EVEN = {"p19": -5, "p20": -4, "p21": -3, "p22": -3}


def at(points, **given):
    return GameState(board=board_of(**points), turn=0, **given)


def test_it_plays_what_everybody_plays():
    for dice, play in (((3, 1), "8/5 6/5"), ((6, 1), "13/7 8/7"), ((4, 2), "8/4 6/4")):
        state = GameState(turn=0, dice=dice)
        assert PLAYER.play(state) == state.play(play).board.turned
        boards = [board for board, _ in PLAYER.evaluate(state)]
        assert len(boards) == len(set(boards))


@pytest.mark.parametrize(
    ("state", "doubles", "takes"),
    [
        (GameState(turn=0), False, True),
        (at(RACE | BEHIND), True, False),
        (at(RACE | EVEN), False, True),
        # A player who needs only one point does not double.
        (at({"p1": 2, "p24": -1}, length=3, won=(2, 0)), False, True),
        # After the Crawford game, the trailer doubles at once.
        (at(RACE | EVEN, length=3, won=(0, 2)), True, True),
    ],
)
def test_the_cube(state, doubles, takes):
    assert PLAYER.double(state) == doubles
    if doubles:
        assert PLAYER.take(state.double()) == takes


NEARLY_PAST = at({"p22": 1, "p6": 7, "p5": 7, "p20": -3, "p24": -12}, dice=(6, 1))
"""In this position, one checker has not yet passed three opposing checkers."""


@pytest.mark.parametrize(
    ("state", "depth", "width"),
    [
        (GameState(), 1, 8),
        (at(RACE | EVEN), 0, 8),
        (NEARLY_PAST, 2, 3),
        (at({"p8": 2, "p2": 9, "p1": -2, "p24": -13}), 2, 3),
    ],
)
def test_it_looks_wide_early_and_deep_late(state, depth, width):
    settings = settings_by_phase(state.board)
    assert (settings.depth, settings.width) == (depth, width)


def test_without_settings_it_looks_by_phase():
    given = SearchPlayer(settings_by_phase(NEARLY_PAST.board))
    assert SearchPlayer().evaluate(NEARLY_PAST) == given.evaluate(NEARLY_PAST)


def test_too_good_to_double():
    """A player who is likely to win a gammon does not double."""
    closed = {f"p{p}": 2 for p in range(1, 7)} | {"p7": 1, "p0": -4, "p19": -11}
    assert not PLAYER.double(at(closed))
    assert PLAYER.double(at(closed, jacoby=True))
