"""Published populations equal the original populations."""

import hashlib
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from bearoff.sim.populations import build_population, population_recipe, publish_populations
from bearoff.sim.populations.file import write_population
from bearoff.sim.populations.population import CubeVisits
from bearoff.sim.populations.publish import COLUMNS
from bearoff.sim.storage import RunError
from tests.analysis.made_population import made_population
from tests.damage import with_column
from tests.refusals import refused
from tests.two_sided_tables import built


@pytest.fixture
def met(tmp_path):
    """Write a population of 900 races with three splits; return its path and itself."""
    some = made_population().chosen(np.arange(len(made_population())) < 900)
    decisions = replace(some.decisions, splits=(np.arange(900) % 3).astype(np.int8))
    visits = CubeVisits(*(np.arange(k, 900 + k) for k in range(5)))
    about = {**some.about, "text": "made up"}
    some = replace(some, decisions=decisions, cube=visits, about=about)
    write_population(tmp_path / "made.parquet", some)
    return tmp_path / "made.parquet", some


def test_values_are_those_of_the_population(met, tmp_path):
    path, some = met
    (written,) = publish_populations([path], tmp_path / "out", "test")
    table = pq.read_table(tmp_path / "out" / written.name)
    test = some.split("test")
    assert table.schema.metadata is None
    assert table.num_rows == written.rows == len(test) == 300
    assert set(table["split"].to_pylist()) == {"test"}
    assert table["roller_counts"].to_pylist() == test.roller_counts.tolist()
    assert table["game"].to_pylist() == test.decisions.games.tolist()
    assert table["owned"].to_pylist() == test.cube.owned.tolist()
    for name in ("win_probability", "no_double", "no_redouble", "double_take"):
        apart = np.abs(table[name].to_numpy() - getattr(test.values, name))
        assert apart.max() <= 2.0**-23  # rounding error of float32 values between 2 and 4
    pips = np.asarray(table["opponent_counts"].to_pylist()) @ np.arange(1, 7)
    assert table["opponent_pips"].to_pylist() == pips.tolist()


def test_the_card_and_the_checksums(met, tmp_path):
    path, _ = met
    out = tmp_path / "out"
    (written,) = publish_populations([path], out)
    card = (out / "README.md").read_text(encoding="utf-8")
    table = pq.read_table(out / written.name)
    described = re.findall(r"^\| `(\w+)` \|", card, re.MULTILINE)
    assert described == table.column_names == list(COLUMNS)
    assert "all splits" in card
    assert f"{table.num_rows:,} decisions" in card
    assert "license: mit" in card
    lines = (out / "SHA256SUMS").read_text().splitlines()
    sums = dict(line.split("  ")[::-1] for line in lines)
    assert set(sums) == {"made.parquet", "README.md"}
    for name, digest in sums.items():
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest
    assert sums["made.parquet"] == written.sha256
    # Publishing again, here or in another folder, gives the same bytes.
    assert publish_populations([path], out) == [written]
    assert publish_populations([path], tmp_path / "other") == [written]


def test_what_is_refused_leaves_nothing(met, tmp_path):
    path, _ = met
    out = tmp_path / "out"
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(path.read_bytes()[:-40])
    for files, fault in (
        ([path, damaged], "damaged"),
        ([path, path], "made.parquet"),
        ([tmp_path / "none.parquet"], "none.parquet"),
    ):
        with refused(RunError, fault):
            publish_populations(files, out)
        assert not out.exists()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "notes.txt").write_text("my own")
    for target, fault in ((mine, "notes"), (mine / "notes.txt", "is a file")):
        with refused(RunError, fault):
            publish_populations([path], target)
    assert [p.name for p in mine.iterdir()] == ["notes.txt"]


STRANGER = Path(__file__).parents[3] / "verify" / "published.py"


def stranger(folder):
    """Check a published folder with a program that does not use the package `bearoff`."""
    done = subprocess.run(
        [sys.executable, "-I", str(STRANGER), str(folder)], capture_output=True, text=True
    )
    assert not done.stderr
    return done.returncode, done.stdout


def test_a_stranger_finds_the_files_to_be_what_the_card_says(tmp_path):
    imported = re.findall(r"^(?:import|from) (\w+)", STRANGER.read_text(), re.MULTILINE)
    assert set(imported) == {"hashlib", "re", "sys", "pathlib", "typing", "pyarrow"}
    recipe = population_recipe("checkers-4", size=300, checkers=built(4).checkers)
    out = tmp_path / "out"
    publish_populations([build_population(recipe, tmp_path).path], out)
    assert stranger(out) == (0, "0 problems\n")
    card = out / "README.md"
    card.write_text(card.read_text(encoding="utf-8").replace("| pips | raw", "| x | raw"))
    assert stranger(out) == (1, "README.md has another checksum\n1 problems\n")
    table = pq.read_table(out / "checkers-4.parquet")
    wrong = with_column(table, "roller_pips", np.asarray(table["roller_pips"]) + 1)
    pq.write_table(wrong, out / "checkers-4.parquet")
    code, told = stranger(out)
    assert code == 1
    assert "checkers-4.parquet has another checksum" in told
    assert "pips of the roller are not those of its checkers" in told
