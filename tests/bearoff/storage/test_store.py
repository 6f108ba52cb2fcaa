"""The cache of tables returns correct tables, whatever happens to its files."""

import mmap
import multiprocessing
import shutil
import warnings
from concurrent.futures import ProcessPoolExecutor
from unittest.mock import Mock

import numpy as np
import pytest

import bearoff
from bearoff.storage import cache as store
from tests.refusals import refused

pytestmark = pytest.mark.usefixtures("cache")

NAME, VERSION = "some-table", 3
SPAWN = multiprocessing.get_context("spawn")
"""Way to start processes; forking a threaded process would be unsafe."""


def made_arrays():
    return {"a": np.arange(300, dtype=np.uint16), "b": np.linspace(0, 1, 50)}


@pytest.fixture
def build():
    return Mock(side_effect=made_arrays)


def load_or_build(build, version=VERSION, **options):
    arrays = store.load_or_build(NAME, version, build, **options)
    assert list(arrays) == ["a", "b"]
    for key, expected in made_arrays().items():
        assert np.array_equal(arrays[key], expected)
        assert arrays[key].dtype == expected.dtype
        assert type(arrays[key]) is np.ndarray
        assert not arrays[key].flags.writeable
    return arrays


def test_cache_folder_is_the_users_unless_named(cache, monkeypatch):
    assert bearoff.cache_folder() == cache
    monkeypatch.setenv("BEAROFF_CACHE", "")
    assert bearoff.cache_folder().name == "bearoff"


def test_built_once_then_read(build, cache):
    for _ in range(3):
        load_or_build(build)
    assert build.call_count == 1
    assert {p.name for p in cache.iterdir()} == {NAME, f"{NAME}.lock"}
    assert {p.name for p in (cache / NAME).iterdir()} == {"a.npy", "b.npy", "table.json"}


def test_stored_arrays_are_mapped_not_loaded(build):
    array = load_or_build(build)["a"]
    mapped = array.base.base  # the memory map of the file
    assert isinstance(getattr(mapped, "obj", mapped), mmap.mmap)


def test_another_version_is_stale(build):
    load_or_build(build, VERSION + 1)
    load_or_build(build)
    load_or_build(build)
    assert build.call_count == 2


def test_another_name_is_another_table(build, cache):
    load_or_build(build)
    shutil.copytree(cache / NAME, cache / "other")
    store.load_or_build("other", VERSION, build)
    assert build.call_count == 2


def test_a_file_in_place_of_the_table_gives_way(build, cache):
    cache.mkdir()
    (cache / NAME).write_text("in the way")
    load_or_build(build)
    load_or_build(build)
    assert build.call_count == 1
    assert sorted(p.name for p in cache.iterdir()) == [NAME, f"{NAME}.lock"]


def test_a_table_whose_replacing_was_killed_is_put_back(build, cache):
    load_or_build(build)
    (cache / NAME).rename(cache / f"{NAME}.17.old")
    load_or_build(build)
    assert build.call_count == 1
    (cache / NAME).rename(cache / f"{NAME}.17.old")
    for left in (f"{NAME}.18.new", f"{NAME}.19.old", "other.17.new", f"{NAME}-notes"):
        (cache / left).mkdir()
    load_or_build(build, rebuild=True)
    assert build.call_count == 2
    left = {path.name for path in cache.iterdir()}
    assert left == {NAME, f"{NAME}.lock", "other.17.new", f"{NAME}-notes"}


def test_a_crash_while_writing_leaves_no_table(build, cache, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(store, "write_manifest", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            store.load_or_build(NAME, VERSION, build)
    assert [p.name for p in cache.iterdir()] == [f"{NAME}.lock"]
    load_or_build(build)
    assert build.call_count == 2


def test_a_cached_table_survives_a_failed_rebuild(build, cache):
    load_or_build(build)
    with pytest.raises(MemoryError):
        store.load_or_build(NAME, VERSION, Mock(side_effect=MemoryError), rebuild=True)
    load_or_build(build)
    assert build.call_count == 1


@pytest.mark.parametrize(
    ("broken", "effect", "named"),
    [("write_array", OSError(28, "No space left"), "No space left"), ("_save", None, NAME)],
    ids=["a full disk", "a disk that keeps rubbish"],
)
def test_a_disk_that_fails_costs_a_warning_and_one_build(
    broken, effect, named, build, monkeypatch
):
    monkeypatch.setattr(store, broken, Mock(side_effect=effect))
    with pytest.warns(RuntimeWarning, match=named):
        load_or_build(build)
    assert build.call_count == 1


def test_an_unwritable_cache_costs_a_warning_and_one_build(build, tmp_path, monkeypatch):
    # Even root cannot write to a path below a file.
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.warns(RuntimeWarning, match=f"{NAME} .*/file/cache"):
        load_or_build(build)
    assert build.call_count == 1


def _ask(start, builds):
    def build():
        builds.append(NAME)
        return made_arrays()

    start.wait()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        arrays = store.load_or_build(NAME, VERSION, build)
    return {key: array.tolist() for key, array in arrays.items()}


def test_several_processes_build_one_table():
    # Separate processes are used, because threads share memory.
    with SPAWN.Manager() as manager, ProcessPoolExecutor(2, SPAWN) as pool:
        start, builds = manager.Barrier(2), manager.list()
        asking = [pool.submit(_ask, start, builds) for _ in range(2)]
        found = [one.result(timeout=600) for one in asking]
        assert list(builds) == [NAME]
    assert found == [{key: array.tolist() for key, array in made_arrays().items()}] * 2


def _rebuild_again_and_again(times):
    for _ in range(times):
        store.load_or_build(NAME, VERSION, made_arrays, rebuild=True)


def test_readers_of_a_table_that_is_being_rebuilt():
    load_or_build(made_arrays)
    reads = 0
    with ProcessPoolExecutor(2, SPAWN) as pool:
        writing = [pool.submit(_rebuild_again_and_again, 10) for _ in range(2)]
        while not all(one.done() for one in writing) or reads < 10:
            load_or_build(made_arrays)
            reads += 1
    assert [one.result() for one in writing] == [None, None]


def test_what_cannot_be_built_says_why(cache):
    refuse = Mock(side_effect=bearoff.TableError("too large"))
    with refused(bearoff.TableError, "too large"):
        store.open_or_build(NAME, VERSION, refuse)
    assert [p.name for p in cache.iterdir()] == [f"{NAME}.lock"]


def test_a_disk_too_small_is_refused(cache):
    store.check_disk("it", 1000)
    with refused(bearoff.TableError, "1,000,000.0 GB"):
        store.check_disk("it", 10**15)


def test_without_a_home_it_says_what_to_name(monkeypatch):
    homeless = RuntimeError("could not determine the home directory")
    monkeypatch.delenv("BEAROFF_DATA")
    monkeypatch.setattr("platformdirs.user_data_path", Mock(side_effect=homeless))
    with refused(bearoff.TableError, "BEAROFF_DATA"):
        store.users_folder("data")
