"""Files of a two-sided table in the cache: layout, reading and writing.

::

    two-sided-06-15/table.json        manifest; see `bearoff.two_sided.manifest`
    two-sided-06-15/successors.npy    positions after each roll, by index, in a flat array
    two-sided-06-15/offsets.npy       start of each position's and roll's entries
    two-sided-06-15/cubeless.plane    values of all pairs; see `bearoff.pair_planes`
    two-sided-06-15/cubeless.index    checksums of the file with the values
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.pair_planes import Plane, open_plane
from bearoff.rolls import ROLLS
from bearoff.storage import atomic_path, checked_array, manifest as manifests
from bearoff.two_sided.manifest import Manifest, WholeFile, plane_entry

SUCCESSORS = ("offsets.npy", "successors.npy")
"""Names of the files that list the positions after each roll."""


def save_array(folder: Path, name: str, array: NDArray[Any]) -> WholeFile:
    """Write an array to a file, and return the manifest entry of the file."""
    path = folder / name
    with atomic_path(path) as fresh, fresh.open("wb") as file:
        checked_array.write_array(file, array)
    entry = checked_array.describe_file(path, block=max(path.stat().st_size, 1))
    return WholeFile(entry.bytes, entry.crc32[0] if entry.crc32 else 0)


def load_array(folder: Path, name: str, manifest: Manifest) -> NDArray[Any]:
    """Map an array file to memory after its checksum has been verified."""
    entry = manifest.files.get(name)
    if entry is None:
        raise TableError(f"{folder} has no file {name}; {manifests.REMEDY}")
    stored = manifests.StoredFile(entry.bytes, (entry.crc32,))
    block = max(entry.bytes, 1)
    data = checked_array.open_numbers(folder / name, stored, "u1", block).read_all()
    try:
        return checked_array.array_in(data)
    except (ValueError, OverflowError) as error:
        raise TableError(
            f"{folder / name} does not contain a valid array: {error}; {manifests.REMEDY}"
        ) from error


def plane_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.plane"


def load_successors(
    folder: Path, manifest: Manifest
) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """Map the lists of positions after each roll to memory, and check every play.

    Returns ``offsets``, int64 of shape (indices * 21 + 1,), and ``successors``, uint16.
    Every play must lead to fewer pips and stay in the table, because compiled code could
    otherwise run forever or read outside the arrays. Raises `TableError` if a file has
    changed since it was written.
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
        raise TableError(
            f"the list of legal plays in {folder} is invalid; {manifests.REMEDY}"
        )
    return offsets, successors


def _falls(
    offsets: NDArray[np.int64], successors: NDArray[np.uint16], levels: NDArray[np.int64]
) -> bool:
    """Return whether every play leads to a position with fewer pips."""
    highest = np.maximum.reduceat(successors, offsets[: -1 : len(ROLLS)])
    firsts = np.repeat(levels[:-1], np.diff(levels))
    return bool((highest < np.maximum(firsts, 1)).all())


def open_table_plane(folder: Path, name: str, manifest: Manifest) -> Plane:
    """Open a file of values; each block is verified when it is first read.

    Raises `TableError` if the file has not been built or has changed since it was written.
    """
    entry = plane_entry(folder, name, manifest)
    return open_plane(plane_path(folder, name), entry, manifest.places.layout)
