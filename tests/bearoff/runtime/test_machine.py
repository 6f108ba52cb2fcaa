"""Processors and memory that the program may use, and invalid numbers of threads."""

import os
import platform
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import joblib
import numpy as np
import pytest

import bearoff
from bearoff.runtime import (
    check_memory,
    cores,
    limit_memory,
    machine,
    memory_available,
    memory_taken,
    processor,
)
from tests.refusals import refused


def test_processors_are_counted_as_joblib_counts_them(monkeypatch):
    assert 1 <= cores() == joblib.cpu_count() <= len(os.sched_getaffinity(0))
    for most in ("0", "-1", "3", "1"):
        monkeypatch.setenv("LOKY_MAX_CPU_COUNT", most)
        assert cores() == joblib.cpu_count()
    assert cores() == 1
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "x")
    with refused(bearoff.BearoffError, "LOKY_MAX_CPU_COUNT", "x"):
        cores()


@pytest.mark.parametrize(
    ("files", "processors"),
    [
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "100000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 1),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
        ({}, None),
    ],
)
def test_a_control_group_may_leave_fewer(files, processors, tmp_path, monkeypatch):
    (tmp_path / "cpu").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(machine, "_CONTROL_GROUPS", tmp_path)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert cores() == (processors or 8)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC\n"
            "stepping\t: 1\n\nprocessor\t: 1\nmodel\t\t: 2\n",
            "AMD EPYC (family 25, model 1, stepping 1)",
        ),
        ("model name\t: One of a kind\n", "One of a kind"),
        ("processor\t: 0\nBogoMIPS\t: 50.00\n", platform.machine()),
        (FileNotFoundError, None),
    ],
)
def test_processors_of_one_name_are_told_apart(text, name, monkeypatch):
    monkeypatch.setattr(Path, "read_text", Mock(side_effect=[text]))
    found = processor.__wrapped__()
    assert found == name if name else found


def test_too_much_memory_is_refused_with_the_numbers():
    check_memory("it", memory_available() // 2, "use less")
    with refused(bearoff.TableError, "1,000"):
        check_memory("it", 10**15, "use less")


def test_a_wrong_number_of_threads_is_one_sentence():
    done = subprocess.run(
        [sys.executable, "-m", "bearoff", "tables", "build", "--points", "7"],
        env=os.environ | {"NUMBA_NUM_THREADS": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "NUMBA_NUM_THREADS=0: " in done.stderr
    assert "Traceback" not in done.stderr


HELD = """
import sys
from pathlib import Path
import numpy as np
from bearoff.runtime import return_freed_memory

if sys.argv[1:]:
    return_freed_memory()
np.ones(2_000_000)  # Freed, and arrays no larger come from the heap.
large, small = [], []
for _ in range(20):
    large.append(np.ones(1_000_000))
    small.append(np.ones(50_000))  # Too large for a hole before the others.
del large
status = Path("/proc/self/status").read_text()
print(int(status.split("RssAnon:")[1].split()[0]) // 1024)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others have no such heap")
def test_freed_arrays_go_back_to_the_system():
    held = [
        int(subprocess.check_output([sys.executable, "-c", HELD, *words]))
        for words in ([], ["asked"])
    ]
    assert held[0] - held[1] > 80  # at least 80 of the 160 megabytes are freed


def test_a_process_takes_no_more_memory_than_its_limit():
    free, taken = memory_available(), memory_taken()
    assert 1 << 20 < taken < free + taken
    limit_memory(taken + (1 << 28))
    try:
        before = memory_available()
        held = np.ones(1 << 25, dtype=np.uint8)
        assert before - 3 * held.nbytes < memory_available() <= before - held.nbytes // 2
        limit_memory(taken // 2)
        assert memory_available() == 0
    finally:
        limit_memory(None)
    assert memory_available() > 1 << 28
