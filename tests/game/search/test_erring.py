"""Tests of the player that errs on purpose, and of how often this player errs."""

import math

import numpy as np
import pytest

from bearoff import Money, Values
from bearoff.game import Board
from bearoff.game.search import ErringPlayer, SearchedPlay
from bearoff.game.state import GameState
from bearoff.stakes import Terms

SPREAD, GAMES = 0.05, 800

PLAYS = ("8/5 6/5", "24/20", "13/9")
WORTH = (0.15, 0.10, 0.02)


class Sight:
    """Substitute for a player that returns fixed equities of plays and cube actions."""

    def rate(self, board, roll, cube):
        rated = zip(PLAYS, WORTH, strict=True)
        state = GameState(turn=0, dice=roll)
        return [SearchedPlay(state.play(text).board.turned, v, 0) for text, v in rated]

    def decide(self, board, cube):
        values = Values.empty(Terms(Money()), np.array([0], np.int8))
        values.no_double[:], values.double_take[:] = 0.93, 0.97
        return values


def softmax(worth):
    odds = [math.exp(each / SPREAD) for each in worth]
    return [each / sum(odds) for each in odds]


def test_odds_fall_by_e_for_every_spread():
    player = ErringPlayer("errs", SPREAD, Sight())
    boards = [one.board for one in Sight().rate(Board.start(), (3, 1), None)]
    chosen = np.zeros(len(boards))
    doubled = taken = 0
    for number in range(GAMES):  # the games differ only in the points won before
        state = GameState(turn=0, dice=(3, 1), won=(number, 0))
        chosen[boards.index(player.play(state))] += 1
        assert player.play(state) == player.play(state)
        waits = GameState(turn=0, won=(number, 0))
        doubled += player.double(waits)
        taken += player.take(waits.double())
    within = 4 * 0.5 / math.sqrt(GAMES)
    assert chosen / GAMES == pytest.approx(softmax(WORTH), abs=within)
    assert doubled / GAMES == pytest.approx(softmax((0.97, 0.93))[0], abs=within)
    assert taken / GAMES == pytest.approx(softmax((-0.97, -1.0))[0], abs=within)
