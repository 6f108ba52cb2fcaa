"""Compressed file of one integer per pair of positions, verified block by block."""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError, is_machine_fault
from bearoff.pair_planes import reading
from bearoff.pair_planes.files import BLOCK, REMEDY, StoredPlane, read_index
from bearoff.pair_planes.layout import LANES, UNFITTED, Layout
from bearoff.pair_planes.reading import OVERREAD, PlaneArrays
from bearoff.runtime import cores, memory_available
from bearoff.storage import CheckedFile

Int64Array = NDArray[np.int64]

_UNPACKED_BYTES = 1 << 27
"""Maximum size, in bytes, of decompressed values that are always allowed in memory. It
suffices for nine checkers at home."""

_UNPACKED_SHARE = 16
"""Divisor of the free memory per processor core, which gives the maximum size of a file's
decompressed values. Smaller files may always be decompressed; see `_UNPACKED_BYTES`."""

_FEW = 1 << 3
"""Maximum number of pairs in a call for which reading their values one by one is fastest.
"""

_MANY = 1 << 17
"""Number of pairs in a call above which reading is faster with compiled code, even if the
compiler must first be imported."""

_SORTED = 1 << 14
"""Minimum number of pairs in a call for which sorting the pairs saves time. In the order of
the file, neighbouring values share cache lines."""

_A_BLOCK = 1 << 6
"""Minimum number of pairs per block of the file for which a call verifies the whole file.
If a call reads fewer pairs, verifying only the blocks that contain them is faster."""

_AT_ONCE = 1 << 12
"""Minimum number of pairs in a call that may decompress the whole file."""

_WORTH = 8
"""The file is decompressed once all calls together have read 1/8 of its pairs. Reading 1/8
of the pairs one by one takes about as long as decompressing the file."""

_NEVER = -(1 << 62)
"""Number of pairs read that is recorded for a damaged file. It is so low that the file is
never decompressed as a whole."""


class Plane:
    """Compressed array of one integer per pair of positions, opened by `open_plane`.

    Parameters
    ----------
    path : Path
        Path of the compressed file; its index has the suffix ``.index``.
    entry : StoredPlane
        Entry of the file in the table's manifest.
    layout : Layout
        Division of the pairs into rectangles.
    """

    def __init__(self, path: Path, entry: StoredPlane, layout: Layout) -> None:
        self._path, self._entry, self.layout = path, entry, layout
        places, sums = read_index(path.with_suffix(".index"), entry, layout)
        self._file = CheckedFile(path, entry.bytes, sums, BLOCK)
        bytes_ = np.frombuffer(self._file.data, dtype=np.uint8)[: entry.bytes // 4 * 4]
        views = (bytes_.view(kind) for kind in ("<u2", "<i2", "<u4"))
        arrays: list[Any] = [*views, places, layout.blocks, layout.tiles]
        self._arrays = PlaneArrays(*arrays)
        # Reading single values from a memoryview is faster, because it returns Python
        # integers.
        self._views: Any = PlaneArrays._make(map(memoryview, arrays))
        self._good = memoryview(self._file.good)  # type: ignore[arg-type]
        self._stays_inside = False
        self._asked = 0
        """Number of pairs that all calls have read, which decides when to decompress the
        file.
        """

    def __reduce__(self) -> tuple[Callable[..., "Plane"], tuple[Any, ...]]:
        layout = Layout(self.layout.levels)
        return Plane, (self._path.absolute(), self._entry, layout)

    def take(self, x: Int64Array, y: Int64Array) -> Int64Array:
        """Read the values of pairs, after verifying the blocks that contain them.

        If the values of the file fit into memory, the file is decompressed after many
        calls: when reading has taken as long as decompressing takes.

        Parameters
        ----------
        x, y : ndarray of int64, shape (n,)
            Position indices of the rollers and of the opponents.

        Returns
        -------
        ndarray of int64, shape (n,)
            Integer that the file stores for each pair of positions.

        Raises
        ------
        TableError
            If a required block is damaged.
        """
        if self._hold(len(x)):
            slots = self.layout.slots
            at = ((x // LANES) * slots + y) * LANES + x % LANES
            return self._unpacked.ravel().take(at).astype(np.int64)
        if len(x) > _MANY or (len(x) > 1 and "numba" in sys.modules):
            take = self._take_sorted if len(x) >= _SORTED else self._take_compiled
            return take(x, y)
        if len(x) > _FEW:
            return reading.numbers(self._arrays, x, y, self._require_all)
        pairs = zip(x.tolist(), y.tolist(), strict=True)
        return np.array([self._take_one(*pair) for pair in pairs], dtype=np.int64)

    def _hold(self, count: int) -> bool:
        """Return whether all values are in memory; decompress them first if worthwhile."""
        if "_unpacked" in vars(self):
            return True
        self._asked += count
        enough = count >= _AT_ONCE and self._asked >= self.layout.slots**2 // _WORTH
        if not enough or not self.may_hold(4):
            return False
        try:
            return self._unpacked is not None
        except TableError:  # Pairs in undamaged blocks can still be read one by one.
            self._asked = _NEVER
            return False

    def _require_all(self, start: Int64Array, count: Int64Array) -> None:
        """Verify the blocks that contain many given ranges of 16-bit words of the file."""
        start, count = start[count > 0], count[count > 0]
        if (2 * (start + count) > self._entry.bytes - OVERREAD).any():
            raise self._invalid()
        ends = np.concatenate([start, start + count - 1]) * 2 // BLOCK
        blocks = np.unique(ends)
        doubtful = blocks[~self._file.good[blocks].astype(bool)]
        if len(doubtful):
            self._file.check(doubtful)

    def _take_one(self, x: int, y: int) -> int:
        place = reading.rectangle(self._views, x, y)
        at, rank, u, v, head, _ = place
        if at == 0:
            return 0
        for start, count in ((u, rank), (v, rank), (head, reading.HEAD)):
            self._require(start, count)
        start, width = reading.row(self._views, place, y % LANES)
        self._require(start, width)
        found: int = reading.number(self._views, place, start, width, x % LANES)
        return found

    def _require(self, start: int, count: int) -> None:
        """Verify the blocks that contain a given range of 16-bit words of the file."""
        if count:
            first, last = start * 2 // BLOCK, (start + count - 1) * 2 // BLOCK
            if (start + count) * 2 > self._entry.bytes - OVERREAD:
                raise self._invalid()
            if not (self._good[first] and self._good[last]):
                self._file.check(np.array(sorted({first, last})))

    def _take_sorted(self, x: Int64Array, y: Int64Array) -> Int64Array:
        order = np.argsort(x // LANES * self.layout.slots + y)
        found = np.empty(len(x), dtype=np.int64)
        found[order] = self._take_compiled(x[order], y[order])
        return found

    def _take_compiled(self, x: Int64Array, y: Int64Array) -> Int64Array:
        from bearoff.pair_planes import kernels

        out = np.empty(len(x), dtype=np.int64)
        seen = self._arrays, self._file.good, BLOCK // 2, x, y
        if len(x) >= _A_BLOCK * len(self._file.good) and not self._file.good.all():
            # If a damaged block is needed, the loop below raises the error.
            with suppress(TableError):
                self._file.check_all()
        while kernels.read_pairs(*seen, out) < len(x):
            wanted = np.zeros_like(self._file.good)
            inside = kernels.mark_blocks(*seen, wanted)
            self._file.check(np.flatnonzero(wanted))
            if not inside:
                raise self._invalid()
        return out

    def check_all(self) -> None:
        """Verify every byte of the file by its checksum.

        Raises
        ------
        TableError
            If a block is damaged.
        """
        self._file.check_all()

    def read_all(self) -> PlaneArrays:
        """Return the file as arrays for compiled code, after verifying every byte.

        Raises
        ------
        TableError
            If a block is damaged.
        """
        if not self._stays_inside:
            from bearoff.pair_planes import kernels

            self.check_all()
            if not kernels.stays_inside(self._arrays, self._ends):
                raise self._invalid()
            self._stays_inside = True
        return self._arrays

    def codes(self) -> PlaneArrays | NDArray[np.int32]:
        """Return all values as arrays for compiled code, decompressed if memory allows."""
        return self.unpacked() if self.may_hold(4) else self.read_all()

    def may_hold(self, size: int) -> bool:
        """Return whether all values, with `size` bytes each, would fit into memory."""
        needed = size * self.layout.slots**2
        if needed <= _UNPACKED_BYTES:
            return True
        return needed <= memory_available() // (_UNPACKED_SHARE * cores())

    def unpacked(self) -> NDArray[np.int32]:
        """Return all values, which are decompressed by the first call.

        Returns
        -------
        ndarray of int32, shape (indices / 16, indices, 16), read-only
            Values as ``[block, opponent, roller in the block]``, four bytes per pair.

        Raises
        ------
        TableError
            If a block is damaged.
        """
        return self._unpacked

    @cached_property
    def _unpacked(self) -> NDArray[np.int32]:
        slots = self.layout.slots
        numbers = self.read(slice(0, slots // LANES), slice(0, slots))
        numbers.setflags(write=False)
        return numbers

    def read(self, blocks: slice, opponents: slice) -> NDArray[np.int32]:
        """Return the values of whole blocks of roller and opponent positions.

        Returns
        -------
        ndarray of int32, shape (blocks, opponents, 16)
            Values as ``[block, opponent, roller in the block]``.

        Raises
        ------
        TableError
            If a block is damaged.
        """
        if self.layout.slots <= UNFITTED and "numba" not in sys.modules:
            return self._read_plainly(blocks, opponents)
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
        self._file.release()
        return out

    def _read_plainly(self, blocks: slice, opponents: slice) -> NDArray[np.int32]:
        """Read the values of whole blocks with numpy, without compiled code."""
        slots = np.arange(blocks.start * LANES, blocks.stop * LANES).reshape(-1, 1, LANES)
        pairs = np.broadcast_arrays(
            slots, np.arange(opponents.start, opponents.stop)[:, None]
        )
        x, y = (np.ascontiguousarray(one).ravel() for one in pairs)
        found = reading.numbers(self._arrays, x, y, self._require_all)
        return found.astype(np.int32).reshape(pairs[0].shape)

    def _unpack(self, band: int, level: int, within: slice) -> NDArray[np.int32]:
        """Decompress some blocks of roller positions of one rectangle."""
        from bearoff.pair_planes import packing

        at, rank = self._arrays.places[band, level].tolist()
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
        """End of each rectangle in the file, as an offset in 16-bit words."""
        starts = self._arrays.places[..., 0]
        ends = np.zeros_like(starts)
        end = (self._entry.bytes - OVERREAD) // 2
        for place in map(tuple, self.layout.order[::-1].tolist()):
            if starts[place]:
                ends[place] = end
                end = starts[place]
        return ends

    def _invalid(self) -> TableError:
        return TableError(f"{self._path} refers to data outside the file; {REMEDY}")


def open_plane(path: Path, entry: StoredPlane, layout: Layout) -> Plane:
    """Open a compressed file after verifying its size and its index.

    Raises
    ------
    TableError
        If the size or the index of the file has changed since it was written.
    """
    try:
        return Plane(path, entry, layout)
    except OSError as error:
        if is_machine_fault(error):
            raise
        raise TableError(f"{path} cannot be read: {error}; {REMEDY}") from error
