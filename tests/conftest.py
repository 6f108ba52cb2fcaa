"""Settings of the whole suite: no test reads or writes the user's own files."""

import gc
import os
import shutil
import sys
import tempfile
from pathlib import Path

import filelock
import hypothesis
import pytest

import bearoff
from bearoff.runtime import code_cache, cores, give_back_memory

_CACHE = pytest.StashKey[str]()

# The suite gives the same verdict every time; look for more with --hypothesis-profile.
# No limit of time: the machine may be busy.
_UNHURRIED = hypothesis.settings(
    deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.register_profile("repeatable", _UNHURRIED, derandomize=True)
hypothesis.settings.register_profile("search", _UNHURRIED, max_examples=2000)
hypothesis.settings.load_profile("repeatable")


def pytest_configure(config):
    """Store tables in a folder of this process, doctests' and child processes' too."""
    # Each worker has its own: which table answers depends on those that others have built.
    config.stash[_CACHE] = tempfile.mkdtemp(prefix="bearoff-tests-")
    os.environ["BEAROFF_CACHE"] = config.stash[_CACHE]
    os.environ["BEAROFF_DATA"] = str(Path(config.stash[_CACHE]) / "data")
    # Where programs keep compiled code, too; a folder that is named is deleted by no test.
    if folder := code_cache():
        os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))
    # No test cuts the power: whether its files lie on the disk yet is all the same, and
    # waiting for that took a sixth of the time of some files of tests. That writers ask for
    # it is seen in tests/bearoff/storage/test_files.py.
    os.fsync = lambda descriptor: None


def pytest_xdist_auto_num_workers():
    """Half as many again as there are cores: a third of its time a worker waits for a page,
    a process or a clock."""
    return cores() * 3 // 2


_BESIDE = {"benchmarks", "research", "verify"}
"""Folders of tests of programs that are not installed."""


def pytest_collection_modifyitems(items):
    for item in items:
        if _BESIDE.intersection(item.path.relative_to(Path(__file__).parent.parent).parts):
            item.add_marker("slow")


def pytest_unconfigure(config):
    folder = config.stash.get(_CACHE, None)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


_LARGE = (
    ("bearoff.two_sided.opening", "_open_table"),
    ("bearoff.sim.cubeful.at_score", "_table"),
    ("bearoff.sim.rollouts.sources", "_match_table"),
    ("bearoff.sim.play.optimal", "optimal_table"),
    ("bearoff.sim.play.optimal", "all_plays"),
    ("bearoff.sim.play.players", "player"),
    ("tests.two_sided_tables", "built"),
)
"""What is opened once a process, of any size."""

_MANY = 5000
"""Values of a twin that are kept for other files of tests, to which few are of use."""


_AT_SCORES, _BEYOND_HOME = "two-sided-*-at-*", ("two-sided-0[7-9]-*", "two-sided-[12]*")
"""Folders of tables at scores, and of those of more than 6 points."""


def _forget_twins():
    """Let go what plain recursions worked out of many positions, up to 500 MB a file."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("tests.", "oracles.")):
            for each in vars(module).values():
                if hasattr(each, "cache_info") and each.cache_info().currsize > _MANY:
                    each.cache_clear()


def _take_tables(config, *names):
    cache = Path(config.stash[_CACHE])
    found = [path for name in names for path in cache.glob(name) if path.is_dir()]
    for folder in found:
        shutil.rmtree(folder)
    return found


@pytest.fixture(scope="module", autouse=True)
def _large_tables_go(pytestconfig):
    """Let large tables go after each file of tests, so that a worker stays below 2 GB.

    No table at a score is left either: it would answer for what others solve in float64.
    Nor is one beyond home, which would answer for what others roll out.
    """
    # Of documentation, whose tests know no fixtures.
    _take_tables(pytestconfig, _AT_SCORES)
    # A command that fails looks for garbage: among what these tests make alone, for among
    # the millions of objects of a worker that has done much it takes half a second.
    gc.freeze()
    yield
    assert not _take_tables(pytestconfig, _AT_SCORES)
    _take_tables(pytestconfig, *_BEYOND_HOME)
    for module, name in _LARGE:
        if module in sys.modules:
            getattr(sys.modules[module], name).cache_clear()
    _forget_twins()
    give_back_memory()


@pytest.fixture(scope="session")
def table():
    """The table of 6 points and 15 checkers."""
    return bearoff.one_sided_table()


@pytest.fixture(scope="session")
def all_successors():
    """Every distinct successor of 6 points and 15 checkers."""
    return bearoff.plays.successors(6, 15)


@pytest.fixture
def no_locks(monkeypatch):
    """As on a shared file system that knows no locks."""

    class NoLock(filelock.FileLock):
        def _acquire(self):
            raise NotImplementedError("FileSystem does not appear to support flock")

    monkeypatch.setattr(filelock, "FileLock", NoLock)
