"""Malicious arguments, and arguments that resemble numbers, are refused in one sentence."""

import contextlib
import re

import pytest

from bearoff.app.output import LONGEST, note
from tests.app.conftest import ROOT, only_sentence
from verify.fuzzing.cli import in_processes

# With a built table, commands print no notice about building a table.
pytestmark = pytest.mark.usefixtures("table")

XGID = "XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10"

WHOLE = ("1e999", "nan", "²", "6.5", "", "9" * 5000)
FRACTIONS = ("nan", "-inf", "1e999", "-1", "½", "")


@pytest.mark.parametrize(
    ("numbers", "arguments"),
    [
        (WHOLE, "epc 8887 --points"),
        (WHOLE, "rollout 1,1 [2] --games"),
        (WHOLE, "cube 1 1 --score 3-5 --cube-value"),
        (WHOLE, "simulate none.yaml --workers"),
        (WHOLE, "tables export x.parquet --checkers"),
        (FRACTIONS, "rollout 1,1 [2] --games 1 --quiet --error"),
        (FRACTIONS, "populations build near --low 0.5 --high"),
    ],
)
def test_numbers(bearoff, numbers, arguments):
    for number in numbers:
        said = only_sentence(bearoff(*arguments.split(), number))
        assert len(said) < LONGEST + 20, number


@pytest.mark.parametrize("text", ["a\0b", "none/\udce9.parquet"])
@pytest.mark.parametrize(
    "arguments", [("epc",), ("simulate",), ("formulas", "list", "--file"), ()]
)
def test_no_text_at_all(bearoff, arguments, text):
    said = only_sentence(bearoff(*arguments, text))
    assert said.rstrip("\n").isprintable()
    assert "UTF-8" in said or "NUL" in said


LINES = ["epc", "simulate", "chart none --by", "formulas explain", "cube 1 1 --score"]


@pytest.mark.parametrize("text", ["\x1b[31mred", "a\nb", "\u202eabc", "\x9b0m", "x" * 9000])
@pytest.mark.parametrize("line", [*LINES, "tables", ""])
def test_nothing_quoted_steers_the_terminal(bearoff, line, text):
    more = ("1", "1") if line == "formulas explain" else ()
    said = only_sentence(bearoff(*line.split(), text, *more)).rstrip("\n")
    assert said.isprintable()
    assert len(said) < LONGEST + 20


def test_long_sentences_keep_both_ends(capsys):
    note("begin " + "x" * 5000 + " end")
    said = capsys.readouterr().err
    assert re.fullmatch(r"bearoff: begin xxx[^\n]*xxx end\n", said)
    assert LONGEST // 2 < len(said) < LONGEST


@pytest.mark.slow
def test_processes(monkeypatch, tmp_path):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "cache"))
    with contextlib.chdir(ROOT):
        assert in_processes(12, 1).wrong == []
