"""Keep solved tables in the user's cache: versioned, checksummed, safe to share.

A kept table is a folder of ``.npy`` files and a ``table.json`` that names the table,
the version of the code that solved it and the SHA-256 of every array. A reader takes no
lock: whatever fails to match is treated as absent. A writer builds beside the folder
under a lock and renames the finished folder into place, so that a crash leaves nothing
that could be mistaken for a table. The manifest vouches for itself as well: it holds
the SHA-256 of its own other entries.
"""

import hashlib
import json
import os
import shutil
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray
from platformdirs import user_cache_path

from bearoff.errors import TableError

Arrays = Mapping[str, NDArray[Any]]

_MANIFEST = "table.json"


def cache_folder() -> Path:
    """Return the folder of kept tables: ``$BEAROFF_CACHE`` or the user's cache."""
    chosen = os.environ.get("BEAROFF_CACHE")
    return Path(chosen) if chosen else user_cache_path("bearoff")


def load_or_build(
    name: str, version: int, build: Callable[[], Arrays], *, rebuild: bool = False
) -> Arrays:
    """Return the arrays of a table, building and keeping them where they are not kept.

    Parameters
    ----------
    name : str
        The folder of the table within `cache_folder`.
    version : int
        Version of the code that builds; any other is stale.
    build : callable
        Makes the arrays from nothing.
    rebuild : bool
        Build even where a good table is kept.

    Returns
    -------
    mapping of str to ndarray
        Read-only memory maps of the kept arrays; where the cache cannot be written, the
        arrays as built, read-only too, with a `RuntimeWarning`.
    """
    folder = cache_folder() / name
    if not rebuild:
        with suppress(TableError):
            return load(folder, name, version)
    arrays: Arrays = {}
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_suffix(".lock")):
            if not rebuild:
                # Another process may have built it while this one waited.
                with suppress(TableError):
                    return load(folder, name, version)
            arrays = build()
            _save(folder, name, version, arrays)
            return load(folder, name, version)
    # Some shared file systems know no locks, which the lock reports as not implemented;
    # a table that cannot be read back is as good as not kept.
    except (OSError, NotImplementedError, TableError) as error:
        warnings.warn(
            f"the table {name} cannot be kept in {folder.parent} ({error}); it is built "
            "anew each time until that folder can be written or BEAROFF_CACHE names "
            "another",
            RuntimeWarning,
            stacklevel=2,
        )
    arrays = arrays or build()
    for array in arrays.values():
        array.setflags(write=False)
    return arrays


def load(folder: Path, name: str, version: int) -> Arrays:
    """Open the kept table `name`, every byte checked.

    Raises
    ------
    TableError
        If it is missing, of another version, or not what was written.
    """
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        if manifest.pop("digest") != _digest_of_entries(manifest):
            raise TableError(f"{folder / _MANIFEST} is damaged")
        if manifest["name"] != name or manifest["version"] != version:
            raise TableError(f"{folder} holds another table or version than {name}")
        arrays = {}
        for key, digest in manifest["sha256"].items():
            path = folder / f"{key}.npy"
            if _digest(path) != digest:
                raise TableError(f"{path} is damaged")
            # A plain array over the map: numpy.memmap makes every look-up slower.
            arrays[key] = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except TableError:
        raise
    # RecursionError is what deeply nested JSON raises.
    except (OSError, ValueError, LookupError, TypeError, AttributeError,
            RecursionError) as error:  # fmt: skip
        raise TableError(f"no table can be read from {folder}: {error}") from error
    return arrays


def _save(folder: Path, name: str, version: int, arrays: Arrays) -> None:
    """Write a table beside `folder` and rename it into place; the caller holds the lock."""
    fresh = folder.with_suffix(f".{os.getpid()}.new")
    old = folder.with_suffix(f".{os.getpid()}.old")
    for leftover in folder.parent.glob(f"{folder.name}.*"):
        if leftover.suffix in (".new", ".old"):
            _remove(leftover)
    try:
        fresh.mkdir()
        for key, array in arrays.items():
            np.save(fresh / f"{key}.npy", array, allow_pickle=False)
        digests = {key: _digest(fresh / f"{key}.npy") for key in arrays}
        manifest = {"name": name, "version": version, "sha256": digests}
        manifest["digest"] = _digest_of_entries(manifest)
        (fresh / _MANIFEST).write_text(json.dumps(manifest, indent=2), encoding="utf-8")
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
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
