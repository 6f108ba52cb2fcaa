"""`bearoff configs`, and `bearoff simulate` with the name of a shipped configuration."""

from dataclasses import replace
from pathlib import Path

from bearoff.app.examples import shipped
from bearoff.app.examples.shipped import example, examples, find_example
from bearoff.sim.config import load_config
from tests.app.conftest import ROOT, only_sentence


def test_all_are_listed_with_what_they_take(bearoff):
    for one in examples():
        same = load_config(one.path)
        assert (one.name, one.description) == (same.run, same.description)
        assert all(path.exists() for path in one.data)
    lines = bearoff("configs").out.splitlines()
    names = [line for line in lines if not line.startswith(" ")]
    assert names == sorted(path.stem for path in (ROOT / "configs").glob("*.yaml"))
    assert max(map(len, lines)) <= 80
    for one in bearoff("configs", "--json").json:
        assert one["description"]
        assert "games" in one["takes"], one["name"]


def test_one_is_shown_and_copied_and_replaces_nothing(bearoff, tmp_path):
    text = (ROOT / "configs" / "quick.yaml").read_text(encoding="utf-8")
    assert bearoff("configs", "quick").out == text
    assert bearoff("configs", "quick", "--json").json["yaml"] == text
    mine = tmp_path / "mine.yaml"
    answer = bearoff("configs", "quick", "--to", str(mine))
    assert answer.out.splitlines()[0] == str(mine)
    assert answer.out.endswith(f"bearoff simulate {mine}\n")
    assert mine.read_text(encoding="utf-8") == text
    mine.unlink()
    data = tmp_path / "long-races.csv"
    data.write_text("mine\n")
    only_sentence(bearoff("configs", "rollouts-long", "--to", str(mine)), data)
    assert data.read_text() == "mine\n"
    assert list(tmp_path.iterdir()) == [data]


def test_a_file_comes_before_a_name(bearoff, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_example("quick") == example("quick")
    mine = tmp_path / "quick"
    mine.mkdir()  # a folder of this name is ignored
    assert find_example("quick") == example("quick")
    mine.rmdir()
    mine.write_text("run: mine\npairs: [random: {pairs: 1}]\ngames: 1\n")
    assert find_example("quick") is None
    answer = bearoff("simulate", "quick", "--to", str(tmp_path), "--quiet")
    assert answer.out.startswith(f"{tmp_path}/mine: 1 pair, 1 game")


def test_a_shipped_one_is_the_same_run(bearoff, tmp_path, monkeypatch):
    """The test plays a hundredth of the games of a shipped configuration."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "shipped" / "match.yaml"
    path.parent.mkdir()
    text = (ROOT / "configs" / path.name).read_text(encoding="utf-8")
    path.write_text(text.replace("games: 20_000", "games: 200"), encoding="utf-8")
    few = replace(example("match"), path=path)
    monkeypatch.setattr(shipped, "examples", lambda: (few,))
    options = ("--to", str(tmp_path), "--quiet", "--json")
    played, again = (bearoff("simulate", at, *options).json for at in (str(path), "match"))
    assert (again["games"], again["games_played"]) == (played["games"], 0)


def test_what_others_left_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one = example("decisions")
    left = tmp_path / "results" / "populations" / "cubeful.parquet"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"")
    (pairs,) = load_config(one.path, None, one.folder).pairs
    assert Path(pairs.file.path.resolved).samefile(left)
