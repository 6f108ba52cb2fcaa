"""Arrays that are opened lazily: each block is checked when the block is first read."""

import io

import numpy as np
import pytest

import bearoff
from bearoff.storage import cache as store, checked_array, checked_file
from bearoff.storage.manifest import StoredFile
from tests.damage import flip
from tests.refusals import refused

pytestmark = pytest.mark.usefixtures("cache")

NAME, VERSION = "some-table", 3

LONG = checked_array.BLOCK * 5 // 2
"""Number of bytes of an array that fills two and a half blocks."""


def long_arrays():
    return {"a": np.arange(LONG // 8, dtype=np.uint64)}


def open_lazily():
    return store.open_or_build(NAME, VERSION, long_arrays, lazily=True)["a"]


def test_a_block_is_checked_when_it_is_first_read(cache):
    open_lazily()
    flip(cache / NAME / "a.npy", checked_array.BLOCK + 77)
    array = open_lazily()  # opening the array does not read the damaged block
    header = (cache / NAME / "a.npy").stat().st_size - LONG
    edge = (checked_array.BLOCK - header) // 8  # index of the first element in block 1
    good = np.array([0, 3, edge - 1, 2 * checked_array.BLOCK // 8, LONG // 8 - 1])
    assert array.take(good).tolist() == good.tolist()
    for bad in (edge, edge + 9, 2 * checked_array.BLOCK // 8 - 17):
        with refused(bearoff.TableError, "a.npy", "block 1"):
            array.take(np.array([0, bad]))
    with refused(bearoff.TableError, "block 1"):
        array.read_all()
    assert array.take(good).tolist() == good.tolist()
    # Reading the whole array finds the damage, and the table is built again.
    assert store.load_or_build(NAME, VERSION, long_arrays)["a"][-1] == LONG // 8 - 1
    assert open_lazily().read_all().tolist() == list(range(LONG // 8))


def test_a_damaged_header_is_found_on_opening_lazily(cache):
    # A flipped bit in the header changes the shape or the type of the array.
    open_lazily()
    flip(cache / NAME / "a.npy", 60, 2)
    assert len(open_lazily().read_all()) == LONG // 8


def test_rows_across_two_blocks_need_both(tmp_path):
    path = tmp_path / "rows.npy"
    rows = np.arange(checked_array.BLOCK // 10 * 5, dtype=np.uint32).reshape(-1, 5)
    np.save(path, rows)
    entry, size = checked_array.describe_file(path), path.stat().st_size
    within_block = checked_array.BLOCK - (size - rows.nbytes)
    across = within_block // 20
    assert within_block % 20  # row `across` lies in both blocks, 0 and 1
    first, second, *others = entry.crc32
    wrong = StoredFile(size, (first, second ^ 1, *others))
    array = checked_array.open_array(path, wrong)
    assert np.array_equal(array.take(np.array([across - 1])), rows[across - 1 : across])
    with refused(bearoff.TableError, "block 1"):
        array.take(np.array([across]))


def test_the_bytes_that_are_compared_are_those_that_are_read(tmp_path, monkeypatch):
    """The bytes that are checked are the bytes that are read, even if the file is
    replaced."""
    path, other = tmp_path / "a.npy", tmp_path / "b.npy"
    np.save(path, np.arange(9))
    np.save(other, np.zeros(9, dtype=int))
    mapped = checked_file._mapped

    def replaced_once_mapped(path, size):
        data = mapped(path, size)
        other.replace(path)
        return data

    monkeypatch.setattr(checked_file, "_mapped", replaced_once_mapped)
    array = checked_array.open_array(path, checked_array.describe_file(path))
    assert np.array_equal(array.read_all(), np.arange(9))


@pytest.mark.parametrize(
    ("array", "version"),
    [
        (np.zeros(2), (2, 0)), (np.array([1, "a"], dtype=object), (1, 0)),
        (np.zeros(0, dtype=object), (1, 0)),
    ],
)  # fmt: skip
def test_arrays_of_another_kind_are_none(array, version):
    np.lib.format.write_array(written := io.BytesIO(), array, version=version)
    with pytest.raises(ValueError):  # noqa: PT011
        checked_array.array_in(np.frombuffer(written.getvalue(), dtype=np.uint8))


@pytest.mark.parametrize("shape", [(0,), (1,), (3, 4), (2, 3, 5)])
@pytest.mark.parametrize("dtype", [np.float64, np.uint16, np.bool_])
def test_arrays_are_written_as_numpy_writes_them(shape, dtype):
    array = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    np.save(numpys := io.BytesIO(), array)
    checked_array.write_array(ours := io.BytesIO(), array)
    assert ours.getvalue() == numpys.getvalue()
