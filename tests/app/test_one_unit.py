"""A mistake with the cube at 2 has the same cost, in the same unit, in all interfaces.

On 5 and 2 against a checker on the ace, the roller wins with 19 of 36 rolls, and nobody
rolls again: waiting is worth 1/18, and a taken double 2/18, per point of the cube.
"""

import re
import sqlite3
import zipfile

import pyarrow.parquet
import pytest

from bearoff.analysis.review.rows import unguarded
from bearoff.game.rules import Board
from tests.app.conftest import missing, rows_of
from tests.made_xg import made_xg
from tests.two_sided_tables import built

COST = 1 / 18
SHOWN = "0.0556"
POINTS = "0.1111"
"""Cost in points, as text, which no interface may show."""

NAME = '=HYPERLINK("http://example.org")'


@pytest.fixture
def match(tmp_path):
    built(4)
    board = Board.of_sides((0, 1, 0, 0, 1) + (0,) * 20, (1,) + (0,) * 24)
    path, said = tmp_path / "m.xg", (0.05, 0.12, 1.0)
    path.write_bytes(made_xg((NAME, "Bob"), board, (6, 5), [(5, 0), (2, 0)], 1, said))
    return path


def test_the_terminal_json_and_files(bearoff, match, tmp_path):
    to = tmp_path / "out"
    out = bearoff("review", str(match), "-q", "--to", str(to)).good.out
    assert (out.count(SHOWN) >= 3, POINTS in out) == (True, False)
    assert missing(out, "lost, EMG", "cost, EMG") == []
    found = bearoff("review", str(match), "-q", "--json").json
    (row,) = found["decisions"]
    assert row["cost"] == pytest.approx(COST, abs=2e-5)
    assert (row["unit"], found["unit"]) == ("EMG", "EMG")
    for sums in ("totals", "players"):
        assert found[sums][0]["lost"] == pytest.approx(COST, abs=2e-5)
    (row,) = rows_of((to / "review.csv").read_text())
    (same,) = pyarrow.parquet.read_table(to / "review.parquet").to_pylist()
    # The apostrophe keeps spreadsheets from running the name as a formula.
    assert row["player"] == f"'{NAME}"
    assert unguarded(row["player"]) == same["player"] == NAME
    for found in (row, same):
        assert float(found["cost"]) == pytest.approx(COST, abs=2e-5)
        assert float(found["equity"]) == pytest.approx(2 * COST, abs=2e-5)
        assert found["unit"] == "EMG"
        # The analysis stored in the match file is listed beside the program's own analysis.
        assert (found["file_program"], found["file_level"]) == ("eXtreme Gammon", "3-ply")
        assert found["file_best"] == found["best"] == "redouble, take"
        assert float(found["file_equity"]) == pytest.approx(0.12)
        assert float(found["file_cost"]) == pytest.approx(0.07)
    page = (to / "review.html").read_text(encoding="utf-8")
    # POINTS is also the equity of a taken double, 2/18.
    assert missing(page, f"{SHOWN} EMG", POINTS) == []
    with zipfile.ZipFile(to / "mistakes.apkg") as package:
        package.extract("collection.anki2", tmp_path)
    with sqlite3.connect(tmp_path / "collection.anki2") as base:
        ((fields,),) = base.execute("select flds from notes").fetchall()
    assert missing(fields, f": {SHOWN} EMG.", "<th>EMG</th>") == []


def test_races_asked_for(bearoff, tmp_path):
    xgid = "XGID=--A--A------------------a-:1:1:1:00:0:0:0:0:10"
    built(4)
    out = bearoff("race", xgid, "--decided", "no double").good.out
    assert missing(out, "EMG: 1 is 2 points.", SHOWN) == []
    asked = tmp_path / "asked.csv"
    asked.write_text(f"position,decided\n{xgid},no double\n")
    out = bearoff("race", "--from", str(asked), "--to", str(tmp_path / "told.csv")).good.out
    assert re.search(r"judged +number +mistakes +cost, EMG +of each\n", out)
    assert re.search(r"\b0\.056 +0\.0556\n", out)
