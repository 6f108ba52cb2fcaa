"""Faults of the machine, unlike bad input, end a command with exit status 1."""

import errno
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from bearoff import BearoffError
from bearoff.app.run import run
from bearoff.sim.engine import PassProgress
from tests.app.conftest import Answer


@pytest.fixture
def stopped_by(capsys):
    def call(error):
        def program(**_):
            raise error

        code = run(["epc", "8887"], program)
        printed = capsys.readouterr()
        return Answer(code, printed.out, printed.err)

    return call


@pytest.mark.parametrize(
    ("error", "code", "named"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "x"), 1, "x: No space left"),
        (OSError(errno.ENOENT, "No such file", "x"), 2, "x: No such file"),
        (MemoryError("9 GB wanted"), 1, "9 GB wanted"),
        (RuntimeError("can't start new thread"), 1, "memory"),
        (BearoffError("a b"), 2, "a b"),
    ],
)
def test_errors_become_a_line_and_a_code(stopped_by, error, code, named):
    answer = stopped_by(error)
    assert (answer.code, answer.err.count("\n")) == (code, 1)
    assert answer.err.startswith("bearoff: ")
    assert named in answer.err


@pytest.mark.parametrize(
    ("cause", "code"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 1),
        (OSError(errno.EROFS, "Read-only file system"), 1),
        (MemoryError("9 GB wanted"), 1),
        (BrokenExecutor("a worker died"), 1),
        (OSError("AWS Error NETWORK_CONNECTION during PutObject operation"), 1),
        (OSError("AWS Error UNKNOWN (HTTP status 503) during GetObject operation"), 1),
        (OSError("AWS Error ACCESS_DENIED during PutObject operation"), 2),
        (None, 2),
    ],
)
def test_causes_give_codes(stopped_by, cause, code):
    error = BearoffError("stopped")
    error.__cause__ = cause
    answer = stopped_by(error)
    assert (answer.code, answer.err) == (code, "bearoff: stopped\n")


def test_the_first_cause_of_all_tells(stopped_by):
    error, cause = BearoffError("stopped"), BearoffError("part 3 cannot be read")
    error.__cause__, cause.__cause__ = cause, OSError("AWS Error NETWORK_CONNECTION")
    assert stopped_by(error).code == 1
    with pytest.raises(ValueError, match="a bug"):  # unexpected errors are raised again
        stopped_by(ValueError("a bug"))


def test_bars_held_in_a_circle_come_first(capsys):
    def program(**_):
        progress = PassProgress()
        progress("half", 0.5)
        progress.seconds["itself"] = progress
        raise BearoffError("stopped")

    assert run(["epc", "8887"], program) == 2
    *shown, last = capsys.readouterr().err.splitlines()
    assert "bearoff: half: 50%" in shown[-1]
    assert last == "bearoff: stopped"


# With a built table, commands print no notice about building a table.
@pytest.mark.usefixtures("table")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_stdout_is_a_fault(process, unbuffered):
    with Path("/dev/full").open("wb") as full:
        answer = process("epc", "8887", env={"PYTHONUNBUFFERED": unbuffered}, stdout=full)
    assert (answer.code, answer.err.count("\n")) == (1, 1)
    assert answer.err.startswith("bearoff: ")
    assert answer.err.endswith("No space left on device\n")
