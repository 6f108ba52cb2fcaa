"""The two-sided tables in the cache: their files and what the manifest says of them.

::

    two-sided-06-15/table.json        format, coding, error and checksums of each plane
    two-sided-06-15/successors.npy    slots that each roll leads to, end to end
    two-sided-06-15/offsets.npy       where the successors of each slot and roll start
    two-sided-06-15/cubeless.plane    and others; see `bearoff.pair_planes`
    two-sided-06-15/cubeless.index    what vouches for the plane

``table.json`` names a plane only once it is complete and on the disk; a pass that was
interrupted is run again, and those before it are not. It is sealed with a SHA-256 and
vouches for every other file: for the index of a plane, which has a CRC-32 for each block
of it, compared when the block is first read, and for each file of the successors.
"""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import LockedError, MissingTableError, PositionError, TableError
from bearoff.pair_planes import Plane, StoredPlane, open_plane
from bearoff.positions import CHECKERS, POINTS
from bearoff.rolls import ROLLS
from bearoff.runtime import locked
from bearoff.scores import Payoffs
from bearoff.storage import (
    atomic_path,
    cache_folder,
    checked_array,
    manifest as manifests,
    remove_unfinished,
)
from bearoff.two_sided.pair_order import PairOrder, check_table_size, pair_order_of
from bearoff.two_sided.planes import Pass, SolvedPlane, money_passes
from bearoff.two_sided.score_planes import score_planes

FORMAT = 5
"""Raised whenever the files change their meaning, which makes stored ones stale."""

_PREFIX = "two-sided-"

SUCCESSORS = ("offsets.npy", "successors.npy")
"""Files of the successors."""


@dataclass(frozen=True)
class WholeFile:
    """A file under one checksum: its size and CRC-32."""

    bytes: int
    crc32: int


@dataclass(frozen=True)
class TablePlane(StoredPlane):
    """A plane: its files, what a code is worth, and the largest error of an answer."""

    step: float
    error: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isfinite(self.error + self.step):
            raise ValueError(f"error and step must be finite, got {self.error, self.step}")


@dataclass(frozen=True)
class Manifest:
    """What is built of a table.

    Attributes
    ----------
    points, checkers : int
        Of each side.
    start : int
        Checkers with which a side starts.
    files : dict of str to WholeFile
        The successors.
    planes : dict of str to TablePlane
        Planes that are complete.
    rests : StoredPlane or None
        What the coding of the plane opponent leaves over, until the centred pass is run.
    format : int
        Of the files.
    payoffs : Payoffs or None
        What games are worth at a score; None for money.
    origins : tuple of int or None
        Numbers of the positions that alone are held, with all that they can become; None
        if all are.
    """

    points: int
    checkers: int
    start: int = CHECKERS
    files: dict[str, WholeFile] = field(default_factory=dict)
    planes: dict[str, TablePlane] = field(default_factory=dict)
    rests: StoredPlane | None = None
    format: int = FORMAT
    payoffs: Payoffs | None = None
    origins: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        try:
            check_table_size(self.points, self.checkers, self.start)
        except PositionError as error:
            raise ValueError(str(error)) from None

    @property
    def folder(self) -> Path:
        """Folder of such a table in the cache."""
        name = f"{_PREFIX}{self.points:02}-{self.checkers:02}"
        name += f"-of-{self.start:02}" if self.start != CHECKERS else ""
        name += f"-at-{self.payoffs.label}" if self.payoffs is not None else ""
        return cache_folder() / name

    @property
    def passes(self) -> tuple[Pass, ...]:
        """Passes that build all planes that a table in the cache has."""
        at = self.payoffs
        return score_planes(at).passes if at else money_passes(self.places)

    @property
    def is_complete(self) -> bool:
        """Whether all of them are built."""
        return {name for one in self.passes for name in one.planes} <= set(self.planes)

    @property
    def solved(self) -> dict[str, SolvedPlane]:
        """All planes that there can be, in the order in which they are built."""
        passes = score_planes(self.payoffs).every_pass if self.payoffs else self.passes
        return {plane.name: plane for one in passes for plane in one.solves}

    @cached_property
    def places(self) -> PairOrder:
        """Slots of the table's positions."""
        return pair_order_of(self.points, self.checkers, self.start, self.origins)


def table_folder(points: int, checkers: int, start: int = CHECKERS) -> Path:
    """Return the folder of the tables of so many points and checkers a side.

    Raises
    ------
    PositionError
        If there are no such tables.
    """
    check_table_size(points, checkers, start)
    return Manifest(points, checkers, start).folder


def stored_sizes() -> list[tuple[int, int]]:
    """List points and checkers of the money tables in the cache, in that order."""
    return sorted(size for folder in stored_tables() if (size := _money_size(folder)))


def stored_tables() -> list[Path]:
    """List the folders of tables in the cache: money's by size, then those at scores."""
    found = []
    for folder in cache_folder().glob(f"{_PREFIX}[0-9][0-9]-[0-9][0-9]*"):
        at_score = re.fullmatch(_PREFIX + r"\d\d-\d\d-at-[0-9a-z-]+", folder.name)
        if folder.is_dir() and (at_score or _money_size(folder)):
            found.append(folder)
    return sorted(found, key=lambda folder: (_money_size(folder) is None, folder.name))


def _money_size(folder: Path) -> tuple[int, int] | None:
    """Return points and checkers of a money table's folder, None if it is no such."""
    size = re.fullmatch(_PREFIX + r"(\d\d)-(\d\d)", folder.name)
    points, checkers = map(int, size.groups()) if size else (0, 0)
    with suppress(PositionError):  # A name like it that is no table's.
        check_table_size(points, checkers)
        return points, checkers
    return None


def build_command(points: int, checkers: int, *, cube: bool = True) -> str:
    """Return the command that builds the tables of a size."""
    size = (
        f"--checkers {checkers}"
        if points == POINTS
        else f"--points {points} --checkers {checkers}"
    )
    return f"bearoff tables build --two-sided {size}{'' if cube else ' --cubeless'}"


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Hold a folder for building.

    Raises
    ------
    TableError
        If another process holds it, or it cannot be written.
    """
    with ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(locked(folder.with_suffix(".lock"), timeout=0))
        except LockedError:
            raise TableError(f"another process is building {folder}; wait for it") from None
        except OSError as error:
            raise TableError(
                f"cannot write to {folder}: {error}; name another folder with BEAROFF_CACHE"
            ) from error
        remove_unfinished(folder)
        yield


def read_manifest(folder: Path) -> Manifest:
    """Read what a folder says of its planes.

    Raises
    ------
    MissingTableError
        If there is no table.
    TableError
        If the manifest is damaged or of another format.
    """
    command = ""
    if size := _money_size(folder):
        points, checkers = size
        size_given = f"{checkers}" if points == POINTS else f"{checkers}, points={points}"
        command = (
            f": bearoff.build_two_sided_table({size_given}) in Python, "
            f"{build_command(points, checkers)} in a shell"
        )
    expected = {"format": FORMAT}
    manifest = manifests.read_manifest(
        folder, Manifest, expected, "two-sided table", command
    )
    if folder.name.startswith(_PREFIX) and manifest.folder.name != folder.name:
        raise TableError(
            f"{folder} holds a table of {manifest.points} points and {manifest.checkers} "
            f"checkers, not what its name says; {manifests.REMEDY}"
        )
    return manifest


def save_array(folder: Path, name: str, array: NDArray[Any]) -> WholeFile:
    """Write an array to a file; return its entry of the manifest."""
    path = folder / name
    with atomic_path(path) as fresh, fresh.open("wb") as file:
        checked_array.write_array(file, array)
    entry = checked_array.describe_file(path, block=max(path.stat().st_size, 1))
    return WholeFile(entry.bytes, entry.crc32[0] if entry.crc32 else 0)


def load_array(folder: Path, name: str, manifest: Manifest) -> NDArray[Any]:
    """Map an array into memory, its checksum compared.

    Raises
    ------
    TableError
        If it is not what was written.
    """
    entry = manifest.files.get(name)
    if entry is None:
        raise TableError(f"{folder} has no {name}; {manifests.REMEDY}")
    stored = manifests.StoredFile(entry.bytes, (entry.crc32,))
    block = max(entry.bytes, 1)
    data = checked_array.open_numbers(folder / name, stored, "u1", block).read_all()
    try:
        return checked_array.array_in(data)
    except (ValueError, OverflowError) as error:
        raise TableError(
            f"{folder / name} is no array: {error}; {manifests.REMEDY}"
        ) from error


def plane_path(folder: Path, name: str) -> Path:
    """Return the file of a plane."""
    return folder / f"{name}.plane"


def plane_entry(folder: Path, name: str, manifest: Manifest) -> TablePlane:
    """Return what the manifest says of a plane.

    Raises
    ------
    MissingTableError
        If the plane is not built.
    """
    try:
        return manifest.planes[name]
    except KeyError:
        raise MissingTableError(
            f"the plane {name} of {folder} is not built; build it"
        ) from None


def load_successors(
    folder: Path, manifest: Manifest
) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """Map the successors of every slot and roll into memory; see `slot_successors`.

    Returns
    -------
    offsets : ndarray of int64, shape (slots * 21 + 1,)
    successors : ndarray of uint16
        Slots, each of a lower level: nothing that compiled code reads by them lies outside
        of the table, and following them comes to an end.

    Raises
    ------
    TableError
        If they are not what was written, or not those of such a table.
    """
    offsets, successors = (load_array(folder, name, manifest) for name in SUCCESSORS)
    levels = manifest.places.levels
    good = (
        (str(offsets.dtype), str(successors.dtype)) == ("int64", "uint16")
        and offsets.shape == (levels[-1] * len(ROLLS) + 1,)
        and successors.shape == (offsets[-1],)
        and offsets[0] == 0
        and (offsets[:-1] < offsets[1:]).all()
        and _falls(offsets, successors, levels)
    )
    if not good:
        raise TableError(f"the successors in {folder} are invalid; {manifests.REMEDY}")
    return offsets, successors


def _falls(
    offsets: NDArray[np.int64], successors: NDArray[np.uint16], levels: NDArray[np.int64]
) -> bool:
    """Whether every play leads to a lower level, or at the lowest to the slot 0."""
    highest = np.maximum.reduceat(successors, offsets[: -1 : len(ROLLS)])
    firsts = np.repeat(levels[:-1], np.diff(levels))
    return bool((highest < np.maximum(firsts, 1)).all())


def open_table_plane(folder: Path, name: str, manifest: Manifest) -> Plane:
    """Open a plane, each part of which is checked when it is first read.

    Raises
    ------
    TableError
        If the plane is not built, or not what was written.
    """
    entry = plane_entry(folder, name, manifest)
    return open_plane(plane_path(folder, name), entry, manifest.places.layout)
