"""Unfinished runs can be read during play or after Ctrl-C."""

import numpy as np
import pytest

from bearoff import sim
from bearoff.analysis import analyse_run, open_run
from bearoff.sim.engine import Block
from bearoff.sim.play import tally
from bearoff.sim.runs import runner
from bearoff.sim.runs.part import PartAccumulator
from tests.sim.batches import Stopped, batch, cut_small, interrupted, run


@pytest.fixture(autouse=True)
def small(monkeypatch):
    cut_small(monkeypatch, block_games=3000, part_pairs=1000)


def test_after_ctrl_c_every_block_is_read(tmp_path):
    config = batch(tmp_path)
    interrupted(config, 5)
    found = open_run(tmp_path / "small")
    assert not found.complete
    assert (found.pairs, found.games) == (6, 15_000)
    for said in ("15,000 games", "60% of 25,000 games", "6 of 10 pairs"):
        assert said in found.describe()
    rows = found.table().to_pydict()
    assert rows["games"] == [2500] * 6
    firsts = np.zeros(6, dtype=np.int64)
    pairs = np.array(rows["roller"]), np.array(rows["opponent"])
    match = sim.RaceMatch(6, 15, "fewest-rolls", "fewest-rolls", 3)
    counts = sim.play_games(match, *pairs, firsts, firsts + 2500)
    np.testing.assert_array_equal(rows["wins"], counts[:, tally.WINS])
    assert found.estimate(rows["roller"][5], rows["opponent"][5]).games == 2500
    found.verify()
    assert analyse_run(str(tmp_path / "small")).outcomes.games.sum() == 15_000
    assert run(config).games_played == 10_000
    assert open_run(tmp_path / "small").complete


def test_a_pair_that_is_half_played_has_its_first_games(tmp_path):
    interrupted(batch(tmp_path, games=10_000), 5)
    found = open_run(tmp_path / "small")
    assert found.table(["games"])["games"].to_pylist() == [10_000, 5000]
    whole = run(batch(tmp_path / "whole", games=5000))
    wins = open_run(whole.path).table(["wins"])["wins"].to_pylist()
    assert found.table(["wins"])["wins"].to_pylist()[1] == wins[1]


def test_games_of_a_pair_are_counted_only_after_all_earlier_ones(tmp_path):
    made = [Block(0, k, k // 2, np.array([4 * (k % 2)]), np.array([4])) for k in range(4)]
    part = PartAccumulator(slice(0, 2), made, 3, lambda block: None)
    for index, expected in ((2, [0, 0]), (1, [0, 0]), (0, [8, 4]), (3, [8, 8])):
        part.add(made[index], np.full((1, 3), 4, dtype=np.int64))
        assert part.counts[:, 0].tolist() == expected
    assert part.complete
    assert part.games == 16


def test_a_kill_leaves_what_was_shown_last(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "SNAPSHOT_SECONDS", -1.0)
    interrupted(batch(tmp_path), 3, Stopped)
    assert open_run(tmp_path / "small").games == 9000


def test_while_a_run_is_extended_nothing_that_was_there_is_missed(tmp_path):
    run(batch(tmp_path, games=1000))
    interrupted(batch(tmp_path), 2)
    found = open_run(tmp_path / "small")
    assert (found.pairs, found.manifest.games) == (10, 25_000)
    assert found.games == 10_000 + 6000


def test_a_snapshot_of_another_configuration_does_not_count(tmp_path):
    interrupted(batch(tmp_path), 5)
    interrupted(batch(tmp_path / "b", seed=4), 5)
    (other,) = (tmp_path / "b" / "small" / "parts").glob("*.rows")
    (ours,) = (tmp_path / "small" / "parts").glob("*.rows")
    ours.write_bytes(other.read_bytes())
    assert open_run(tmp_path / "small").games == 0
    ours.write_bytes(b"x" + other.read_bytes()[1:])
    assert open_run(tmp_path / "small").games == 0
