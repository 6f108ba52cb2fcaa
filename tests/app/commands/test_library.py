"""`bearoff library`, which stores reviews: searches, notes, exports and backups."""

import re
from pathlib import Path

import pytest

from bearoff.analysis.progress import ClusteredMean
from bearoff.app.commands.library_progress import _mean
from research.public_matches import contents
from tests.app.conftest import DATA, SESSION, missing, only_sentence

MATCH = DATA / "gnubg_match.mat"
FAST = ("--model", "--races-only", "-q")
REVIEW = ("review", str(SESSION), *FAST)


@pytest.fixture(autouse=True)
def own(monkeypatch, tmp_path):
    monkeypatch.setenv("BEAROFF_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def kept(bearoff):
    """Store a reviewed money session; return the function that calls `bearoff`."""
    assert "match 1 (1 new; " in bearoff(*REVIEW).good.err
    return bearoff


def test_a_review_is_kept_once(kept):
    assert "match 1 (1 known; " in kept(*REVIEW, str(SESSION.with_suffix(".sgf"))).err
    found = kept("library", "list", "--json").json
    (match,) = found["matches"]
    assert match["players"] == ["gnubg", "root"]
    assert (match["won"], match["decisions"]) == ([2, 0], 20)
    assert found["bytes"] == Path(found["path"]).stat().st_size
    text = kept("library", "list").out
    assert " 2-0, money " in text  # a money session has no match score
    assert "1 match, 20 decisions, " in text


def test_what_the_file_says_stands_beside(bearoff, tmp_path):
    name = "uwvEbd63UvdX7SDin5o_Iw.bgf"
    (tmp_path / name).write_bytes(contents()[name])
    bearoff("review", str(tmp_path / name), *FAST)
    found = bearoff("library", "show", "1", "--json").json["made"]
    plays = [one for one in found if one["kind"] == "play" and one["file_program"]]
    assert len(plays) > 10
    assert "BGBlitz, 3ply" in bearoff("library", "show", "1").out
    costly = max(plays, key=lambda one: one["file_cost"] or 0)
    shown = bearoff("library", "show", costly["reference"]).out
    assert f"{costly['file_best']} (BGBlitz, 3ply)" in shown
    assert f"{costly['file_equity']:+.4f}" in shown


def test_days_stay_whole_beside_long_names(bearoff, tmp_path):
    text = SESSION.read_text().replace("gnubg", "Maximiliana Montgomery-Featherstonehaugh")
    text = text.replace("root", "Bartholomew Cholmondeley-Warner of Marjoribanks")
    (tmp_path / "long.mat").write_text(text)
    bearoff("review", str(tmp_path / "long.mat"), *FAST)
    (match,) = bearoff("library", "list", "--json").json["matches"]
    for arguments in (["list"], ["search"]):
        assert match["day"] in bearoff("library", *arguments).out


def test_a_review_leaves_no_trace_or_goes_on_where_the_library_is_damaged(bearoff, own):
    answer = bearoff(*REVIEW, "--no-library")
    assert (answer.code, own.exists()) == (0, False)
    own.mkdir()
    damaged = own / "library.sqlite"
    damaged.write_text("a letter" * 100)
    answer = bearoff(*REVIEW, "--json").good
    assert (len(answer.json["decisions"]), str(damaged) in answer.err) == (20, True)
    assert damaged.read_text() == "a letter" * 100
    only_sentence(bearoff("library", "list"), damaged)


def test_an_interrupted_review_is_kept(bearoff, own, monkeypatch):
    def pressed(reviewing, seconds, *, show):
        for _ in zip(range(7), reviewing.run(seconds), strict=False):
            pass
        raise KeyboardInterrupt

    monkeypatch.setattr("bearoff.app.commands.review._watch", pressed)
    answer = bearoff("review", str(SESSION), str(MATCH), "--model", "--races-only")
    assert answer.code == 130
    found = bearoff("library", "list", "--json").json["matches"]
    assert min(one["decisions"] for one in found) < 20
    assert sum(one["decisions"] for one in found) >= 7
    assert [path.name for path in own.iterdir()] == ["library.sqlite"]


def test_search_show_notes_export_and_progress(kept, tmp_path):
    answer = kept("library", "search", "--player", "root", "--kind", "play", "--json").good
    found = answer.json
    assert found["found"] == len(found["decisions"]) > 3
    assert {one["player"] for one in found["decisions"]} == {"root"}
    reference, xgid = (found["decisions"][0][name] for name in ("reference", "xgid"))
    noted = kept("library", "note", "1", "a cold night", "--tag", "club").out
    assert noted == "n1 to 1: a cold night #club\n"
    kept("library", "save", reference, "--note", "look again", "--tag", "gaps")
    shown = kept("library", "show", reference).out
    assert missing(shown, "note 2: look again #gaps", xgid) == []
    assert kept("library", "show", reference, "--json").json["xgid"] == xgid
    assert "note 1 to 1: a cold night #club" in kept("library", "show", "1").out
    assert kept("library", "show", "1", "--json").json["notes"][0]["tags"] == ["club"]
    (saved,) = kept("library", "saved", "--tag", "gaps", "--json").json["saved"]
    assert (saved["about"], saved["text"]) == (reference, "look again")
    tagged = kept("library", "search", "--tag", "gaps", "--json").json
    assert [one["reference"] for one in tagged["decisions"]] == [reference]
    assert kept("library", "delete", "n2").code == 0
    assert kept("library", "saved", "--json").json["saved"] == []
    answer = kept("library", "search", "--player", "gnubk").good
    assert missing(answer.err, "'gnubk'", "'gnubg'") == []
    to = tmp_path / "out.parquet"
    out = kept("library", "export", "--to", str(to), "--kind", "play").out
    assert (out.startswith(str(to)), "11 decisions" in out) == (True, True)
    assert to.stat().st_size > 100

    found = kept("library", "progress", "gnubg", "--json").json
    assert found["whole"]["errors"]["decisions"] == 14
    assert found["luck"][0]["result"] == 2.0
    (alone,) = found["ratings"]  # the match is stored without the part before its race
    assert (alone["of"], alone["rating"]["matches"]) == ("races alone", 1)
    text = kept("library", "progress", "gnubg").out
    assert "20 matches" in text  # a test requires 20 matches
    counted, rating = alone["rating"]["decisions"], alone["rating"]["value"]
    assert re.search(rf"races alone +all +1 +{counted} +{rating:.1f}\n", text)
    assert re.search(r"points +1 +\+2\.000 ", text)
    assert max(map(len, text.splitlines())) <= 80


def test_backup_check_delete_and_restore(kept, own, tmp_path):
    copy = tmp_path / "copy.sqlite"
    assert kept("library", "backup", str(copy)).code == 0
    before = copy.read_bytes()
    only_sentence(kept("library", "backup", str(copy)), copy)
    assert copy.read_bytes() == before
    rows = kept("library", "check", "--json").json["rows"]
    assert "20 decisions" in kept("library", "delete", "1").out
    assert kept("library", "list", "--json").json["matches"] == []
    restored = kept("library", "restore", str(copy)).good
    assert "library.before.sqlite" in restored.err
    assert kept("library", "check", "--json").json["rows"] == rows


def test_nothing_is_written_as_less_than_nothing():
    said = _mean(ClusteredMean(-0.00001, -0.00002, 0.1, 5, 2))
    assert said == "+0.0000 (+0.0000 to +0.1000)"


def test_a_list_is_one_entry_of_the_library_however_much_is_judged(bearoff, own, tmp_path):
    contact = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    path = tmp_path / "list.txt"
    path.write_text(f"LwAAwC0AAAAAAA\n{contact}\nno position\nLwAAwC0AAAAAAA\n")
    assert bearoff("review", str(path), *FAST).code == 2
    assert bearoff("review", str(path), "--model", "-q").code == 2
    columns = tmp_path / "columns.csv"
    columns.write_text(f"position\nLwAAwC0AAAAAAA\n{contact}\nLwAAwC0AAAAAAA\n")
    assert bearoff("review", str(columns), "--model", "-q").code == 0
    (entry,) = bearoff("library", "list", "--json").json["matches"]
    assert (entry["decisions"], entry["estimates"]) == (2, 1)
