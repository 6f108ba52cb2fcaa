"""A plane of the two-sided tables on the disk, and the checksums of its blocks."""

import os
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.two_sided_layout import LANES, Layout

Codes = NDArray[np.integer]


class PlaneFile:
    """A plane as a file of whole numbers, ``[roller // 16, opponent, roller % 16]``.

    Parameters
    ----------
    path : Path
        The file; created or emptied for writing.
    places : Layout
        Slots of the table.
    width : int
        Bytes of a number.
    write : bool
        Whether to write it.
    """

    def __init__(
        self, path: Path, places: Layout, width: int = 2, *, write: bool = False
    ) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC if write else os.O_RDONLY
        self._file = os.open(path, flags, 0o644)
        self._size = places.size
        self._width = width
        if write:
            os.ftruncate(self._file, width * places.size**2)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def write(self, codes: Codes, block: int, row: int) -> None:
        """Write codes, shape (blocks, rows, 16), from a block and a row on."""
        for k, part in enumerate(codes):
            view = memoryview(part).cast("B")
            at = self._offset(block + k, row)
            while view:
                written = os.pwrite(self._file, view, at)
                view, at = view[written:], at + written

    def read(self, codes: Codes, block: int, row: int) -> None:
        """Fill codes, shape (blocks, rows, 16), from a block and a row on."""
        for k, part in enumerate(codes):
            view = memoryview(part).cast("B")
            if os.preadv(self._file, [view], self._offset(block + k, row)) != len(view):
                raise TableError(f"block {block + k} of a plane ends early")

    def sync(self) -> None:
        """Wait until what was written is on the disk."""
        os.fsync(self._file)

    def _offset(self, block: int, row: int) -> int:
        return self._width * LANES * (block * self._size + row)


def block_checksums(path: Path, places: Layout, workers: int) -> NDArray[np.uint32]:
    """CRC-32 of each block of rollers of a plane, shape (blocks,)."""
    with ThreadPoolExecutor(workers) as pool:
        sums = pool.map(lambda block: checksum(path, places, block), range(places.blocks))
        return np.fromiter(sums, dtype=np.uint32, count=places.blocks)


def checksum(path: Path, places: Layout, block: int) -> int:
    """CRC-32 of one block of rollers of a plane."""
    length = 2 * LANES * places.size
    with path.open("rb") as file:
        file.seek(block * length)
        return zlib.crc32(file.read(length))
