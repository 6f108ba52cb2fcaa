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
from tests.sim.batches import Stopped, batch, manifest_of, outcomes_of, parts_of
from tests.sim.cubeful.test_match_runs import OWN

RACES = [
    {"roller": "[8,6,5,3,1]", "opponent": "[7,6,5,2,2]"},
    {"roller": "[6,5,4,3]", "opponent": "[12,1,1]"},
    {"roller": "[2,2,1]", "opponent": "[1,1,1]"},
]


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(plan, "PART_PAIRS", 2)


@pytest.fixture(autouse=True, scope="module")
def three_checkers():
    bearoff.build_two_sided_table(3)


def rollouts(output, **changes):
    return batch(
        output,
        **{
            "table": {"points": 24},
            "pairs": [{"list": RACES}],
            "rollout": {"table": 3},
            "games": 5000,
            "seed": 9,
        }
        | changes,
    )


def rows_of(folder):
    return outcomes_of(folder).to_pylist()


def test_rollouts_of_players_who_decided_otherwise_are_not_mixed_with_new_ones(tmp_path):
    folder = Path(sim.run(rollouts(tmp_path), progress=False).path)
    manifest = folder / "run.json"
    content = unsealed_json(manifest.read_bytes())
    assert content["schema_version"] == 10
    part = pq.read_schema(next((folder / "outcomes").glob("*.parquet")))
    assert json.loads(part.metadata[METADATA_KEY])["schema_version"] == 10
    manifest.write_bytes(sealed_json(content | {"schema_version": 9}))
    with refused(RunError, 9, 10):
        sim.run(rollouts(tmp_path), progress=False)
    # Runs without rollouts keep their older schema version.
    races = sim.run(batch(tmp_path / "races", games=10), progress=False)
    assert manifest_of(races.path).schema_version == 5


def test_every_row_is_the_rollout_of_its_race(tmp_path):
    summary = sim.run(rollouts(tmp_path), progress=False)
    assert (summary.pairs, summary.games, summary.counted) == (3, 3, "rollouts")
    assert manifest_of(summary.path).kind == "rollouts"
    rows = {row["roller_pips"]: row for row in rows_of(tmp_path / "small")}
    assert len(rows) == 3
    table = bearoff.two_sided_table(3)
    for race in RACES:
        sides = [bearoff.Position.parse(race[side], 24) for side in ("roller", "opponent")]
        alone = rollout(bearoff.Race(*sides), Goal(0, 5000), seed=9, table=table)
        row = rows[sides[0].pips]
        assert tuple(row["roller_counts"]) == sides[0].counts
        assert row["opponent"] == sides[1].number
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
    ("match", "cube_value"),
    [
        ({"score": [3, 5]}, 1),
        ({"score": "2-4", "length": 7}, 2),
        ({"score": "2-6", "length": 7, "crawford": True}, 1),
        ({"score": "3-2", "equities": OWN}, 1),
    ],
)
def test_every_row_is_the_rollout_of_its_race_at_the_score(tmp_path, match, cube_value):
    asked = {"match": match, "rollout": {"table": 3, "cube_value": cube_value}}
    summary = sim.run(rollouts(tmp_path, **asked), progress=False)
    manifest = manifest_of(summary.path)
    assert manifest.kind == "rollouts"
    assert MatchConfig(**manifest.config["match"]) == MatchConfig(**match)
    rows = {row["roller_pips"]: row for row in rows_of(tmp_path / "small")}
    score, equities = MatchConfig(**match).before(), MatchConfig(**match).table
    cube = "centred" if cube_value == 1 else "owned"
    table = bearoff.match_table(3, score.away, score.game, equities=equities)
    for race in RACES:
        sides = [bearoff.Position.parse(race[side], 24) for side in ("roller", "opponent")]
        row = rows[sides[0].pips]
        alone = rollout(
            bearoff.Race(*sides, score=score, cube=cube, cube_value=cube_value),
            Goal(0, 5000),
            seed=9,
            table=table,
        )
        assert row["games"] == alone.games
        assert row["no_double"] == pytest.approx(alone.value.value, abs=1e-9)
        assert row["cubeless"] == pytest.approx(alone.cubeless.value, abs=1e-9)
        if alone.action is None:
            assert row["double_take"] == row["no_redouble"] == row["no_double"]
            assert row["double_action"] == "no double"
            continue
        assert row["no_redouble"] == row["no_double"]
        assert row["redouble_action"] == row["double_action"]
        assert row["double_take"] == pytest.approx(alone.action.double_take.value, abs=1e-9)
        assert row["double_gain_error"] == pytest.approx(
            alone.action.gain.standard_error, abs=1e-9
        )
        assert row["double_action"] == alone.action.action


def test_games_stop_in_the_table_that_the_configuration_names(tmp_path):
    bearoff.build_two_sided_table(2, points=7)
    race = [{"roller": "[7,1]", "opponent": "[6,4]"}]
    rows = {}
    for points in (6, 7):
        config = rollouts(
            tmp_path / f"{points}",
            pairs=[{"list": race}],
            rollout={"table": 2, "table_points": points},
        )
        if points == 6:
            bearoff.build_two_sided_table(2)
        sim.run(config, progress=False)
        (rows[points],) = rows_of(tmp_path / f"{points}" / "small")
    assert (rows[6]["games"], rows[7]["games"]) == (7776, 0)
    assert rows[6]["no_double"] == pytest.approx(rows[7]["no_double"], abs=2e-3)


def test_workers_do_not_show(tmp_path):
    sim.run(rollouts(tmp_path / "a"), progress=False)
    sim.run(rollouts(tmp_path / "b", backend="loky", workers=2), progress=False)
    assert parts_of(tmp_path / "a" / "small") == parts_of(tmp_path / "b" / "small")


def test_what_is_rolled_out_is_stored_when_the_run_stops(tmp_path, monkeypatch):
    sim.run(rollouts(tmp_path / "whole"), progress=False)
    real, played = estimate.play_to, []

    def stop_at_the_second(*arguments, **options):
        if len(played) == 1:
            raise Stopped
        played.append(arguments[1])
        return real(*arguments, **options)

    monkeypatch.setattr(estimate, "play_to", stop_at_the_second)
    with pytest.raises(Stopped):
        sim.run(rollouts(tmp_path / "cut"), progress=False)
    monkeypatch.setattr(
        estimate, "play_to", lambda *a, **o: played.append(a[1]) or real(*a, **o)
    )
    sim.run(rollouts(tmp_path / "cut"), progress=False)
    assert len(played) == 2  # one of the three races is in the table
    assert len(set(played)) == 2
    assert parts_of(tmp_path / "cut" / "small") == parts_of(tmp_path / "whole" / "small")


@pytest.mark.slow
def test_each_race_stops_at_its_own_error(tmp_path):
    goal = {"target": 0.004, "at_most": 200_000}
    config = rollouts(
        tmp_path, standard_error=goal, rollout={"luck": False, "first_rolls": 1}
    )
    del config["games"]
    sim.run(config, progress=False)
    rows = rows_of(tmp_path / "small")
    assert len({row["games"] for row in rows}) > 1
    for row in rows:
        errors = [row[f"{n}_error"] for n in ("no_double", "no_redouble", "double_take")]
        assert max(errors) <= 0.004 or row["games"] >= 200_000


def test_what_cannot_be_rolled_out_is_refused_before_anything_is_made(tmp_path):
    with refused(bearoff.TableError, "two-sided"):
        sim.run(rollouts(tmp_path, rollout={"table": 14}), progress=False)
    touching = [{"list": [{"roller": "[13]", "opponent": "[12]"}]}]
    with refused(sim.ConfigError, "pairs[0].list[0]"):
        sim.run(rollouts(tmp_path, pairs=touching), progress=False)
    assert not (tmp_path / "small").exists()


def test_pairs_of_a_file_may_have_numbers_beyond_32_bits(tmp_path):
    far = bearoff.Position.parse("[24,24,24,24,20,20]", 24)
    assert far.number > 1 << 32 or far.number > 0
    (tmp_path / "pairs.csv").write_text(f'roller,opponent\n{far.number},"[1,1]"\n')
    config = rollouts(
        tmp_path, pairs=[{"file": {"path": str(tmp_path / "pairs.csv")}}], rollout={}
    )
    with refused(sim.RunError, "row 1", 24, 1):
        sim.run(config, progress=False)
    alone = bearoff.Position.parse("[23,23,23,23,23,23,23,23,23,23,23,23,23,23,23]", 24)
    assert alone.number > 1 << 33
    (tmp_path / "pairs.csv").write_text(f'roller,opponent\n{alone.number},"[1,1,1]"\n')
    sim.run(config, progress=False)
    (row,) = rows_of(tmp_path / "small")
    assert row["roller"] == alone.number
    assert row["win_probability"] < 1e-6
    assert np.array_equal(row["roller_counts"], alone.counts)


def test_techniques_are_those_of_the_configuration_and_all_games_are_played(tmp_path):
    asked = {"luck": False, "first_rolls": 36, "truncate": False}
    sim.run(rollouts(tmp_path, rollout=asked, pairs=[{"list": RACES[:1]}]), progress=False)
    (row,) = rows_of(tmp_path / "small")
    sides = [bearoff.Position.parse(RACES[0][side], 24) for side in ("roller", "opponent")]
    race = on_24_points(bearoff.Race(*sides))
    alone = rollout(race, Goal(0, 5000), seed=9, techniques=Techniques(False, 36, False))
    assert row["no_double"] == alone.at("centred").no_double.value
    sides = (0, 0, 0, 0, 0, 0, 1, 1, 0), (0, 0, 0, 0, 0, 0, 0, 1, 1)
    race = bearoff.Race(*map(bearoff.Position, sides))
    found = rollout(race, goal=Goal(1e-300, 3000))
    assert found.games >= 3000
    assert found.standard_error > 1e-300
