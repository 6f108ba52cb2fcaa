"""Cached code is of the sources as they are."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

SCRIPT = "from second_kernels import two; print(two(), sum(two.stats.cache_hits.values()))"


def test_what_an_older_program_cached_is_passed_over(tmp_path: Path) -> None:
    kernel = tmp_path / "kernel_of_today.py"
    kernel.write_text(
        "from bearoff.runtime import njit\n@njit(cache=True)\ndef one(x):\n    return 1\n"
    )
    own = {"PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def one() -> str:
        script = (
            "from kernel_of_today import one;"
            "print(one(2), sum(one.stats.cache_hits.values()))"
        )
        return subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env=os.environ | own,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    assert [one(), one()] == ["1 0", "1 1"]
    (index,) = (tmp_path / "cache").rglob("*.nbi")
    version = pickle.loads(index.read_bytes())
    for data in (b"ca_module_that_was_renamed\nSides\n.", b"", b"\x80no pickle"):
        index.write_bytes(pickle.dumps(version) + data)
        assert [one(), one()] == ["1 0", "1 1"]


def test_a_kernel_is_compiled_again_when_another_that_it_calls_changes(
    tmp_path: Path,
) -> None:
    (tmp_path / "first_kernels.py").write_text(
        "from bearoff.runtime import njit\n@njit(cache=True)\ndef one():\n    return 1\n"
    )
    (tmp_path / "second_kernels.py").write_text(
        "import first_kernels\nfrom bearoff.runtime import njit\n"
        "@njit(cache=True)\ndef two():\n    return first_kernels.one() + 1\n"
    )

    own = {"PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def two() -> str:
        return subprocess.run(
            [sys.executable, "-c", SCRIPT],
            cwd=tmp_path,
            env=os.environ | own,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    assert [two(), two()] == ["2 0", "2 1"]
    first = tmp_path / "first_kernels.py"
    first.write_text(first.read_text().replace("return 1", "return 10"))
    assert two() == "11 0"


def test_kernels_load_no_linear_algebra_and_others_still_have_theirs() -> None:
    script = """
import sys
import bearoff
assert bearoff.Race.parse("LwAAwC0AAAAAAA").roller.pips == 10
bearoff.Judge([]).answer(bearoff.Race.parse("LwAAwC0AAAAAAA"))
print("numba" in sys.modules, "scipy.linalg" in sys.modules)
import numba
import numpy as np
two = numba.njit(lambda a: a @ a)(np.full((2, 2), 3.0))
print(two.tolist(), "scipy.linalg" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["True False", "[[18.0, 18.0], [18.0, 18.0]] True"]
