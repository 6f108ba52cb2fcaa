"""Index of a compressed file: start of each rectangle of values, checksum of each block."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.pair_planes.layout import LANES, Layout
from bearoff.pair_planes.reading import OVERREAD
from bearoff.storage import manifest

Int64Array = NDArray[np.int64]

REMEDY = manifest.REMEDY

BLOCK = 1 << 14
"""Number of bytes of the file that share one checksum. Verifying these bytes takes about 10
microseconds."""

MAGIC = b"PLN1"
"""First bytes of every compressed file."""

LARGEST_RANK = 24
"""Maximum rank of the two matrices whose product approximates a rectangle of stored values.
"""


@dataclass(frozen=True)
class StoredPlane:
    """Size of a compressed file in bytes, and the SHA-256 of its index.

    The index contains the CRC-32 of every block of the file and the start of every
    rectangle. The SHA-256 of the index therefore protects every byte of both files.
    """

    bytes: int
    digest: str

    def __post_init__(self) -> None:
        if self.bytes < 0:
            raise ValueError(f"the number of bytes must not be negative, got {self.bytes}")


def read_index(
    path: Path, entry: StoredPlane, layout: Layout
) -> tuple[Int64Array, NDArray[np.uint32]]:
    """Read the start of each compressed rectangle and the checksum of each block."""
    numbers = 2 * layout.shape[0] * layout.shape[1]
    blocks = -(-entry.bytes // BLOCK)
    data = _read_bytes(path, 8 * numbers + 4 * blocks)
    if sha256(data).hexdigest() != entry.digest:
        raise TableError(f"{path} is damaged; {REMEDY}")
    places = np.frombuffer(data, "<i8", numbers).reshape(*layout.shape, 2)
    _check_places(path, places, (entry.bytes - OVERREAD) // 2, layout)
    return places, np.frombuffer(data, "<u4", blocks, 8 * numbers)


def _read_bytes(path: Path, size: int) -> bytes:
    if not path.is_file():  # Opening a named pipe would never return.
        raise TableError(f"{path} is not a regular file; {REMEDY}")
    if path.stat().st_size != size:
        raise TableError(f"the size of {path} differs from when it was written; {REMEDY}")
    return path.read_bytes()


def _check_places(path: Path, places: Int64Array, end: int, layout: Layout) -> None:
    """Raise an error if rectangles of values overlap or extend beyond the file's end."""
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
        raise TableError(f"the index in {path} refers to data outside the file; {REMEDY}")
