"""Settings of all tests, so that no test reads or writes the user's own files."""

import gc
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import filelock
import hypothesis
import pytest

import bearoff
from bearoff.runtime import code_cache, cores, give_back_memory

ROOT = Path(__file__).parent.parent
_CACHE = pytest.StashKey[str]()

# Hypothesis tests are deterministic; `--hypothesis-profile search` tries more examples.
# There is no time limit, because the machine may be busy.
_UNHURRIED = hypothesis.settings(
    deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.register_profile("repeatable", _UNHURRIED, derandomize=True)
hypothesis.settings.register_profile("search", _UNHURRIED, max_examples=2000)
hypothesis.settings.load_profile("repeatable")


def pytest_configure(config):
    """Store tables in a temporary folder, also in doctests and child processes."""
    # Each test process has its own folder, because answers depend on stored tables.
    config.stash[_CACHE] = tempfile.mkdtemp(prefix="bearoff-tests-")
    os.environ["BEAROFF_CACHE"] = config.stash[_CACHE]
    os.environ["BEAROFF_DATA"] = str(Path(config.stash[_CACHE]) / "data")
    # This folder also stores compiled code, unless NUMBA_CACHE_DIR is set. Tests never
    # delete a folder named by the user.
    if folder := code_cache():
        os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))
    # `fsync` is replaced, because it is slow; tests/bearoff/storage/test_files.py checks
    # that writers call it.
    os.fsync = lambda descriptor: None


def pytest_xdist_auto_num_workers():
    """Return the number of test processes, 1.5 per core, because tests often wait."""
    return cores() * 3 // 2


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Import this test process's share of the test files before it collects all of them.

    All test processes collect the same files. Each of them thus compiles only its share of
    a new clone, and finds the others compiled.
    """
    gc.disable()  # because hardly anything is freed before the tests are collected
    if worker := getattr(session.config, "workerinput", None):
        files = sorted(Path(__file__).parent.rglob("test_*.py"))
        first, step = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
        for file in files[first::step]:
            # An error is reported when the file is collected.
            with suppress(Exception):
                import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    try:
        return (yield)
    finally:
        gc.enable()


_BESIDE = {"benchmarks", "research", "verify"}
"""Folders with tests of programs outside the installed package."""


def pytest_collection_modifyitems(items):
    for item in items:
        if _BESIDE.intersection(item.path.relative_to(ROOT).parts):
            item.add_marker("slow")


def pytest_unconfigure(config):
    folder = config.stash.get(_CACHE, None)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


_LARGE = (
    ("bearoff.one_sided.gammons", "fewest_rolls_tails"),
    ("bearoff.race_model.typical", "_met"),
    ("bearoff.two_sided.opening", "_open_table"),
    ("bearoff.sim.cubeful.at_score", "_table"),
    ("bearoff.sim.rollouts.sources", "_match_table"),
    ("bearoff.sim.rollouts.values", "_board_in_table"),
    ("bearoff.sim.play.optimal", "optimal_table"),
    ("bearoff.sim.play.optimal", "all_plays"),
    ("bearoff.sim.play.players", "player"),
    ("tests.two_sided_tables", "built"),
)
"""Functions and dictionaries, by module, that keep tables for the whole process."""

_MANY = 5000
"""Largest number of values in a cache that is not cleared after each test file."""


_AT_SCORES, _BEYOND_HOME = "two-sided-*-at-*", ("two-sided-0[7-9]-*", "two-sided-[12]*")
"""Name patterns of the folders of tables at match scores, and of tables with more than 6
points."""


def _clear_caches(tested):
    """Delete the tables that the package keeps, and the cached values of tests.

    These are all values that the file `tested` has cached, and the caches of other files
    that have many values.
    """
    for name, keeper in _LARGE:
        if name in sys.modules:
            kept = getattr(sys.modules[name], keeper)
            (kept.clear if isinstance(kept, dict) else kept.cache_clear)()
    for name, module in list(sys.modules.items()):
        if name.startswith(("tests.", "oracles.")):
            most = 0 if module is tested else _MANY
            for each in vars(module).values():
                if hasattr(each, "cache_info") and each.cache_info().currsize > most:
                    each.cache_clear()


def _take_tables(config, *names):
    cache = Path(config.stash[_CACHE])
    found = [path for name in names for path in cache.glob(name) if path.is_dir()]
    for folder in found:
        shutil.rmtree(folder)
    return found


@pytest.fixture(scope="module", autouse=True)
def _large_tables_go(request, pytestconfig):
    """Close large tables after each test file to save memory.

    Tables at a score are deleted, because they would replace float64 solutions, and tables
    with more than 6 points, because they would replace rollouts.
    """
    # Doctests use no fixtures, so the tables that they stored are removed here.
    _take_tables(pytestconfig, _AT_SCORES)
    # Garbage collection after a failed command would be slow. Freezing the existing objects
    # limits garbage collection to new objects.
    gc.freeze()
    yield
    assert not _take_tables(pytestconfig, _AT_SCORES)
    _take_tables(pytestconfig, *_BEYOND_HOME)
    _clear_caches(request.module)
    give_back_memory()


@pytest.fixture(scope="session")
def table():
    """Return the one-sided table of 6 points and 15 checkers."""
    return bearoff.one_sided_table()


@pytest.fixture(scope="session")
def all_successors():
    """Return the positions after all plays of all rolls, for 6 points and 15 checkers."""
    return bearoff.plays.successors(6, 15)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Set the folder of stored tables to a new path that does not exist yet; return it."""
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def no_locks(monkeypatch):
    """Simulate a shared file system without locks."""

    def acquire(lock):
        raise NotImplementedError("FileSystem does not appear to support flock")

    monkeypatch.setattr(filelock.FileLock, "_acquire", acquire)
