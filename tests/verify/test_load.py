"""Quick versions of the full-scale tests of large batches and very large runs."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from bearoff.analysis.outcomes.run import Run
from tests.damage import with_column
from verify import load, scale
from verify.common.measured import Measured


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return load.play(tmp_path_factory.mktemp("load"), 20_000, load.FEW_GAMES, seed=1)


def test_a_batch_is_played_and_looked_at_and_asking_again_plays_nothing(small):
    assert 20_000 <= small.pairs <= 20_201  # a pair that is drawn twice counts once
    assert small.games == small.pairs * load.FEW_GAMES == small.blocks[:, 1].sum()
    assert 50e6 < small.took.peak < 1e9
    assert 30 < small.size / small.pairs < 60
    assert small.took.processor_seconds > 0
    assert "bytes per pair" in load.describe(small)
    (took,) = load.query(small, seed=1, times=1)
    assert 0 < took.processor_seconds < load.SLOWEST_QUERY
    assert took.peak < 400e6
    config = str(small.path.with_suffix(".yaml"))
    again = load.bearoff("simulate", config, "--quiet", "--json")
    assert json.loads(again.out)["games_played"] == 0


def test_what_is_outside_the_kernel_is_told():
    whole, playing = load.outside(2000, 1000, seed=1)
    assert 0 < playing < whole


def batch(pairs, seconds=1.0, memory=(0, 0), rate=1.0):
    """Return the record of a batch with these numbers of pairs, seconds and bytes."""
    times = np.linspace(0, 100, 101)
    held = list(zip(times, np.linspace(*memory, 101), strict=True))
    took = Measured(seconds, seconds, 0, "", held)
    blocks = np.stack([times, np.full(101, rate)], axis=1)
    path = SimpleNamespace(name="a batch")
    return load.Batch(pairs, 1, path, took, blocks, 1)


def test_growth_is_that_of_medians_of_tenths_and_the_page_names_what_is_wrong():
    assert batch(1, memory=(0, 1000)).growth == pytest.approx(800)
    peaks = {15: 900, 95: 1200}
    memory = [(s, peaks.get(s, 100 + 50 * (s > 85))) for s in range(100)]
    assert Measured(100.0, 0.0, 0, "", memory).growth(0, 100) == 50.0
    assert batch(1, rate=7).rate(0.9, 1) == pytest.approx(7)
    million, ten = batch(10**6, 1), batch(10**7, 14)
    assert load.wrong(million, [million, ten], 0.5) == []
    slow = load.wrong(million, [million, ten], 2.5)
    assert slow == ["a query took 2.50 s of the processor"]
    (uneven,) = load.wrong(million, [million, batch(10**7, 16)], 0.5)
    assert uneven.startswith("with ten times as many pairs, ")
    assert uneven.endswith(", the processor time per pair is 1.60 times as long")
    few, many = batch(10**6, 1, (0, 2e8)), batch(10**7, 14, (0, 2e8))
    assert load.wrong(million, [million, few], 0.5) == []
    for whole, other in ((few, ten), (million, many)):
        assert load.wrong(whole, [million, other], 0.5) == ["a batch grew by 160 MB"]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scale")
    scale.simulate(scale.configured(folder, "small", 1, 50, seed=3, workers=2))
    return folder / "small"


def test_a_run_is_what_chance_gives_and_the_same_again(path):
    sums = scale.sums_of(str(path))
    assert (sums.pairs, sums.games) == (scale.OPPONENTS, 50 * scale.OPPONENTS)
    assert sums.right
    same, again = scale.same_again(path, seed=1)
    assert 900 < same == again


OTHER_WINS = {
    "more": lambda wins, rng: wins + (rng.random(len(wins)) < 0.25),
    "spread": lambda wins, rng: wins + rng.choice([-1, 1], len(wins)),
    "dice": lambda wins, rng: wins[::-1],
}


@pytest.mark.parametrize("changed", OTHER_WINS)
def test_other_wins_are_seen(path, monkeypatch, changed):
    tables = Run.tables

    def changing(run, columns):
        rng = np.random.default_rng(1)
        for table in tables(run, columns):
            wins, games = (table[name].to_numpy() for name in ("wins", "games"))
            others = OTHER_WINS[changed](wins, rng).clip(0, games)
            yield with_column(table, "wins", others)

    monkeypatch.setattr(Run, "tables", changing)
    same, again = scale.same_again(path, seed=1)
    assert not scale.sums_of(str(path)).right
    assert same < again
