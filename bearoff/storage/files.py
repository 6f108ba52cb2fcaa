"""Write files and folders atomically: complete and on the disk, or not at all."""

import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_UNFINISHED = re.compile(r"\.\d+\.(new|old)")
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def require_regular(path: Path) -> None:
    """Refuse a path without a file; opening a pipe or a device might wait for ever.

    Raises
    ------
    OSError
        If there is nothing, or something else than a file, or it may not be read; the
        message says which.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise FileNotFoundError("there is no such file") from None
    if not stat.S_ISREG(mode):
        raise OSError(f"this is {_KINDS.get(stat.S_IFMT(mode), 'no file')}; name a file")
    if not os.access(path, os.R_OK):
        raise PermissionError("the file may not be read; change its permissions")


def write_atomic(path: Path, data: bytes | memoryview) -> None:
    """Write a file so that no reader ever sees a part of it, even after a crash.

    Raises
    ------
    OSError
        If it cannot be written; what was there stays.
    """
    with atomic_path(path) as fresh:
        fresh.write_bytes(data)


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a path beside `path`, and put what is written there in its place at the end.

    What is yielded does not exist: write a file or make a folder there. It is flushed to
    the disk and renamed; after an exception it is removed. A folder that it replaces is
    first renamed too, so for a moment there is none; see `put_back`. A link stays a link:
    what it leads to is replaced.

    Raises
    ------
    OSError
        If it cannot be written; what was there stays.
    """
    path = path.resolve() if path.is_symlink() else path
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    old = fresh.with_suffix(".old")
    try:
        yield fresh
        for written in [*fresh.rglob("*"), fresh]:
            sync(written)
        try:
            if fresh.is_dir() and path.exists():
                path.replace(old)
            fresh.replace(path)
        except BaseException:
            if old.exists() and not path.exists():
                old.replace(path)
            raise
        _remove(old)
        with suppress(OSError):  # It is in place; not every file system syncs folders.
            sync(path.parent)
    except OSError as error:
        # A full disk names no file, and users do not know the file beside.
        if error.filename is None or str(error.filename) == str(fresh):
            error.filename = str(path)
        raise
    finally:
        _remove(fresh)


def remove_unfinished(folder: Path, name: str = "") -> None:
    """Remove what killed processes left of `atomic_path` in a folder.

    Call it only while no other process writes there: under a lock.

    Parameters
    ----------
    folder : Path
        Where; other files of users stay, even if their names end alike.
    name : str
        Name of the file or folder that was to be written; any if empty.
    """
    for leftover in folder.iterdir():
        stem, suffix = leftover.stem.rpartition(".")[0], leftover.suffix
        ending = leftover.name[len(stem) :]
        if suffix and _UNFINISHED.fullmatch(ending) and name in ("", stem):
            _remove(leftover)


def put_back(folder: Path) -> None:
    """Put back a folder that a process moved away and was killed before it replaced it.

    Call it only while no other process writes there: under a lock.
    """
    if folder.exists():
        return
    for left in folder.parent.glob(f"{folder.name}.*.old"):
        if _UNFINISHED.fullmatch(left.name.removeprefix(folder.name)) and left.is_dir():
            left.replace(folder)
            return


def _remove(path: Path) -> None:
    """Remove a folder or a file, if it is there and can be removed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def sync(path: Path) -> None:
    """Wait until what was written to a file or folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
