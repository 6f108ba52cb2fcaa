"""The two-sided tables in the cache folder: what is built, whether it is whole.

::

    two-sided-15/table.json           format, coding, error and checksums of each plane
    two-sided-15/successors.npy       slots that each roll leads to, end to end
    two-sided-15/offsets.npy          where the successors of each slot and roll start
    two-sided-15/cubeless.u16         and opponent.u16, owned.u16, centred.u16

``table.json`` names a plane only once it is whole on the disk; a pass that was
interrupted is run again, and those before it are not. It seals itself with a SHA-256
and vouches for every other file: a CRC-32 for each block of a plane, compared when the
block is first read, and one for each file of the successors.
"""

import hashlib
import json
import operator
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO
from zlib import crc32

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from bearoff.checked import CheckedArray, array_in, map_file
from bearoff.errors import TableError
from bearoff.numbering import CHECKERS
from bearoff.rolls import ROLLS
from bearoff.store import cache_folder, read_text, write_array
from bearoff.two_sided_files import block_checksums, checksum
from bearoff.two_sided_layout import Layout, layout

FORMAT = 2
"""Raised whenever the files change their meaning, which makes kept ones stale."""

Manifest = dict[str, Any]

MANIFEST = "table.json"

SUCCESSORS = ("offsets.npy", "successors.npy")
"""Files of the successors."""

_ENTRY = {"error": float, "step": float, "zero": int, "bytes": int, "digest": str}
"""What a manifest says of a plane besides its checksums, and of what type."""


def table_folder(checkers: int) -> Path:
    """Return the folder of the tables of so many checkers a side.

    Raises
    ------
    TableError
        If it is no whole number from 1 to 15.
    """
    if not isinstance(checkers, int | np.integer) or not 1 <= checkers <= CHECKERS:
        raise TableError(f"a side has 1 to {CHECKERS} checkers, got {checkers!r}")
    return cache_folder() / f"two-sided-{checkers:02}"


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Hold a folder for building.

    Raises
    ------
    TableError
        If another process holds it, or it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder.with_suffix(".lock"))
        lock.acquire(blocking=False)
    except Timeout:
        raise TableError(f"another process is building {folder}; wait for it") from None
    # Some shared file systems know no locks, which the lock reports as not implemented.
    except (OSError, NotImplementedError) as error:
        raise TableError(
            f"cannot write to {folder}: {error}; name another folder with BEAROFF_CACHE"
        ) from error
    try:
        yield
    finally:
        lock.release()


def read_manifest(folder: Path) -> Manifest:
    """Read what a folder says of its planes.

    Raises
    ------
    TableError
        If there is no table, or the manifest is damaged, of another format, or says
        what none says.
    """
    try:
        sealed = json.loads(read_text(folder / MANIFEST))
        manifest = dict(sealed["table"])
        if sealed["sha256"] != _seal(manifest):
            raise TableError(f"{folder / MANIFEST} is damaged; build the table again")
        if manifest["format"] != FORMAT:
            raise TableError(
                f"{folder} has format {manifest['format']}, this program reads {FORMAT}; "
                "build the table again"
            )
        for part in ("planes", "files", "rests"):
            manifest[part].items()
        blocks = layout(operator.index(manifest["checkers"])).blocks
        if not all(_is_entry(each, blocks) for each in manifest["planes"].values()):
            raise TableError(f"{folder / MANIFEST} is damaged; build the table again")
    except FileNotFoundError:
        raise TableError(f"there is no two-sided table in {folder}; build it") from None
    # RecursionError is what deeply nested JSON raises.
    except (OSError, ValueError, KeyError, TypeError, AttributeError,
            RecursionError) as error:  # fmt: skip
        if isinstance(error, TableError):
            raise
        raise TableError(
            f"{folder / MANIFEST} is damaged; build the table again"
        ) from error
    return manifest


def _is_entry(entry: Manifest, blocks: int) -> bool:
    """Whether it says of a plane what one must say."""
    sums = entry["crc32"]
    return (
        all(type(entry[key]) is kind for key, kind in _ENTRY.items())
        and isfinite(entry["error"] + entry["step"])
        and len(sums) == blocks
        and all(type(value) is int and 0 <= value < 2**32 for value in sums)
    )


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace what a folder says of its planes, all at once."""
    sealed = {"table": manifest, "sha256": _seal(manifest)}
    with _appearing(folder / MANIFEST) as file:
        file.write(json.dumps(sealed, indent=1).encode())


def _seal(manifest: Manifest) -> str:
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def empty_manifest(checkers: int) -> Manifest:
    """Return the manifest of a table of which nothing is built."""
    return {
        "format": FORMAT,
        "checkers": checkers,
        "files": {},
        "planes": {},
        "rests": {},
    }


def save_array(folder: Path, name: str, array: NDArray[Any], manifest: Manifest) -> None:
    """Write an array to a file, and its entry into the manifest."""
    path = folder / name
    with _appearing(path) as file:
        write_array(file, array)
    size = path.stat().st_size
    manifest["files"][name] = {"bytes": size, "crc32": checksum(path, 0, size)}


@contextmanager
def _appearing(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes its place once it is whole on the disk, or not at all."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        with fresh.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def load_array(folder: Path, name: str, manifest: Manifest) -> NDArray[Any]:
    """Map an array into memory, its checksum compared.

    Raises
    ------
    TableError
        If it is not what was written.
    """
    path = folder / name
    entry = manifest["files"].get(name)
    try:
        size = path.stat().st_size
        data = map_file(path, size)
        if entry != {"bytes": size, "crc32": crc32(data.data)}:
            raise TableError(f"{path} is damaged; build the table again")
        return array_in(data)
    except (OSError, ValueError, OverflowError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(f"cannot read {path}: {error}; build the table again") from error


def describe_plane(path: Path, places: Layout, workers: int) -> dict[str, Any]:
    """Return the manifest's entry of a plane just written: checksums and digest."""
    sums = block_checksums(path, places, workers)
    return {
        "bytes": path.stat().st_size,
        "crc32": [int(value) for value in sums],
        "digest": hashlib.sha256(sums.astype("<u4").tobytes()).hexdigest(),
    }


def plane_entry(folder: Path, name: str, manifest: Manifest) -> Manifest:
    """Return what the manifest says of a plane.

    Raises
    ------
    TableError
        If the plane is not built.
    """
    entry: Manifest | None = manifest["planes"].get(name)
    if entry is None:
        raise TableError(f"the plane {name} of {folder} is not built; build it")
    return entry


def load_successors(
    folder: Path, manifest: Manifest
) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """Map the successors of every slot and roll into memory; see `slot_successors`.

    Returns
    -------
    offsets : ndarray of int64, shape (slots * 21 + 1,)
    successors : ndarray of uint16
        Slots, each of a lower level: nothing that compiled code reads by them lies outside
        of the table, and whoever follows them comes to an end.

    Raises
    ------
    TableError
        If they are not what was written, or none of such a table.
    """
    offsets, successors = (load_array(folder, name, manifest) for name in SUCCESSORS)
    levels = layout(int(manifest["checkers"])).levels
    good = (
        (str(offsets.dtype), str(successors.dtype)) == ("int64", "uint16")
        and offsets.shape == (levels[-1] * len(ROLLS) + 1,)
        and successors.shape == (offsets[-1],)
        and offsets[0] == 0
        and (offsets[:-1] < offsets[1:]).all()
        and _falls(offsets, successors, levels)
    )
    if not good:
        raise TableError(f"the successors in {folder} are none; build the table again")
    return offsets, successors


def _falls(
    offsets: NDArray[np.int64], successors: NDArray[np.uint16], levels: NDArray[np.int64]
) -> bool:
    """Whether every play leads to a lower level, or at the lowest to the slot 0."""
    highest = np.maximum.reduceat(successors, offsets[: -1 : len(ROLLS)])
    firsts = np.repeat(levels[:-1], np.diff(levels))
    return bool((highest < np.maximum(firsts, 1)).all())


def open_plane(folder: Path, name: str, manifest: Manifest) -> CheckedArray:
    """Map a plane into memory, its size checked, and each block when it is first read.

    Returns
    -------
    CheckedArray
        Of uint16, shape (slots**2,); see `two_sided_layout` for the order.

    Raises
    ------
    TableError
        If the plane was not built, or has not its size.
    """
    entry = plane_entry(folder, name, manifest)
    path = folder / f"{name}.u16"
    places = layout(int(manifest["checkers"]))
    try:
        file = map_file(path, places.plane_bytes)
        block = places.plane_bytes // places.blocks
        return CheckedArray(file.view("<u2"), file, entry["crc32"], path, block)
    except OSError as error:
        raise TableError(f"cannot read {path}: {error}; build the table again") from error


def check_plane(path: Path, places: Layout, entry: Manifest, workers: int) -> None:
    """Compare the size and every checksum of a plane.

    Raises
    ------
    TableError
        If one differs.
    """
    try:
        if not path.is_file() or path.stat().st_size != entry["bytes"]:
            raise TableError(
                f"{path} has not the size it was written with; build the table again"
            )
        sums = block_checksums(path, places, workers)
    except OSError as error:
        raise TableError(f"cannot read {path}: {error}; build the table again") from error
    wrong = np.flatnonzero(sums != np.array(entry["crc32"], dtype=np.uint32))
    if len(wrong):
        raise _damaged(path, int(wrong[0]))


def _damaged(path: Path, block: int) -> TableError:
    return TableError(f"{path} is damaged in block {block}; build the table again")


def remove_table(checkers: int) -> bool:
    """Remove the tables of so many checkers; return whether there were any."""
    folder = table_folder(checkers)
    if not folder.exists():
        return False
    with claimed(folder):
        shutil.rmtree(folder)
    return True
