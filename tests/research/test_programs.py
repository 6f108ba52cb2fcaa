"""`bearoff study`: pages of whole tables."""

from pathlib import Path

import pytest

import bearoff as library
from sim.populations.file import write_population
from tests.analysis.made_population import made_population
from tests.app.conftest import Command, only_sentence


@pytest.fixture(autouse=True)
def _table() -> None:
    library.build_two_sided_table(2, cube=False, workers=1)


def test_two_sided(bearoff: Command, tmp_path: Path) -> None:
    answer = bearoff("study", "two-sided", "--checkers", "2", "--output", str(tmp_path))
    assert answer.code == 0
    written = [Path(line) for line in answer.out.split()]
    assert [path.name for path in written] == [
        f"fewest-rolls-02.{end}" for end in ("md", "png", "parquet")
    ]
    assert all(path.exists() for path in written)
    assert "pairs: 100%" in answer.err


def test_gammons_need_the_table_of_15(bearoff: Command, tmp_path: Path) -> None:
    sentence = only_sentence(bearoff("study", "gammons", "--output", str(tmp_path)))
    assert "bearoff tables build --two-sided --checkers 15" in sentence
    assert not list(tmp_path.iterdir())


def test_bear_in(bearoff: Command, tmp_path: Path) -> None:
    arguments = ("study", "bear-in", "--sides", "200", "--points", "7")
    answer = bearoff(*arguments, "--output", str(tmp_path))
    assert answer.code == 0
    assert answer.out.split() == [str(tmp_path / "bear-in.md")]
    text = (tmp_path / "bear-in.md").read_text(encoding="utf-8")
    assert "bearoff study bear-in --sides 200 --points 7 --seed 1" in text
    assert "| met from even starts |" in text
    assert "studied: 100%" in answer.err


def test_race_model(bearoff: Command, tmp_path: Path) -> None:
    library.build_two_sided_table(4, workers=1)
    arguments = ("study", "race-model", "--checkers", "4", "--sides", "8")
    answer = bearoff(*arguments, "--output", str(tmp_path))
    assert answer.code == 0
    assert answer.out.split() == [
        str(tmp_path / name) for name in ("errors.md", "errors.png")
    ]
    assert "pairs: 100%" in answer.err
    text = (tmp_path / "errors.md").read_text(encoding="utf-8")
    assert "bearoff study race-model --checkers 4" in text
    again = bearoff(*arguments, "--output", str(tmp_path), "--seed", "2")
    assert again.code == 0
    assert (tmp_path / "errors.md").read_text(encoding="utf-8") != text


def test_no_table(
    bearoff: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    for name in ("two-sided", "race-model"):
        answer = bearoff("study", name, "--checkers", "3")
        assert answer.code == 2
        assert "there is no two-sided table" in answer.err


def test_help_by_default(bearoff: Command) -> None:
    assert "gammons" in bearoff("study").out


def test_match(bearoff: Command, tmp_path: Path) -> None:
    answer = bearoff("study", "match", "--checkers", "1", "--output", str(tmp_path))
    assert answer.code == 0
    assert [Path(line).name for line in answer.out.split()] == [
        "take-points.md",
        "money-advice.md",
    ]
    assert "scores: 100%" in answer.err


def test_formulas_at_a_score_need_games_with_the_cube(
    bearoff: Command, tmp_path: Path
) -> None:
    path = tmp_path / "made.parquet"
    write_population(path, made_population())
    answer = bearoff("study", "match", "--population", str(path), "--output", str(path))
    assert "take cubeful" in only_sentence(answer)
