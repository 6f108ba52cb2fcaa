"""The command `bearoff print`: printed sheets in files, and error messages."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bearoff.analysis import sheets
from bearoff.analysis.output import drawing
from bearoff.analysis.sheets.take_points import take_point_sheet as sheet
from bearoff.sim.populations.file import write_population
from tests.analysis.made_population import made_population
from tests.app.conftest import missing, only_sentence


@pytest.fixture(scope="module")
def population(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "made.parquet"
    write_population(path, made_population())
    return str(path)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # No test looks at the pixels.
    monkeypatch.setitem(drawing.STYLE, "savefig.dpi", 50)
    return tmp_path


@pytest.mark.parametrize("what", ["n-rolls", "two-checkers", "take-points"])
def test_tables_are_written_into_the_current_folder(bearoff, desk, monkeypatch, what):
    # The test uses only a few scores, because every score is solved separately.
    monkeypatch.setattr(sheets, "take_point_sheet", lambda equities: sheet(equities, 3))
    paths = [Path(path) for path in bearoff("print", what, "--json").json["written"]]
    name = "scores" if what == "take-points" else what
    names = [f"{name}.{ending}" for ending in ("pdf", "png", "md", "csv")]
    assert [path.name for path in paths] == names
    assert {path.name for path in desk.iterdir()} == set(names)
    assert all(path.stat().st_size for path in paths)


def test_gold_standard(bearoff, desk, population):
    asked = ("--population", population, "--formula", "isight")
    assert bearoff("print", "gold-standard", *asked).code == 0
    page = (desk / "gold-standard.md").read_text(encoding="utf-8")
    assert missing(page, "isight", "population made, seed 11") == []


def test_a_gold_standard_of_too_few_says_how_many_it_takes(bearoff, tmp_path):
    path = tmp_path / "few.parquet"
    made = made_population()
    few = made.chosen(np.arange(len(made)) % 100 == 0)
    digest = few.decisions.digest()
    write_population(path, replace(few, about=few.about | {"digest": digest}))
    to = ("--to", str(tmp_path / "new"))
    answer = bearoff("print", "gold-standard", "--population", str(path), *to)
    sentence = only_sentence(answer, path)
    decisions = few.decisions.weights.sum()
    found = re.findall(r"\b\d[\d,]*\b", sentence.replace(str(path), ""))
    numbers = [int(number.replace(",", "")) for number in found]
    assert missing(numbers, 500, decisions) == []
    assert decisions < max(numbers) < 100 * decisions
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("--by", "pips", "--wastage", "9"), "doubling-pips-wastage-9"),
        (("--by", "count", "--formula", "keith"), "doubling-count-keith"),
    ],
)
def test_charts(bearoff, tmp_path, population, options, name):
    to = ("--to", str(tmp_path))
    answer = bearoff("print", "chart", "--population", population, *options, *to)
    assert answer.out.split() == [str(tmp_path / f"{name}{e}") for e in (".pdf", ".png")]
    assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_cheat_sheet_of_ones_own_examples(bearoff, desk):
    examples = ("--example", "1,1,1,0,0,0  2,1,0,0,0,0", "--example", "LwAAwC0AAAAAAA")
    assert bearoff("print", "cheat-sheet", "zare", *examples).code == 0
    assert (desk / "cheat-sheet-zare.pdf").exists()
