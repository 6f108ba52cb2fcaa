"""Cached compiled code follows the current sources."""

import os
import pickle
import subprocess
import sys

import pytest

NJIT = "from bearoff.runtime import njit\n"
KERNEL = f"{NJIT}@njit(cache=True)\ndef one():\n    return 1\n"
CALLER = (
    f"{NJIT}import first_kernels\n@njit(cache=True)\n"
    "def two():\n    return first_kernels.one() + 1\n"
)


def run(folder, *modules, kernel="one", named=True):
    """Call kernels in another process; return their results, and how often compiled code of
    each was read from the cache.

    The folder of compiled code is `named`, or the default on Linux.
    """
    script = f"import {', '.join(modules)}\n"
    script += f"for k in ({''.join(f'{module}.{kernel}, ' for module in modules)}):\n"
    script += "    print(k(), sum(k.stats.cache_hits.values()))"
    cache = str(folder / "cache")
    where = {"NUMBA_CACHE_DIR": cache if named else "", "XDG_CACHE_HOME": cache}
    own = {"PYTHONDONTWRITEBYTECODE": "1", **where}
    command, env = [sys.executable, "-c", script], os.environ | own
    return subprocess.check_output(command, cwd=folder, env=env, text=True).splitlines()


def test_what_an_older_program_cached_is_passed_over(tmp_path):
    older = {
        "renamed": b"ca_module_that_was_renamed\nSides\n.",
        "empty": b"",
        "damaged": b"\x80no pickle",
    }
    for name in older:
        (tmp_path / f"{name}.py").write_text(KERNEL)
    compiled, cached = 3 * ["1 0"], 3 * ["1 1"]
    assert [run(tmp_path, *older), run(tmp_path, *older)] == [compiled, cached]
    for name, data in older.items():
        (index,) = (tmp_path / "cache").rglob(f"{name}*.nbi")
        version = pickle.loads(index.read_bytes())
        index.write_bytes(pickle.dumps(version) + data)
    assert [run(tmp_path, *older), run(tmp_path, *older)] == [compiled, cached]


@pytest.mark.skipif(sys.platform != "linux", reason="sets the cache folder as Linux does")
def test_compiled_code_lies_in_the_users_cache_and_not_beside_the_program(tmp_path):
    (tmp_path / "first_kernels.py").write_text(KERNEL)
    found = [run(tmp_path, "first_kernels", named=False) for _ in range(2)]
    assert found == [["1 0"], ["1 1"]]
    (index,) = tmp_path.rglob("*.nbi")
    assert index.is_relative_to(tmp_path / "cache" / "bearoff" / "compiled")


def test_a_kernel_is_compiled_again_when_another_that_it_calls_changes(tmp_path):
    (tmp_path / "first_kernels.py").write_text(KERNEL)
    (tmp_path / "second_kernels.py").write_text(CALLER)
    found = [run(tmp_path, "second_kernels", kernel="two") for _ in range(2)]
    assert found == [["2 0"], ["2 1"]]
    (tmp_path / "first_kernels.py").write_text(KERNEL.replace("return 1", "return 10"))
    assert run(tmp_path, "second_kernels", kernel="two") == ["11 0"]


def test_kernels_load_no_linear_algebra_and_others_still_have_theirs():
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
