"""`bearoff tables export` and `import`: rows of tables, and GNU Backgammon's files."""

import json
import os
import sqlite3
from contextlib import closing
from unittest.mock import Mock

import pytest
from numpy.testing import assert_array_equal
from pyarrow import csv, parquet

import bearoff as core
from bearoff.sim.engine import PassProgress
from tests.app.conftest import DATA, GNUBG, missing, only_sentence, ran

BUILD = ("tables", "build", "--two-sided", "--checkers")
TABLES = (2,)

pytestmark = pytest.mark.usefixtures("tables")

COLUMNS = ["roller", "opponent", "roller_counts", "opponent_counts", "win_probability"]
COLUMNS += ["equity_centred", "equity_owned", "equity_opponent"]


def exported(bearoff, path, *options):
    """Export a table to a file, and return the first printed line."""
    answer = bearoff("tables", "export", str(path), *options).good
    assert path.name in answer.out
    return answer.err.splitlines()[0]


def test_export_of_ranges_and_of_a_file_of_pairs(bearoff, tmp_path):
    path = tmp_path / "some.parquet"
    export = ("tables", "export", str(path), "--checkers", "2")
    answer = bearoff(*export, "--rollers", "3-5", "--opponents", "7", "--json").json
    assert answer == {"path": str(path), "pairs": 3, "bytes": path.stat().st_size}
    rows = parquet.read_table(path)
    assert rows.column_names == COLUMNS
    assert rows["roller"].to_pylist() == [3, 4, 5]
    assert rows["opponent"].to_pylist() == [7, 7, 7]
    assert rows["roller_counts"].to_pylist() == core.unrank([3, 4, 5], 6, 2).tolist()
    table = core.two_sided_table(2)
    assert_array_equal(rows["win_probability"], table.win_probability([3, 4, 5], 7))
    for cube in ("centred", "owned", "opponent"):
        assert_array_equal(rows[f"equity_{cube}"], table.equity([3, 4, 5], 7, cube))
    about = json.loads(rows.schema.metadata[b"bearoff"])
    assert about["checkers"] == 2
    assert about["errors"]["equity_owned"] == table.error("owned")
    other = tmp_path / "x.parquet"
    for text in ("0-3", "5-3", "3-28", "a-b", "-3"):
        answer = bearoff("tables", "export", str(other), f"--rollers={text}")
        only_sentence(answer, f"'{text}'")
    assert not other.exists()

    pairs = tmp_path / "pairs.csv"
    pairs.write_text('roller,opponent\n8,"1,0,0,0,0,0"\n1,2\n')
    bearoff(*export, "--pairs", str(pairs))
    rows = parquet.read_table(path)
    assert rows["roller"].to_pylist() == [8, 1]
    assert rows["opponent"].to_pylist() == [1, 2]
    pairs.write_text("roller,opponent\n1,2\n28,1\n")
    only_sentence(bearoff(*export, "--pairs", str(pairs)), "row 2", "'roller'", "28")


@pytest.mark.usefixtures("cache")
def test_an_export_of_all_of_a_cubeless_table_replaces_only_regular_files(
    bearoff, tmp_path
):
    bearoff(*BUILD, "2", "--cubeless")
    pipe, folder = tmp_path / "pipe.csv", tmp_path / "folder.bd"
    os.mkfifo(pipe)
    folder.mkdir()
    for target in (pipe, folder):
        asked = ("tables", "export", str(target), "--checkers", "2", "--two-sided")
        only_sentence(bearoff(*asked), target.name)
    assert pipe.is_fifo()
    path = tmp_path / "all.parquet"
    out = bearoff("tables", "export", str(path), "--checkers", "2").out
    assert out.startswith(f"{path}: 729 pairs, ")
    rows = parquet.read_table(path)
    assert rows.column_names == COLUMNS[:5]
    pairs = zip(rows["roller"].to_pylist(), rows["opponent"].to_pylist(), strict=True)
    assert list(pairs) == [(x, y) for x in range(1, 28) for y in range(1, 28)]


def test_all_formats_hold_the_same_rows(bearoff, tmp_path):
    some = ("--checkers", "2", "--rollers", "3-9")
    ends = ("parquet", "csv", "sqlite")
    said = [exported(bearoff, tmp_path / f"rows.{end}", *some) for end in ends]
    assert all(line.startswith("bearoff: 189 rows: about ") for line in said)
    rows = parquet.read_table(tmp_path / "rows.parquet").to_pydict()
    for name in ("roller_counts", "opponent_counts"):
        rows[name] = [",".join(map(str, counts)) for counts in rows[name]]
    assert csv.read_csv(tmp_path / "rows.csv").to_pydict() == rows
    with closing(sqlite3.connect(tmp_path / "rows.sqlite")) as database:
        stored = database.execute("SELECT * FROM pairs").fetchall()
        ((about,),) = database.execute("SELECT bearoff FROM about").fetchall()
    assert stored == list(zip(*rows.values(), strict=True))
    assert json.loads(about)["checkers"] == 2
    exported(bearoff, tmp_path / "rows.dat", *some, "--format", "csv")
    assert csv.read_csv(tmp_path / "rows.dat").to_pydict() == rows
    only_sentence(bearoff("tables", "export", str(tmp_path / "x.dat")), "--format")


@pytest.mark.usefixtures("cache")
def test_gammons_have_columns(bearoff, tmp_path):
    bearoff(*BUILD, "15", "--points", "1")
    path = tmp_path / "gammons.parquet"
    exported(bearoff, path, "--points", "1", "--rollers", "3", "--opponents", "15")
    (row,) = parquet.read_table(path).to_pylist()
    table = core.two_sided_table(15, 1)
    assert (row["gammon_won"], row["gammon_lost"]) == table.gammon_probability(3, 15)
    assert row["gammon_won"] > 0.1
    assert row["equity_cubeless"] == table.equity(3, 15, None) > 1
    assert row["equity_jacoby"] == table.equity(3, 15, jacoby=True)
    assert row["equity_centred"] == table.equity(3, 15) > row["equity_jacoby"]


@pytest.mark.usefixtures("cache")
def test_a_smaller_table_is_served_from_a_larger(bearoff, tmp_path):
    bearoff(*BUILD, "3", "--cubeless")
    bearoff(*BUILD, "4")
    exported(bearoff, tmp_path / "two.parquet", "--checkers", "2")
    rows = parquet.read_table(tmp_path / "two.parquet")
    assert len(rows) == 27**2
    assert "equity_owned" in rows.column_names
    exported(bearoff, tmp_path / "most.parquet")
    assert len(parquet.read_table(tmp_path / "most.parquet")) == 209**2


def test_many_rows_need_all(bearoff, tmp_path, monkeypatch):
    monkeypatch.setattr("bearoff.app.commands.export.MANY_ROWS", 728)
    path = tmp_path / "all.csv"
    only_sentence(bearoff("tables", "export", str(path)), "729", "76.5 kB", "--all")
    assert not path.exists()
    exported(bearoff, path, "--rollers", "1-26")
    exported(bearoff, path, "--all")
    assert len(csv.read_csv(path)) == 729


@pytest.mark.parametrize("name", ["x.parquet", "x.csv", "x.sqlite", "x.bd"])
def test_an_interrupted_export_leaves_what_there_was(bearoff, tmp_path, monkeypatch, name):
    path = tmp_path / "work" / name
    path.parent.mkdir()
    path.write_text("before")
    monkeypatch.setattr(PassProgress, "__call__", Mock(side_effect=KeyboardInterrupt))
    answer = bearoff("tables", "export", str(path), "--two-sided")
    assert answer.code == 130
    assert str(path) in answer.err.splitlines()[-1]
    assert [file.name for file in path.parent.iterdir()] == [name]
    assert path.read_text() == "before"


@pytest.mark.usefixtures("cache")
def test_two_sided_files_for_gnubg_and_how_far_its_own_are_from_ours(bearoff, tmp_path):
    given = DATA / "gnubg_two_sided.bd"
    told = bearoff("tables", "import", str(given)).err
    assert "bearoff tables build --two-sided --checkers 2" in told
    bearoff(*BUILD, "3")
    path = tmp_path / "ts.bd"
    said = exported(bearoff, path, "--two-sided", "--checkers", "2")
    assert missing(said, "two-sided", "6 points", "2 checkers", "6.3 kB") == []
    theirs = given.read_bytes()
    assert (path.stat().st_size, path.read_bytes()[:40]) == (len(theirs), theirs[:40])
    exported(bearoff, path, "--two-sided", "--cubeless")
    assert path.read_bytes()[:17] == b"gnubg-TS-06-03-0x"
    answer = bearoff("tables", "import", str(given))
    assert answer.out.startswith(f"{given}: two-sided, 6 points and 2 checkers")
    found = bearoff("tables", "import", str(given), "--json").json
    assert (found["kind"], found["cube"], found["bytes"]) == ("two-sided", True, 6312)
    assert len(found["differences"]) == 4
    for one in found["differences"]:
        assert one["values"] == 28**2
        assert one["rms"] <= one["largest"] < 1e-4
        assert all(len(counts.split(",")) == 6 for counts in one["at"])


def test_one_sided_files_for_gnubg(bearoff, tmp_path):
    path = tmp_path / "os.bd"
    exported(bearoff, path, "--points", "2")
    assert path.read_bytes()[:40] == (DATA / "gnubg_gammons.bd").read_bytes()[:40]
    exported(bearoff, path, "--points", "1", "--uncompressed")
    theirs = (DATA / "gnubg_uncompressed.bd").read_bytes()
    assert (path.stat().st_size, path.read_bytes()[:40]) == (len(theirs), theirs[:40])


@pytest.mark.usefixtures("cache")
@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
def test_gnubg_looks_in_its_own_folder(bearoff, tmp_path):
    bearoff(*BUILD, "7")
    for name in ("gnubg_ts0.bd", "gnubg_ts.bd"):
        bearoff("tables", "export", str(tmp_path / name), "--two-sided")
    asked = (str(GNUBG), "-t", "-q", "--datadir", str(tmp_path))
    told = ran(*asked, given=b"show engine\n").out
    assert "2-sided bearoff database" in told
    assert "up to 7 chequers" not in told
