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


@pytest.mark.parametrize(
    ("arguments", "files", "shown", "said"),
    [
        (("two_sided", "--checkers", "2"),
         [f"fewest-rolls-02.{end}" for end in ("md", "png", "parquet")], "pairs", ()),
        (("bear_in", "--sides", "200", "--points", "7"), ["bear-in.md"], "studied",
         ("python -m research.bear_in --sides 200 --points 7 --seed 1",
          "| reached from even starts |")),
        (("race_model", "--checkers", "4", "--sides", "8"), ["errors.md", "errors.png"],
         "pairs", ("python -m research.race_model --checkers 4",)),
        (("match", "--checkers", "1"), ["take-points.md", "money-advice.md"], "scores",
         (" pairs of positions with up to 1 checkers", "\n| 2-away 4-away | ")),
    ],
)  # fmt: skip
def test_pages_and_files(research, tmp_path, monkeypatch, arguments, files, shown, said):
    few = partial(studies.study_match_play, most_away=4)
    monkeypatch.setattr(studies, "study_match_play", few)
    library.build_two_sided_table(4, workers=1)

    def text(*more):
        answer = research(*arguments, "--to", str(tmp_path), *more).good
        written = [Path(line) for line in answer.out.split()]
        assert written == [tmp_path / name for name in files]
        assert all(path.exists() for path in written)
        assert f"{shown}: 100%" in answer.err
        return "".join(path.read_text("utf-8") for path in written if path.suffix == ".md")

    page = text()
    assert all(words in page for words in said)
    if arguments[0] == "race_model":
        assert text("--seed", "2") != page


def test_no_table(research, tmp_path, monkeypatch):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    for name in ("two_sided", "race_model"):
        answer = research(name, "--checkers", "3")
        assert answer.code == 2
        assert "has no two-sided table" in answer.err


@pytest.mark.parametrize("name", PROGRAMS)
def test_help_has_an_example_and_fits(research, name):
    shown = research(name, "--help").good.out
    assert shown.startswith(f"Usage: python -m research.{name} ")
    assert f"\n  python -m research.{name}" in shown
    assert max(map(len, shown.splitlines())) <= 80


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
