"""The passes that build the two-sided tables: what each solves, reads and writes."""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.storage import sync
from bearoff.two_sided import kernels
from bearoff.two_sided.codings import CODINGS, LAST_CODE
from bearoff.two_sided.pair_order import LANES, PairOrder

Values = NDArray[np.int32]
Array = NDArray[Any]
Codes = NDArray[np.integer]

RESIDUALS = "opponent-residuals"
"""What the coding of the plane opponent leaves over, for the centred pass to be exact."""


_WRITTEN_AT_ONCE = 1 << 26
"""A plane of at most so many bytes is put together in memory."""


@dataclass(frozen=True)
class Pass:
    """One pass over all pairs.

    Attributes
    ----------
    solves : int
        Planes that are solved at once.
    planes : tuple of str
        Planes of the table that it writes.
    writes, reads : tuple of str
        Files, in the order of the kernel's arguments.
    kernel : callable
        ``kernel(*sums, *read, codings, *written, extremes)``; see `two_sided_kernels`.
    """

    solves: int
    planes: tuple[str, ...]
    writes: tuple[str, ...]
    reads: tuple[str, ...]
    kernel: Callable[..., None]


PASSES = (
    Pass(1, ("cubeless",), ("cubeless",), (), kernels.finish_cubeless),
    Pass(
        2,
        ("opponent", "owned"),
        ("opponent", RESIDUALS, "owned"),
        ("cubeless",),
        kernels.finish_owned,
    ),
    Pass(
        1,
        ("centred",),
        ("centred",),
        ("cubeless", "opponent", RESIDUALS),
        kernels.finish_centred,
    ),
)
"""The passes in order; a later one reads what earlier ones wrote."""


class PassWriter:
    """Turns the sums of a pass into equities and stores them; what `Solver` calls.

    Parameters
    ----------
    plan : Pass
        The pass.
    folder : Path
        Where the planes are.
    places : PairOrder
        Slots of the table.
    """

    def __init__(self, plan: Pass, folder: Path, places: PairOrder) -> None:
        self.planes = plan.solves
        self._plan = plan
        self._out = [_open(folder, name, places, write=True) for name in plan.writes]
        self._in = [_open(folder, name, places) for name in plan.reads]
        self._coded = [n for n in plan.writes if n in CODINGS and n != "cubeless"]
        self._extremes = np.zeros((len(self._coded), 2))
        self._lock = threading.Lock()

    def __call__(self, sums: list[Values], block: int, row: int) -> None:
        """Turn sums into equities in place, and store them; see `two_sided_solver`."""
        shape = sums[0].shape
        known: list[Array] = [np.empty(shape, dtype=_type_of(n)) for n in self._plan.reads]
        codes: list[Array] = [np.empty(shape, dtype=_type_of(n)) for n in self._plan.writes]
        for file, part in zip(self._in, known, strict=True):
            file.read(part, block, row)
        extremes = np.zeros((max(len(self._coded), 1), 2))
        self._plan.kernel(*_flat(sums), *_flat(known), _CODINGS, *_flat(codes), extremes)
        for file, part in zip(self._out, codes, strict=True):
            file.write(part, block, row)
        with self._lock:
            for seen, new in zip(self._extremes, extremes, strict=False):
                seen[:] = min(seen[0], new[0]), max(seen[1], new[1])

    def finish(self) -> None:
        """See that what was written is on the disk, and that all of it fitted.

        Raises
        ------
        TableError
            If a value did not fit the coding of its plane.
        """
        for file in self._out:
            file.sync()
        for name, (least, most) in zip(self._coded, self._extremes, strict=True):
            if least < 0 or most > LAST_CODE:
                raise TableError(
                    f"the plane {name} has codes from {least:.0f} to {most:.0f}, beyond 0 "
                    f"to {LAST_CODE}"
                )

    def close(self) -> None:
        """Close the files."""
        for file in (*self._out, *self._in):
            file.close()


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


_CODINGS = np.array(
    [(CODINGS[name].step, CODINGS[name].zero) for name in ("opponent", "owned", "centred")]
)


def plane_path(folder: Path, name: str) -> Path:
    """Return the file of a plane."""
    return folder / f"{name}.{'i8' if name == RESIDUALS else 'u16'}"


def _open(folder: Path, name: str, places: PairOrder, *, write: bool = False) -> PlaneFile:
    width = np.dtype(_type_of(name)).itemsize
    return PlaneFile(plane_path(folder, name), places, width, write=write)


def _type_of(name: str) -> type[np.integer[Any]]:
    return np.int8 if name == RESIDUALS else np.uint16


def _flat(arrays: Iterable[Array]) -> Iterator[Array]:
    return (array.reshape(-1) for array in arrays)
