"""`bearoff race` as a process, with races from standard input and from files."""

import os
import re
import shlex
import sys

import pytest

from bearoff.scores.equities import KAZAROSS_XG2
from bearoff.sim.race_files import run
from tests.app.conftest import only_sentence, ran, rows_of

POSITION = "LwAAwC0AAAAAAA"


def test_a_position_of_stdin_or_a_file(bearoff, process, tmp_path):
    text = "0,2,2,0,0,0  0,0,3,0,0,0\n"
    (tmp_path / "one.txt").write_text(text)
    asked = (text.strip(), str(tmp_path / "one.txt"))
    typed, filed = (bearoff("race", one, "--json").good.out for one in asked)
    piped = process("race", "-", "--json", given=text.encode()).good.out
    assert typed == filed == piped


@pytest.mark.parametrize(
    ("words", "given", "named"),
    [
        ("race -", b"", "standard input"),
        ("race -", 70_000 * b"x", "--from"),
        ("race --from -", b"x\n", "'position'"),
    ],
)
def test_standard_input_that_holds_nothing(process, words, given, named):
    only_sentence(process(*words.split(), given=given), named)


def test_standard_input_that_is_closed():
    command = f"{shlex.quote(sys.executable)} -m bearoff race --from - <&-"
    only_sentence(ran("sh", "-c", command), "standard input")


def test_a_list_from_standard_input_is_answered_as_csv(process):
    given = f"{POSITION}\n{POSITION}\n8887\n".encode()
    answer = process("race", "--from", "-", "-q", given=given)
    assert (answer.code, "row 3: " in answer.err) == (2, True)
    assert [row["position"] for row in rows_of(answer.out)] == [POSITION, POSITION, "8887"]


@pytest.mark.parametrize("pipe", ["in.csv", "out.csv"])
def test_a_pipe_instead_of_a_file(bearoff, tmp_path, pipe):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(f"{POSITION}\n")
    (tmp_path / pipe).unlink(missing_ok=True)
    os.mkfifo(tmp_path / pipe)
    only_sentence(bearoff("race", "--from", str(source), "--to", str(target)), pipe)


@pytest.fixture
def under_way(bearoff, tmp_path, monkeypatch):
    """Return a function that evaluates a file of races, and stops after the first row."""
    monkeypatch.setattr(run, "FIRST", 1)
    monkeypatch.setattr(run, "MOST", 1)
    (tmp_path / "in.txt").write_text("1 7\n2 7\n3 7\n")
    files = ("--from", str(tmp_path / "in.txt"), "--to", str(tmp_path / "out.csv"), "-q")
    answered = run.answer_rows

    def stopping(sheet, rows, *given):
        if rows.start:
            raise KeyboardInterrupt
        return answered(sheet, rows, *given)

    def ask(*options, stopped=False):
        monkeypatch.setattr(run, "answer_rows", stopping if stopped else answered)
        return bearoff("race", *files, *options)

    return ask


def test_answers_by_other_options_are_not_resumed(under_way):
    asked = ("--error", "0.1")
    assert under_way(*asked, stopped=True).code == 130
    only_sentence(under_way("--error", "0.2"), "error")
    done = under_way(*asked)
    assert re.search("[13] exact", done.out)
    assert "(1 of them" in done.out


def test_match_equities_count_by_what_they_hold(under_way, tmp_path):
    table, text = tmp_path / "met.csv", KAZAROSS_XG2.read_text()
    table.write_text(text)
    asked = ("--match-equities", str(table))
    assert under_way(*asked, stopped=True).code == 130
    table.write_text(text.replace("0.67736", "0.67746", 1))
    only_sentence(under_way(*asked), "match equities")
    table.write_text(text)
    moved = table.rename(tmp_path / "other.csv")
    assert "(1 of them" in under_way("--match-equities", str(moved)).out


def test_the_source_is_not_replaced(bearoff, tmp_path, monkeypatch):
    source = tmp_path / "races.csv"
    source.write_text("position\nLwAAwC0AAAAAAA\n", encoding="ascii")
    before = source.read_bytes()
    monkeypatch.chdir(tmp_path)
    for target in (str(source), "./races.csv"):
        only_sentence(bearoff("race", "--from", str(source), "--to", target), "--from")
    assert source.read_bytes() == before
