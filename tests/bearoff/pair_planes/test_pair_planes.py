"""Stored planes are written, read back and damaged."""

import os
import pickle
import struct
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from itertools import pairwise

import numpy as np
import pytest

from bearoff.errors import TableError
from bearoff.pair_planes import BLOCK, Layout, PlaneWriter, StoredPlane, kernels, open_plane
from bearoff.runtime import njit
from tests.bearoff.pair_planes.plain_reader import read_code
from tests.damage import flip
from tests.refusals import refused

LAYOUT = Layout(np.array([0, 16, 48, 208, 1296], dtype=np.int64))
"""Layout of a stored plane of 1,296 slots in four levels. The last level has two bands."""


def numbers():
    """Return an array of numbers that are compressed in different ways."""
    rng = np.random.default_rng(3)
    slots = LAYOUT.slots
    smooth = rng.normal(size=(slots, 4)) @ rng.normal(size=(4, slots)) * 30_000
    rough = rng.normal(size=(slots, slots)) * rng.choice([0, 1, 40, 3000], (slots, 1))
    found = np.rint(smooth + rough)
    found[16:48, 48:208] = 0
    found[48:208, 48:208] = 7
    found[3, 5], found[4, 5] = 2**20 - 1, 1 - 2**20
    found[700, 900:916] = np.where(np.arange(16) % 2, 2**20 - 1, 1 - 2**20)
    return np.clip(found, 1 - 2**20, 2**20 - 1).astype(np.int32)


NUMBERS = numbers()


def in_blocks(found):
    return np.ascontiguousarray(found.reshape(1296, 81, 16).transpose(1, 0, 2))


def parts(found=NUMBERS):
    """Return the arguments with which a solver calls `write`, part by part."""
    blocks, told = in_blocks(found), []
    for start, stop in pairwise(LAYOUT.levels.tolist()):
        own = slice(start // 16, stop // 16)
        if start:
            told.append((blocks[own, :start], own.start, 0))
        told.append((blocks[: own.stop, start:stop], 0, start))
    return told


def written(path, found=NUMBERS):
    writer = PlaneWriter(path, LAYOUT)
    for part in parts(found):
        writer.write(*part)
    return writer.finish()


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    path = tmp_path_factory.mktemp("plane") / "good.plane"
    entry = written(path)
    return path.read_bytes(), path.with_suffix(".index").read_bytes(), entry


@pytest.fixture
def stored(tmp_path, good):
    path = tmp_path / "a.plane"
    path.write_bytes(good[0])
    path.with_suffix(".index").write_bytes(good[1])
    return path, good[2]


def opened(stored):
    return open_plane(*stored, LAYOUT)


def test_an_obvious_reader_finds_what_was_written(good, stored):
    plane, index, _ = good
    one_by_one, levels = opened(stored), LAYOUT.levels.tolist()
    rng = np.random.default_rng(4)
    pairs = rng.integers(0, LAYOUT.slots, (2000, 2)).tolist()
    pairs += [(5, 3), (5, 4), (900, 700), (915, 700), (60, 20), (60, 60), (1295, 1295)]
    for x, y in pairs:
        assert read_code(plane, index, levels, x, y) == NUMBERS[y, x], (x, y)
        assert one_by_one.take(np.array([x]), np.array([y])) == NUMBERS[y, x]


@njit(cache=True)
def compiled(codes, x, y):
    return kernels.code_of(codes, x, y)


def test_every_number_is_read_back(stored):
    plane, (y, x) = opened(stored), np.indices(NUMBERS.shape).reshape(2, -1)
    # Numbers are read singly, in order, or from the unpacked plane.
    for size in (4000, 140_000, NUMBERS.size):
        some = np.random.default_rng(size).integers(0, NUMBERS.size, size)
        found = opened(stored).take(x[some], y[some])
        assert np.array_equal(found, NUMBERS.ravel()[some])
    for codes in (plane.read_all(), plane.unpacked()):
        for x, y in ((0, 0), (5, 3), (60, 20), (900, 700), (1295, 1295)):
            assert kernels.code_of(codes, x, y) == compiled(codes, x, y) == NUMBERS[y, x]
    # The second slice crosses the border between two bands of compressed blocks.
    for own in ((slice(0, 81), slice(0, 1296)), (slice(7, 60), slice(16, 208))):
        assert np.array_equal(plane.read(*own), in_blocks(NUMBERS)[own])


def test_without_the_compiler_pairs_are_read_side_by_side(stored, monkeypatch):
    monkeypatch.delitem(sys.modules, "numba")
    plane, (y, x) = opened(stored), np.indices(NUMBERS.shape).reshape(2, -1)
    for part in np.array_split(np.arange(len(x)), 20):
        assert np.array_equal(plane.take(x[part], y[part]), NUMBERS.ravel()[part])
    path, entry = stored
    flip(path, entry.bytes // 2)
    with refused(TableError, "block"):
        opened(stored).take(x[::13], y[::13])


def test_the_order_of_writing_leaves_no_trace(tmp_path, good):
    writer = PlaneWriter(tmp_path / "b.plane", LAYOUT)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda part: writer.write(*part), reversed(parts())))
    assert writer.finish() == good[2]
    assert (tmp_path / "b.plane").read_bytes() == good[0]
    assert (tmp_path / "b.index").read_bytes() == good[1]


def test_what_is_smooth_or_zero_is_small(tmp_path):
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(2, LAYOUT.slots, 3))
    # Smooth values are predicted well, so only small differences from the prediction are
    # stored.
    smooth = np.rint(y @ x.T * 2000).astype(np.int32)
    sizes = []
    for k, found in enumerate((smooth, np.zeros_like(smooth))):
        path = tmp_path / f"{k}.plane"
        stored = path, written(path, found)
        sizes.append(stored[1].bytes)
        assert opened(stored).take(np.array([1000]), np.array([33])) == [found[33, 1000]]
    assert 8 * sizes[0] / NUMBERS.size < 4
    assert sizes[1] == 4 + 64


@pytest.mark.parametrize("number", [2**20, -(2**20)])
def test_numbers_that_are_too_large(number, tmp_path):
    codes = np.full((1, 16, 16), number, dtype=np.int32)
    writing = closing(PlaneWriter(tmp_path / "a.plane", LAYOUT))
    with writing as writer, refused(TableError, 2**20, number):
        writer.write(codes, 0, 0)


def test_a_plane_that_lacks_parts(tmp_path):
    with closing(PlaneWriter(tmp_path / "a.plane", LAYOUT)) as writer:
        writer.write(*parts()[0])
        with refused(TableError, 1):
            writer.finish()


def test_damage_is_found_before_a_number_of_it_is_read(stored):
    path, entry = stored
    y, x = np.indices(NUMBERS.shape).reshape(2, -1)[:, ::97]
    right = NUMBERS.ravel()[::97]
    blocks = -(-entry.bytes // BLOCK)
    for block in {0, 1, blocks // 2, blocks - 1}:
        flip(path, min(block * BLOCK + 777, entry.bytes - 3))
        plane, unread = opened(stored), 0
        for k in range(0, len(x), 173):
            try:
                found = plane.take(x[k : k + 1], y[k : k + 1])
            except TableError:
                unread += 1
            else:
                assert found == right[k]
        assert unread < len(x) / 173
        for ask in (lambda p=plane: p.take(x, y), plane.read_all):
            with refused(TableError, f"block {block}"):
                ask()
        flip(path, min(block * BLOCK + 777, entry.bytes - 3))
    assert np.array_equal(opened(stored).take(x, y), right)


@pytest.mark.parametrize("name", ["a.plane", "a.index"])
@pytest.mark.parametrize(
    "change",
    [
        lambda p: p.write_bytes(p.read_bytes()[:-1]), lambda p: p.write_bytes(b""),
        lambda p: p.unlink(), lambda p: (p.unlink(), os.mkfifo(p)),
    ],
)  # fmt: skip
def test_files_of_another_size_or_kind(name, change, stored):
    change(stored[0].with_name(name))
    with refused(TableError, name):
        opened(stored)


def test_a_damaged_index(stored):
    flip(stored[0].with_suffix(".index"), 20)
    with refused(TableError, "a.index"):
        opened(stored)


def forge(stored, change):
    """Change a stored plane and its index, and write valid checksums."""
    path, _ = stored
    data, index = bytearray(path.read_bytes()), path.with_suffix(".index")
    count = LAYOUT.shape[0] * LAYOUT.shape[1]
    places = np.frombuffer(index.read_bytes()[: 16 * count], "<i8").reshape(-1, 2).copy()
    change(data, places)
    path.write_bytes(data)
    sums = [zlib.crc32(data[k : k + BLOCK]) for k in range(0, len(data), BLOCK)]
    index.write_bytes(places.tobytes() + np.array(sums, dtype="<u4").tobytes())
    return StoredPlane(len(data), sha256(index.read_bytes()).hexdigest())


@pytest.mark.parametrize(
    ("column", "value"), [(0, -2), (0, 3), (0, 2**40), (1, -8), (1, 2**40)]
)
def test_places_that_lead_out_of_the_plane(column, value, stored):
    def change(data, places):
        places[-1, column] = value

    forged = stored[0], forge(stored, change)
    with refused(TableError, "a.index"):
        opened(forged)


def test_tiles_that_lead_out_of_the_plane(stored):
    def change(data, places):
        word, rank = places[-1].tolist()
        # The number `at` is the byte offset of the directory's first tile.
        at = 2 * word + 2 * rank * (34 * 16 + 1088)
        data[at : at + 4] = struct.pack("<I", 2**31 - 1)

    plane = open_plane(stored[0], forge(stored, change), LAYOUT)
    first = np.array([int(LAYOUT.bands[-2]) * 16])
    for ask in plane.read_all, lambda: plane.take(first, np.array([208])):
        with refused(TableError, "a.plane"):
            ask()


def test_a_pickled_plane_names_its_file(stored):
    plane = opened(stored)
    plane.read_all()
    packed = pickle.dumps(plane)
    assert len(packed) < 2000
    assert pickle.loads(packed).take(np.array([900]), np.array([700])) == [1 - 2**20]
    flip(stored[0], 100)
    with refused(TableError, "block 0"):
        pickle.loads(packed).read_all()


def test_a_reader_keeps_what_it_opened(stored):
    plane = opened(stored)
    PlaneWriter(stored[0], LAYOUT).close()
    assert plane.take(np.array([900]), np.array([700])) == [1 - 2**20]
