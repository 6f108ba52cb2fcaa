"""`bearoff review`: judged matches, files that cannot be read, and output."""

import shutil
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pyarrow.parquet as pq
import pytest

from research.public_matches import contents
from tests.app.conftest import DATA, SESSION, missing, only_sentence, rows_of
from tests.refusals import names

MODEL = ("--model", "-q")
RACES = (*MODEL, "--races-only")
ALONE = (*MODEL, "--no-library")
MATCH = DATA / "gnubg_match.mat"
PROGRAMS = ("eXtreme Gammon", "GNU Backgammon", "BGBlitz")


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a valid, a truncated and an unrelated file."""
    inside = tmp_path / "matches"
    inside.mkdir()
    shutil.copy(SESSION, inside / "a.mat")
    whole = SESSION.with_suffix(".sgf").read_text()
    (inside / "b.sgf").write_text(whole[: len(whole) // 2])
    (inside / "c.txt").write_text("a letter")
    return inside


def test_a_folder(bearoff, folder, tmp_path):
    to = tmp_path / "out"
    answer = bearoff("review", str(folder), *RACES, "--to", str(to))
    assert answer.code == 2, answer.err
    assert "c.txt" in answer.err.splitlines()[-1]
    written = {"review.html", "review.csv", "review.parquet", "mistakes.apkg"}
    assert {path.name for path in to.iterdir()} == written
    rows = rows_of((to / "review.csv").read_text())
    takes = [row for row in rows if row["kind"] == "take" and row["source"] == "a.mat"]
    assert [(row["decided"], row["game"]) for row in takes] == [("pass", "1")]


@pytest.mark.parametrize("json", [False, True])
def test_bad_lines_of_a_list_are_counted_after_the_others_are_answered(
    bearoff, tmp_path, json
):
    path = tmp_path / "list.txt"
    path.write_text("LwAAwC0AAAAAAA\nno position\nLwAAwC0AAAAAAA\n")
    asked = ("review", str(path), *ALONE, *["--json"] * json)
    answer = bearoff(*asked)
    assert answer.code == 2
    assert names(answer.err.splitlines()[-1], 1, "list.txt, line 2")
    if json:
        assert [one["line"] for one in answer.json["decisions"]] == [1, 3]
        assert len(answer.json["problems"]) == 1
    path.write_text("LwAAwC0AAAAAAA\n")
    assert bearoff(*asked).code == 0


def test_a_whole_match_has_its_races_as_alone_and_estimates_beside(bearoff, tmp_path):
    asked, to = ("review", str(SESSION), *ALONE), tmp_path / "out"
    alone = bearoff(*asked, "--json", "--races-only").json
    whole = bearoff(*asked, "--json", "--to", str(to)).json
    races = [row for row in whole["decisions"] if row["in_race"]]
    before = [row for row in whole["decisions"] if not row["in_race"]]
    assert (races, whole["races"]) == (alone["decisions"], alone["races"])
    assert alone["players"] == alone["races"]
    for row in before:
        assert (row["method"], row["depth"], row["digits"]) == ("search", 1, 3)
    printed = bearoff(*asked).out
    rows = rows_of((to / "review.csv").read_text())
    stored = pq.read_table(to / "review.parquet").to_pylist()
    counted = [row["counted"] for row in rows]
    assert [str(row["counted"]).lower() for row in stored] == counted
    for each in whole["players"]:
        assert f"{each['rating']:.1f}\n" in printed
        mine = [row for row in rows if row["player"] == each["name"][1]]
        costs = [float(row["cost"]) for row in mine if row["counted"] == "true"]
        assert 500 * np.mean(costs) == pytest.approx(each["rating"])
        assert sum(row["mistake"] == "true" for row in mine) == each["mistakes"]


@pytest.mark.parametrize(
    ("text", "named"),
    [("", "empty"), ("no match", ""), ("\n Game 1\n A : 0  B : 0\n  1) 7x: \n", "0 point")],
)
def test_a_file_that_is_no_match_gives_instructions_for_each_program(
    bearoff, tmp_path, text, named
):
    path = tmp_path / "bad.mat"
    path.write_text(text)
    answer = bearoff("review", str(path))
    assert (answer.code, answer.out) == (2, "")
    assert "Traceback" not in answer.err
    assert missing(answer.err, path.name, named, *([] if named else PROGRAMS)) == []


def test_after_patience_the_rest_is_the_models(bearoff):
    answer = bearoff("review", str(MATCH), "--patience", "0", "-q", "--json").good
    rows = answer.json["decisions"]
    assert {row["method"] for row in rows if row["in_race"]} == {"model"}
    plays = [row for row in rows if row["kind"] == "play" and not row["in_race"]]
    assert {row["depth"] for row in plays} == {0}
    assert str(len(rows)) in answer.err


def test_players_are_summed_by_match_and_decisions_name_their_file(bearoff):
    matches = (str(MATCH), str(SESSION))
    found = bearoff("review", *matches, *RACES, "--json").json
    made = {(row["source"], row["player"]) for row in found["decisions"]}
    assert {tuple(each["name"]) for each in found["players"]} == made
    assert len(made) == 4
    lost = sum(row["cost"] for row in found["decisions"])
    assert sum(each["lost"] for each in found["players"]) == pytest.approx(lost)
    one, both = (bearoff("review", *f, *RACES).out for f in (matches[:1], matches))
    place = "game 1, line 26,"
    assert (f" {place}" in one, f" gnubg_match.mat, {place}" in one) == (True, False)
    assert f" gnubg_match.mat, {place}" in both


def test_files_of_one_match_in_every_format_count_once(bearoff, tmp_path):
    programs = {".bgf": "BGBlitz", ".gvab": "bgsage", ".mat": "", ".xg": "eXtreme Gammon"}
    for suffix in programs:
        name = f"baR-U643iUDpvzTC{suffix}"
        (tmp_path / name).write_bytes(contents()[name])
    names = sorted(path.name for path in tmp_path.iterdir())
    together = bearoff("review", str(tmp_path), *RACES, "--json").json
    assert {row["source"] for row in together["decisions"]} == {names[0]}
    assert (len(together["decisions"]), len(together["players"])) == (8, 2)
    (told,) = together["problems"]
    assert all(name in told for name in names)
    for name in names:
        row = bearoff("review", str(tmp_path / name), *RACES, "--json").json["decisions"][0]
        assert row["file_program"] in (programs[Path(name).suffix], "")


def test_after_ctrl_c_answers_of_the_model_and_the_net_are_printed(bearoff, monkeypatch):
    from bearoff.sim.rollouts import PairedSource

    monkeypatch.setattr(PairedSource, "values", Mock(side_effect=KeyboardInterrupt))
    answer = bearoff("review", str(MATCH), "-q", "--json")
    found = answer.json["decisions"]
    assert (answer.code, len(found), sum(one["in_race"] for one in found)) == (130, 293, 28)
    assert "interrupted" in answer.err


def test_positions_that_nobody_decided_are_shown(bearoff, tmp_path):
    path = tmp_path / "position.sgf"
    path.write_text(
        "(;FF[4]GM[6]MI[length:7][game:0][ws:2][bs:3]PW[A]PB[B]"
        ";PL[B]AE[a:y]AW[a][a][a][a][b]AB[x][x][x][w][w][v]CV[1]CP[c])"
    )
    out = bearoff("review", str(path), *ALONE).good.out
    race = "-CBA-------------------ad-:0:0:1:00:3:2:0:7:10"
    assert missing(out, race, "double, pass") == []
    assert "mistakes" not in out  # a list without choices has no table of mistakes


def test_a_match_beyond_the_match_equities_is_judged(bearoff, tmp_path):
    path = tmp_path / "long.mat"
    path.write_text(SESSION.read_text().replace(" 0 point match", " 31 point match"))
    found = bearoff("review", str(path), *ALONE, "--races-only", "--json").good.json
    assert len(found["decisions"]) > 5
    assert not any("no answer" in problem for problem in found["problems"])


def test_an_unreadable_list_names_the_wrong_column(bearoff, tmp_path):
    path = tmp_path / "list.csv"
    path.write_text("position,dice,dice\nLwAAwC0AAAAAAA,31,42\n")
    only_sentence(bearoff("review", str(path), "-q"), "list.csv", "'dice'")
