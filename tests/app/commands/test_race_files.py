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
    typed = bearoff("race", text.strip(), "--json").json
    piped = process("race", "-", "--json", given=text.encode())
    (tmp_path / "one.txt").write_text(text)
    filed = bearoff("race", str(tmp_path / "one.txt"), "--json")
    assert filed.json == typed
    assert (piped.code, piped.out) == (0, filed.out)


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


@pytest.mark.parametrize("what", ["source", "target"])
def test_a_pipe_instead_of_a_file(bearoff, tmp_path, what):
    names = {"source": tmp_path / "in.csv", "target": tmp_path / "out.csv"}
    names["source"].write_text(f"{POSITION}\n")
    names[what].unlink(missing_ok=True)
    os.mkfifo(names[what])
    answer = bearoff("race", "--from", str(names["source"]), "--to", str(names["target"]))
    only_sentence(answer, names[what].name)


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
    table = tmp_path / "met.csv"
    table.write_bytes(KAZAROSS_XG2.read_bytes())
    asked = ("--match-equities", str(table))
    assert under_way(*asked, stopped=True).code == 130
    text = table.read_text()
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
        answer = bearoff("race", "--from", str(source), "--to", target)
        only_sentence(answer, "--from")
    assert source.read_bytes() == before
