"""`bearoff print`: files it names are written; what is wrong is said in one sentence."""

from pathlib import Path

import pytest

from analysis import sheets
from analysis.sheets.take_points import take_point_sheet as sheet
from sim.populations.file import write_population
from tests.analysis.made_population import made_population
from tests.app.conftest import Command


@pytest.fixture(scope="module")
def population(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("made") / "made.parquet"
    write_population(path, made_population())
    return str(path)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("what", "name"),
    [("n-rolls", "n-rolls"), ("two-checkers", "two-checkers"), ("take-points", "scores")],
)
def test_tables_need_nothing(
    bearoff: Command, desk: Path, monkeypatch: pytest.MonkeyPatch, what: str, name: str
) -> None:
    """They are written into the current folder."""
    # Of every score some are enough: each is solved for.
    monkeypatch.setattr(sheets, "take_point_sheet", lambda equities: sheet(equities, 3))
    answer = bearoff("print", what, "--json")
    names = [Path(path).name for path in answer.json["written"]]
    assert names == [f"{name}.{ending}" for ending in ("pdf", "png", "md", "csv")]
    assert {path.name for path in desk.iterdir()} == set(names)
    assert all(Path(path).stat().st_size for path in answer.json["written"])


def test_gold_standard(bearoff: Command, desk: Path, population: str) -> None:
    asked = ("--population", population, "--formula", "isight")
    assert bearoff("print", "gold-standard", *asked).code == 0
    page = (desk / "gold-standard.md").read_text(encoding="utf-8")
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
    to = ("--to", str(tmp_path))
    answer = bearoff("print", "chart", "--population", population, *options, *to)
    assert answer.out.split() == [str(tmp_path / f"{name}{e}") for e in (".pdf", ".png")]
    assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_cheat_sheet_of_ones_own_examples(bearoff: Command, desk: Path) -> None:
    examples = ("--example", "1,1,1,0,0,0  2,1,0,0,0,0", "--example", "LwAAwC0AAAAAAA")
    assert bearoff("print", "cheat-sheet", "zare", *examples).code == 0
    assert (desk / "cheat-sheet-zare.pdf").exists()
