"""Memory-mapped file whose blocks are verified by checksums before they are used."""

import mmap
import os
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError, is_machine_fault
from bearoff.runtime import cores, in_threads
from bearoff.storage.manifest import REMEDY

_THREADED = 1 << 26
"""Minimum size in bytes of a read whose checksums are verified in several threads."""

_IN_A_ROW = 1 << 22
"""Number of bytes that a thread verifies at once. If a block is larger, the thread verifies
one block at once."""


class CheckedFile:
    """Bytes of a memory-mapped file, with a record of the blocks that are verified.

    Parameters
    ----------
    path : Path
        Path of the file.
    size : int
        Size of the file in bytes.
    sums : sequence of int
        CRC-32 of each block.
    block : int
        Number of bytes per block. The last block may be shorter.

    Attributes
    ----------
    data : mmap
        Bytes of the file, including those that have not been verified.
    good : ndarray of bool
        Whether each block has been verified.

    Raises
    ------
    TableError
        If the file has another size, or the number of checksums is wrong.
    """

    def __init__(
        self, path: Path, size: int, sums: Sequence[int] | NDArray[np.uint32], block: int
    ) -> None:
        if len(sums) != -(-size // block):
            raise TableError(
                f"{path} does not have exactly one checksum per block; {REMEDY}"
            )
        self.path = path
        self.data = _mapped(path, size)
        self.good = np.zeros(len(sums), dtype=bool)
        self._sums, self._block = sums, block
        # Memory can be released only in whole pages, and some operating systems cannot
        # release it at all.
        self._advised = hasattr(mmap, "MADV_DONTNEED") and block % mmap.PAGESIZE == 0

    def check(self, blocks: NDArray[np.integer]) -> None:
        """Verify blocks by their checksums.

        Raises
        ------
        TableError
            If a block of the file is damaged.
        """
        if len(blocks) < len(self.good):
            self._fetch(blocks)
        if len(blocks) * self._block < _THREADED:
            self._check(blocks)
            return
        many = max(_IN_A_ROW // self._block, 1)
        parts = [blocks[k : k + many] for k in range(0, len(blocks), many)]
        in_threads(cores(), self._check_and_release, parts)

    def check_all(self) -> None:
        """Verify every block that has not been verified yet."""
        self.check(np.flatnonzero(~self.good))

    def release(self) -> None:
        """Release the file's pages, so that they do not count as used memory."""
        if self._advised:
            self.data.madvise(mmap.MADV_DONTNEED)

    def _check_and_release(self, blocks: NDArray[np.integer]) -> None:
        """Verify blocks, and release their pages in memory."""
        self._check(blocks)
        if self._advised:
            first, last = int(blocks[0]) * self._block, int(blocks[-1] + 1) * self._block
            size = min(last, len(self.data)) - first
            self.data.madvise(mmap.MADV_DONTNEED, first, size)

    def _fetch(self, blocks: NDArray[np.integer]) -> None:
        """Ask the operating system to start reading all given blocks."""
        if self._advised:
            for block in blocks.tolist():
                size = min(self._block, len(self.data) - block * self._block)
                self.data.madvise(mmap.MADV_WILLNEED, block * self._block, size)

    def _check(self, blocks: NDArray[np.integer]) -> None:
        data = memoryview(self.data)
        for block in blocks.tolist():
            part = data[block * self._block : (block + 1) * self._block]
            if zlib.crc32(part) != self._sums[block]:
                raise TableError(f"{self.path} is damaged in block {block}; {REMEDY}")
            self.good[block] = True


def _mapped(path: Path, size: int) -> mmap.mmap:
    """Map a file to memory after verifying its size."""
    try:
        if not path.is_file():  # Opening a pipe would wait for a writer.
            raise TableError(f"{path} is not a regular file; {REMEDY}")
        with path.open("rb") as file:
            # Another file may have replaced the original one, so the size of the open file
            # is checked.
            if os.fstat(file.fileno()).st_size != size or size < 1:
                raise TableError(
                    f"the size of {path} differs from when it was written; {REMEDY}"
                )
            return mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
    except OSError as error:
        if is_machine_fault(error):
            raise
        raise TableError(f"{path} cannot be read: {error}; {REMEDY}") from error
