"""The linear evaluation of positions, which is a weighted sum of named features."""

import numpy as np
import pytest

from bearoff.game import Board, legal_plays
from bearoff.game.evaluation import (
    FEATURES,
    Net,
    explain,
    features_of,
    linear_terms,
    named_inputs,
)
from bearoff.game.search import linear_mover
from research.training import linear as training
from tests.game.rules.test_plays import met_boards


def test_terms_are_weights_times_features():
    weights = linear_terms()
    for board, _ in met_boards(11, 1)[::9]:
        found, terms = features_of(board), explain(board)
        assert terms["on roll"] == weights[0]
        for k, name in enumerate(FEATURES):
            ours, theirs = found[name]
            worth = weights[1 + k] * ours + weights[1 + len(FEATURES) + k] * theirs
            assert terms[name] == pytest.approx(worth)


def test_plays_are_those_of_the_best_sum():
    move = linear_mover()
    compared = 0
    for board, roll in met_boards(12, 1):
        plays = [Board(tuple(p)).turned for p in legal_plays(board, roll).tolist()]
        if any(play.points_won or play.race for play in plays):
            continue
        compared += 1
        after = Board(tuple(move(board.array, max(roll), min(roll)).tolist()))
        sums = [sum(explain(play).values()) for play in plays]
        assert sum(explain(after).values()) == pytest.approx(min(sums), abs=1e-4)
    assert compared > 20


@pytest.mark.slow
def test_the_fit_is_the_least_squares_one():
    boards = training.met_positions(8, 3)
    weights, net = training.fit(boards), Net.load()
    worth = np.array([net.equity(Board(tuple(board))) for board in boards.tolist()])
    inputs = np.column_stack([np.ones(len(boards)), named_inputs(boards)])
    left = worth - inputs @ weights
    assert np.abs(inputs.T @ left).max() < 1e-3 * len(boards)
    assert left.std() < 0.5 * worth.std()
