"""Batches of rollouts store correct values, depend only on the seed, and can be
continued.
"""

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import bearoff
from bearoff import sim
from bearoff.sim.config.match import MatchConfig
from bearoff.sim.engine import plan
from bearoff.sim.rollouts import Goal, Techniques, estimate, on_24_points, rollout
from bearoff.sim.storage import RunError
from bearoff.sim.storage.schema import METADATA_KEY
from bearoff.storage.sealing import sealed_json, unsealed_json
from tests.refusals import refused
from tests.sim import batches
from tests.sim.batches import batch, finish, manifest_of, outcomes_of, parts_of, run
from tests.sim.cubeful.test_match_runs import OWN

RACES = [
    {"roller": "[8,6,5,3,1]", "opponent": "[7,6,5,2,2]"},
    {"roller": "[6,5,4,3]", "opponent": "[12,1,1]"},
    {"roller": "[2,2,1]", "opponent": "[1,1,1]"},
]


def race_of(listed, **given):
    return bearoff.Race(*(bearoff.Position.parse(s, 24) for s in listed.values()), **given)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(plan, "PART_PAIRS", 2)


@pytest.fixture(autouse=True, scope="module")
def three_checkers():
    bearoff.build_two_sided_table(3)


def rollouts(output, **changes):
    usual = {"table": {"points": 24}, "pairs": [{"list": RACES}], "rollout": {"table": 3}}
    return batch(output, **usual | {"games": 5000, "seed": 9} | changes)


def rows_of(config):
    return outcomes_of(run(config).path).to_pylist()


def test_rollouts_of_players_who_decided_otherwise_are_not_mixed_with_new_ones(tmp_path):
    folder = Path(run(rollouts(tmp_path)).path)
    manifest = folder / "run.json"
    content = unsealed_json(manifest.read_bytes())
    assert content["schema_version"] == 10
    part = pq.read_schema(next((folder / "outcomes").glob("*.parquet")))
    assert json.loads(part.metadata[METADATA_KEY])["schema_version"] == 10
    manifest.write_bytes(sealed_json(content | {"schema_version": 9}))
    with refused(RunError, 9, 10):
        run(rollouts(tmp_path))
    # Runs without rollouts keep their older schema version.
    races = run(batch(tmp_path / "races", games=10))
    assert manifest_of(races.path).schema_version == 5


def test_every_row_is_the_rollout_of_its_race(tmp_path):
    summary = run(rollouts(tmp_path))
    assert (summary.pairs, summary.games, summary.counted) == (3, 3, "rollouts")
    assert manifest_of(summary.path).kind == "rollouts"
    rows = {row["roller_pips"]: row for row in outcomes_of(summary.path).to_pylist()}
    assert len(rows) == 3
    for race in map(race_of, RACES):
        alone = rollout(race, Goal(0, 5000), seed=9, table=bearoff.two_sided_table(3))
        row = rows[race.roller.pips]
        assert tuple(row["roller_counts"]) == race.roller.counts
        assert row["opponent"] == race.opponent.number
        assert row["games"] == alone.games
        for name, found in (
            ("win_probability", alone.win_probability),
            ("no_double", alone.at("centred").no_double),
            ("no_redouble", alone.at("owned").no_double),
            ("double_take", alone.at("owned").double_take),
            ("double_gain", alone.at("centred").gain),
            ("redouble_gain", alone.at("owned").gain),
        ):
            assert row[name] == found.value, name
            assert row[f"{name}_error"] == found.standard_error, name
        assert row["double_action"] == alone.at("centred").action
        assert row["redouble_too_close"] == alone.at("owned").too_close


@pytest.mark.parametrize(
    ("match", "value"),
    [
        ({"score": [3, 5]}, 1), ({"score": "2-4", "length": 7}, 2),
        ({"score": "2-6", "length": 7, "crawford": True}, 1),
        ({"score": "3-2", "equities": OWN}, 1),
    ],
)  # fmt: skip
def test_every_row_is_the_rollout_of_its_race_at_the_score(tmp_path, match, value):
    asked = {"match": match, "rollout": {"table": 3, "cube_value": value}}
    summary = run(rollouts(tmp_path, **asked))
    manifest, match = manifest_of(summary.path), MatchConfig(**match)
    assert manifest.kind == "rollouts"
    assert MatchConfig(**manifest.config["match"]) == match
    rows = {row["roller_pips"]: row for row in outcomes_of(summary.path).to_pylist()}
    score, cube = match.before(), "centred" if value == 1 else "owned"
    table = bearoff.match_table(3, score.away, score.game, equities=match.table)
    for listed in RACES:
        race = race_of(listed, score=score, cube=cube, cube_value=value)
        row = rows[race.roller.pips]
        alone = rollout(race, Goal(0, 5000), seed=9, table=table)
        assert row["games"] == alone.games
        known = {"no_double": alone.value.value, "cubeless": alone.cubeless.value}
        assert row["no_redouble"] == row["no_double"]
        if alone.action is None:
            assert row["double_take"] == row["no_double"]
            assert row["double_action"] == "no double"
        else:
            assert row["redouble_action"] == row["double_action"] == alone.action.action
            known["double_take"] = alone.action.double_take.value
            known["double_gain_error"] = alone.action.gain.standard_error
        assert {name: row[name] for name in known} == pytest.approx(known, abs=1e-9)


def test_games_stop_in_the_table_that_the_configuration_names(tmp_path):
    bearoff.build_two_sided_table(2, points=7)
    bearoff.build_two_sided_table(2)
    pairs = [{"list": [{"roller": "[7,1]", "opponent": "[6,4]"}]}]
    rows = []
    for points in (6, 7):
        asked = {"rollout": {"table": 2, "table_points": points}, "pairs": pairs}
        rows += rows_of(rollouts(tmp_path / f"{points}", **asked))
    assert [row["games"] for row in rows] == [7776, 0]
    assert rows[0]["no_double"] == pytest.approx(rows[1]["no_double"], abs=2e-3)


def test_workers_do_not_show(tmp_path):
    alone = parts_of(run(rollouts(tmp_path / "a")).path)
    finish(rollouts(tmp_path / "b", backend="loky", workers=2), alone)


def test_what_is_rolled_out_is_stored_when_the_run_stops(tmp_path, monkeypatch):
    whole = parts_of(run(rollouts(tmp_path / "whole")).path)
    real, played, stops = estimate.play_to, [], [batches.Stopped()]

    def stop_at_the_second(*arguments, **options):
        if played and stops:
            raise stops.pop()
        played.append(arguments[1])
        return real(*arguments, **options)

    monkeypatch.setattr(estimate, "play_to", stop_at_the_second)
    with pytest.raises(batches.Stopped):
        run(rollouts(tmp_path / "cut"))
    finish(rollouts(tmp_path / "cut"), whole)
    assert len(played) == 2  # one of the three races is in the table
    assert len(set(played)) == 2


@pytest.mark.slow
def test_each_race_stops_at_its_own_error(tmp_path):
    goal = {"target": 0.004, "at_most": 200_000}
    plain = {"luck": False, "first_rolls": 1}
    rows = rows_of(rollouts(tmp_path, standard_error=goal, games=None, rollout=plain))
    assert len({row["games"] for row in rows}) > 1
    for row in rows:
        errors = [row[f"{n}_error"] for n in ("no_double", "no_redouble", "double_take")]
        assert max(errors) <= 0.004 or row["games"] >= 200_000


def test_what_cannot_be_rolled_out_is_refused_before_anything_is_made(tmp_path):
    with refused(bearoff.TableError, "two-sided"):
        run(rollouts(tmp_path, rollout={"table": 14}))
    touching = [{"list": [{"roller": "[13]", "opponent": "[12]"}]}]
    with refused(sim.ConfigError, "pairs[0].list[0]"):
        run(rollouts(tmp_path, pairs=touching))
    assert not (tmp_path / "small").exists()


def test_pairs_of_a_file_may_have_numbers_beyond_32_bits(tmp_path):
    far = bearoff.Position.parse("[24,24,24,24,20,20]", 24)
    assert far.number > 1 << 32 or far.number > 0
    path = tmp_path / "pairs.csv"
    path.write_text(f'roller,opponent\n{far.number},"[1,1]"\n')
    config = rollouts(tmp_path, pairs=[{"file": {"path": str(path)}}], rollout={})
    with refused(RunError, "row 1", 24, 1):
        run(config)
    alone = bearoff.Position.parse(str([23] * 15), 24)
    assert alone.number > 1 << 33
    path.write_text(f'roller,opponent\n{alone.number},"[1,1,1]"\n')
    (row,) = rows_of(config)
    assert row["roller"] == alone.number
    assert row["win_probability"] < 1e-6
    assert np.array_equal(row["roller_counts"], alone.counts)


def test_techniques_are_those_of_the_configuration_and_all_games_are_played(tmp_path):
    asked = {"luck": False, "first_rolls": 36, "truncate": False}
    (row,) = rows_of(rollouts(tmp_path, rollout=asked, pairs=[{"list": RACES[:1]}]))
    race = on_24_points(race_of(RACES[0]))
    alone = rollout(race, Goal(0, 5000), seed=9, techniques=Techniques(False, 36, False))
    assert row["no_double"] == alone.at("centred").no_double.value
    race = race_of({"roller": "[7,8]", "opponent": "[8,9]"})
    found = rollout(race, goal=Goal(1e-300, 3000))
    assert found.games >= 3000
    assert found.standard_error > 1e-300
