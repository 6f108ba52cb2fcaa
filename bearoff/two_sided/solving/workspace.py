"""Memory of a table build: one allocation for all solver runs, and a temporary file.

Allocating memory is slow, so each solver run reuses the memory of the previous run. Sums
over the throws are always in memory. The solved values that positions with higher pip
counts need fill the remaining memory, block by block. Blocks that do not fit are in an
unnamed file, which disappears when the process ends for any reason. For each pip level, the
solver reads the file sequentially.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.two_sided.pair_order import BYTES_IN_WINDOW, LANES
from bearoff.two_sided.solving import kernels

Int32Array = NDArray[np.int32]

_ALIGNMENT = 64
"""Size of a cache line in bytes."""

_SLACK = 1 << 12
"""Number of bytes that aligning arrays to cache lines may waste."""


class Workspace:
    """Memory of a table build, which is reused by each run of the solver."""

    def __init__(self, memory: int, folder: Path) -> None:
        self._arena = aligned(memory + _SLACK, np.dtype(np.uint8))
        self._folder = folder
        self._open = ExitStack()
        self._file: int | None = None
        self.reset()

    def reset(self) -> None:
        """Free all arrays for the next solver run; the contents of the arrays are lost."""
        self._taken = self._spilled = 0

    def close(self) -> None:
        """Close the temporary file, which deletes the file."""
        self._open.close()

    def values(self, count: int) -> Int32Array:
        """Return an array of `count` integers, aligned to a cache line."""
        return self._take(count, np.dtype(np.int32)).view(np.int32)

    def window(self, blocks: int, slots: int) -> "Window":
        """Return ring buffers for solved values, in a file if memory is full."""
        values = slots * LANES
        free = len(self._arena) - self._taken - 2 * _ALIGNMENT
        held = min(max(free, 0) // (values * BYTES_IN_WINDOW), blocks)
        high = self._take(held * values, np.dtype(np.int16)).view(np.int16)
        low = self._take(held * values, np.dtype(np.uint8))
        start = self._spilled
        self._spilled += (blocks - held) * values * BYTES_IN_WINDOW
        if self._spilled and self._file is None:
            self._file = self._open.enter_context(
                tempfile.TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115
            ).fileno()
        shape = held, slots, LANES
        return Window(high.reshape(shape), low.reshape(shape), self._file or -1, start)

    def _take(self, count: int, dtype: np.dtype[Any]) -> NDArray[np.uint8]:
        size = count * dtype.itemsize
        first = -(-self._taken // _ALIGNMENT) * _ALIGNMENT
        if first + size > len(self._arena):
            raise MemoryError(
                f"{size} more bytes do not fit into the {len(self._arena)} reserved bytes"
            )
        self._taken = first + size
        return self._arena[first : self._taken]


class Window:
    """Ring buffers of the solved values that positions with higher pip counts need.

    Each block of 16 rollers has a ring buffer. The ring buffers of the first blocks are in
    memory: `high` has the upper two bytes of each value, and `low` the low byte. `file`
    contains the ring buffers of the other blocks in the same layout, from the offset
    `start` on.
    """

    def __init__(
        self, high: NDArray[np.int16], low: NDArray[np.uint8], file: int, start: int
    ) -> None:
        self._high, self._low = high, low
        self._file, self._start = file, start

    def pack(self, block: int, values: Int32Array, first: int) -> None:
        """Store values of rollers from `block` on against opponents from `first` on."""
        if not values.size:
            return
        held = self._held(block, block + len(values))
        own = slice(block, block + held)
        kernels.pack(values[:held], first, self._high[own], self._low[own])
        if held < len(values):
            high, low = _ring(values.shape[1])
        for k in range(held, len(values)):
            kernels.pack(values[k : k + 1], 0, high, low)
            self._exchange(os.pwrite, block + k, first, high, low)

    def unpack(self, block: int, end: int, first: int, last: int, rows: Int32Array) -> None:
        """Read the values of the rollers in blocks `block` to ``end - 1`` into `rows`.

        ``rows[t - first, 16 k + i]`` receives the value of roller ``i`` in block ``block +
        k`` against opponent ``t``, for each ``t`` below `last`.
        """
        held = self._held(block, end)
        own = slice(block, block + held)
        kernels.unpack(self._high[own], self._low[own], first, last, rows, 0)
        if held < end - block:
            high, low = _ring(last - first)
        for k in range(held, end - block):
            self._exchange(_read, block + k, first, high, low)
            kernels.unpack(high, low, 0, last - first, rows, k)

    def _held(self, block: int, end: int) -> int:
        """Return how many blocks of a range have their ring buffer in memory."""
        return min(max(len(self._high) - block, 0), end - block)

    def _exchange(
        self,
        work: Callable[[int, memoryview, int], int],
        block: int,
        first: int,
        high: NDArray[Any],
        low: NDArray[Any],
    ) -> None:
        """Write values of a ring buffer to the temporary file, or read values from it."""
        slots = self._high.shape[1]
        ring = self._start + (block - len(self._high)) * slots * LANES * BYTES_IN_WINDOW
        for part, base in ((high, ring), (low, ring + high.itemsize * slots * LANES)):
            row = part.itemsize * LANES
            view = part.data.cast("B")
            for here, there, size in _runs(first, high.shape[1], slots):
                run, at = view[here * row : (here + size) * row], base + there * row
                while run:
                    done = work(self._file, run, at)
                    run, at = run[done:], at + done


def _ring(slots: int) -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
    """Return a buffer for values that are read from or written to the temporary file."""
    shape = 1, slots, LANES
    return np.empty(shape, dtype=np.int16), np.empty(shape, dtype=np.uint8)


def _runs(first: int, rows: int, slots: int) -> Iterator[tuple[int, int, int]]:
    """Split rows at the end of a ring buffer; yield each part's start, place and length."""
    done = 0
    while done < rows:
        there = (first + done) % slots
        size = min(rows - done, slots - there)
        yield done, there, size
        done += size


def _read(file: int, view: memoryview, at: int) -> int:
    done = os.preadv(file, [view], at)
    if done == 0:
        raise TableError("a temporary file of the solver ends too early")
    return done


def aligned(count: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an array of `count` numbers, aligned to a cache line."""
    raw = np.empty(count * dtype.itemsize + _ALIGNMENT, dtype=np.uint8)
    start = -raw.ctypes.data % _ALIGNMENT
    return raw[start : start + count * dtype.itemsize].view(dtype)
