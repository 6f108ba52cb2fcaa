"""Training of the neural net is reproducible by its seed, can be continued, and makes the
net stronger.
"""

import numpy as np
import pytest

from bearoff.game.evaluation import Net
from bearoff.game.search import net_mover, play_games, random_mover
from research.running import run_program
from research.training import net as training


def test_a_stopped_fit_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(training, "BLOCK", 20)
    whole, parts, other = (tmp_path / f"{name}.npz" for name in ("whole", "parts", "other"))
    run_program(training.main, [str(whole), "--games", "60"])
    for games in (20, 60):
        run_program(training.main, [str(parts), "--games", str(games)])
    run_program(training.main, [str(other), "--games", "60", "--seed", "2"])
    assert "60 games" in capsys.readouterr().err
    found = [Net.load(path).weights for path in (whole, parts, other)]
    for one, two, three in zip(*found, strict=True):
        assert np.array_equal(one, two)
        assert one.size == 0 or not np.array_equal(one, three)


def test_a_few_games_teach_something(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "BLOCK", 300)
    run_program(
        training.main, [str(tmp_path / "net.npz"), "--games", "300", "--units", "20"]
    )
    net = Net.load(tmp_path / "net.npz")
    games = play_games(net_mover(net), random_mover((1,)), (2,), 40)
    assert games.points.mean() > 1.0
    assert net.weights.hidden.shape[1] == pytest.approx(20)
