"""The command `bearoff`, called as a function and as a separate process."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from bearoff import build_two_sided_table, one_sided_table
from bearoff.app import progress
from bearoff.app.run import run
from oracles import gnubg

ROOT = Path(__file__).parents[2]

DATA = ROOT / "tests" / "data"
SESSION = DATA / "gnubg_session.mat"

GNUBG = gnubg.find("gnubg")


@dataclass(frozen=True)
class Answer:
    """Exit status and output of one call of the command `bearoff`."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def good(self):
        """The same answer, of a command that must have ended well."""
        assert self.code == 0, self.err
        return self

    @property
    def quiet(self):
        """The same answer, of a command that must have ended well without a notice."""
        assert self.err == ""
        return self.good


@pytest.fixture(scope="session", autouse=True)
def solved():
    """Build the table that most commands use, so that commands print no notice about it."""
    one_sided_table()


@pytest.fixture
def bearoff(capsys, monkeypatch):
    """Return a function that calls the command without notices about long waits."""
    monkeypatch.setattr(progress, "LONG", 3600.0)

    def call(*arguments, program=None):
        capsys.readouterr()
        code = run(arguments, program)
        printed = capsys.readouterr()
        return Answer(code, printed.out, printed.err)

    return call


def ran(*command, env=None, given=None, stdout=subprocess.PIPE, cwd=ROOT):
    """Run a program as a process, and return its exit status and output."""
    done = subprocess.run(
        command,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        input=given,
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=600,
        check=False,
    )
    return Answer(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())


@pytest.fixture
def process():
    """Return a function that runs ``python -m bearoff`` as a process."""
    return partial(ran, sys.executable, "-m", "bearoff")


@pytest.fixture(scope="module")
def tables(request, tmp_path_factory):
    """Return a folder with two-sided tables of the sizes in `TABLES` of the test module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BEAROFF_CACHE", str(tmp_path_factory.mktemp("tables")))
        for checkers in request.module.TABLES:
            build_two_sided_table(checkers)
        yield


@contextmanager
def started(*arguments, env=None):
    """Start the command `bearoff` as a process that listens to Ctrl-C, and yield it."""
    with subprocess.Popen(
        [sys.executable, "-m", "bearoff", *arguments],
        env={**os.environ, **(env or {})},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A background job of a shell ignores Ctrl-C, and so do its child processes unless
        # the default is restored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def interrupted(*arguments, env=None, at, stream="stderr"):
    """Start `bearoff`, and interrupt it at the first line of a stream with this text."""
    with started(*arguments, env=env) as process:
        assert any(at in line for line in getattr(process, stream))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
    return Answer(process.returncode, out, err)


def rows_answered(bearoff, folder, asked):
    """Return the rows that `bearoff race --from` writes for questions in lines of JSON."""
    source, target = folder / "asked.jsonl", folder / "answered.jsonl"
    source.write_text("".join(f"{json.dumps(one)}\n" for one in asked))
    assert bearoff("race", "--from", str(source), "--to", str(target), "--quiet").code == 0
    return [json.loads(line) for line in target.read_text().splitlines()]


def rows_of(text):
    """Return the rows of a CSV file, each as texts by column."""
    return list(csv.DictReader(io.StringIO(text)))


def only_sentence(answer, *named):
    """Return the error message of a command, which must be one line with these words."""
    assert answer.code == 2
    assert answer.err.startswith("bearoff: ")
    if answer.out:  # JSON was requested
        assert list(answer.json) == ["error"]
    assert answer.err.count("\n") == 1
    assert "Traceback" not in answer.err
    assert missing(answer.err, *map(str, named)) == []
    return answer.err


def missing(whole, *parts):
    """Return those of the parts that a text or a list does not contain."""
    return [part for part in parts if part not in whole]
