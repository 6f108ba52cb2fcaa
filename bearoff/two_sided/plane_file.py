"""A plane of the two-sided tables as a file that is written and read by blocks."""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.storage import sync
from bearoff.two_sided.pair_order import LANES, PairOrder

Codes = NDArray[np.integer]

_WRITTEN_AT_ONCE = 1 << 26
"""A plane of at most so many bytes is put together in memory."""


class PlaneFile:
    """A plane as a file of whole numbers, ``[roller // 16, opponent, roller % 16]``.

    Parameters
    ----------
    path : Path
        The file; for writing a new one takes its place, so that a process which has the
        old one mapped keeps it.
    places : PairOrder
        Slots of the table.
    width : int
        Bytes of a number.
    write : bool
        Whether to write it.
    """

    def __init__(
        self, path: Path, places: PairOrder, width: int = 2, *, write: bool = False
    ) -> None:
        self._path = path
        self._size = places.size
        self._width = width
        self._whole: Codes | None = None
        bytes_in_all = width * places.size**2
        small = bytes_in_all <= _WRITTEN_AT_ONCE
        if write:
            path.unlink(missing_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
            os.ftruncate(self._file, bytes_in_all)
            if small:
                self._whole = self._room(places.blocks)
        else:
            self._file = os.open(path, os.O_RDONLY)
            if small:
                whole = self._room(places.blocks)
                self._read_bytes(whole.data.cast("B"), 0)
                self._whole = whole

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def write(self, codes: Codes, block: int, row: int) -> None:
        """Write codes, shape (blocks, rows, 16), from a block and a row on."""
        if self._whole is not None:
            self._whole[block : block + len(codes), row : row + codes.shape[1]] = codes
            return
        for k, part in enumerate(codes):
            self._write_bytes(memoryview(part).cast("B"), self._offset(block + k, row))

    def read(self, codes: Codes, block: int, row: int) -> None:
        """Fill codes, shape (blocks, rows, 16), from a block and a row on."""
        if self._whole is not None:
            codes[:] = self._whole[block : block + len(codes), row : row + codes.shape[1]]
            return
        for k, part in enumerate(codes):
            self._read_bytes(memoryview(part).cast("B"), self._offset(block + k, row))

    def sync(self) -> None:
        """Wait until what was written is on the disk."""
        if self._whole is not None:
            self._write_bytes(self._whole.data.cast("B"), 0)
        sync(self._path)

    def _write_bytes(self, view: memoryview, at: int) -> None:
        while view:
            written = os.pwrite(self._file, view, at)
            view, at = view[written:], at + written

    def _read_bytes(self, view: memoryview, at: int) -> None:
        while view:
            taken = os.preadv(self._file, [view], at)
            if taken == 0:
                raise TableError(f"a plane ends early, after {at} bytes")
            view, at = view[taken:], at + taken

    def _room(self, blocks: int) -> Codes:
        dtype = np.uint16 if self._width == 2 else np.int8
        return np.empty((blocks, self._size, LANES), dtype=dtype)

    def _offset(self, block: int, row: int) -> int:
        return self._width * LANES * (block * self._size + row)
