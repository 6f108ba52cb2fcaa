"""Keep solved tables in the user's cache: versioned, checksummed, safe to share.

A kept table is a folder of ``.npy`` files and a ``table.json`` that names the table, the
version of the code that solved it, and the size of every file with a CRC-32 for each
block of it; it seals itself with a SHA-256. A reader takes no lock. He compares the
sizes when he opens a table and the checksum of a block when he first reads from it, or
all of them at once; whatever fails to match on opening is treated as absent. A writer
builds beside the folder under a lock and renames the finished folder into place, so that
a crash leaves nothing that could be mistaken for a table.
"""

import hashlib
import json
import os
import shutil
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray
from platformdirs import user_cache_path

from bearoff.checked import CheckedArray, block_checksums, open_checked
from bearoff.errors import TableError

Arrays = Mapping[str, NDArray[Any]]
CheckedArrays = Mapping[str, CheckedArray]
Check = Callable[[CheckedArrays], None]

_MANIFEST = "table.json"

_LARGEST_MANIFEST = 1 << 26
"""Bytes beyond which a manifest is none: there is one checksum for each 128 KB."""


def cache_folder() -> Path:
    """Return the folder of kept tables: ``$BEAROFF_CACHE`` or the user's cache."""
    chosen = os.environ.get("BEAROFF_CACHE")
    return Path(chosen) if chosen else user_cache_path("bearoff")


def load_or_build(
    name: str,
    version: int,
    build: Callable[[], Arrays],
    check: Check = lambda arrays: None,
    *,
    rebuild: bool = False,
) -> Arrays:
    """Return the arrays of a table, building and keeping them where they are not kept.

    Every byte is checked; see `open_or_build`.

    Returns
    -------
    mapping of str to ndarray
        Read-only.
    """
    kept = open_or_build(name, version, build, check, rebuild=rebuild)
    return {key: array.whole() for key, array in kept.items()}


def open_or_build(
    name: str,
    version: int,
    build: Callable[[], Arrays],
    check: Check = lambda arrays: None,
    *,
    rebuild: bool = False,
    lazily: bool = False,
) -> CheckedArrays:
    """Open a table, building and keeping it where it is not kept.

    Parameters
    ----------
    name : str
        The folder of the table within `cache_folder`.
    version : int
        Version of the code that builds; any other is stale.
    build : callable
        Makes the arrays from nothing; what it raises is passed on.
    check : callable
        Raises `TableError` if kept arrays are not such as `build` makes: compiled code
        trusts their shapes and types, and checksums say nothing of who wrote them.
    rebuild : bool
        Build even where a good table is kept.
    lazily : bool
        Leave the checksum of a block until it is first read, when damage raises
        `TableError`. Otherwise every byte is checked here, and a table that is damaged
        anywhere is built anew.

    Returns
    -------
    mapping of str to CheckedArray
        Read-only memory maps of the kept arrays; where the cache cannot be written, the
        arrays as built, read-only too, with a `RuntimeWarning`.
    """
    folder = cache_folder() / name
    if not rebuild:
        with suppress(TableError):
            return open_table(folder, name, version, check, lazily=lazily)
    arrays: Arrays = {}
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_suffix(".lock")):
            if not rebuild:
                # Another process may have built it while this one waited.
                with suppress(TableError):
                    return open_table(folder, name, version, check, lazily=lazily)
            arrays = build()
            _save(folder, name, version, arrays)
            return open_table(folder, name, version, check, lazily=lazily)
    # Some shared file systems know no locks, which the lock reports as not implemented;
    # a table that cannot be read back is as good as not kept.
    except (OSError, NotImplementedError, TableError) as error:
        if isinstance(error, TableError) and not arrays:
            raise  # It cannot be built either.
        warnings.warn(
            f"the table {name} cannot be kept in {folder.parent} ({error}); it is built "
            "anew each time until that folder can be written or BEAROFF_CACHE names "
            "another",
            RuntimeWarning,
            stacklevel=2,
        )
    arrays = arrays or build()
    return {key: CheckedArray(array) for key, array in arrays.items()}


def open_table(
    folder: Path,
    name: str,
    version: int,
    check: Check = lambda arrays: None,
    *,
    lazily: bool = False,
) -> CheckedArrays:
    """Open the kept table `name`.

    Raises
    ------
    TableError
        If it is missing, of another version, or not what was written, as far as that is
        checked; see `open_or_build` for `check` and `lazily`.
    """
    try:
        manifest = read_manifest(folder)
        if manifest["name"] != name or manifest["version"] != version:
            raise TableError(f"{folder} holds another table or version than {name}")
        arrays = {
            key: open_checked(folder / f"{key}.npy", entry["bytes"], entry["crc32"])
            for key, entry in manifest["arrays"].items()
        }
    except TableError:
        raise
    except (OSError, ValueError, LookupError, TypeError, AttributeError,
            OverflowError) as error:  # fmt: skip
        raise TableError(f"no table can be read from {folder}: {error}") from error
    if not lazily:
        for array in arrays.values():
            array.whole()
    check(arrays)
    return arrays


def require_shapes(
    arrays: CheckedArrays, shapes: Mapping[str, tuple[tuple[int | None, ...], str]]
) -> None:
    """Refuse arrays that are not of these shapes and types; None is any length.

    Raises
    ------
    TableError
        Naming the first that is not.
    """
    if set(arrays) != set(shapes):
        raise TableError(f"a table has {', '.join(shapes)}, got {', '.join(arrays)}")
    for key, (shape, dtype) in shapes.items():
        if not arrays[key].is_shaped(shape, dtype):
            raise TableError(f"the array {key} of a table is not {dtype} of shape {shape}")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read what a folder says of its table.

    Raises
    ------
    TableError
        If there is nothing, or it is not what was written.
    """
    try:
        manifest = json.loads(read_text(folder / _MANIFEST))
        good = manifest["digest"] == _digest_of_entries(manifest)
    # RecursionError is what deeply nested JSON raises.
    except (OSError, ValueError, LookupError, TypeError, AttributeError,
            RecursionError) as error:  # fmt: skip
        raise TableError(f"no table can be read from {folder}: {error}") from error
    if not good:
        raise TableError(f"{folder / _MANIFEST} is damaged; build the table again")
    return dict(manifest)


def read_text(path: Path) -> str:
    """Read a manifest.

    Raises
    ------
    OSError
        If it cannot be read, or is no file, or too large for a manifest.
    ValueError
        If it is not UTF-8.
    """
    state = path.stat()
    # Opening a pipe would wait for somebody to write to it.
    if not S_ISREG(state.st_mode) or state.st_size > _LARGEST_MANIFEST:
        raise OSError(f"{path} is no manifest of a table")
    return path.read_text(encoding="utf-8")


def write_array(file: BinaryIO, array: NDArray[Any]) -> None:
    """Write an array as ``.npy``.

    On a full disk `numpy.save` raises an error that does not say so.
    """
    ordered = np.ascontiguousarray(array)
    header = np.lib.format.header_data_from_array_1_0(ordered)
    np.lib.format.write_array_header_1_0(file, header)
    file.write(ordered.data)


def check_disk(name: str, size: int) -> None:
    """Refuse to keep so many bytes in the cache where they do not fit.

    Raises
    ------
    TableError
        Naming what is needed and what there is.
    """
    folder = cache_folder()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if size > free:
        raise TableError(
            f"{name} needs {size / 1e9:.1f} GB on the disk and {cache_folder()} has "
            f"{free / 1e9:.1f} GB; free some, name another folder with BEAROFF_CACHE, or "
            "use fewer points or checkers"
        )


def _save(folder: Path, name: str, version: int, arrays: Arrays) -> None:
    """Write a table beside `folder` and rename it into place; the caller holds the lock."""
    fresh = folder.with_suffix(f".{os.getpid()}.new")
    old = folder.with_suffix(f".{os.getpid()}.old")
    for leftover in folder.parent.glob(f"{folder.name}.*"):
        if leftover.suffix in (".new", ".old"):
            _remove(leftover)
    try:
        fresh.mkdir()
        entries = {}
        for key, array in arrays.items():
            path = fresh / f"{key}.npy"
            with path.open("wb") as file:
                write_array(file, array)
            entries[key] = {"bytes": path.stat().st_size, "crc32": block_checksums(path)}
        manifest = {"name": name, "version": version, "arrays": entries}
        manifest["digest"] = _digest_of_entries(manifest)
        (fresh / _MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
    finally:
        _remove(fresh)
        _remove(old)


def _remove(path: Path) -> None:
    """Remove a folder or a file, if it is there and can be removed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def _digest_of_entries(manifest: dict[str, Any]) -> str:
    """SHA-256 of all entries but itself, so of every byte as far as checksums tell."""
    entries = {key: value for key, value in manifest.items() if key != "digest"}
    return hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()
