"""Configurations of runs are read, written and compared."""

import json
import pickle
from collections import UserDict
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from pydantic import ValidationError
from ruamel.yaml import YAML

from bearoff import Position, Race, position_count
from bearoff.one_sided.estimate import LARGEST
from bearoff.positions.numbering import rank_one
from bearoff.sim import BatchConfig, ConfigError
from bearoff.sim.config.load import json_schema, load_config, parse_config
from bearoff.sim.config.pairs import (
    PairGrid,
)
from bearoff.sim.config.values import Span

CONFIGS = sorted((Path(__file__).parents[3] / "configs").glob("*.yaml"))
VALIDATOR = jsonschema.Draft202012Validator(json_schema())

XGID = "XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10"


def minimal(*pairs, **others):
    sources = list(pairs) or [{"random": {"pairs": 1}}]
    return load_config({"run": "test", "pairs": sources, "games": 10, **others})


def span(first, last, step=1):
    return Span.model_validate({"from": first, "to": last, "step": step})


def test_defaults_that_follow_the_table():
    config = minimal(table={"points": 4, "checkers": 3})
    (source,) = config.pairs
    assert (source.random.checkers.to, source.random.pips.to) == (3, 12)


def test_listed_pairs_in_every_notation_are_races():
    config = minimal(
        {
            "list": [
                {"roller": "3,2,1,0,0,0", "opponent": "(10,4,1,0,0,0,0)"},
                {"roller": Position.parse("3,2,1,0,0,0").number, "opponent": "[1,1,1,1,2]"},
                {"roller": "3 2 1 0 0 0", "opponent": str(rank_one((4, 1, 0, 0, 0, 0)))},
                {"race": XGID},
                {"race": "LwAAwC0AAAAAAA"},
                {"race": Race.parse(XGID)},
                {"roller": np.int64(Position.parse("3,2,1,0,0,0").number),
                 "opponent": Position.parse("4,1,0,0,0,0")},
            ]
        }
    )  # fmt: skip
    (source,) = config.pairs
    assert source.races == 7 * (Race.parse(XGID),)


def test_positions_are_read_in_the_tables_size():
    config = minimal(
        {"list": [{"roller": "0,0,0,0,0,0,0,2", "opponent": "(1,0,0,0,0,0,0,1,0)"}]},
        {"harvest": {"pairs": 1, "start": [{"roller": 1, "opponent": 44}]}},
        table={"points": 8, "checkers": 2},
    )
    listed, harvest = config.pairs
    assert listed.races[0].roller == Position((0, 0, 0, 0, 0, 0, 0, 2), 2)
    assert harvest.harvest.races[0].opponent == Position((0, 0, 0, 0, 0, 0, 0, 2), 2)


def test_the_largest_table_of_a_configuration_can_be_solved():
    config = minimal(table={"points": 12, "checkers": 15})
    assert position_count(config.table.points, config.table.checkers) <= LARGEST


def test_whole_numbers_may_be_written_as_yaml_has_them():
    config = parse_config(
        "{run: x, pairs: [{random: {pairs: 1e3}}], games: 1_000, seed: 5.0}"
    )
    assert config.effective()["pairs"][0]["random"]["pairs"] == 1000
    assert (config.games, config.seed) == (1000, 5)
    assert type(config.seed) is int


def test_spans_end_on_their_last_value_in_spite_of_rounding():
    assert span(0, 1, 0.1).values == (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert span(-4, 16, 2).values[-1] == 16
    assert span(1, 10, 4).values == (1, 5, 9)
    assert span(3, 3).values == (3,)
    assert len(span(0.1, 0.1, 1000)) == 1


def test_cells_of_a_grid():
    grid = PairGrid(roller=span(10, 20, 10), lead=span(-0.2, 0.1, 0.1), by="epc")
    assert grid.cells == (
        (10, 9.8), (10, 9.9), (10, 10), (10, 10.1),
        (20, 19.8), (20, 19.9), (20, 20), (20, 20.1),
    )  # fmt: skip


def test_identity_is_what_determines_outcomes():
    one = minimal({"list": [{"roller": 8887, "opponent": "[1]"}]})
    other = load_config(
        {
            "run": "other",
            "description": "the same races",
            "pairs": [{"list": [{"roller": "(4,3,3,2,0,2,1)", "opponent": 1}]}],
            "games": 10.0,
            "table": {"points": 6},
            "workers": 8,
            "backend": "dask",
            "scheduler": "tcp://10.0.0.5:8786",
            "output": "s3://bucket/races",
        }
    )
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
    base = {"run": "test", "pairs": [{"random": {"pairs": 1}}], "games": 10}
    assert load_config({**base, key: value}).identity() != load_config(base).identity()


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
    [
        ("/data/pairs.parquet", "/data/pairs.parquet", "pairs.parquet"),
        ("s3://bucket/pairs.CSV", "s3://bucket/pairs.CSV", "s3://bucket/pairs.CSV"),
        ("../pairs.csv", str(Path("/home/../pairs.csv")), "../pairs.csv"),
    ],
)
def test_absolute_paths_stay_out_of_the_identity(written, resolved, name):
    text = f"{{run: x, games: 1, pairs: [file: {{path: '{written}'}}]}}"
    config = parse_config(text, folder=Path("/home"))
    (source,) = config.pairs
    assert source.file.path.resolved == resolved
    assert config.identity()["pairs"][0]["file"]["path"] == name
    assert config.effective()["pairs"][0]["file"]["path"] == written


def test_paths_and_foreign_mappings_from_python():
    given = UserDict(
        run="x",
        games=np.int32(7),
        pairs=({"file": UserDict(path=Path("a.csv"))},),
        output=Path("out"),
    )
    config = load_config(given)
    assert (config.games, config.output) == (7, "out")


def test_a_position_of_another_table_is_refused_however_it_comes():
    listed = minimal({"list": [{"roller": 1, "opponent": 1}]}).pairs
    with pytest.raises(ValidationError, match="3 checkers"):
        BatchConfig.model_validate(
            {"run": "x", "games": 1, "table": {"checkers": 3}, "pairs": listed}
        )


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_shipped_configurations(path, tmp_path):
    first, second, *_ = path.read_text(encoding="utf-8").splitlines()
    assert (first, second) == ("# yaml-language-server: $schema=batch.schema.json", "#")
    VALIDATOR.validate(YAML(typ="safe", pure=True).load(path))
    config = load_config(path)
    assert config.run == path.stem
    assert config.description
    copy = tmp_path / "copy.yaml"
    YAML(typ="safe", pure=True).dump(config.effective(), copy)
    assert load_config(copy) == config
    copy.write_text(json.dumps(config.effective()))
    assert load_config(copy) == config
    assert pickle.loads(pickle.dumps(config)) == config


def test_errors_survive_the_way_between_processes():
    with pytest.raises(ConfigError) as caught:
        minimal(seed=-1)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.problems) == (str(caught.value), caught.value.problems)
