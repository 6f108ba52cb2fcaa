"""A command that waits without a progress bar prints a notice after a second."""

import re
import sys
import threading
import time

import pytest
import typer
from typer.testing import CliRunner

from bearoff.app import progress
from bearoff.app.progress import waiting, waits
from bearoff.storage import known_seconds
from tests.app.conftest import ran

TOLD = threading.Event()


@pytest.fixture(autouse=True)
def soon(tmp_path, monkeypatch):
    """Use an empty cache, and print notices about waits after a hundredth of a second."""
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    monkeypatch.setattr(progress, "LONG", 0.01)
    TOLD.clear()
    monkeypatch.setattr(progress, "note", lambda line: (print(line), TOLD.set()))


def test_the_second_time_it_says_how_long_the_first_took(capsys, monkeypatch):
    with waiting("counting", 2.0):
        assert TOLD.wait(60)
    assert re.match(r"counting: \D+ Ctrl-C", capsys.readouterr().out)
    assert (known_seconds("counting", 1) or 0.0) > 0.005
    monkeypatch.setattr("bearoff.storage.known_seconds", lambda *_: 3.0)
    TOLD.clear()
    with waiting("counting", 4.0):
        assert TOLD.wait(60)
    assert re.match(r"counting: .* 12 s .* Ctrl-C", capsys.readouterr().out)


def test_what_was_stopped_leaves_no_estimate():
    @waits("counting")
    def stopped() -> None:
        assert TOLD.wait(60)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert known_seconds("counting", 1) is None


def test_what_is_short_or_quiet_is_not_told(capsys, monkeypatch):
    with waiting("counting", show=False):
        time.sleep(0.1)
    monkeypatch.setattr(progress, "LONG", 60.0)
    with waiting("counting"):
        pass
    assert capsys.readouterr().out == ""


def test_a_command_keeps_its_options():
    program = typer.Typer()

    @program.command()
    @waits("counting")
    def count(quiet: bool = False) -> None:
        assert quiet or TOLD.wait(60)
        typer.echo(f"counted, {TOLD.is_set()}")

    assert CliRunner().invoke(program, []).stdout.endswith("counted, True\n")
    TOLD.clear()
    assert CliRunner().invoke(program, ["--quiet"]).stdout == "counted, False\n"


def test_while_a_wait_is_told_nothing_is_imported():
    # If two threads import a module at the same time, both may find it incomplete.
    program = (
        "import sys, time; from bearoff.app import progress\n"
        "progress.LONG = 0.05\n"
        "with progress.waiting('counting'):\n"
        "    before = set(sys.modules)\n"
        "    time.sleep(0.5)\n"
        "    print(sorted(set(sys.modules) - before))\n"
    )
    answer = ran(sys.executable, "-c", program)
    assert answer.out == "[]\n"
    assert "counting: " in answer.err
