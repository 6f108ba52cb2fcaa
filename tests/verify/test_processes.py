"""Processes that die or hang are noticed, and no process is left running."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from verify.common.processes import Apart, Child, Died, bearoff, checked, run

SLEEPS = [sys.executable, "-c", "import time; print('here', flush=True); time.sleep(99)"]


def test_what_a_command_prints_is_kept_apart(tmp_path):
    script = "import sys; print('a'); print('b', file=sys.stderr); sys.exit(3)"
    command = [sys.executable, "-c", script]
    done = run(command)
    assert (done.code, done.out, done.err) == (3, "a\n", "b\n")
    for _ in range(2):
        done = run(command, stdout=tmp_path / "out", stderr=subprocess.DEVNULL)
    assert (done.out, done.err) == ("a\na\n", "")
    with pytest.raises(RuntimeError, match=r"ended with 3: a"):
        checked(done)
    assert "backgammon" in checked(bearoff("--help", env={"COLUMNS": "80"}))


def test_a_command_that_hangs_is_killed_with_its_children():
    script = f"import subprocess; subprocess.run({SLEEPS!r})"
    with Child([sys.executable, "-c", script]) as child:
        while not (children := psutil.Process(child.pid).children()):
            time.sleep(0.01)
        with pytest.raises(TimeoutError, match=r"0\.2 s"):
            child.wait(0.2)
    assert child.code == -signal.SIGKILL
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []


def test_a_signal_reaches_a_command_that_runs():
    with Child(SLEEPS) as child:
        while not child.out:
            time.sleep(0.01)
        child.signal(signal.SIGINT)
        assert child.wait(60) == -signal.SIGINT
        child.signal(signal.SIGINT)  # has no effect after the process has ended
    assert "KeyboardInterrupt" in child.err


def _prepared(number):
    def answer(question):
        if question == 7:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(99 if question == 8 else 0)
        return number * question

    return answer


def test_a_function_may_die_or_hang_and_is_called_again_if_it_can_be_prepared():
    with Apart(_prepared, 10) as apart:
        assert apart.ask(2) == 20
        with pytest.raises(Died, match=f"status {-signal.SIGKILL}"):
            apart.ask(7)
        assert apart.ask(3) == 30
        with pytest.raises(Died, match=r"no answer within 0\.2 s"):
            apart.ask(8, 0.2)
        assert apart.ask(4) == 40
    with pytest.raises(RuntimeError, match="before its first call"):
        Apart(int, "no number")
