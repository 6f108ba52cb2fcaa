"""`bearoff print`: files it names are written; what is wrong is said in one sentence."""

from pathlib import Path

import pytest

from analysis import sheets
from analysis.sheets.take_points import take_point_sheet as sheet
from sim.populations.file import write_population
from tests.analysis.made_population import made_population
from tests.app.conftest import Command, only_sentence


@pytest.fixture(scope="module")
def population(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("made") / "made.parquet"
    write_population(path, made_population())
    return str(path)


@pytest.mark.parametrize(
    ("what", "name"),
    [("n-rolls", "n-rolls"), ("two-checkers", "two-checkers"), ("take-points", "scores")],
)
def test_tables_need_nothing(
    bearoff: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    name: str,
) -> None:
    # Of every score some are enough: each is solved for.
    monkeypatch.setattr(sheets, "take_point_sheet", lambda equities: sheet(equities, 3))
    answer = bearoff("print", what, "--to", str(tmp_path / "new"), "--json")
    assert answer.code == 0
    names = [Path(path).name for path in answer.json["written"]]
    assert names == [f"{name}.{ending}" for ending in ("pdf", "png", "md", "csv")]
    assert all(Path(path).stat().st_size for path in answer.json["written"])


def test_gold_standard(bearoff: Command, tmp_path: Path, population: str) -> None:
    answer = bearoff(
        "print", "gold-standard", "--population", population, "--formula", "isight",
        "--to", str(tmp_path),
    )  # fmt: skip
    assert answer.code == 0
    page = (tmp_path / "gold-standard.md").read_text(encoding="utf-8")
    assert "isight" in page
    assert "population made, seed 11" in page


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("--by", "pips", "--wastage", "9"), "doubling-pips-wastage-9"),
        (("--by", "epc", "--formula", "epc"), "doubling-epc-epc"),
        (("--by", "count", "--formula", "keith"), "doubling-count-keith"),
    ],
)
def test_charts(
    bearoff: Command, tmp_path: Path, population: str, options: tuple[str, ...], name: str
) -> None:
    answer = bearoff(
        "print", "chart", "--population", population, *options, "--to", str(tmp_path)
    )
    assert answer.code == 0
    assert answer.out.split() == [str(tmp_path / f"{name}{e}") for e in (".pdf", ".png")]
    assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_cheat_sheet_of_ones_own_examples(bearoff: Command, tmp_path: Path) -> None:
    answer = bearoff(
        "print", "cheat-sheet", "zare", "--example", "1,1,1,0,0,0  2,1,0,0,0,0",
        "--example", "LwAAwC0AAAAAAA", "--to", str(tmp_path),
    )  # fmt: skip
    assert answer.code == 0
    assert (tmp_path / "cheat-sheet-zare.pdf").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("cheat-sheet", "keiht"), "did you mean 'keith'?"),
        (("cheat-sheet", "ward"), "'ward' is of another kind"),
        (
            ("cheat-sheet", "keith", "--scores", "none.parquet"),
            "none.parquet holds no scores",
        ),
        (("cheat-sheet", "keith", "--example", "8887"), "must follow '8887'"),
        (("chart", "--population", "none.parquet"), "no population none.parquet"),
        (("gold-standard", "--population", "none.parquet"), "no population none.parquet"),
    ],
)
def test_refusals(
    bearoff: Command, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert said in only_sentence(bearoff("print", *arguments, "--to", str(tmp_path)))
    assert not list(tmp_path.iterdir())


def test_lines_that_cannot_be_drawn(bearoff: Command, population: str) -> None:
    answer = bearoff("print", "chart", "--population", population, "--formula", "kleinman")
    assert "the lines of 'kleinman' cannot be drawn" in only_sentence(answer)


def test_a_folder_that_is_a_file(bearoff: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    answer = bearoff("print", "n-rolls", "--to", str(tmp_path / "file"))
    assert answer.code in (1, 2)
    (refused,) = answer.err.splitlines()
    assert refused.startswith("bearoff: cannot write to")
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_it_is_written_into_the_current_folder(
    bearoff: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = bearoff("print", "n-rolls")
    assert {f"n-rolls.{kind}" for kind in ("pdf", "png", "md", "csv")} == {
        path.name for path in tmp_path.iterdir()
    }
    assert "n-rolls.pdf" in answer.out
