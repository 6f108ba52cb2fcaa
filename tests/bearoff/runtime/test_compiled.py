"""Cached compiled code follows the current sources."""

import os
import pickle
import subprocess
import sys

NJIT = "from bearoff.runtime import njit\n"
KERNEL = f"{NJIT}@njit(cache=True)\ndef one():\n    return 1\n"
CALLER = (
    f"{NJIT}import first_kernels\n@njit(cache=True)\n"
    "def two():\n    return first_kernels.one() + 1\n"
)


def run(folder, *modules):
    """Call kernels in another process; return their results and their uses of the cache."""
    script = f"import {', '.join(modules)}\n"
    script += f"for module in ({', '.join(modules)},):\n"
    script += "    kernel = getattr(module, 'two', None) or module.one\n"
    script += "    print(kernel(), sum(kernel.stats.cache_hits.values()))"
    own = {"PYTHONDONTWRITEBYTECODE": "1", "XDG_CACHE_HOME": str(folder / "cache")}
    # On Linux, compiled code is stored in the user's default folder.
    own["NUMBA_CACHE_DIR"] = "" if sys.platform == "linux" else str(folder / "cache")
    command, env = [sys.executable, "-c", script], os.environ | own
    return subprocess.check_output(command, cwd=folder, env=env, text=True).splitlines()


def test_compiled_code_is_kept_until_its_sources_or_its_index_change(tmp_path):
    older = {
        "renamed": b"ca_module_that_was_renamed\nSides\n.",
        "empty": b"",
        "damaged": b"\x80no pickle",
    }
    for name in (*older, "first_kernels"):
        (tmp_path / f"{name}.py").write_text(KERNEL)
    (tmp_path / "second_kernels.py").write_text(CALLER)
    modules = *older, "second_kernels"
    assert run(tmp_path, *modules) == [*3 * ["1 0"], "2 0"]
    indexes = list(tmp_path.rglob("*.nbi"))
    if sys.platform == "linux":
        users = tmp_path / "cache" / "bearoff" / "compiled"
        assert all(index.is_relative_to(users) for index in indexes)
    # Another version of the program may have left an index of compiled code that cannot be
    # read.
    for name, data in older.items():
        (index,) = (one for one in indexes if one.name.startswith(name))
        version = pickle.loads(index.read_bytes())
        index.write_bytes(pickle.dumps(version) + data)
    # The second module's kernel calls the first module's kernel, whose code is changed
    # here.
    (tmp_path / "first_kernels.py").write_text(KERNEL.replace("return 1", "return 10"))
    assert run(tmp_path, *modules) == [*3 * ["1 0"], "11 0"]
    assert run(tmp_path, *modules) == [*3 * ["1 1"], "11 1"]


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
