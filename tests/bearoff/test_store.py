"""The cache: whatever happens to it, what comes back is the right table."""

import io
import json
import multiprocessing
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest

import bearoff
from bearoff import checked, store

NAME, VERSION = "some-table", 3


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Builder:
    """Builds the same arrays each time and counts how often."""

    def __init__(self):
        self.times = 0

    def __call__(self):
        self.times += 1
        return {"a": np.arange(300, dtype=np.uint16), "b": np.linspace(0, 1, 50)}


@pytest.fixture
def build() -> Builder:
    return Builder()


def load_or_build(build, version=VERSION, **options):
    arrays = store.load_or_build(NAME, version, build, **options)
    assert list(arrays) == ["a", "b"]
    for key, expected in Builder()().items():
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
    assert build.times == 1
    # Nothing temporary is left.
    assert sorted(p.name for p in cache.iterdir()) == [NAME, f"{NAME}.lock"]
    assert sorted(p.name for p in (cache / NAME).iterdir()) == [
        "a.npy",
        "b.npy",
        "table.json",
    ]


def test_kept_arrays_are_mapped_not_loaded(build):
    array = load_or_build(build)["a"]
    assert isinstance(array.base.base, np.memmap)  # Of the bytes of its file.


def test_rebuild_builds_though_a_good_table_is_kept(build):
    load_or_build(build)
    load_or_build(build, rebuild=True)
    assert build.times == 2
    load_or_build(build)
    assert build.times == 2


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
def test_another_version_is_stale(build, version):
    load_or_build(build, version)
    load_or_build(build)
    load_or_build(build)
    assert build.times == 2


def test_another_name_is_another_table(build, cache):
    load_or_build(build)
    shutil.copytree(cache / NAME, cache / "other")
    store.load_or_build("other", VERSION, build)
    assert build.times == 2


def damaged(cache: Path, name: str, change) -> None:
    path = cache / NAME / name
    data = bytearray(path.read_bytes())
    path.write_bytes(change(data))


FILES = ["a.npy", "b.npy", "table.json"]


@pytest.mark.parametrize("name", FILES)
def test_any_flipped_bit_is_found(build, cache, name):
    load_or_build(build)
    rng = np.random.default_rng(9)
    size = (cache / NAME / name).stat().st_size
    offsets = {0, size - 1, *rng.integers(0, size, 60).tolist()}

    for times, offset in enumerate(sorted(offsets), start=2):

        def flip(data, offset=offset):
            data[offset] ^= 1 << int(rng.integers(8))
            return data

        damaged(cache, name, flip)
        load_or_build(build)
        assert build.times == times


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("length", [0, 1, 100, -1])
def test_truncation_is_found(build, cache, name, length):
    load_or_build(build)
    damaged(cache, name, lambda data: data[:length])
    load_or_build(build)
    assert build.times == 2


@pytest.mark.parametrize("name", FILES)
def test_bytes_too_many_are_found(build, cache, name):
    load_or_build(build)
    damaged(cache, name, lambda data: data + b"x")
    load_or_build(build)
    assert build.times == 2


@pytest.mark.parametrize("name", FILES)
def test_a_deleted_file_is_found(build, cache, name):
    load_or_build(build)
    (cache / NAME / name).unlink()
    load_or_build(build)
    assert build.times == 2


@pytest.mark.parametrize("name", FILES)
def test_a_folder_in_place_of_a_file_is_found(build, cache, name):
    load_or_build(build)
    (cache / NAME / name).unlink()
    (cache / NAME / name).mkdir()
    load_or_build(build)
    assert build.times == 2


@pytest.mark.parametrize("name", FILES[:2])
def test_an_array_swapped_for_another_good_one_is_found(build, cache, name):
    load_or_build(build)
    np.save(cache / NAME / name, np.zeros(3))
    load_or_build(build)
    assert build.times == 2


GARBAGE = [
    b"",
    b"{",
    b"null",
    b"3",
    b'"text"',
    b"[]",
    b"{}",
    b"\xff\xfe",
    b"\x00" * 50,
    b'{"digest": 1}',
    b'{"name": "some-table", "version": 3, "arrays": {}}',
    b'{"name": "some-table", "version": 3, "arrays": {}, "digest": "0"}',
    b'{"name": "some-table", "version": 3, "arrays": ["a"], "digest": null}',
    b"[" * 100_000,
    b'{"digest": NaN}',
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_a_garbage_manifest_is_found(build, cache, garbage):
    load_or_build(build)
    (cache / NAME / "table.json").write_bytes(garbage)
    load_or_build(build)
    load_or_build(build)
    assert build.times == 2


def test_a_manifest_that_lists_too_little_is_found(build, cache):
    load_or_build(build)
    path = cache / NAME / "table.json"
    manifest = json.loads(path.read_text())
    del manifest["arrays"]["b"]
    path.write_text(json.dumps(manifest))
    load_or_build(build)
    assert build.times == 2


def test_a_file_in_place_of_the_table_gives_way(build, cache):
    cache.mkdir()
    (cache / NAME).write_text("in the way")
    load_or_build(build)
    load_or_build(build)
    assert build.times == 1
    assert sorted(p.name for p in cache.iterdir()) == [NAME, f"{NAME}.lock"]


def test_leftovers_of_a_crash_are_cleared(build, cache):
    for suffix in (".17.new", ".18.old"):
        (cache / f"{NAME}{suffix}").mkdir(parents=True)
        (cache / f"{NAME}{suffix}" / "a.npy").write_bytes(b"half")
    (cache / f"{NAME}.19.old").write_text("a file")
    bystanders = [cache / "other.17.new", cache / f"{NAME}-notes"]
    for path in bystanders:
        path.mkdir()
    load_or_build(build)
    assert sorted(p.name for p in cache.iterdir()) == sorted(
        [NAME, f"{NAME}.lock", *(p.name for p in bystanders)]
    )


def test_a_crash_while_writing_leaves_no_table(build, cache, monkeypatch):
    def crash(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store.json, "dumps", crash)
        with pytest.raises(KeyboardInterrupt):
            store.load_or_build(NAME, VERSION, build)
    assert [p.name for p in cache.iterdir()] == [f"{NAME}.lock"]
    load_or_build(build)
    assert build.times == 2


def test_a_kept_table_survives_a_failed_rebuild(build, cache):
    load_or_build(build)

    def fails():
        raise MemoryError

    with pytest.raises(MemoryError):
        store.load_or_build(NAME, VERSION, fails, rebuild=True)
    load_or_build(build)
    assert build.times == 1


def test_an_unwritable_cache_costs_a_warning_and_one_build(build, tmp_path, monkeypatch):
    # A path below a file: not even the superuser can write there.
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.warns(RuntimeWarning, match=r"some-table cannot be kept in .*/file/cache"):
        load_or_build(build)
    assert build.times == 1


def test_a_full_disk_costs_a_warning_and_one_build(build, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "write_array", full)
    with pytest.warns(RuntimeWarning, match="No space left on device"):
        load_or_build(build)
    assert build.times == 1


@pytest.mark.parametrize("shape", [(0,), (1,), (3, 4), (2, 3, 5)])
@pytest.mark.parametrize("dtype", [np.float64, np.uint16, np.bool_])
def test_arrays_are_written_as_numpy_writes_them(tmp_path, shape, dtype):
    array = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    np.save(tmp_path / "by-numpy.npy", array)
    with (tmp_path / "by-us.npy").open("wb") as file:
        store.write_array(file, array)
    ours = (tmp_path / "by-us.npy").read_bytes()
    assert ours == (tmp_path / "by-numpy.npy").read_bytes()


def test_a_file_system_without_locks_costs_a_warning(build, monkeypatch):
    class NoLock(store.FileLock):
        def _acquire(self):
            raise NotImplementedError("FileSystem does not appear to support flock")

    monkeypatch.setattr(store, "FileLock", NoLock)
    with pytest.warns(RuntimeWarning, match="support flock"):
        load_or_build(build)
    assert build.times == 1


def test_a_disk_that_keeps_rubbish_costs_a_warning(build, monkeypatch):
    monkeypatch.setattr(store, "_save", lambda *_: None)
    with pytest.warns(RuntimeWarning, match="no table can be read"):
        load_or_build(build)
    assert build.times == 1


def _ask(start, builds, results):
    def build():
        with builds.get_lock():
            builds.value += 1
        return Builder()()

    start.wait()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        arrays = store.load_or_build(NAME, VERSION, build)
    results.put({key: int(array.sum() * 1000) for key, array in arrays.items()})


def test_several_processes_build_one_table():
    # Real processes with memory of their own; forking a threaded parent is not safe.
    spawn = multiprocessing.get_context("spawn")
    start, results, builds = spawn.Barrier(4), spawn.Queue(), spawn.Value("i", 0)
    asking = [spawn.Process(target=_ask, args=(start, builds, results)) for _ in range(4)]
    for process in asking:
        process.start()
    found = [results.get(timeout=60) for _ in asking]
    for process in asking:
        process.join()
    assert [process.exitcode for process in asking] == [0] * 4
    assert builds.value == 1
    expected = {key: int(array.sum() * 1000) for key, array in Builder()().items()}
    assert found == [expected] * 4


def _rebuild_again_and_again(times):
    for _ in range(times):
        store.load_or_build(NAME, VERSION, Builder(), rebuild=True)


def test_readers_of_a_table_that_is_being_rebuilt():
    load_or_build(Builder())
    writer = multiprocessing.get_context("spawn").Process(
        target=_rebuild_again_and_again, args=(40,)
    )
    writer.start()
    reads = 0
    while writer.is_alive() or reads < 10:
        load_or_build(Builder())
        reads += 1
    writer.join()
    assert writer.exitcode == 0


def test_a_damaged_table_of_the_real_kind_is_solved_again(cache):
    good = bearoff.rebuild_one_sided_table(3, 2)
    mean = good.mean_rolls.copy()
    path = cache / "one-sided-03x02" / "policy.npy"
    path.write_bytes(path.read_bytes()[:-3])
    bearoff.one_sided._open_table.cache_clear()
    again = bearoff.one_sided_table(3, 2)
    assert np.array_equal(again.mean_rolls, mean)
    assert store.open_table(path.parent, "one-sided-03x02", bearoff.one_sided.VERSION)


# --- Opened lazily --------------------------------------------------------------------

LONG = checked.BLOCK * 5 // 2  # Bytes: blocks 0, 1 and half of 2, and a header besides.


def long_arrays():
    return {"a": np.arange(LONG // 8, dtype=np.uint64)}


def open_lazily():
    return store.open_or_build(NAME, VERSION, long_arrays, lazily=True)["a"]


def test_a_block_is_checked_when_it_is_first_read(cache):
    open_lazily()

    def flip(data):
        data[checked.BLOCK + 77] ^= 1
        return data

    damaged(cache, "a.npy", flip)
    array = open_lazily()  # The damage is not looked at yet, and nothing is built.
    header = (cache / NAME / "a.npy").stat().st_size - LONG
    edge = (checked.BLOCK - header) // 8  # First number of block 1.
    good = np.array([0, 3, edge - 1, 2 * checked.BLOCK // 8, LONG // 8 - 1])
    assert array.take(good).tolist() == good.tolist()
    for bad in (edge, edge + 9, 2 * checked.BLOCK // 8 - 17):
        with pytest.raises(
            bearoff.TableError, match=r"a\.npy is damaged in block 1; build"
        ):
            array.take(np.array([0, bad]))
    with pytest.raises(bearoff.TableError, match="block 1"):
        array.whole()
    assert array.take(good).tolist() == good.tolist()
    # Whoever asks for all of it has it built anew.
    assert store.load_or_build(NAME, VERSION, long_arrays)["a"][-1] == LONG // 8 - 1
    assert open_lazily().whole().tolist() == list(range(LONG // 8))


@pytest.mark.parametrize("change", [lambda d: d[:-1], lambda d: d + b"x", lambda d: b""])
def test_a_wrong_size_is_found_on_opening_lazily(cache, change):
    open_lazily()
    damaged(cache, "a.npy", change)
    assert len(open_lazily().whole()) == LONG // 8


def test_a_damaged_header_is_found_on_opening_lazily(cache):
    open_lazily()

    def flip(data):
        data[60] ^= 4  # In the shape or the type, which nothing else vouches for.
        return data

    damaged(cache, "a.npy", flip)
    assert len(open_lazily().whole()) == LONG // 8


def test_rows_across_two_blocks_need_both(tmp_path):
    path = tmp_path / "rows.npy"
    rows = np.arange(checked.BLOCK // 10 * 5, dtype=np.uint32).reshape(-1, 5)
    np.save(path, rows)
    sums, size = checked.block_checksums(path), path.stat().st_size
    within_block = checked.BLOCK - (size - rows.nbytes)
    across = within_block // 20
    assert within_block % 20  # It begins in block 0 and ends in block 1.
    array = checked.open_checked(path, size, [sums[0], sums[1] ^ 1, *sums[2:]])
    assert np.array_equal(array.take(np.array([across - 1])), rows[across - 1 : across])
    with pytest.raises(bearoff.TableError, match="block 1"):
        array.take(np.array([across]))


def test_the_bytes_that_are_compared_are_those_that_are_read(tmp_path, monkeypatch):
    """Though another file takes the place of the one that is mapped."""
    path, other = tmp_path / "a.npy", tmp_path / "b.npy"
    np.save(path, np.arange(9))
    np.save(other, np.zeros(9, dtype=int))
    map_file = checked.map_file

    def replaced_once_mapped(path, size):
        mapped = map_file(path, size)
        other.replace(path)
        return mapped

    monkeypatch.setattr(checked, "map_file", replaced_once_mapped)
    sums = checked.block_checksums(path)
    array = checked.open_checked(path, path.stat().st_size, sums)
    assert np.array_equal(array.whole(), np.arange(9))


@pytest.mark.parametrize(
    ("array", "version", "why"),
    [
        (np.zeros(2), (2, 0), r"format \(2, 0\)"),
        (np.array([1, "a"], dtype=object), (1, 0), "has not the bytes"),
        (np.zeros(0, dtype=object), (1, 0), "has not the bytes"),
    ],
)
def test_arrays_of_another_kind_are_none(array, version, why):
    written = io.BytesIO()
    np.lib.format.write_array(written, array, version=version)
    with pytest.raises(ValueError, match=why):
        checked.array_in(np.frombuffer(written.getvalue(), dtype=np.uint8))


def test_what_cannot_be_built_says_why(cache):
    def refuse():
        raise bearoff.TableError("too large")

    with pytest.raises(bearoff.TableError, match="too large"):
        store.open_or_build(NAME, VERSION, refuse)
    assert [p.name for p in cache.iterdir()] == [f"{NAME}.lock"]


def test_a_disk_too_small_is_refused(cache):
    store.check_disk("it", 1000)
    with pytest.raises(
        bearoff.TableError, match=r"it needs 1000000\.0 GB on the disk and "
    ):
        store.check_disk("it", 10**15)
