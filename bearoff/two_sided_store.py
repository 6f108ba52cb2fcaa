"""The two-sided tables in the cache folder: what is built, whether it is whole.

::

    two-sided-15/table.json           format, coding, error and checksums of each plane
    two-sided-15/successors.npy       slots that each roll leads to, end to end
    two-sided-15/offsets.npy          where the successors of each slot and roll start
    two-sided-15/cubeless.u16         and opponent.u16, owned.u16, centred.u16

``table.json`` names a plane only once it is whole on the disk; a pass that was
interrupted is run again, and those before it are not. It seals itself with a SHA-256
and vouches for every other file: a CRC-32 for each block of a plane, of which a few are
checked when the plane is opened, and one for each file of the successors.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.numbering import CHECKERS
from bearoff.store import cache_folder
from bearoff.two_sided_files import block_checksums, checksum
from bearoff.two_sided_layout import Layout, layout

FORMAT = 2
"""Raised whenever the files change their meaning, which makes kept ones stale."""

Manifest = dict[str, Any]

MANIFEST = "table.json"
_SPOT_CHECKS = 4
"""Blocks of each plane whose checksums are taken when a table is opened."""


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
        If there is no table, or the manifest is damaged or of another format.
    """
    try:
        sealed = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
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
    except FileNotFoundError:
        raise TableError(f"there is no two-sided table in {folder}; build it") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(
            f"{folder / MANIFEST} is damaged; build the table again"
        ) from error
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace what a folder says of its planes, all at once."""
    sealed = {"table": manifest, "sha256": _seal(manifest)}
    fresh = folder / f"{MANIFEST}.new"
    fresh.write_text(json.dumps(sealed, indent=1), encoding="utf-8")
    fresh.replace(folder / MANIFEST)


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
    fresh = folder / f"{name}.new"
    with fresh.open("wb") as file:
        np.save(file, array)
        file.flush()
        os.fsync(file.fileno())
    size = fresh.stat().st_size
    manifest["files"][name] = {"bytes": size, "crc32": checksum(fresh, 0, size)}
    fresh.replace(folder / name)


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
        if entry != {"bytes": size, "crc32": checksum(path, 0, size)}:
            raise TableError(f"{path} is damaged; build the table again")
        return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except OSError as error:
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


def open_plane(folder: Path, name: str, manifest: Manifest) -> NDArray[np.uint16]:
    """Map a plane into memory, its size and a few of its blocks checked.

    Returns
    -------
    ndarray of uint16, shape (slots**2,), read-only
        Flat; see `two_sided_layout` for the order.

    Raises
    ------
    TableError
        If the plane was not built, or is not what was written.
    """
    entry = plane_entry(folder, name, manifest)
    path = folder / f"{name}.u16"
    places = layout(int(manifest["checkers"]))
    try:
        if path.stat().st_size != places.plane_bytes:
            raise TableError(
                f"{path} has not the size it was written with; build the table again"
            )
        length = places.plane_bytes // places.blocks
        for block in np.linspace(0, places.blocks - 1, _SPOT_CHECKS).astype(int).tolist():
            if checksum(path, block * length, length) != entry["crc32"][block]:
                raise _damaged(path, block)
        return np.asarray(np.memmap(path, dtype="<u2", mode="r"))
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
        if path.stat().st_size != entry["bytes"]:
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
