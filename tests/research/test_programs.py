"""The programs of the folder research/ write their pages about whole tables."""

from functools import partial
from pathlib import Path

import pytest

import bearoff as library
from bearoff.sim.populations.file import write_population
from research import studies
from tests.analysis.made_population import made_population
from tests.app.conftest import ROOT, only_sentence

PROGRAMS = sorted(
    path.relative_to(ROOT / "research").with_suffix("").as_posix().replace("/", ".")
    for path in (ROOT / "research").rglob("*.py")
    if "run_program(main)" in path.read_text(encoding="utf-8")
)


@pytest.fixture(autouse=True)
def _table():
    library.build_two_sided_table(2, cube=False, workers=1)


def test_two_sided(research, tmp_path):
    answer = research("two_sided", "--checkers", "2", "--to", str(tmp_path))
    assert answer.code == 0
    written = [Path(line) for line in answer.out.split()]
    assert [path.name for path in written] == [
        f"fewest-rolls-02.{end}" for end in ("md", "png", "parquet")
    ]
    assert all(path.exists() for path in written)
    assert "pairs: 100%" in answer.err


def test_bear_in(research, tmp_path):
    arguments = ("bear_in", "--sides", "200", "--points", "7")
    answer = research(*arguments, "--to", str(tmp_path))
    assert answer.code == 0
    assert answer.out.split() == [str(tmp_path / "bear-in.md")]
    text = (tmp_path / "bear-in.md").read_text(encoding="utf-8")
    assert "python -m research.bear_in --sides 200 --points 7 --seed 1" in text
    assert "| reached from even starts |" in text
    assert "studied: 100%" in answer.err


def test_race_model(research, tmp_path):
    library.build_two_sided_table(4, workers=1)
    arguments = ("race_model", "--checkers", "4", "--sides", "8")
    answer = research(*arguments, "--to", str(tmp_path))
    assert answer.code == 0
    assert answer.out.split() == [
        str(tmp_path / name) for name in ("errors.md", "errors.png")
    ]
    assert "pairs: 100%" in answer.err
    text = (tmp_path / "errors.md").read_text(encoding="utf-8")
    assert "python -m research.race_model --checkers 4" in text
    again = research(*arguments, "--to", str(tmp_path), "--seed", "2")
    assert again.code == 0
    assert (tmp_path / "errors.md").read_text(encoding="utf-8") != text


def test_no_table(research, tmp_path, monkeypatch):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    for name in ("two_sided", "race_model"):
        answer = research(name, "--checkers", "3")
        assert answer.code == 2
        assert "has no two-sided table" in answer.err


@pytest.mark.parametrize("name", PROGRAMS)
def test_help_has_an_example_and_fits(research, name):
    answer = research(name, "--help")
    assert answer.code == 0
    assert answer.out.startswith(f"Usage: python -m research.{name} ")
    assert f"\n  python -m research.{name}" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


def test_what_is_unknown_or_missing_is_one_sentence(research, tmp_path):
    said = only_sentence(research("two_sided", "--chekers", "2"))
    assert "python -m research.two_sided --help" in said
    path = tmp_path / "made.parquet"
    write_population(path, made_population())
    answer = research("match", "--population", str(path), "--to", str(path))
    assert "take cubeful" in only_sentence(answer)
    sentence = only_sentence(research("gammons", "--to", str(tmp_path)))
    assert "bearoff tables build --two-sided --checkers 15" in sentence
    assert list(tmp_path.iterdir()) == [path]


def test_match(research, tmp_path, monkeypatch):
    few = partial(studies.study_match_play, most_away=4)
    monkeypatch.setattr(studies, "study_match_play", few)
    answer = research("match", "--checkers", "1", "--to", str(tmp_path))
    assert answer.code == 0
    assert [Path(line).name for line in answer.out.split()] == [
        "take-points.md",
        "money-advice.md",
    ]
    assert "scores: 100%" in answer.err
    page = (tmp_path / "money-advice.md").read_text(encoding="utf-8")
    assert " pairs of positions with up to 1 checkers" in page
    assert "\n| 2-away 4-away | " in page
