"""The neural net, the evaluation of races that the net uses, and Tesauro's evaluation."""

import io

import numpy as np
import pytest

import bearoff
from bearoff import BearoffError
from bearoff.game import Board, legal_plays
from bearoff.game.evaluation import Net, net_kernels, pubeval_weights
from bearoff.game.search import net_mover, pubeval_mover
from research.training.net import fresh_weights
from tests.damage import flipped
from tests.game.rules.test_plays import board_of, met_boards
from tests.refusals import refused

NET = Net.load()


def by_numpy(net, x):
    w = net.weights
    units = np.maximum(w.hidden_bias + x @ w.hidden, 0)
    second = np.maximum(w.second_bias + w.second @ units, 0)
    return 1 / (1 + np.exp(-(w.out_bias + w.out @ units + w.second_out @ second)))


def test_the_kernel_is_the_net():
    rng = np.random.default_rng(1)
    for _ in range(5):
        x = (rng.random(NET.weights.hidden.shape[0]) < 0.2).astype(np.float32)
        room, out = net_kernels.new_room(len(NET.weights.hidden_bias)), np.empty(5)
        net_kernels.forward(NET.weights, x, room.places, room.units, out)
        assert out == pytest.approx(by_numpy(NET, x), abs=1e-5)


def test_a_step_lowers_the_cross_entropy_by_its_gradient():
    rng = np.random.default_rng(2)
    weights = fresh_weights(20, rng)
    x = (rng.random(weights.hidden.shape[0]) < 0.2).astype(np.float32)
    target = np.array([0.9, 0.4, 0.1, 0.05, 0.0])

    def loss(net):
        found = by_numpy(net, x.astype(np.float64))
        return float(-(target * np.log(found) + (1 - target) * np.log(1 - found)).sum())

    room, found = net_kernels.new_room(len(weights.hidden_bias)), np.empty(5)
    units = room.units
    net_kernels.forward(weights, x, room.places, units, found)
    before, old = loss(Net(weights)), [array.copy() for array in weights]
    rate = 1e-4
    net_kernels.learn(weights, x, units, found, target, rate, np.empty_like(units))
    moved = sum(float(((a - b) ** 2).sum()) for a, b in zip(weights, old, strict=True))
    assert before - loss(Net(weights)) == pytest.approx(moved / rate, rel=0.05)


def test_chances_fit_together():
    # There are chances also for a board without checkers.
    for board in [Board((0,) * 26), *(board for board, _ in met_boards(7, 3))]:
        win, gammon, backgammon, lost, lost_backgammon = NET.chances(board)
        assert 0 <= backgammon <= gammon <= win <= 1
        assert 0 <= lost_backgammon <= lost <= 1 - win


@pytest.mark.parametrize(
    ("board", "chances"),
    [
        (board_of(p3=2), [0, 0, 0, 0, 0]), (board_of(p9=15), [0, 0, 0, 1, 0]),
        (board_of(p9=14, p20=1), [0, 0, 0, 1, 1]), (board_of(p20=-1), [1, 0, 0, 0, 0]),
        (board_of(p20=-15), [1, 1, 0, 0, 0]), (board_of(p3=-1, p20=-14), [1, 1, 1, 0, 0]),
    ],
)  # fmt: skip
def test_a_game_that_is_over_is_known(board, chances):
    assert NET.chances(board).tolist() == chances


def test_races_at_home_are_the_table():
    table = bearoff.one_sided_table()
    ours, theirs = (0, 2, 3, 3, 3, 2), (1, 2, 3, 2, 3, 2)
    board = Board.of_sides([*ours, *[0] * 19], [*theirs, *[0] * 19])
    numbers = bearoff.rank([ours, theirs])
    expected = float(table.fewest_rolls_win_probability(numbers[0], numbers[1]))
    assert NET.chances(board)[0] == pytest.approx(expected, abs=1e-6)


def test_longer_races_are_near_the_model():
    ours = [0, 0, 2, 2, 3, 3, 2, 1, 1, 0, 0, 0, 1]
    theirs = [0, 1, 2, 2, 3, 3, 1, 2, 1]
    board = Board.of_sides(ours + [0] * 12, theirs + [0] * 16)
    model = bearoff.race_model.race_model()
    epcs = bearoff.bear_in.bear_in().epc([ours + [0] * 11, theirs + [0] * 15])
    expected = float(model.win_probability(*epcs))
    assert NET.chances(board)[0] == pytest.approx(expected, abs=0.02)


def test_gammons_and_backgammons_of_races():
    board = Board.of_sides([2, *[0] * 24], [*[0] * 12, 15, *[0] * 12])
    assert NET.chances(board)[1] == pytest.approx(1.0, abs=1e-3)
    assert NET.chances(board.turned)[3] == pytest.approx(1.0, abs=1e-3)
    # Three aces need one roll if the roll is a double, and two rolls if not.
    board = Board.of_sides([3, *[0] * 24], [*[0] * 12, 14, *[0] * 9, 1, 0, 0])
    assert NET.chances(board)[2] == pytest.approx(1 / 6 + 5 / 6 * 5 / 36, abs=1e-3)
    assert NET.chances(board.turned)[4] == pytest.approx(1 / 6 * 5 / 36, abs=1e-3)


def test_pubeval_chooses_by_the_published_words():
    contact, race = pubeval_weights()

    def score(points, weights):
        x = np.zeros(122)
        for j in range(1, 25):
            n = points[25 - j]
            x[5 * (j - 1) : 5 * j] = [n == -1, n == 1, n >= 2, n == 3, max(n - 3, 0) / 2]
        x[120] = -points[0] / 2
        x[121] = (15 - sum(max(n, 0) for n in points)) / 15
        return float(weights @ x)

    move = pubeval_mover()
    for board, roll in met_boards(8, 2):
        plays = legal_plays(board, roll).tolist()
        if board.points_won or any(not any(n > 0 for n in play) for play in plays):
            continue
        weights = contact if sum(board.roller) and board.race is None else race
        after = -move(board.array, max(roll), min(roll))[::-1]
        best = max(score(play, weights) for play in plays)
        assert score(after.tolist(), weights) == pytest.approx(best)


def test_the_net_plays_what_is_worth_most():
    move = net_mover(NET)
    for board, roll in met_boards(9, 1):
        plays = [Board(tuple(row)).turned for row in legal_plays(board, roll).tolist()]
        best = max(-NET.equity(play) for play in plays)
        after = Board(tuple(move(board.array, max(roll), min(roll)).tolist()))
        assert -NET.equity(after) == pytest.approx(best, abs=1e-9)


def test_damaged_weights_are_refused(tmp_path):
    path, good = tmp_path / "net.npz", NET.weights._asdict()
    np.savez(path)
    with refused(BearoffError, "hidden", "hidden_bias", "missing"):
        Net.load(path)
    for name, wrong in (
        ("hidden_bias", np.zeros(3)), ("hidden", np.zeros((242, 0))),
        ("out", np.zeros((4, 80))), ("second", np.zeros((1, 2))),
        ("out_bias", np.full(5, np.nan)),
    ):  # fmt: skip
        np.savez(path, **good | {name: wrong.astype(np.float32)})
        with refused(BearoffError, name):
            Net.load(path)
    np.savez_compressed(path, **good)
    in_data = flipped(path.read_bytes(), 2000, bit=4)
    np.save(single := io.BytesIO(), NET.weights.out)
    for damaged in (b"", b"PK", b"hello\n", in_data, single.getvalue()):
        path.write_bytes(damaged)
        with refused(BearoffError, "archive"):
            Net.load(path)
