"""`bearoff populations`: building, listing and error messages."""

from pathlib import Path

import pytest

from tests.app.conftest import missing
from tests.two_sided_tables import built

# With a built table, commands print no notice about building a table.
pytestmark = pytest.mark.usefixtures("table")


def test_built_then_listed_exported_and_made_into_cards(bearoff, tmp_path):
    built(3)
    asked = "populations build uniform checkers-2 --size 300 --checkers 3 --to"
    build = (*asked.split(), str(tmp_path))
    first = bearoff(*build, "--json").good
    assert "table: 100%" in first.err
    assert [row["name"] for row in first.json] == ["uniform", "checkers-2"]
    for row in first.json:
        assert Path(row["path"]) == tmp_path / f"{row['name']}.parquet"
        assert row["visits"] == row["size"] == sum(row["games"].values()) == 300
        assert row["command"] == (
            f"bearoff populations build {row['name']} --size 300 --seed 1 --checkers 3"
        )
    digests = [row["digest"] for row in first.json]
    again = bearoff(*build, "--quiet").quiet
    assert all(again.out.count(digest) == 1 for digest in digests)
    place = ("--from", str(tmp_path))
    listed = bearoff("populations", "list", *place, "--json").json
    assert {row["digest"] for row in listed["built"]} == set(digests)
    table = bearoff("populations", "list", *place).out
    assert missing(table, "300,000 games", *(digest[:12] for digest in digests)) == []

    (tmp_path / "checkers-2.parquet").unlink()
    cards = ("populations", "cards", str(tmp_path / "uniform.parquet"), "--count", "6")
    made = bearoff(*cards, "--to", str(tmp_path / "a.apkg"), "--difficulty", "easy").quiet
    assert made.out.endswith("a.apkg: 6 cards\n")
    assert (tmp_path / "a.apkg").read_bytes()[:2] == b"PK"
    export = ("populations", "export", *place, "--to", str(tmp_path / "out"))
    (row,) = bearoff(*export, "--json").json
    assert row["decisions"] == 60  # the exported test part has a fifth of the 300 decisions
    assert Path(row["path"]).stat().st_size == row["bytes"]
    page = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "bearoff populations build uniform --size 300 --seed 1 --checkers 3" in page
    every = bearoff("populations", "list", *place, "--json").json["built"][0]["decisions"]
    whole = bearoff(*export, "--part", "all").out
    assert whole.startswith(f"{row['path']}: {every} decisions")


NAMES = ["races", "near", "long", "net-races", "net-long", "uniform", "cubeful"]
NAMES += ["cubeful-long", "checkers-N", "cubeful-by-NAME"]


def test_other_files_are_not_listed(bearoff, tmp_path):
    (tmp_path / "x.parquet").write_text("no Parquet")
    listed = bearoff("populations", "list", "--from", str(tmp_path), "--json").json
    assert listed["built"] == []
    assert [row["name"] for row in listed["populations"]] == NAMES
