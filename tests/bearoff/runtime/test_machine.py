"""What the machine offers, and settings of it that are refused."""

import os
import subprocess
import sys

import pytest

import bearoff
from bearoff.runtime import check_memory, cores, memory_available


def test_processors_are_those_of_this_process(monkeypatch):
    assert 1 <= cores() <= len(os.sched_getaffinity(0))
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")
    assert cores() == 1
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "x")
    with pytest.raises(bearoff.BearoffError, match=r"LOKY_MAX_CPU_COUNT .* 'x'"):
        cores()


def test_too_much_memory_is_refused_with_the_numbers():
    check_memory("it", memory_available() // 2, "use less")
    with pytest.raises(bearoff.TableError, match=r"it needs 1,000,.*; use less"):
        check_memory("it", 10**15, "use less")


@pytest.mark.parametrize("value", ["0", "-1"])
def test_a_wrong_number_of_threads_is_one_sentence(value):
    done = subprocess.run(
        [sys.executable, "-m", "app.main", "tables", "build", "--points", "7"],
        env=os.environ | {"NUMBA_NUM_THREADS": value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f"NUMBA_NUM_THREADS={value}: " in done.stderr
    assert "Traceback" not in done.stderr
