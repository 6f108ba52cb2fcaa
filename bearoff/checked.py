"""An array in a file, each block of which is checked when it is first read.

Opening costs nothing; reading a few numbers costs the checksums of the blocks they lie
in, once; reading all costs those of the whole file, once.
"""

import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError

BLOCK = 2**17
"""Bytes of a file under one checksum; about 50 microseconds to check."""


class CheckedArray:
    """An array, kept in a file or not.

    Parameters
    ----------
    values : ndarray
        The array, at the end of the bytes of its file; made read-only.
    file : ndarray of uint8, optional
        All bytes of its file; if not given, there is nothing to check.
    checksums : list of int
        CRC-32 of each block of the file.
    path : Path
        The file's name, for errors.
    """

    def __init__(
        self,
        values: NDArray[Any],
        file: NDArray[np.uint8] | None = None,
        checksums: list[int] | None = None,
        path: Path = Path(),
    ) -> None:
        values.setflags(write=False)
        self._values = values
        self._file = np.zeros(0, dtype=np.uint8) if file is None else file
        self._checksums = checksums or []
        self._path = path
        self._header = len(self._file) - values.nbytes
        self._row_bytes = values.nbytes // max(len(values), 1)
        self._good = np.zeros(len(self._checksums), dtype=bool)
        self._all_good = not self._checksums

    def __len__(self) -> int:
        return len(self._values)

    @property
    def nbytes(self) -> int:
        """Bytes of the array."""
        return self._values.nbytes

    def take(self, rows: NDArray[np.integer]) -> NDArray[Any]:
        """Return some rows, the blocks they lie in checked.

        Parameters
        ----------
        rows : ndarray of int
            From 0 to the length of the array.

        Raises
        ------
        TableError
            If such a block is damaged.
        """
        if not self._all_good:
            start = self._header + rows.astype(np.int64, copy=False) * self._row_bytes
            # A row shorter than a block lies in one or two.
            for byte in (start, start + self._row_bytes - 1):
                blocks = byte // BLOCK
                doubtful = ~self._good[blocks]
                if doubtful.any():
                    self._check(np.unique(blocks[doubtful]))
        found: NDArray[Any] = self._values[rows]
        return found

    def whole(self) -> NDArray[Any]:
        """Return the array, every block checked.

        Raises
        ------
        TableError
            If one is damaged.
        """
        if not self._all_good:
            self._check(np.flatnonzero(~self._good))
        return self._values

    def _check(self, blocks: NDArray[np.integer]) -> None:
        for block in blocks.tolist():
            data = self._file[block * BLOCK : (block + 1) * BLOCK]
            if zlib.crc32(data.data) != self._checksums[block]:
                raise TableError(
                    f"{self._path} is damaged in block {block}; build the table again"
                )
            self._good[block] = True
        self._all_good = bool(self._good.all())


def open_checked(path: Path, size: int, checksums: list[int]) -> CheckedArray:
    """Map an array into memory; its size and the block with its header are checked.

    Raises
    ------
    TableError
        If they are not as they were written.
    OSError
        If it cannot be read.
    """
    if path.stat().st_size != size or len(checksums) != -(-size // BLOCK):
        raise TableError(
            f"{path} has not the size it was written with; build the table again"
        )
    file: NDArray[np.uint8] = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
    if zlib.crc32(file[:BLOCK].data) != checksums[0]:
        raise TableError(f"{path} is damaged in block 0; build the table again")
    # A plain array over the map: numpy.memmap makes every look-up slower.
    values = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    return CheckedArray(values, file, checksums, path)


def block_checksums(path: Path) -> list[int]:
    """CRC-32 of each block of a file."""
    with path.open("rb") as file:
        return [zlib.crc32(data) for data in iter(lambda: file.read(BLOCK), b"")]
