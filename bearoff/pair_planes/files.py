"""The files of a plane: their sizes, their index, and a checksum for each block."""

import mmap
import os
import zlib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.pair_planes.layout import LANES, Layout
from bearoff.pair_planes.reading import OVERREAD
from bearoff.runtime import cores, in_threads
from bearoff.storage import manifest

Int64Array = NDArray[np.int64]

REMEDY = manifest.REMEDY

BLOCK = 1 << 14
"""Bytes of a plane's file under one checksum; some 10 microseconds to check."""

MAGIC = b"PLN1"
"""What a plane starts with."""

LARGEST_RANK = 24
"""Columns of the factors of a rectangle, at most."""

_THREADED = 1 << 12
"""Blocks beyond which checksums are taken in threads."""

_IN_A_ROW = 1 << 8
"""Blocks that a thread checks at a time."""


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


class CheckedFile:
    """A file mapped into memory, each block of which is checked before it is used.

    Parameters
    ----------
    path : Path
    size : int
        Its bytes.
    sums : ndarray of uint32
        CRC-32 of each `BLOCK` of them.

    Attributes
    ----------
    data : mmap
    good : ndarray of bool
        Whether each block was checked.
    """

    def __init__(self, path: Path, size: int, sums: NDArray[np.uint32]) -> None:
        self.path = path
        self.data = _map(path, size)
        self.good = np.zeros(len(sums), dtype=bool)
        self._sums = sums

    def check(self, blocks: Int64Array) -> None:
        """Compare blocks with their checksums.

        Raises
        ------
        TableError
            If one is damaged.
        """
        if len(blocks) < len(self.good):
            self._fetch(blocks)
        if len(blocks) < _THREADED:
            self._check(blocks)
            return
        parts = [blocks[k : k + _IN_A_ROW] for k in range(0, len(blocks), _IN_A_ROW)]
        in_threads(cores(), self._check_and_release, parts)

    def check_all(self) -> None:
        """Compare every block that was not yet compared."""
        self.check(np.flatnonzero(~self.good))

    def release(self) -> None:
        """Count what was read as the system's again, which may keep it, not as ours."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self.data.madvise(mmap.MADV_DONTNEED)

    def _check_and_release(self, blocks: Int64Array) -> None:
        """Check blocks, and count what lies between them as the system's again."""
        self._check(blocks)
        if hasattr(mmap, "MADV_DONTNEED"):
            first, last = int(blocks[0]) * BLOCK, int(blocks[-1] + 1) * BLOCK
            size = min(last, len(self.data)) - first
            self.data.madvise(mmap.MADV_DONTNEED, first, size)

    def _fetch(self, blocks: Int64Array) -> None:
        """Have the system read blocks ahead, all at once rather than one by one."""
        if hasattr(mmap, "MADV_WILLNEED"):
            for block in blocks.tolist():
                size = min(BLOCK, len(self.data) - block * BLOCK)
                self.data.madvise(mmap.MADV_WILLNEED, block * BLOCK, size)

    def _check(self, blocks: Int64Array) -> None:
        data = memoryview(self.data)
        for block in blocks.tolist():
            part = data[block * BLOCK : (block + 1) * BLOCK]
            if zlib.crc32(part) != self._sums[block]:
                raise TableError(f"{self.path} is damaged in block {block}; {REMEDY}")
            self.good[block] = True


def read_index(
    path: Path, entry: StoredPlane, layout: Layout
) -> tuple[Int64Array, NDArray[np.uint32]]:
    """Read the place of each rectangle, and the checksum of each block."""
    numbers = 2 * layout.shape[0] * layout.shape[1]
    blocks = -(-entry.bytes // BLOCK)
    data = _read_bytes(path, 8 * numbers + 4 * blocks)
    if sha256(data).hexdigest() != entry.digest:
        raise TableError(f"{path} is damaged; {REMEDY}")
    places = np.frombuffer(data, "<i8", numbers).reshape(*layout.shape, 2)
    _check_places(path, places, (entry.bytes - OVERREAD) // 2, layout)
    return places, np.frombuffer(data, "<u4", blocks, 8 * numbers)


def _read_bytes(path: Path, size: int) -> bytes:
    if not path.is_file():  # Opening a pipe would wait for somebody to write to it.
        raise TableError(f"{path} is no file; {REMEDY}")
    if path.stat().st_size != size:
        raise TableError(f"{path} has not the size it was written with; {REMEDY}")
    return path.read_bytes()


def _check_places(path: Path, places: Int64Array, end: int, layout: Layout) -> None:
    """Refuse rectangles that overlap or lie beyond the file."""
    order = layout.order
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
        or (ranks % 8).any()
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
