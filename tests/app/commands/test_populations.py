"""`bearoff populations`: building, listing and refusing."""

import json
from pathlib import Path

import pytest

from tests.app.conftest import Command, only_sentence
from tests.two_sided_tables import built

pytestmark = pytest.mark.usefixtures("table")  # No word about solving it.

CHECKERS = ("--checkers", "3")


def test_built_then_listed(bearoff: Command, tmp_path: Path) -> None:
    built(3)
    place = ("--to", str(tmp_path))
    build = ("populations", "build", "uniform", "checkers-2", "--size", "300", *CHECKERS)
    first = bearoff(*build, *place, "--json")
    assert first.code == 0
    assert "table: 100%" in first.err
    assert [row["name"] for row in first.json] == ["uniform", "checkers-2"]
    for row in first.json:
        assert Path(row["path"]) == tmp_path / f"{row['name']}.parquet"
        assert row["visits"] == row["size"] == sum(row["games"].values()) == 300
        assert row["command"] == (
            f"bearoff populations build {row['name']} --size 300 --seed 1 --checkers 3"
        )
    again = bearoff(*build, *place, "--quiet")
    assert again.out.count("there already") == 2
    assert all(row["digest"] in again.out for row in first.json)
    assert again.err == ""
    listed = bearoff("populations", "list", "--from", str(tmp_path), "--json").json
    assert {row["digest"] for row in listed["built"]} == {r["digest"] for r in first.json}
    table = bearoff("populations", "list", "--from", str(tmp_path)).out
    assert "300,000 games" in table
    assert all(row["digest"][:12] in table for row in first.json)


def test_other_files_are_not_listed(bearoff: Command, tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_text("no Parquet")
    listed = bearoff("populations", "list", "--from", str(tmp_path), "--json")
    assert listed.json["built"] == []
    assert [row["name"] for row in listed.json["populations"]] == [
        "races",
        "near",
        "long",
        "net-races",
        "net-long",
        "uniform",
        "cubeful",
        "cubeful-long",
        "checkers-N",
        "cubeful-by-NAME",
    ]


def test_cards(bearoff: Command, tmp_path: Path) -> None:
    built(3)
    build = ("populations", "build", "uniform", "--size", "300", *CHECKERS, "-q")
    assert bearoff(*build, "--to", str(tmp_path)).code == 0
    cards = ("populations", "cards", str(tmp_path / "uniform.parquet"), "--count", "6")
    made = bearoff(*cards, "--to", str(tmp_path / "a.apkg"), "--difficulty", "easy")
    assert (made.code, made.err) == (0, "")
    assert made.out.endswith("a.apkg: 6 cards\n")
    assert (tmp_path / "a.apkg").read_bytes()[:2] == b"PK"
    refused = bearoff(*cards, "--to", str(tmp_path / "a.csv"))
    assert refused.code == 2
    assert "ends in .apkg" in refused.err


def test_keys_are_documented(bearoff: Command, tmp_path: Path) -> None:
    from tests.app.pages import json_keys
    from tests.app.test_docs import _keys

    built(3)
    arguments = ("uniform", "--size", "50", *CHECKERS, "--to", str(tmp_path), "--json")
    told = bearoff("populations", "build", *arguments)
    listed = bearoff("populations", "list", "--from", str(tmp_path), "--json")
    keys = _keys(json.loads(told.out)) | _keys(listed.json)
    assert len(keys) > 12
    assert keys <= json_keys()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["build"], "Missing argument 'NAME...'"),
        (["build", "races", "banana"], "there is no population 'banana'"),
        (["build", "races", "--size", "0"], "must be from 1 to 1073741824, got 0"),
        (["build", "races", "--seed", "-1"], "a seed must be from 0"),
        (["build", "races", "--checkers", "14"], "build --two-sided --checkers 14"),
        (["build", "races", "--low", "0.6"], "give both --low and --high"),
        (["build", "races", "--low", "0.6", "--high", "0.8"], "races has no bounds"),
        (["build", "near", "--low", "0.9", "--high", "0.8"], "must rise from 0 to 1"),
        (["build", "races", "--rollouts", "5"], "needs no --rollouts; long does"),
        (["build", "checkers-0"], "1 to 15 checkers on the board"),
    ],
)
def test_refused(bearoff: Command, tmp_path: Path, arguments: list[str], says: str) -> None:
    place = ["--to", str(tmp_path / "new")] if len(arguments) > 1 else []
    assert says in only_sentence(bearoff("populations", *arguments, *place))
    assert not (tmp_path / "new").exists()


def test_an_output_that_cannot_be_written_is_refused(
    bearoff: Command, tmp_path: Path
) -> None:
    built(3)
    file = tmp_path / "file"
    file.write_text("")
    answer = bearoff(
        "populations", "build", "uniform", "--size", "9", *CHECKERS, "--to", str(file)
    )
    assert str(file) in only_sentence(answer)


def test_export(bearoff: Command, tmp_path: Path) -> None:
    built(3)
    place = ("--from", str(tmp_path))
    none = bearoff("populations", "export", *place, "--to", str(tmp_path / "out"))
    assert "bearoff populations build cubeful" in only_sentence(none)
    bearoff(
        "populations", "build", "uniform", "--size", "300", *CHECKERS, "--to", str(tmp_path)
    )
    export = ("populations", "export", *place, "--to", str(tmp_path / "out"))
    (row,) = bearoff(*export, "--json").json
    assert row["decisions"] == 60  # One game of five is of the test part.
    assert Path(row["path"]).stat().st_size == row["bytes"]
    assert "bearoff populations build uniform --size 300 --seed 1 --checkers 3" in (
        tmp_path / "out" / "README.md"
    ).read_text(encoding="utf-8")
    every = bearoff("populations", "list", *place, "--json").json["built"][0]["decisions"]
    whole = bearoff(*export, "--part", "all").out
    assert whole.startswith(f"{row['path']}: {every} decisions")
