"""Faults of the machine, unlike bad input, end a command with exit status 1."""

import errno
import re
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from bearoff import BearoffError
from bearoff.sim.engine import PassProgress


@pytest.fixture
def stopped_by(bearoff):
    def call(error):
        def program(**_):
            raise error

        return bearoff("epc", "8887", program=program)

    return call


def by(cause):
    """Return an error of the program with this cause."""
    error = BearoffError("stopped")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "x"), 1, "x: No space left"),
        (OSError(errno.ENOENT, "No such file", "x"), 2, "x: No such file"),
        (MemoryError("9 GB wanted"), 1, ".*9 GB wanted"),
        (RuntimeError("can't start new thread"), 1, ".*memory"),
        (by(None), 2, "stopped\n$"),
        (by(OSError(errno.ENOSPC, "No space left on device")), 1, "stopped\n$"),
        (by(OSError(errno.EROFS, "Read-only file system")), 1, "stopped\n$"),
        (by(MemoryError("9 GB wanted")), 1, "stopped\n$"),
        (by(BrokenExecutor("a worker died")), 1, "stopped\n$"),
        (by(OSError("AWS Error NETWORK_CONNECTION during PutObject")), 1, "stopped\n$"),
        (by(OSError("AWS Error UNKNOWN (HTTP status 503)")), 1, "stopped\n$"),
        (by(OSError("AWS Error ACCESS_DENIED during PutObject")), 2, "stopped\n$"),
        (by(by(OSError("AWS Error NETWORK_CONNECTION"))), 1, "stopped\n$"),
    ],
)
def test_errors_and_their_first_causes_become_a_line_and_a_code(
    stopped_by, error, code, said
):
    answer = stopped_by(error)
    assert (answer.code, answer.err.count("\n")) == (code, 1)
    assert re.match(f"bearoff: {said}", answer.err)


def test_unexpected_errors_are_raised_again(stopped_by):
    with pytest.raises(ValueError, match="a bug"):
        stopped_by(ValueError("a bug"))


def test_bars_held_in_a_circle_come_first(bearoff):
    def program(**_):
        progress = PassProgress()
        progress("half", 0.5)
        progress.seconds["itself"] = progress
        raise BearoffError("stopped")

    answer = bearoff("epc", "8887", program=program)
    *_, shown, last = answer.err.splitlines()
    assert (answer.code, last) == (2, "bearoff: stopped")
    assert "bearoff: half: 50%" in shown


# With a built table, commands print no notice about building a table.
@pytest.mark.usefixtures("table")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_stdout_is_a_fault(process, unbuffered):
    with Path("/dev/full").open("wb") as full:
        answer = process("epc", "8887", env={"PYTHONUNBUFFERED": unbuffered}, stdout=full)
    assert answer.code == 1
    assert re.fullmatch("bearoff: .*No space left on device\n", answer.err)
