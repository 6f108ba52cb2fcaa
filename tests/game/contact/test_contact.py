"""Decisions at match scores by the player with weights set by hand."""

from dataclasses import replace

from bearoff.game.contact import ContactPlayer
from bearoff.game.state import GameState
from tests.game.rules.test_plays import board_of


def test_a_dead_cube_is_not_turned_and_no_match_is_passed_away():
    money = GameState(turn=0, board=board_of(p1=2, p19=-5))
    last = replace(money, length=5, won=(4, 4))
    player = ContactPlayer()
    assert player.double(money)
    assert not player.double(last)
    assert not player.take(money.double())
    assert player.take(last.double())
    assert not player.take(replace(money, length=5, won=(3, 4), crawford=False).double())
