"""Games of the neural net until contact is over, compared with the same games played step
by step.
"""

import numpy as np

from bearoff import ROLLS
from bearoff.game import Board, legal_plays
from bearoff.game.evaluation import Net
from bearoff.sim.play import dice_kernels, race_key
from bearoff.sim.populations.contact import BLOCK
from bearoff.sim.populations.net_games import DICE_OF_NET, net_starts

SEED = 5


def played_step_by_step(seed, game):
    """Play a game by the documentation; return the last board, and whether it is a race."""
    net, board, opened = Net.load(), Board.start(), False
    rolls = np.empty((2, dice_kernels.THROWS_PER_DRAW, 1), np.uint8)
    for draw in range(64):
        key, zero = np.uint64(race_key(seed, DICE_OF_NET, 0)), np.uint64(0)
        number = np.array([game], np.uint64)
        dice_kernels.throw_lanes(key, zero, zero, number, np.uint64(draw), rolls)
        for turn in range(dice_kernels.THROWS_PER_DRAW):
            for side in range(2):
                roll = ROLLS[rolls[side, turn, 0]]
                if not opened and roll[0] == roll[1]:
                    break
                opened = True
                plays = [Board(tuple(p)).turned for p in legal_plays(board, roll).tolist()]
                board = min(plays, key=net.equity)
                if board.points_won:
                    return board, False
                if board.race is not None:
                    return board, True
    raise AssertionError("no end")


def test_games_are_those_played_step_by_step():
    starts = net_starts(SEED, 0)
    rows = {int(game): row for row, game in enumerate(starts.games)}
    for game in (0, 1, BLOCK - 1):
        board, race = played_step_by_step(SEED, game)
        assert (game in rows) == race
        if race:
            assert starts.rollers[rows[game]].tolist() == list(board.roller[:24])
            assert starts.opponents[rows[game]].tolist() == list(board.opponent[:24])
    top = [24 - (s[:, ::-1] > 0).argmax(axis=1) for s in (starts.rollers, starts.opponents)]
    assert (sum(top) <= 24).all()  # the two sides have passed each other
    assert starts.rollers.any(axis=1).all()
    assert starts.opponents.any(axis=1).all()
