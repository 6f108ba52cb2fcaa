"""The passes that build the two-sided tables, and how each plane is coded.

A value is stored in 16 bits. The cubeless win probability fills them: a step is 1/65535.
Equities with the cube are stored as what they exceed the *stored* cubeless equity by, a
narrower range: the cube is worth at most half a point to the one who may turn it. So
their steps are as fine, and the rounding of the cubeless value does not add to theirs.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff import two_sided_kernels as kernels
from bearoff.errors import TableError
from bearoff.two_sided_files import PlaneFile
from bearoff.two_sided_layout import LANES, Layout

Values = NDArray[np.int32]
Array = NDArray[Any]

PLANES = ("cubeless", "opponent", "owned", "centred")
"""The planes, in the order in which they are built."""


@dataclass(frozen=True)
class Coding:
    """How the codes of a plane with the cube become equities.

    Attributes
    ----------
    low, high : float
        Excess over the stored cubeless equity at code 0 and at code 65535.
    """

    low: float
    high: float

    @property
    def step(self) -> float:
        """Excess of one code over the next lower."""
        return (self.high - self.low) / 65535


CODINGS = {
    "opponent": Coding(-0.5, 0.0),
    "owned": Coding(0.0, 0.5),
    "centred": Coding(-0.5, 0.5),
}
"""Codings of the planes with the cube; each pass sees to it that nothing lies beyond."""

RESTS = "opponent-rests"
"""What the coding of the plane opponent leaves over, for the centred pass to be exact."""

_SLACK = 1.6e-5
"""Excess may lie beyond a coding by the rounding of the cubeless value, and a little."""


@dataclass(frozen=True)
class Pass:
    """One pass over all pairs.

    Attributes
    ----------
    solves : int
        Planes that are solved at once.
    kept : tuple of str
        Planes of the table that it writes.
    writes, reads : tuple of str
        Files, in the order of the kernel's arguments.
    kernel : callable
        ``kernel(*sums, *read, codings, *written, extremes)``; see `two_sided_kernels`.
    """

    solves: int
    kept: tuple[str, ...]
    writes: tuple[str, ...]
    reads: tuple[str, ...]
    kernel: Callable[..., None]


PASSES = (
    Pass(1, ("cubeless",), ("cubeless",), (), kernels.finish_cubeless),
    Pass(
        2,
        ("opponent", "owned"),
        ("opponent", RESTS, "owned"),
        ("cubeless",),
        kernels.finish_owned,
    ),
    Pass(
        1,
        ("centred",),
        ("centred",),
        ("cubeless", "opponent", RESTS),
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
    places : Layout
        Slots of the table.
    """

    def __init__(self, plan: Pass, folder: Path, places: Layout) -> None:
        self.planes = plan.solves
        self._plan = plan
        self._out = [_open(folder, name, places, write=True) for name in plan.writes]
        self._in = [_open(folder, name, places) for name in plan.reads]
        self._coded = [name for name in plan.writes if name in CODINGS]
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
        self._plan.kernel(*_rows(sums), *_rows(known), _CODINGS, *_rows(codes), extremes)
        for file, part in zip(self._out, codes, strict=True):
            file.write(part, block, row)
        with self._lock:
            for seen, new in zip(self._extremes, extremes, strict=False):
                seen[:] = min(seen[0], new[0]), max(seen[1], new[1])

    def close(self) -> None:
        """Close the files, what was written on the disk.

        Raises
        ------
        TableError
            If a value did not fit the coding of its plane.
        """
        for file in self._out:
            file.sync()
        for file in (*self._out, *self._in):
            file.close()
        for name, (least, most) in zip(self._coded, self._extremes, strict=True):
            coding = CODINGS[name]
            if least < coding.low - _SLACK or most > coding.high + _SLACK:
                raise TableError(
                    f"the plane {name} has excess from {least} to {most}, more than its "
                    f"coding of {coding.low} to {coding.high} holds"
                )


_CODINGS = np.array([(coding.low, coding.step) for coding in CODINGS.values()])


def plane_path(folder: Path, name: str) -> Path:
    """Return the file of a plane."""
    return folder / f"{name}.{'i8' if name == RESTS else 'u16'}"


def _open(folder: Path, name: str, places: Layout, *, write: bool = False) -> PlaneFile:
    width = np.dtype(_type_of(name)).itemsize
    return PlaneFile(plane_path(folder, name), places, width, write=write)


def _type_of(name: str) -> type[np.integer[Any]]:
    return np.int8 if name == RESTS else np.uint16


def _rows(arrays: Iterable[Array]) -> Iterator[Array]:
    return (array.reshape(-1, LANES) for array in arrays)
