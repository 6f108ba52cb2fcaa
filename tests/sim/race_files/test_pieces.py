"""Unfinished files of answers are continued."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bearoff.answers import Judge
from bearoff.sim.race_files import answer_file, run
from bearoff.sim.race_files.pieces import claimed_pieces
from bearoff.sim.storage import RunError
from tests.damage import flip
from tests.refusals import refused
from tests.two_sided_tables import built

ROWS = 12
OPTIONS = {"error": None, "seed": 0}


@pytest.fixture(scope="module")
def judge():
    return Judge([built(4)])


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(run, "FIRST", 3)
    monkeypatch.setattr(run, "MOST", 3)


class Answering:
    """File of races that all have different answers, and the file of its answers."""

    def __init__(self, folder, judge):
        self.source, self.target = folder / "in.csv", folder / "out.csv"
        self.pieces, self.judge = folder / "out.csv.pieces", judge
        self.source.write_text("".join(f"{n + 1} {40 + n}\n" for n in range(ROWS)))
        self.whole = folder / "whole.csv"
        answer_file(str(self.source), str(self.whole), judge, OPTIONS)

    def answer(self, options=OPTIONS, **given):
        return answer_file(str(self.source), str(self.target), self.judge, options, **given)

    def finish(self):
        """Answer all rows, and check the answers; return the summary."""
        summary = self.answer()
        assert self.target.read_bytes() == self.whole.read_bytes()
        return summary

    def stop(self, after=9, options=OPTIONS):
        """Stop after `after` rows; return the partial results."""

        def at(done, rows):
            if done == after:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            self.answer(options, on_rows=at)
        assert not self.target.exists()
        return sorted(self.pieces.glob("*.piece"))


@pytest.fixture
def file(tmp_path, judge):
    return Answering(tmp_path, judge)


def test_what_is_stopped_goes_on(file, monkeypatch):
    assert len(file.stop(6)) == 2
    asked, answered = [], run.answer_rows
    monkeypatch.setattr(
        run, "answer_rows", lambda *given: asked.append(given[1]) or answered(*given)
    )
    summary = file.finish()
    assert (summary.resumed, summary.repeated) == (6, 0)
    assert asked == [range(6, 9), range(9, 12)]
    assert not file.pieces.exists()


@pytest.mark.parametrize("rows", [1, 4, 12])
def test_answers_are_the_same_in_pieces_of_any_size(file, monkeypatch, rows):
    file.stop(6)[0].unlink()
    monkeypatch.setattr(run, "FIRST", rows)
    monkeypatch.setattr(run, "MOST", rows)
    assert file.finish().resumed == 3


def test_races_of_every_kind_are_the_same_alone_and_together(tmp_path, monkeypatch):
    rows = ["roller,opponent,cube,dice,score,decided"]
    for n in range(1, 11):
        rows += [
            f'"{n % 4},1,1,0,0,{n % 2}",{300 + n},owned,,,double',
            f'"0,0,{n},0,0,{10 - n},3,2","1,0,5,2,2,0,{n % 4},1",,5-{n % 6 + 1},,',
            f'"{n % 4},1,1,0,0,0","0,{n % 3 + 1},1,0,0,0",,2-1,2-4,take',
        ]
    source = tmp_path / "in.csv"
    source.write_text("\n".join(rows))
    found, told = [], []
    for size in (1, 7):
        monkeypatch.setattr(run, "FIRST", size)
        monkeypatch.setattr(run, "MOST", size)
        target = tmp_path / f"{size}.csv"
        add = {"on_rows": lambda *done: told.append(done)}
        answer_file(str(source), str(target), Judge(()), {}, **add)
        found.append(target.read_bytes())
    assert found[0] == found[1]
    # Races that must be solved are answered last and together, so progress is not uniform.
    ones, sevens = told[: told.index((30, 30)) + 1], told[told.index((30, 30)) + 1 :]
    assert [done for done, _ in ones[:31]] == [(n + 1) // 3 for n in range(31)]
    assert [done for done, _ in sevens[:6]] == [0, 2, 5, 7, 9, 10]
    assert [done for done, _ in ones[31:]] == sorted(done for done, _ in ones[31:])
    assert told[-1] == (30, 30)


def swap(one, other):
    kept = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(kept)


def as_pipe(path):
    path.unlink()
    os.mkfifo(path)


def rename(path, rows):
    path.rename(path.with_name(f"{rows}.piece"))


def note(pieces):
    return pieces[0].with_name("asked.json")


DAMAGES = {
    "piece cut": (lambda p: p[1].write_bytes(p[1].read_bytes()[:-1]), 3),
    "piece longer": (lambda p: p[1].write_bytes(p[1].read_bytes() + b"\0"), 3),
    "piece flipped within": (lambda p: flip(p[1], p[1].stat().st_size // 2), 3),
    "pieces swapped": (lambda p: swap(p[0], p[2]), 6),
    "piece copied": (lambda p: shutil.copy(p[0], p[1]), 3),
    "piece missing": (lambda p: p[1].unlink(), 0),
    "piece renamed": (lambda p: rename(p[1], "0000000003-0000000012"), 9),
    "piece without rows": (lambda p: rename(p[1], "0000000003-0000000003"), 0),
    "piece a pipe": (lambda p: as_pipe(p[1]), 3),
    "note missing": (lambda p: note(p).unlink(), 0),
    "note cut": (lambda p: note(p).write_text("{"), 0),
    "killed while writing": (lambda p: Path(f"{p[0]}.1.new").write_bytes(b"PAR1"), 0),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_answered_again(file, damage):
    harm, repeated = DAMAGES[damage]
    harm(file.stop())
    assert file.finish().repeated == repeated
    assert not file.pieces.exists()


@pytest.mark.parametrize("with_note", [True, False])
@pytest.mark.parametrize(
    ("rows", "options"),
    [
        ("4 44\n", OPTIONS), ("", OPTIONS | {"seed": 1}), ("", OPTIONS | {"model": True}),
        ("", OPTIONS | {"match_equities": "0" * 64}),
    ],
)  # fmt: skip
def test_pieces_of_another_call_are_never_used(file, rows, options, with_note):
    text = file.source.read_text()
    file.source.write_text(text + rows)
    pieces = file.stop(options=options)
    file.source.write_text(text)
    if with_note:
        with refused(RunError, "out.csv.pieces"):
            file.answer()
        assert not file.target.exists()
        assert [path.exists() for path in pieces] == [True, True, True]
        return
    note(pieces).unlink()
    assert file.finish().repeated == 9


def test_the_note_says_what_is_asked_and_by_which_version(file, monkeypatch):
    content = json.loads(note(file.stop()).read_text())
    assert content["asked"].keys() == {"version", "rows", *OPTIONS}
    assert content["process"].startswith(f"process {os.getpid()} on ")
    monkeypatch.setattr(run, "VERSION", run.VERSION + 1)
    with refused(RunError, "version"):
        file.answer()


def test_answers_from_other_tables_are_given_again(file, judge):
    three, four = built(3), built(4)
    file.judge = Judge([three])
    file.stop()
    file.judge = judge
    assert file.finish().repeated == 9
    ways = [run._identity(Judge(tables)) for tables in ([three, four], [four, three])]
    assert ways[0] == ways[1]
    assert len({str(one) for one in ways[0]}) == 2


def test_what_is_not_ours_stays(file):
    file.stop()
    (file.pieces / "notes.txt").write_text("mine")
    assert file.finish().resumed == 9
    assert [path.name for path in file.pieces.iterdir()] == ["notes.txt"]
    assert file.answer().resumed == 0


@pytest.mark.parametrize("at", ["folder", "lock", "piece"])
def test_what_cannot_be_written_is_refused_in_a_sentence(file, at):
    pieces = file.stop()
    if at == "folder":
        shutil.rmtree(file.pieces)
        file.pieces.write_text("")
    else:
        path = pieces[1] if at == "piece" else file.pieces / ".lock"
        path.unlink()
        path.mkdir()
        (path / "x").touch()
    with refused((RunError, OSError), "out.csv.pieces"):
        file.answer()
    assert not file.target.exists()


def test_a_failure_before_the_first_piece_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt), claimed_pieces(tmp_path / "out.csv", OPTIONS):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


HOLD = """
import sys
from pathlib import Path
from bearoff.sim.race_files.pieces import claimed_pieces
with claimed_pieces(Path(sys.argv[1]), {}):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_second_process_hears_who_is_at_work(file):
    command = [sys.executable, "-c", HOLD, str(file.target)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as first:
        assert first.stdout.readline() == "held\n"
        with refused(RunError, f"process {first.pid}", file.target):
            file.answer()
        first.kill()
    assert file.finish().rows == ROWS
