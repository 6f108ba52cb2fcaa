"""Writer of compressed files, whose bytes do not depend on the order of the threads."""

import threading
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.pair_planes import unfitted
from bearoff.pair_planes.files import BLOCK, MAGIC, StoredPlane
from bearoff.pair_planes.layout import LANES, UNFITTED, Layout
from bearoff.pair_planes.reading import OVERREAD
from bearoff.storage import checked_array, sync

Codes = NDArray[np.int32]

LARGEST = 1 << 20
"""Limit of the stored integers: their absolute values must be smaller than this number."""


class PlaneWriter:
    """Writer of a compressed file of pair values, which several threads may use at once.

    The bytes of the file depend only on the values and the layout.

    Parameters
    ----------
    path : Path
        Path of the file. An existing file is replaced, but processes that have opened it
        can still read it. The index has the suffix ``.index``.
    layout : Layout
        Division of the pairs into rectangles.
    """

    def __init__(self, path: Path, layout: Layout) -> None:
        self._path, self._layout = path, layout
        self._index = path.with_suffix(".index")
        for old in (path, self._index):
            old.unlink(missing_ok=True)
        self._file = path.open("xb", buffering=0)
        order = map(tuple, layout.order.tolist())
        self._turns = {place: turn for turn, place in enumerate(order)}
        self._turn = 0
        self._waiting: dict[int, tuple[int, bytes]] = {}
        self._places = np.zeros((*layout.shape, 2), dtype="<i8")
        self._lock = threading.Lock()
        self._append(MAGIC)

    def write(self, codes: Codes, block: int, row: int) -> None:
        """Compress and write the values of successive rollers against successive opponents.

        Parameters
        ----------
        codes : ndarray of int32, shape (blocks, opponents, 16)
            Integers to be stored, smaller than `LARGEST` in absolute value.
        block, row : int
            Index of the first block of rollers, and position index of the first opponent.
            Requires that `codes` consists of whole rectangles.

        Raises
        ------
        TableError
            If the absolute value of an element of `codes` is too large.
        OSError
            If the data cannot be written.
        """
        bands, levels = self._layout.bands, self._layout.levels
        last_band = int(np.searchsorted(bands, block + len(codes)))
        last_level = int(np.searchsorted(levels, row + codes.shape[1]))
        for band in range(int(np.searchsorted(bands, block)), last_band):
            blocks = slice(*(bands[band : band + 2] - block))
            for level in range(int(np.searchsorted(levels, row)), last_level):
                rows = slice(*(levels[level : level + 2] - row))
                part = np.ascontiguousarray(codes[blocks, rows])
                coded = _encode(part, fitted=self._layout.slots > UNFITTED)
                self._store((band, level), *coded)

    def finish(self) -> StoredPlane:
        """Write the index, flush the files to the disk, and return the manifest entry."""
        if self._turn < len(self._turns):
            raise TableError(
                f"{self._path} is incomplete: only {self._turn} of {len(self._turns)} "
                "compressed rectangles were written"
            )
        self._append(bytes(OVERREAD))
        self.close()
        entry = checked_array.describe_file(self._path, BLOCK)
        index = self._places.tobytes() + np.array(entry.crc32, dtype="<u4").tobytes()
        self._index.write_bytes(index)
        sync(self._path)
        sync(self._index)
        return StoredPlane(entry.bytes, sha256(index).hexdigest())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _store(self, place: tuple[int, int], rank: int, data: bytes) -> None:
        """Write a compressed rectangle once all earlier rectangles have been written."""
        with self._lock:
            self._waiting[self._turns[place]] = rank, data
            while self._turn in self._waiting:
                rank, data = self._waiting.pop(self._turn)
                if data:
                    words = self._file.tell() // 2
                    self._places[tuple(self._layout.order[self._turn])] = words, rank
                    self._append(data)
                self._turn += 1

    def _append(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) :]


def _encode(codes: Codes, *, fitted: bool) -> tuple[int, bytes]:
    """Compress a rectangle of values; return rank and bytes (none if all values are 0)."""
    least, most = int(codes.min()), int(codes.max())
    if least == most == 0:
        return 0, b""
    if max(-least, most) >= LARGEST:
        raise TableError(
            f"stored values must be smaller than {LARGEST} in absolute value, got values "
            f"from {least} to {most}"
        )
    if not fitted:
        return 0, b"".join(part.tobytes() for part in unfitted.pack(codes))
    from bearoff.pair_planes import factors, packing

    blocks, opponents, _ = codes.shape
    u, v = factors.fit(codes)
    directory = np.empty((blocks, opponents // LANES, 3), dtype="<u4")
    words = np.empty(2 * codes.size + 1, dtype="<u2")
    used = packing.pack(codes, u, v, directory, words)
    words[used] = 0
    # The array of words is padded, because the next array in the file must start at a
    # multiple of four bytes.
    parts = u, v, directory, words[: used + used % 2]
    return u.shape[1], b"".join(part.tobytes() for part in parts)
