"""`bearoff race` as a separate process, which reads races from standard input and from
files.
"""

import csv
import io
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from random import Random

import pytest

from bearoff.scores.equities import KAZAROSS_XG2
from bearoff.sim.race_files import run
from tests.app.conftest import ROOT, only_sentence

POSITION = "LwAAwC0AAAAAAA"


def started(*arguments, **streams):
    command = [sys.executable, "-m", "bearoff", "race", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, **streams)


def ended(process, given=None):
    out, err = process.communicate(given, timeout=120)
    return process.returncode, (out or b"").decode(), err.decode()


def test_a_position_of_stdin_or_a_file(bearoff, tmp_path):
    text = "0,2,2,0,0,0  0,0,3,0,0,0\n"
    typed = bearoff("race", text.strip(), "--json").json
    piped = started("-", "--json", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    code, out, _ = ended(piped, text.encode())
    (tmp_path / "one.txt").write_text(text)
    filed = bearoff("race", str(tmp_path / "one.txt"), "--json")
    assert code == 0
    assert filed.json == typed
    assert out == filed.out


@pytest.mark.parametrize(
    ("arguments", "given", "named"),
    [
        (("-",), b"", "standard input"),
        (("-",), 70_000 * b"x", "--from"),
        (("--from", "-"), None, "standard input"),
        (("--from", "-"), b"x\n", "'position'"),
    ],
)
def test_standard_input_that_holds_nothing(arguments, given, named):
    if given is None:
        command = [sys.executable, "-m", "bearoff", "race", *arguments]
        words = shlex.join(command)
        shell = ["sh", "-c", f"{words} <&-"]
        process = subprocess.Popen(shell, cwd=ROOT, stderr=subprocess.PIPE)
    else:
        process = started(*arguments, stdin=subprocess.PIPE)
    code, _, err = ended(process, given)
    assert (code, len(err.splitlines())) == (2, 1)
    assert named in err


def test_a_list_from_standard_input_is_answered_as_csv():
    process = started("--from", "-", "-q", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    code, out, err = ended(process, f"{POSITION}\n{POSITION}\n8887\n".encode())
    assert code == 2
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["position"] for row in rows] == [POSITION, POSITION, "8887"]
    assert "row 3: " in err


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
    """Return a function that starts to evaluate a file of races, and stops after the first
    row.
    """
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


def count(folder):
    return len(list(folder.glob("out.csv.pieces/*.piece")))


@pytest.mark.slow
def test_killed_at_any_moment_the_same_command_goes_on(tmp_path):
    rows = [f"{one} {other}\n" for one in range(5000, 5150) for other in range(9000, 9060)]
    (tmp_path / "in.txt").write_text("".join(rows))
    asked = ("--from", str(tmp_path / "in.txt"), "--quiet", "--patience", "0", "--to")
    assert ended(started(*asked, str(tmp_path / "whole.csv")))[0] == 0
    target, random = tmp_path / "out.csv", Random(1)
    codes = []
    for pieces in (1, 5, 100):  # six steps, so that the machine's speed does not matter
        process = started(*asked, str(target))
        while process.poll() is None and count(tmp_path) < pieces:
            time.sleep(0.001)
        time.sleep(random.uniform(0, 0.05))
        process.kill()
        code, _, err = ended(process)
        assert code in (0, -signal.SIGKILL), err
        codes.append(code)
    assert (codes[0], codes[-1]) == (-signal.SIGKILL, 0)
    assert target.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"in.txt", "out.csv", "whole.csv"}


def test_the_source_is_not_replaced(bearoff, tmp_path, monkeypatch):
    source = tmp_path / "races.csv"
    source.write_text("position\nLwAAwC0AAAAAAA\n", encoding="ascii")
    before = source.read_bytes()
    monkeypatch.chdir(tmp_path)
    for target in (str(source), "./races.csv"):
        answer = bearoff("race", "--from", str(source), "--to", target)
        only_sentence(answer, "--from")
    assert source.read_bytes() == before
