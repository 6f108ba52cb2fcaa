"""`bearoff review`: matches judged, files that cannot be read, what is written."""

import csv
import shutil
from pathlib import Path

import pytest

from tests.app.conftest import Command

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a session, another that was cut off, and a text of something else."""
    inside = tmp_path / "matches"
    inside.mkdir()
    shutil.copy(DATA / "gnubg_session.mat", inside / "a.mat")
    whole = (DATA / "gnubg_session.sgf").read_text()
    (inside / "b.sgf").write_text(whole[: len(whole) // 2])
    (inside / "c.txt").write_text("a letter")
    return inside


def test_a_folder(bearoff: Command, folder: Path, tmp_path: Path) -> None:
    to = tmp_path / "out"
    answer = bearoff("review", str(folder), "--model", "--to", str(to), "-q")
    assert answer.code == 0, answer.err
    assert "c.txt is no match that is read" in answer.err
    assert {path.name for path in to.iterdir()} == {
        "review.html",
        "review.csv",
        "review.parquet",
        "mistakes.apkg",
    }
    with (to / "review.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["source"] for row in rows} >= {"a.mat"}
    takes = [row for row in rows if row["kind"] == "take" and row["source"] == "a.mat"]
    assert [(row["decided"], row["game"]) for row in takes] == [("pass", "1")]


def test_json_and_totals_agree(bearoff: Command) -> None:
    answer = bearoff("review", str(DATA / "gnubg_session.mat"), "--model", "-q", "--json")
    assert answer.code == 0, answer.err
    found = answer.json
    assert not found["problems"]
    total = sum(total["decisions"] for total in found["totals"])
    assert total == len(found["decisions"]) == 20


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no match that is read"),
        ("\n Game 1\n Ann : 0      Bob : 0\n  1) 7x: \n", "line 4: a turn is a roll"),
    ],
)
def test_no_match(bearoff: Command, tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "bad.mat"
    path.write_text(text)
    answer = bearoff("review", str(path))
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert "Traceback" not in answer.err


def test_an_empty_folder_and_no_such_formula(bearoff: Command, tmp_path: Path) -> None:
    answer = bearoff("review", str(tmp_path))
    assert (answer.code, "holds no match" in answer.err) == (2, True)
    answer = bearoff("review", str(DATA / "gnubg_session.mat"), "--formula", "keit")
    assert (answer.code, "did you mean 'keith'" in answer.err) == (2, True)
