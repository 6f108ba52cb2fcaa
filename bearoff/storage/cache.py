"""Storage of tables in the user's cache, with versions and checksums.

A table is a folder of ``.npy`` files with a manifest ``table.json``. The manifest states
the table's name, the version of the code that solved it, and for each file the size and a
CRC-32 per block. Readers take no lock. Sizes are compared when a table is opened. The
checksum of a block is verified when the block is first read, or together with all others. A
table that cannot be opened is built again. A writer builds the table next to its folder
under a lock and then renames the finished folder, so a crash never leaves a partial table.
"""

import errno
import os
import shutil
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import numpy as np

from bearoff.errors import TableError
from bearoff.runtime import format_bytes, locked
from bearoff.storage.checked_array import (
    CheckedArray,
    describe_file,
    open_array,
    write_array,
)
from bearoff.storage.files import atomic_path, put_back, remove_unfinished
from bearoff.storage.manifest import ArraysManifest, read_manifest, write_manifest

Arrays = Mapping[str, np.ndarray[Any, Any]]
CheckedArrays = Mapping[str, CheckedArray]
Check = Callable[[CheckedArrays], None]


def cache_folder() -> Path:
    """Return the folder of cached tables: ``$BEAROFF_CACHE`` or the user's cache folder."""
    return users_folder("cache")


def users_folder(kind: Literal["cache", "data"]) -> Path:
    """Return the user's cache or data folder, which an environment variable may set.

    Raises `TableError` if the environment variable is not set and the user has no home
    folder.
    """
    variable = f"BEAROFF_{kind.upper()}"
    if chosen := os.environ.get(variable):
        return Path(chosen)
    import platformdirs

    try:
        return Path(getattr(platformdirs, f"user_{kind}_path")("bearoff"))
    except RuntimeError:
        raise TableError(
            f"there is no home folder for {_KEPT[kind]}; set {variable} to a folder"
        ) from None


_KEPT = {"cache": "tables", "data": "files"}


def load_or_build(
    name: str,
    version: int,
    build: Callable[[], Arrays],
    check: Check = lambda arrays: None,
    *,
    rebuild: bool = False,
) -> Arrays:
    """Return the arrays of a table; build and store the table if it is not cached.

    Every byte is verified. See `open_or_build` for the parameters.

    Returns
    -------
    mapping of str to ndarray
        Read-only arrays by name.
    """
    cached = open_or_build(name, version, build, check, rebuild=rebuild)
    return {key: array.read_all() for key, array in cached.items()}


def open_or_build(
    name: str,
    version: int,
    build: Callable[[], Arrays],
    check: Check = lambda arrays: None,
    *,
    rebuild: bool = False,
    lazily: bool = False,
) -> CheckedArrays:
    """Open a table; build and store the table if it is not cached.

    Parameters
    ----------
    name : str
        Name of the table's folder within `cache_folder`.
    version : int
        Version of the code that builds the table. Tables of other versions are built again.
    build : callable
        Function that computes the arrays by name. Its exceptions are passed on.
    check : callable
        Function that raises `TableError` if stored arrays have other shapes or data types
        than those of `build`, because compiled code does not check them.
    rebuild : bool
        Whether to build the table even if the cache contains a valid one.
    lazily : bool
        Whether to verify each block only when it is first read. Otherwise, every byte is
        verified now, and a damaged table is built again.

    Returns
    -------
    mapping of str to CheckedArray
        Read-only memory maps of the stored arrays. If the cache is not writable, the result
        is read-only arrays from `build`, with a `RuntimeWarning`.
    """
    folder = cache_folder() / name
    if not rebuild:
        with suppress(TableError):
            return open_table(folder, name, version, check, lazily=lazily)
    arrays: Arrays = {}
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder.with_suffix(".lock")):
            put_back(folder)
            if not rebuild:
                # Another process may have built the table while this process waited for the
                # lock.
                with suppress(TableError):
                    return open_table(folder, name, version, check, lazily=lazily)
            arrays = build()
            _save(folder, name, version, arrays)
            return open_table(folder, name, version, check, lazily=lazily)
    # A table that cannot be read back after writing is treated as not stored.
    except (OSError, TableError) as error:
        if isinstance(error, TableError) and not arrays:
            raise  # Building the table has failed, too.
        warnings.warn(
            f"the table {name} cannot be stored in {folder.parent} ({error}), so it is "
            "built again for each command; make the folder writable, or set BEAROFF_CACHE "
            "to another folder",
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
    """Open the cached table with a given name.

    Raises
    ------
    TableError
        If the table is missing, has another version, or is damaged in a part that is
        verified now; see `open_or_build` for `check` and `lazily`.
    """
    manifest = read_manifest(folder, ArraysManifest, {"name": name, "version": version})
    arrays = {
        key: open_array(folder / f"{key}.npy", entry)
        for key, entry in manifest.arrays.items()
    }
    if not lazily:
        for array in arrays.values():
            array.read_all()
    check(arrays)
    return arrays


def require_shapes(
    arrays: CheckedArrays, shapes: Mapping[str, tuple[tuple[int | None, ...], str]]
) -> None:
    """Raise an error unless arrays have the given shapes (None is any length) and dtypes.

    Raises
    ------
    TableError
        If the arrays have other names, or an array has another shape or data type.
    """
    if set(arrays) != set(shapes):
        raise TableError(
            f"a table must have the arrays {', '.join(shapes)}, got {', '.join(arrays)}"
        )
    for key, (shape, dtype) in shapes.items():
        if not arrays[key].is_shaped(shape, dtype):
            raise TableError(
                f"the array {key} of a table must have type {dtype} and shape {shape}"
            )


def check_disk(name: str, size: int, reused: int = 0) -> None:
    """Raise an error if a table does not fit on the disk with the cache folder.

    Parameters
    ----------
    name : str
        Name of the table, for the error message.
    size : int
        Number of bytes that the table needs.
    reused : int
        Size in bytes of existing files that are replaced or reused.

    Raises
    ------
    TableError
        If the disk is too full. The message states the required and the free space.
    """
    folder = cache_folder()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free + reused
    if size > free:
        raise TableError(
            f"{name} needs {format_bytes(size)} of disk space, but {cache_folder()} has "
            f"only {format_bytes(free)} free; free some space, set BEAROFF_CACHE to "
            "another folder, or use fewer points or checkers"
        ) from OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _save(folder: Path, name: str, version: int, arrays: Arrays) -> None:
    """Write a table atomically to `folder`; the caller must hold the table's lock."""
    remove_unfinished(folder.parent, folder.name)
    with atomic_path(folder) as fresh:
        fresh.mkdir()
        entries = {}
        for key, array in arrays.items():
            path = fresh / f"{key}.npy"
            with path.open("wb") as file:
                write_array(file, array)
            entries[key] = describe_file(path)
        write_manifest(fresh, ArraysManifest(name, version, entries))
