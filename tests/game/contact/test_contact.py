"""Decisions at match scores by the player with weights set by hand."""

from dataclasses import replace

from bearoff.game import Board
from bearoff.game.contact import ContactPlayer
from bearoff.game.state import GameState

AHEAD = Board((0, 2, *[0] * 17, -5, *[0] * 6))


def test_a_dead_cube_is_not_turned_and_no_match_is_passed_away():
    money = GameState(turn=0, board=AHEAD)
    last = replace(money, length=5, won=(4, 4))
    player = ContactPlayer()
    assert player.double(money)
    assert not player.double(last)
    assert not player.take(money.double())
    assert player.take(last.double())
    assert not player.take(replace(money, length=5, won=(3, 4), crawford=False).double())
