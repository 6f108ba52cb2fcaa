"""Array in a file whose blocks are verified by checksums when they are first read.

Opening is immediate. Reading a few rows verifies only the blocks of these rows, and reading
all rows verifies the whole file once.
"""

import io
import math
import struct
import tokenize
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, BinaryIO
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.runtime import cores, in_threads
from bearoff.storage.checked_file import CheckedFile
from bearoff.storage.manifest import REMEDY, StoredFile

BLOCK = 2**17
"""Block size in bytes; each block of a file has its own checksum. Verifying one block takes
about 50 microseconds."""

_READ_AT_ONCE = 2**23
"""Number of bytes that a thread reads at once to compute checksums. If a block is larger,
the thread reads one block at once."""

_THREADED = 2**26
"""File size in bytes above which several threads compute the checksums."""


class CheckedArray:
    """Array in memory, or in a file of which each block is verified before its first use.

    `values` becomes read-only. If the array is in a file, the values are at the end of the
    file. `block` is the size of the file's blocks in bytes, at least the size of a row of
    the array. An array without a file is not verified.
    """

    def __init__(
        self,
        values: NDArray[Any],
        file: CheckedFile | None = None,
        block: int = BLOCK,
    ) -> None:
        values.setflags(write=False)
        self._values = values
        self._file = file
        self._block = block
        self._header = len(file.data) - values.nbytes if file else 0
        self._row_bytes = values.nbytes // max(len(values), 1)
        # A row shorter than a block lies in one block if blocks contain whole rows, and
        # otherwise in at most two.
        across = self._header % block or block % max(self._row_bytes, 1)
        self._ends = (0, self._row_bytes - 1) if across else (0,)
        self._all_good = file is None
        self._opened_by: tuple[Callable[..., CheckedArray], tuple[Any, ...]] | None = None

    def __reduce__(self) -> tuple[Callable[..., "CheckedArray"], tuple[Any, ...]]:
        return self._opened_by or (CheckedArray, (self._values,))

    def __len__(self) -> int:
        return len(self._values)

    @property
    def nbytes(self) -> int:
        return self._values.nbytes

    def is_shaped(self, shape: tuple[int | None, ...], dtype: str) -> bool:
        """Return whether the array has a given shape (None is any length) and data type."""
        return (
            self._values.dtype == np.dtype(dtype)
            and self._values.ndim == len(shape)
            and self._values.flags.c_contiguous
            and all(
                wanted in (None, found)
                for wanted, found in zip(shape, self._values.shape, strict=True)
            )
        )

    def take(self, rows: NDArray[np.integer]) -> NDArray[Any]:
        """Return the given rows of the array, after verifying the blocks that contain them.

        Raises `TableError` if a block is damaged, or a row does not exist.
        """
        try:
            return self._take(rows)
        except IndexError:  # An index from another file is too large.
            where = self._file.path if self._file else "the table"
            raise TableError(f"{where} ends too early; {REMEDY}") from None

    def _take(self, rows: NDArray[np.integer]) -> NDArray[Any]:
        if self._file is not None and not self._all_good:
            start = self._header + rows.astype(np.int64, copy=False) * self._row_bytes
            for end in self._ends:
                blocks = (start + end) // self._block
                doubtful = ~self._file.good[blocks]
                if doubtful.any():
                    self._file.check(np.unique(blocks[doubtful]))
                    self._all_good = bool(self._file.good.all())
        found: NDArray[Any] = self._values[rows]
        return found

    def read_all(self) -> NDArray[Any]:
        """Return the whole array after verifying it; raise `TableError` if damaged."""
        if self._file is not None and not self._all_good:
            self._file.check_all()
            self._all_good = True
        return self._values


def open_array(path: Path, entry: StoredFile) -> CheckedArray:
    """Map an ``.npy`` file to memory after verifying its size and its header.

    Raises `TableError` if the size or the header has changed since the file was written.
    """
    file = CheckedFile(path, entry.bytes, entry.crc32, BLOCK)
    file.check(np.zeros(1, dtype=np.int64))
    try:
        values = array_in(np.frombuffer(file.data, dtype=np.uint8))
    except (ValueError, OverflowError) as error:
        raise TableError(
            f"{path} does not contain a valid array: {error}; {REMEDY}"
        ) from error
    array = CheckedArray(values, file, BLOCK)
    array._opened_by = (open_array, (path.absolute(), entry))
    return array


def open_numbers(path: Path, entry: StoredFile, dtype: str, block: int) -> CheckedArray:
    """Map a file of numbers, which has no header, to memory after verifying its size.

    Raises `TableError` if the size has changed since the file was written.
    """
    file = CheckedFile(path, entry.bytes, entry.crc32, block)
    array = CheckedArray(np.frombuffer(file.data, dtype), file, block)
    array._opened_by = (open_numbers, (path.absolute(), entry, dtype, block))
    return array


def array_in(file: NDArray[np.uint8]) -> NDArray[Any]:
    """Return the array in the bytes of an ``.npy`` file, without copying.

    Opening the file again by its name might map a newer file, whose checksums have not been
    verified. Raises `ValueError` or `OverflowError` if the bytes are not an array or have
    another length.

    Examples
    --------
    >>> import io
    >>> written = io.BytesIO()
    >>> np.save(written, np.array([3, 5], dtype=np.uint16))
    >>> array_in(np.frombuffer(written.getvalue(), dtype=np.uint8))
    array([3, 5], dtype=uint16)
    """
    start = io.BytesIO(file[:BLOCK].tobytes())
    version = np.lib.format.read_magic(start)
    if version != (1, 0):
        raise ValueError(f"the version of the array format must be (1, 0), got {version}")
    shape, by_columns, dtype = np.lib.format.read_array_header_1_0(start)
    if dtype.hasobject or start.tell() + math.prod(shape) * dtype.itemsize != len(file):
        raise ValueError("the size of the file does not match the header of its array")
    return np.ndarray(shape, dtype, file, start.tell(), order="F" if by_columns else "C")


def write_array(file: BinaryIO, array: NDArray[Any]) -> None:
    """Write an array as an ``.npy`` file.

    Unlike `numpy.save`, this function raises a clear error if the disk is full.
    """
    ordered = np.ascontiguousarray(array)
    header = np.lib.format.header_data_from_array_1_0(ordered)
    np.lib.format.write_array_header_1_0(file, header)
    file.write(ordered.data)


def describe_file(path: Path, block: int | None = None) -> StoredFile:
    """Return the size and the checksums of a file; large files use all processors."""
    size, block = path.stat().st_size, block or BLOCK

    def some(first: int) -> list[int]:
        with path.open("rb") as file:
            file.seek(first * block)
            data = memoryview(file.read(at_once * block))
        return [zlib.crc32(data[k : k + block]) for k in range(0, len(data), block)]

    at_once = max(1, _READ_AT_ONCE // block)
    workers = cores() if size > _THREADED else 1
    parts = in_threads(workers, some, range(0, -(-size // block), at_once))
    return StoredFile(size, tuple(value for part in parts for value in part))


def read_archive(file: IO[bytes]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a numpy archive after verifying their checksums.

    Raises `OSError` or `ValueError` if the archive cannot be read or is damaged.
    """
    try:
        with np.load(file, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (KeyError, TypeError, EOFError, NotImplementedError, RuntimeError, OverflowError,
            AttributeError, struct.error, tokenize.TokenError, BadZipFile,
            zlib.error) as error:  # fmt: skip
        raise ValueError(str(error)) from error
