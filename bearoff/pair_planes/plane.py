"""A stored plane: opened in no time, each part of it checked before a number is read."""

import mmap
import os
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.pair_planes.kernels import PlaneArrays
from bearoff.pair_planes.layout import LANES, Layout
from bearoff.runtime import cores
from bearoff.storage import manifest

REMEDY = manifest.REMEDY

BLOCK = 1 << 14
"""Bytes of a plane's file under one checksum; some 10 microseconds to check."""

_THREADED = 1 << 12
"""Blocks beyond which checksums are taken in threads."""

_IN_A_ROW = 1 << 8
"""Blocks that a thread checks at a time."""

MAGIC = b"PLN1"
"""What a plane starts with."""

LARGEST_RANK = 24
"""Columns of the factors of a rectangle, at most."""

Int64Array = NDArray[np.int64]


@dataclass(frozen=True)
class StoredPlane:
    """A plane's files: the size of the plane, and the SHA-256 of its index.

    The index holds the place of every rectangle and the CRC-32 of every block of the
    plane, so its digest vouches for every byte.
    """

    bytes: int
    digest: str

    def __post_init__(self) -> None:
        if self.bytes < 0:
            raise ValueError(f"bytes must not be negative, got {self.bytes}")


class Plane:
    """A plane on the disk; see `open_plane`.

    Parameters
    ----------
    path : Path
        The plane; its index has the suffix ``.index``.
    entry : StoredPlane
        What was written.
    layout : Layout
        Its slots.
    """

    def __init__(self, path: Path, entry: StoredPlane, layout: Layout) -> None:
        self._path, self._entry, self.layout = path, entry, layout
        self._places, self._sums = _read_index(path.with_suffix(".index"), entry, layout)
        self._map = _map(path, entry.bytes)
        self._good = np.zeros(len(self._sums), dtype=bool)
        self._whole = False
        words = np.frombuffer(self._map, dtype="<u2")
        self._arrays = PlaneArrays(
            words,
            words.view("<i2"),
            words[: len(words) // 2 * 2].view("<u4"),
            self._places,
            layout.blocks,
            layout.tiles,
        )

    def __reduce__(self) -> tuple[Callable[..., "Plane"], tuple[Any, ...]]:
        """Pickle the name of the file and its digest, not what it holds."""
        layout = Layout(self.layout.levels)
        return Plane, (self._path.absolute(), self._entry, layout)

    def take(self, x: Int64Array, y: Int64Array) -> Int64Array:
        """Read the numbers of pairs, the parts they lie in checked.

        Parameters
        ----------
        x, y : ndarray of int64, shape (n,)
            Slots of rollers and of opponents; none beyond the plane.

        Returns
        -------
        ndarray of int64, shape (n,)

        Raises
        ------
        TableError
            If such a part is damaged.
        """
        from bearoff.pair_planes import kernels

        out = np.empty(len(x), dtype=np.int64)
        seen = self._arrays, self._good, BLOCK // 2, x, y
        while kernels.read_pairs(*seen, out) < len(x):
            wanted = np.zeros_like(self._good)
            inside = kernels.mark_blocks(*seen, wanted)
            self._check(np.flatnonzero(wanted))
            if not inside:
                raise self._invalid()
        return out

    def read_all(self) -> PlaneArrays:
        """Return the plane for compiled code, every byte checked.

        Raises
        ------
        TableError
            If some part is damaged.
        """
        from bearoff.pair_planes import kernels

        if not self._whole:
            self._check(np.flatnonzero(~self._good))
            if not kernels.is_whole(self._arrays, self._ends):
                raise self._invalid()
            self._whole = True
        return self._arrays

    def read(self, blocks: slice, opponents: slice) -> NDArray[np.int32]:
        """Unpack whole blocks of rollers against whole levels of opponents.

        Returns
        -------
        ndarray of int32, shape (blocks, opponents, 16)
            ``[block, opponent, lane]``: 16 rollers of a block.

        Raises
        ------
        TableError
            If some part of the plane is damaged.
        """
        self.read_all()
        out = np.empty(
            (blocks.stop - blocks.start, opponents.stop - opponents.start, LANES), np.int32
        )
        bands, levels = self.layout.bands, self.layout.levels
        first = np.searchsorted(bands, blocks.start, side="right") - 1
        low = np.searchsorted(levels, opponents.start)
        for band in range(first, np.searchsorted(bands, blocks.stop)):
            start, stop = max(blocks.start, bands[band]), min(blocks.stop, bands[band + 1])
            for level in range(low, np.searchsorted(levels, opponents.stop)):
                rows = slice(*(levels[level : level + 2] - opponents.start))
                part = slice(start - blocks.start, stop - blocks.start)
                within = slice(start - bands[band], stop - bands[band])
                out[part, rows] = self._unpack(band, level, within)
        return out

    def _unpack(self, band: int, level: int, within: slice) -> NDArray[np.int32]:
        """Unpack some blocks of a rectangle."""
        from bearoff.pair_planes import packing

        at, rank = self._places[band, level].tolist()
        blocks = int(np.diff(self.layout.bands)[band])
        opponents = int(np.diff(self.layout.levels)[level])
        out = np.zeros((within.stop - within.start, opponents, LANES), dtype=np.int32)
        if at == 0:
            return out
        factors = self._arrays.factors[at : at + (blocks * LANES + opponents) * rank]
        factors = factors.reshape(blocks * LANES + opponents, rank)
        heads = self._arrays.heads[(at + factors.size) // 2 :]
        heads = heads[: blocks * opponents // LANES * 3].reshape(blocks, -1, 3)
        u = factors[within.start * LANES : within.stop * LANES]
        v = factors[blocks * LANES :]
        words = self._arrays.words[at + factors.size + 2 * heads.size :]
        packing.unpack(u, v, heads[within], words, out)
        return out

    @cached_property
    def _ends(self) -> Int64Array:
        """Behind the last word of each rectangle."""
        starts = self._places[..., 0]
        ends = np.zeros_like(starts)
        end = self._entry.bytes // 2
        for place in reversed(self.layout.order):
            if starts[place]:
                ends[place] = end
                end = starts[place]
        return ends

    def _check(self, blocks: Int64Array) -> None:
        if len(blocks) < len(self._good):
            self._fetch(blocks)
        if len(blocks) < _THREADED:
            self._check_some(blocks)
            return
        parts = [blocks[k : k + _IN_A_ROW] for k in range(0, len(blocks), _IN_A_ROW)]
        with ThreadPoolExecutor(cores()) as pool:
            list(pool.map(self._check_some, parts))

    def _fetch(self, blocks: Int64Array) -> None:
        """Have the system read blocks ahead, all at once rather than one by one."""
        if hasattr(mmap, "MADV_WILLNEED"):
            for block in blocks.tolist():
                size = min(BLOCK, self._entry.bytes - block * BLOCK)
                self._map.madvise(mmap.MADV_WILLNEED, block * BLOCK, size)

    def _check_some(self, blocks: Int64Array) -> None:
        data = memoryview(self._map)
        for block in blocks.tolist():
            part = data[block * BLOCK : (block + 1) * BLOCK]
            if zlib.crc32(part) != self._sums[block]:
                raise TableError(f"{self._path} is damaged in block {block}; {REMEDY}")
            self._good[block] = True

    def _invalid(self) -> TableError:
        return TableError(f"{self._path} leads out of itself; {REMEDY}")


def open_plane(path: Path, entry: StoredPlane, layout: Layout) -> Plane:
    """Open a plane: its size and its index are checked, its blocks when they are read.

    Raises
    ------
    TableError
        If they are not as they were written.
    """
    try:
        return Plane(path, entry, layout)
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error}; {REMEDY}") from error


def _read_index(
    path: Path, entry: StoredPlane, layout: Layout
) -> tuple[Int64Array, NDArray[np.uint32]]:
    """Read the place of each rectangle, and the checksum of each block."""
    numbers = 2 * layout.shape[0] * layout.shape[1]
    blocks = -(-entry.bytes // BLOCK)
    data = _read_bytes(path, 8 * numbers + 4 * blocks)
    if sha256(data).hexdigest() != entry.digest:
        raise TableError(f"{path} is damaged; {REMEDY}")
    places = np.frombuffer(data, "<i8", numbers).reshape(*layout.shape, 2)
    _check_places(path, places, entry.bytes // 2, layout)
    return places, np.frombuffer(data, "<u4", blocks, 8 * numbers)


def _read_bytes(path: Path, size: int) -> bytes:
    if not path.is_file():  # Opening a pipe would wait for somebody to write to it.
        raise TableError(f"{path} is no file; {REMEDY}")
    if path.stat().st_size != size:
        raise TableError(f"{path} has not the size it was written with; {REMEDY}")
    return path.read_bytes()


def _check_places(path: Path, places: Int64Array, end: int, layout: Layout) -> None:
    """Refuse rectangles that overlap or lie beyond the file."""
    order = np.array(layout.order)
    blocks = np.diff(layout.bands)[order[:, 0]]
    tiles = np.diff(layout.levels)[order[:, 1]] // LANES
    starts, ranks = places[order[:, 0], order[:, 1]].T
    sizes = (blocks + tiles) * LANES * ranks + 6 * blocks * tiles
    stored = starts != 0
    ends = np.append(starts[stored][1:], end)
    if (
        (starts < 0).any()
        or (starts % 2).any()
        or (ranks < 0).any()
        or (ranks > LARGEST_RANK).any()
        or (sizes[stored] > ends - starts[stored]).any()
    ):
        raise TableError(f"{path} leads out of the plane; {REMEDY}")


def _map(path: Path, size: int) -> mmap.mmap:
    if not path.is_file():
        raise TableError(f"{path} is no file; {REMEDY}")
    with path.open("rb") as file:
        # The size of what is mapped: the name may stand for another file by now.
        if os.fstat(file.fileno()).st_size != size or size < 1:
            raise TableError(f"{path} has not the size it was written with; {REMEDY}")
        return mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
