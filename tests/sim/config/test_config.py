"""Configurations of runs are read, written and compared, also at a match score."""

import json
import pickle
from collections import UserDict
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import yaml
from pydantic import ValidationError
from ruamel.yaml import YAML

from bearoff import Position, Race, Score, position_count, read_match_equities
from bearoff.one_sided.estimate import LARGEST
from bearoff.positions.numbering import rank_one
from bearoff.scores.equities import KAZAROSS_XG2
from bearoff.sim import BatchConfig
from bearoff.sim.config.cube import JanowskiStrategy
from bearoff.sim.config.load import json_schema, load_config, parse_config
from bearoff.sim.config.pairs import PairGrid
from bearoff.sim.config.values import Span
from tests.sim.config import refusals
from tests.sim.config.refusals import CUBE, GOOD

CONFIGS = sorted((Path(__file__).parents[3] / "configs").glob("*.yaml"))
VALIDATOR = jsonschema.Draft202012Validator(json_schema())
XGID = "XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10"


def minimal(*pairs, **others):
    sources = list(pairs) or [{"random": {"pairs": 1}}]
    return load_config({"run": "test", "games": 10, "pairs": sources} | others)


def span(*limits):
    return Span.model_validate(refusals.span(*limits))


def test_the_table_decides_defaults_and_positions_and_can_be_solved():
    config = minimal(table={"points": 4, "checkers": 3})
    (source,) = config.pairs
    assert (source.random.checkers.to, source.random.pips.to) == (3, 12)
    config = minimal(table={"points": 12, "checkers": 15})
    assert position_count(config.table.points, config.table.checkers) <= LARGEST
    config = minimal(
        {"list": [{"roller": "0,0,0,0,0,0,0,2", "opponent": "(1,0,0,0,0,0,0,1,0)"}]},
        {"harvest": {"pairs": 1, "start": [{"roller": 1, "opponent": 44}]}},
        table={"points": 8, "checkers": 2},
    )
    listed, harvest = config.pairs
    assert listed.races[0].roller == Position((0, 0, 0, 0, 0, 0, 0, 2), 2)
    assert harvest.harvest.races[0].opponent == Position((0, 0, 0, 0, 0, 0, 0, 2), 2)


def test_listed_pairs_in_every_notation_are_races():
    roller = Position.parse("3,2,1,0,0,0")
    listed = [
        {"roller": "3,2,1,0,0,0", "opponent": "(10,4,1,0,0,0,0)"},
        {"roller": roller.number, "opponent": "[1,1,1,1,2]"},
        {"roller": "3 2 1 0 0 0", "opponent": str(rank_one((4, 1, 0, 0, 0, 0)))},
        {"roller": np.int64(roller.number), "opponent": Position.parse("4,1,0,0,0,0")},
        {"race": XGID}, {"race": "LwAAwC0AAAAAAA"}, {"race": Race.parse(XGID)},
    ]  # fmt: skip
    (source,) = minimal({"list": listed}).pairs
    assert source.races == 7 * (Race.parse(XGID),)


def test_numbers_of_yaml_and_paths_and_mappings_of_python_are_read():
    text = "{run: x, pairs: [{random: {pairs: 1e3}}], games: 1_000, seed: 5.0}"
    config = parse_config(text)
    assert config.effective()["pairs"][0]["random"]["pairs"] == 1000
    assert (config.games, config.seed) == (1000, 5)
    assert type(config.seed) is int
    pairs = ({"file": UserDict(path=Path("a.csv"))},)
    given = UserDict(run="x", games=np.int32(7), pairs=pairs, output=Path("out"))
    config = load_config(given)
    assert (config.games, config.output) == (7, "out")


def test_spans_end_on_their_last_value_in_spite_of_rounding_and_make_cells():
    assert span(0, 1, 0.1).values == (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert span(-4, 16, 2).values[-1] == 16
    assert span(1, 10, 4).values == (1, 5, 9)
    assert span(3, 3).values == (3,)
    assert len(span(0.1, 0.1, 1000)) == 1
    grid = PairGrid(roller=span(10, 20, 10), lead=span(-0.2, 0.1, 0.1), by="epc")
    assert grid.cells == (
        (10, 9.8), (10, 9.9), (10, 10), (10, 10.1),
        (20, 19.8), (20, 19.9), (20, 20), (20, 20.1),
    )  # fmt: skip


def test_identity_is_what_determines_outcomes():
    one = minimal({"list": [{"roller": 8887, "opponent": "[1]"}]})
    unlike = {
        "run": "other", "description": "the same races", "games": 10.0, "workers": 8,
        "backend": "dask", "scheduler": "tcp://10.0.0.5:8786", "table": {"points": 6},
        "output": "s3://bucket/races",
    }  # fmt: skip
    other = minimal({"list": [{"roller": "(4,3,3,2,0,2,1)", "opponent": 1}]}, **unlike)
    assert one.identity() == other.identity()
    assert one != other
    assert set(one.identity()) == {"table", "pairs", "players", "games", "seed"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seed", 1), ("games", 11), ("table", {"checkers": 14}),
        ("players", {"opponent": "random-play"}),
        ("pairs", [{"random": {"pairs": 1, "draw": "visits"}}]),
        ("cube", {"roller": "keith", "opponent": "perfect", "rival": "thorp"}),
    ],
)  # fmt: skip
def test_whatever_changes_outcomes_changes_the_identity(key, value):
    assert load_config({**GOOD, key: value}).identity() != load_config(GOOD).identity()


def test_files_of_pairs_are_found_from_the_configurations_folder(tmp_path, monkeypatch):
    (tmp_path / "in").mkdir()
    text = "{run: x, games: 1, pairs: [file: {path: sub/pairs.csv}]}"
    (tmp_path / "in" / "batch.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    config = load_config("in/batch.yaml")
    monkeypatch.chdir("/")
    (source,) = config.pairs
    assert source.file.path.resolved == str(tmp_path / "in" / "sub" / "pairs.csv")
    assert config.identity()["pairs"][0]["file"]["path"] == "sub/pairs.csv"
    assert str(tmp_path) not in json.dumps(config.effective())
    assert load_config(config.effective()) == config


@pytest.mark.parametrize(
    ("written", "resolved", "name"),
    [("/data/pairs.parquet", "/data/pairs.parquet", "pairs.parquet"),
     ("s3://bucket/pairs.CSV", "s3://bucket/pairs.CSV", "s3://bucket/pairs.CSV"),
     ("../pairs.csv", str(Path("/home/../pairs.csv")), "../pairs.csv")],
)  # fmt: skip
def test_absolute_paths_stay_out_of_the_identity(written, resolved, name):
    text = f"{{run: x, games: 1, pairs: [file: {{path: '{written}'}}]}}"
    config = parse_config(text, folder=Path("/home"))
    (source,) = config.pairs
    assert source.file.path.resolved == resolved
    assert config.identity()["pairs"][0]["file"]["path"] == name
    assert config.effective()["pairs"][0]["file"]["path"] == written


def test_a_position_of_another_table_is_refused_however_it_comes():
    listed = minimal({"list": [{"roller": 1, "opponent": 1}]}).pairs
    with pytest.raises(ValidationError, match="3 checkers"):
        BatchConfig.model_validate({**GOOD, "table": {"checkers": 3}, "pairs": listed})


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_shipped_configurations(path, tmp_path):
    first, second, *_ = path.read_text(encoding="utf-8").splitlines()
    assert (first, second) == ("# yaml-language-server: $schema=batch.schema.json", "#")
    VALIDATOR.validate(YAML(typ="safe", pure=True).load(path))
    config = load_config(path)
    assert config.run == path.stem
    assert config.description
    copy = tmp_path / "copy.yaml"
    for written in (yaml.safe_dump(config.effective()), json.dumps(config.effective())):
        copy.write_text(written)
        assert load_config(copy) == config
    assert pickle.loads(pickle.dumps(config)) == config


def test_errors_survive_the_way_between_processes():
    error = refusals.refusal({**GOOD, "seed": -1})
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.problems) == (str(error), error.problems)


CUBED = {"cube": CUBE}


@pytest.mark.parametrize("games", [CUBED, {"rollout": {}}])
@pytest.mark.parametrize(
    ("match", "score"),
    [
        ({"score": "3-5"}, Score((3, 5))), ({"score": [3, 5]}, Score((3, 5))),
        ({"score": "2-4", "length": 7}, Score((5, 3), length=7)),
        ({"score": "2-4 to 7"}, Score((5, 3), length=7)),
        ({"score": "2-6", "length": 7, "crawford": True}, Score((5, 1), "crawford", 7)),
        ({"score": [1, 4], "crawford": False}, Score((1, 4), "post-crawford")),
        ({"score": "DMP"}, Score((1, 1))),
    ],
)  # fmt: skip
def test_a_score_is_read_and_written_back(games, match, score):
    config = load_config({**GOOD, **games, "match": match})
    assert config.match.before() == score
    again = load_config(config.effective())
    assert again == config
    assert again.match.before() == score
    assert config.identity()["match"] == config.effective()["match"]
    assert config.identity() != load_config({**GOOD, **games}).identity()


def test_a_match_equity_table_is_kept_as_text(tmp_path):
    program = read_match_equities(KAZAROSS_XG2)
    own = KAZAROSS_XG2.read_text().replace("Kazaross-XG2", "mine")
    (tmp_path / "own.csv").write_text(own)
    written = GOOD | CUBED | {"match": {"score": "3-5", "equities": "own.csv"}}
    (tmp_path / "batch.yaml").write_text(yaml.safe_dump(written))
    config = load_config(tmp_path / "batch.yaml")
    (tmp_path / "own.csv").unlink()
    again = load_config(config.effective())
    assert again == config
    assert again.match.table.name == "mine"
    assert again.match.table.chance(Score((3, 5))) == program.chance(Score((3, 5)))


def test_every_form_of_a_strategy_is_read():
    thresholds = {"thresholds": {"double": 0.7, "redouble": 0.72, "take": 0.22}}
    states = {"centred": "keith", "owned": {"janowski": 1}, "take": thresholds}
    cube = load_config({**GOOD, "cube": CUBE | {"rival": states, "value": 4}}).cube
    assert cube.rival.centred == "keith"
    assert cube.rival.owned == JanowskiStrategy(janowski=1.0)
    assert cube.rival.take.thresholds.take == 0.22
