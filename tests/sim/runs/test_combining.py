"""Combined runs have the same counts as a single run of all games."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from bearoff import open_run, sim
from bearoff.matchup import JanowskiCube, ThresholdCube
from bearoff.sim.storage import RunError, schema
from tests.refusals import refused
from tests.sim.batches import batch, files_of, interrupted, manifest_of

STRATEGIES = {"mine": ThresholdCube(0.6, 0.7, 0.8), "his": JanowskiCube(0.5)}
CUBE = {
    "cube": {"roller": "mine", "opponent": "his", "rival": "never", "value": 2},
    "table": {"checkers": 4},
}
KINDS = {"races": {}, "money": CUBE, "score": CUBE | {"match": {"score": "3-5"}}}
NUMBERS = [(x, 31 - x) for x in range(10, 22)]


pytestmark = pytest.mark.usefixtures("small")


def run(folder, name, numbers=NUMBERS, **changes):
    pairs = [{"list": [{"roller": x, "opponent": y} for x, y in numbers]}]
    config = batch(folder, run=name, pairs=pairs, **changes)
    return sim.run(config, strategies=STRATEGIES, progress=False).path


def rows(path):
    return open_run(path).table()


@pytest.mark.parametrize("kind", KINDS)
def test_halves_that_were_extended_are_one_run_in_one_piece(tmp_path, kind):
    whole = run(tmp_path, "whole", games=2000, **KINDS[kind])
    for games in (500, 501, 2000):
        low = run(tmp_path, "low", NUMBERS[::2], games=games, **KINDS[kind])
        high = run(tmp_path, "high", NUMBERS[1::2], games=games, **KINDS[kind])
    both = sim.combine([high, low], str(tmp_path / "both"))
    assert (both.pairs, both.games) == (12, 24_000)
    assert rows(both.path).equals(rows(whole))
    assert files_of(both.path) == files_of(whole)
    assert open_run(both.path).complete


@pytest.mark.parametrize("kind", KINDS)
def test_counts_of_other_seeds_add(tmp_path, kind):
    one, other = (
        run(tmp_path, f"seed-{seed}", games=games, seed=seed, **KINDS[kind])
        for seed, games in ((3, 2000), (4, 700))
    )
    both = sim.combine([one, other], str(tmp_path / "both"))
    first, second, found = (rows(path) for path in (one, other, both.path))
    assert set(found["games"].to_pylist()) == {2700}
    for name in found.column_names:
        columns = [table[name].combine_chunks() for table in (first, second, found)]
        if name in schema.PAIR_COLUMNS or name == "expected":
            assert columns[2].equals(columns[0]), name
        elif "mean" in name or name in ("match_chance", "rival_match_chance"):
            a, b, c = (np.array(column.to_pylist()) for column in columns)
            np.testing.assert_allclose(
                c, (2000 * a + 700 * b) / 2700, rtol=1e-13, atol=1e-15
            )
        elif "variance" not in name:
            a, b, c = (np.array(column.to_pylist()) for column in columns)
            np.testing.assert_array_equal(c, a + b, name)
    opened = open_run(both.path)
    assert opened.seeds == (3, 4)
    assert "seeds 3, 4" in opened.describe()
    assert [stage.run for stage in manifest_of(both.path).combined] == ["seed-3", "seed-4"]


def test_combined_runs_are_combined_again_in_any_order(tmp_path):
    runs = [run(tmp_path, f"seed-{seed}", games=900, seed=seed) for seed in (1, 2, 3)]
    pair = sim.combine(runs[:2], str(tmp_path / "pair")).path
    left = sim.combine([pair, runs[2]], str(tmp_path / "left")).path
    right = sim.combine(runs[::-1], str(tmp_path / "right")).path
    assert rows(left).equals(rows(right))
    assert manifest_of(left).digest == manifest_of(right).digest
    with refused(RunError, "same games", "seed 1"):
        sim.combine([pair, runs[0]], str(tmp_path / "twice"))
    assert not (tmp_path / "twice").exists()


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({}, ("same games", 3)),
        (
            {"seed": 4, "players": {"roller": "fewest-pips"}},
            ("players.roller", "fewest-rolls in the first", "fewest-pips in the second"),
        ),
        ({"seed": 4, "cube": CUBE["cube"]}, ("cube",)),
        ({"seed": 4, "table": {"checkers": 4}}, ("table.checkers", 15, 4)),
        ({"seed": 4, "numbers": [*NUMBERS, NUMBERS[0]]}, ("weight",)),
    ],
)
def test_what_cannot_be_one_is_refused_and_nothing_is_written(tmp_path, changes, named):
    one = run(tmp_path, "one", games=500)
    other = run(tmp_path, "other", games=500, **changes)
    with refused(RunError, *named):
        sim.combine([one, other], str(tmp_path / "both"))
    assert not (tmp_path / "both").exists()


def test_other_strategies_of_the_same_name_are_refused(tmp_path):
    one = run(tmp_path, "one", games=500, **CUBE)
    pairs = [{"list": [{"roller": x, "opponent": y} for x, y in NUMBERS]}]
    config = batch(tmp_path, run="other", pairs=pairs, games=500, seed=4, **CUBE)
    others = STRATEGIES | {"mine": ThresholdCube(0.6, 0.71, 0.8)}
    other = sim.run(config, strategies=others, progress=False).path
    with refused(RunError, "redouble", "0.7", "0.71"):
        sim.combine([one, other], str(tmp_path / "both"))


def test_runs_that_are_none_or_unfinished_are_refused(tmp_path):
    one = run(tmp_path, "one", games=500)
    with refused(RunError, tmp_path / "none"):
        sim.combine([one, str(tmp_path / "none")], str(tmp_path / "both"))
    interrupted(batch(tmp_path), 2)
    with refused(RunError, tmp_path / "small", "not finished"):
        sim.combine([one, str(tmp_path / "small")], str(tmp_path / "both"))
    with refused(RunError, "at least 2 runs", 1):
        sim.combine([one], str(tmp_path / "both"))
    with refused(RunError, one, "already contains a run"):
        sim.combine([one, run(tmp_path, "other", games=500, seed=4)], one)


def test_a_combined_run_names_its_runs_and_is_not_simulated_on(tmp_path):
    one, other = (run(tmp_path, f"seed-{s}", games=500, seed=s) for s in (3, 4))
    both = sim.combine([one, other], str(tmp_path / "both"))
    part = next((tmp_path / "both" / "outcomes").iterdir())
    about = json.loads(pq.read_schema(part).metadata[schema.METADATA_KEY])
    assert [each["seed"] for each in about["combined"]] == [3, 4]
    assert about["digest"] == manifest_of(both.path).digest
    with refused(RunError, "combined from other runs"):
        run(tmp_path, "both", games=2000)
