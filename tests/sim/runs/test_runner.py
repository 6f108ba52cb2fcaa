"""A run gives identical results with all kinds of workers."""

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import bearoff
from bearoff import sim
from bearoff.sim.config.load import load_config
from bearoff.sim.engine import plan
from bearoff.sim.pairs.build import build_pairs
from bearoff.sim.play import tally
from bearoff.sim.play.players import expected_wins, player
from bearoff.sim.runs import record, runner
from bearoff.sim.storage import RunError, provenance
from bearoff.sim.storage.schema import METADATA_KEY, RACES, SCHEMA_VERSION, outcome_schema
from tests.refusals import refused
from tests.sim import batches
from tests.sim.batches import batch, finish, manifest_of, outcomes_of, parts_of, run
from tests.sim.play import replay

pytestmark = pytest.mark.usefixtures("small")


@pytest.mark.parametrize(
    ("backend", "workers"), [("sequential", 8), ("threading", 8), ("loky", 2)]
)
def test_bytes_do_not_depend_on_workers(tmp_path, whole, backend, workers):
    summary = finish(batch(tmp_path, backend=backend, workers=workers), whole)
    assert sorted(whole) == [f"part-{k:06d}.parquet" for k in range(3)]
    manifest = manifest_of(summary.path)
    assert (manifest.backend, manifest.workers) == (backend, workers)


def test_bytes_do_not_depend_on_the_order_of_blocks(tmp_path, whole, monkeypatch):
    def shuffled(tasks, *arguments):
        results = [function(*args) for function, args, _ in tasks]
        yield from results[1::2][::-1] + results[::2]

    monkeypatch.setattr(runner, "run_tasks", shuffled)
    finish(batch(tmp_path), whole)


@pytest.mark.parametrize(("block_games", "part_pairs"), [(1, 5), (777, 4)])
def test_outcomes_do_not_depend_on_how_they_are_cut(
    tmp_path, monkeypatch, block_games, part_pairs
):
    changes = {"games": 40, "players": {"opponent": "random-play"}}
    rows = outcomes_of(run(batch(tmp_path / "a", **changes)).path)
    batches.cut_small(monkeypatch, block_games, part_pairs)
    assert outcomes_of(run(batch(tmp_path / "b", **changes)).path).equals(rows)


def test_outcomes_are_those_of_a_replay(tmp_path):
    config = batch(tmp_path, players={"opponent": "fewest-pips"}, games=30)
    table, one_sided = outcomes_of(run(config).path), bearoff.one_sided_table()
    pairs = build_pairs(load_config(config))
    match = sim.RaceMatch(6, 15, "fewest-rolls", "fewest-pips", 3)
    assert table.column("pair").to_pylist() == list(range(10))
    for row, roller, opponent in zip(
        table.to_pylist(), pairs.rollers.tolist(), pairs.opponents.tolist(), strict=True
    ):
        counted = replay.count(match, roller, opponent, range(30))
        assert (row["roller"], row["opponent"]) == (roller, opponent)
        for side, number in (("roller", roller), ("opponent", opponent)):
            position = bearoff.Position.from_number(number)
            assert row[f"{side}_counts"] == list(position.counts)
            assert row[f"{side}_pips"] == position.pips
            epc = one_sided.mean_rolls[number] * 49 / 6
            assert row[f"{side}_epc"] == pytest.approx(epc, rel=1e-15)
        assert (row["games"], row["weight"]) == (30, 1)
        assert row["wins"] == counted[tally.WINS]
        assert row["gammons_won"] == counted[tally.GAMMONS_WON]
        assert row["gammons_lost"] == counted[tally.GAMMONS_LOST]
        mean = counted[tally.LENGTH] / 30
        variance = counted[tally.LENGTH_SQUARED] / 30 - mean**2
        assert row["length_mean"] == pytest.approx(mean, rel=1e-12)
        assert row["length_variance"] == pytest.approx(variance, rel=1e-9, abs=1e-9)
        assert row["roller_ahead"] == counted[tally.ROLLER_AHEAD].tolist()
        assert row["opponent_ahead"] == counted[tally.OPPONENT_AHEAD].tolist()


def test_expected_is_of_the_players_that_play(tmp_path):
    names = "random-play", "most-checkers-off"
    players = dict(zip(("roller", "opponent"), names, strict=True))
    table = outcomes_of(run(batch(tmp_path, players=players)).path)
    rollers, opponents = table["roller"].to_numpy(), table["opponent"].to_numpy()
    expected = table["expected"].to_numpy()
    sides = (player(name, 6, 15) for name in names)
    assert np.array_equal(expected, expected_wins(*sides, rollers, opponents))
    error = np.sqrt(expected * (1 - expected) / 2500) + 4e-4
    assert (np.abs(table["wins"].to_numpy() / 2500 - expected) < 4.5 * error).all()


def test_parts_are_described_by_their_schema_and_suffice_to_play_again(tmp_path):
    config = load_config(batch(tmp_path))
    summary = run(config)
    for name in parts_of(summary.path):
        file = pq.ParquetFile(Path(summary.path, "outcomes", name))
        schema = file.schema_arrow
        assert schema.remove_metadata().equals(outcome_schema(6, RACES))
        assert file.num_row_groups == 1
        about = json.loads(schema.metadata[METADATA_KEY])
        assert about.keys() == {"schema_version", "kind", "config", "digest", "seed"}
        assert about["config"] == config.identity()
        assert (about["schema_version"], about["seed"]) == (SCHEMA_VERSION, 3)
        assert about["kind"] == manifest_of(summary.path).kind == RACES
        assert about["digest"] == manifest_of(summary.path).digest
    again = run(about["config"] | {"run": "again", "output": str(tmp_path / "b")})
    assert parts_of(again.path) == parts_of(summary.path)


def test_the_bytes_of_parts_do_not_depend_on_the_surroundings(tmp_path, whole, monkeypatch):
    monkeypatch.setattr(provenance, "commit", lambda: (None, None))
    monkeypatch.setattr(provenance, "versions", lambda: {"python": "4.0"})
    monkeypatch.setattr(record, "processor", lambda: "another")
    manifest = manifest_of(finish(batch(tmp_path), whole).path)
    assert (manifest.commit, manifest.versions) == (None, {"python": "4.0"})


def test_a_home_folder_and_a_configuration_are_found(tmp_path, whole, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert finish(batch("~/runs"), whole).path == f"{tmp_path}/runs/small"
    assert not (tmp_path / "~").exists()
    Path("a.yaml").write_text(
        "{run: a, games: 5, pairs: [list: [{roller: 1, opponent: 2}]]}"
    )
    assert run("a.yaml").path == "results/a"
    assert run(Path("a.yaml")).games_played == 0


def test_the_manifest_says_what_is_there(tmp_path):
    config = batch(tmp_path, description="ten pairs")
    summary = run(config)
    manifest = manifest_of(summary.path)
    assert manifest.config == load_config(config).effective()
    assert manifest.complete is True
    assert manifest.run == "small"
    assert (manifest.pairs, manifest.games, manifest.seed) == (10, 25_000, 3)
    assert manifest.started <= manifest.finished
    assert manifest.seconds > 0
    for name, data in parts_of(summary.path).items():
        part = manifest.parts[name]
        assert part.sha256 == sha256(data).hexdigest()
        assert part.games == 2500 * part.pairs
    assert sum(part.pairs for part in manifest.parts.values()) == 10
    assert (summary.pairs, summary.games, summary.games_played) == (10, 25_000, 25_000)
    assert summary.path == f"{tmp_path}/small"


def test_games_of_the_standard_error(tmp_path):
    wanted = {"target": 0.002, "at_most": 50_000}
    listed = {"list": [{"roller": 1, "opponent": 54263}, {"roller": 7, "opponent": 7}]}
    pairs = [{"random": {"pairs": 10}}, listed]
    config = batch(tmp_path, games=None, standard_error=wanted, pairs=pairs)
    table = outcomes_of(run(config).path)
    expected, games = table["expected"].to_numpy(), table["games"].to_numpy()
    needed = np.ceil(expected * (1 - expected) / 0.002**2)
    assert np.array_equal(games, np.clip(needed, plan.FEWEST_GAMES, 50_000))
    assert games.min() == plan.FEWEST_GAMES
    rate = table["wins"].to_numpy() / games
    reached = np.sqrt(rate * (1 - rate) / games)
    capped = games == 50_000
    assert capped.any()
    assert (reached[~capped] < 0.002 * 1.1).all()


def test_a_finished_run_is_left_as_it_is(tmp_path):
    def written():
        paths = (tmp_path / "small").rglob("*")
        return {path: path.is_file() and path.stat().st_mtime_ns for path in paths}

    run(batch(tmp_path))
    before = written()
    again = run(batch(tmp_path, workers=4, backend="threading", description="other words"))
    assert (again.games_played, again.games, again.pairs) == (0, 25_000, 10)
    assert written() == before


def test_a_file_of_pairs_that_changed_is_another_configuration(tmp_path):
    file = tmp_path / "pairs.csv"
    config = batch(tmp_path, pairs=[{"file": {"path": str(file)}}])
    file.write_text("roller,opponent\n1,2\n", encoding="utf-8")
    run(config)
    file.write_text("roller,opponent\n1,3\n", encoding="utf-8")
    with refused(RunError, "configuration"):
        run(config)


def test_progress_is_shown_and_a_folder_that_cannot_be_written_is_named(tmp_path, capsys):
    sim.run(batch(tmp_path))
    shown = capsys.readouterr()
    assert shown.out == ""
    lines = shown.err.splitlines()
    assert lines[0].startswith("small: 0.00 of 25.0k games")
    assert lines[-1].startswith("small: 25.0k of 25.0k games")
    assert run(batch(tmp_path)).games_played == 0
    assert capsys.readouterr().err == ""
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    with refused(RunError, "file/small"):
        run(batch(tmp_path / "file"))
