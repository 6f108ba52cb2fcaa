"""The first use of commands imports and compiles little."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from bearoff.app import warm
from bearoff.runtime.compiled import COMPILING
from verify import first_use

SLOW_TO_LOAD = {"numba", "scipy", "pyarrow", "matplotlib", "joblib"}

MODULES = (
    "import atexit, sys; from bearoff.app.main import main;"
    "atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr)); main()"
)

SAVED_GAMMON = "[2,2,3,3]", "[6,6,6,6,6,6,6,6,6,6,6,6,6,7,9]"

EXAMPLES = """
import doctest, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
blocks = re.findall(r"^```python\\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
names = {}
for example in doctest.DocTestParser().get_examples("\\n".join(blocks)):
    try:
        exec(example.source, names)
    except Exception:
        if not example.exc_msg:
            raise
"""
"""Doctest checker that ignores the printed output."""


def python(code, *arguments, **options):
    """Run Python code in a new process, which must succeed."""
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    return done


def test_not_even_the_first_query_loads_the_compiler(tmp_path):
    race = ["race", "1,2,1,1,1", "2,2,1,1"]
    for query in (race, ["winprob", "8887", "8887"], race):
        caches = first_use.caches_in(tmp_path)
        done = python(MODULES, *query, cwd=first_use.ROOT, env=caches)
        assert SLOW_TO_LOAD.isdisjoint(done.stderr.split())
    assert not (tmp_path / "kernels").exists()


def test_kernels_are_few_and_compiled_once(tmp_path):
    # Each compiled kernel takes time at the first use, so the number of kernels is limited.
    environment = first_use.caches_in(tmp_path)
    build = ("tables", "build", "--two-sided", "--checkers")
    _, first = first_use.call((*build, "2"), environment, tmp_path)
    assert first.err.count(COMPILING) == 1
    assert COMPILING not in first.out
    assert 0 < (kernels := first_use.cached_kernels(environment)) <= 45
    _, second = first_use.call((*build, "3"), environment, tmp_path)
    assert COMPILING not in second.err
    assert first_use.cached_kernels(environment) == kernels


KERNEL = re.compile(r"\[cache\] data (?:loaded from|saved to) '(.+\.nbc)'")
"""Regular expression for Numba's messages about cached compiled code."""


def kernels_in(printed):
    return set(KERNEL.findall(printed))


def test_commands_compile_nothing_that_warm_has_not_compiled(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DEBUG_CACHE", "1")
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "tables"))
    started, compiled = subprocess.run, set()

    def run(*given, **options):
        done = started(*given, **options)
        compiled.update(kernels_in(done.stdout))
        return done

    with monkeypatch.context() as patched:
        patched.setattr(warm.subprocess, "run", run)
        assert warm.warm() == 0
    assert len(compiled) > 40
    config = tmp_path / "races.yaml"
    config.write_text("run: races\ngames: 100\nseed: 1\npairs: [random: {pairs: 20}]\n")
    cube = tmp_path / "cube.yaml"
    cube.write_text(
        "run: cube\ngames: 100\ntable: {checkers: 6}\npairs: [random: {pairs: 20}]\n"
        "cube: {roller: keith, opponent: perfect, rival: {janowski: 0.7}}\n"
    )
    for arguments in (
        ("rollout", *first_use.ROLLOUT, "--games", "100", "--quiet"),
        ("rollout", *SAVED_GAMMON, "--games", "100", "--quiet"),
        ("simulate", str(config), "--quiet", "--to", str(tmp_path)),
        ("tables", "build", "--two-sided", "--checkers", "6"),
        ("race", "1,1,0,0,0,0", "13,2,0,0,0,0"),
        ("review", "--no-library", "tests/data/gnubg_session.mat"),
        ("tables", "build", "--two-sided", "--checkers", "8"),
        ("cube", "0,2,2,0,0,0", "0,2,2,0,0,0", "--match", "7", "--score", "5-3"),
        ("simulate", str(cube), "--quiet", "--to", str(tmp_path)),
        ("no-chance", "race", "0,0,1,1,0,0", "0,0,0,0,2,1", "--named", "5", "3"),
    ):
        _, called = first_use.call(arguments, dict(os.environ), tmp_path)
        taken = kernels_in(called.out)
        assert taken
        assert taken - compiled == set(), arguments[0]
    for page in ("batches", "cube", "play", "python", "rollouts"):
        done = python(EXAMPLES, first_use.ROOT / f"docs/{page}.md", cwd=first_use.ROOT)
        assert kernels_in(done.stdout) - compiled == set(), page


@pytest.mark.skipif(sys.platform != "linux", reason="sets the cache folder as Linux does")
def test_without_any_folder_kernels_run_and_one_line_says_so(tmp_path):
    folder = tmp_path / "copy"
    # The package's own folder cannot store compiled code either.
    package = folder / "bearoff"
    shutil.copytree(first_use.ROOT / "bearoff", package, ignore=lambda *_: {"__pycache__"})
    for room in {path.parent for path in package.rglob("*.py")}:
        # A file named `__pycache__` prevents a bytecode cache, even for root.
        (room / "__pycache__").write_text("no folder")
    unset = {"NUMBA_CACHE_DIR", "PYTHONPATH"}
    environment = {k: v for k, v in os.environ.items() if k not in unset}
    environment["XDG_CACHE_HOME"] = str(package / "__pycache__" / "cache")
    code = "import numba; from bearoff.plays.policies import successors as after;"
    done = python(f"{code} print(len(after(2, 1).numbers))", cwd=folder, env=environment)
    assert done.stdout == "63\n"
    assert done.stderr.count("RuntimeWarning: compiled code cannot be cached") == 1


def test_the_page_sets_what_was_measured_beside_what_was():
    page = first_use.page([(first_use.USES[1], 0.6, 0.31, 0)], 3)
    assert "| `bearoff winprob 8887 8887` | 2.63 | 0.60 | 0.40 | 0.31 | 0 |" in page
    page = first_use.clone_page([("first chart drawn", 31.21)])
    assert "| first chart drawn | 31.2 |" in page
