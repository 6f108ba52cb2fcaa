"""Atomic writing of files and folders: complete and on the disk, or not at all."""

import os
import platform
import re
import secrets
import shutil
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil

from bearoff.errors import LockedError
from bearoff.runtime import locked

_UNFINISHED = re.compile(r"\.(\d+)\.(new|old)")

_PROCESSES = 10**7
"""Upper bound on the IDs of processes."""

_WRITES = 10**4
"""Number of random values that distinguish the temporary files of one process."""

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def require_regular(path: Path) -> None:
    """Raise an error unless a path is a regular file; opening a pipe might wait forever.

    Raises
    ------
    OSError
        If the path does not exist, is not a regular file or cannot be read.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise FileNotFoundError("there is no such file") from None
    if not stat.S_ISREG(mode):
        raise OSError(
            f"the path is {_KINDS.get(stat.S_IFMT(mode), 'not a regular file')}, but a "
            "file is required"
        )
    if not os.access(path, os.R_OK):
        raise PermissionError("no permission to read the file; change its permissions")


def write_atomic(path: Path, data: bytes | memoryview) -> None:
    """Write a file so that readers never see an incomplete file, even after a crash.

    Raises
    ------
    OSError
        If the file cannot be written. An existing file is not changed.
    """
    with _replacing(path) as fresh:
        fresh.write_bytes(data)


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a temporary path; what is written there is renamed to the final path.

    Write a file or create a folder at the yielded path, which is in a private folder. The
    result is flushed to the disk and renamed; after an exception, it is removed. An
    existing folder is renamed first, so for a moment there is no folder; see `put_back`. If
    `path` is a link, the target of the link is replaced. At the start, files that killed
    processes on this machine left behind for the same path are removed.

    Raises
    ------
    OSError
        If the file cannot be written; an existing file is not changed.
    """
    path = _target(path)
    for leftover in _unfinished(path.parent, path.name, "new"):
        if _is_dead(leftover):
            _remove(leftover)
    with _replacing(path) as fresh:
        yield fresh


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    path = _target(path)
    number = _WRITES * _writer() + secrets.randbelow(_WRITES)
    private = path.with_name(f"{path.name}.{number}.new")
    fresh, old = private / path.name, private.with_suffix(".old")
    made = False
    try:
        # `mkdir` fails if the name is in use, even by a dangling link.
        private.mkdir(mode=0o700)
        made = True
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
        # The file already has its final name, and some file systems cannot sync a folder,
        # so errors are ignored.
        with suppress(OSError):
            sync(path.parent)
    except OSError as error:
        # A full-disk error names no file, or only a private folder, so the name of the
        # final file is inserted.
        if error.filename is None or str(error.filename) in (str(fresh), str(private)):
            error.filename = str(path)
        raise
    finally:
        if made:
            _remove(private)


def _target(path: Path) -> Path:
    """Return the target of a symbolic link; return any other path unchanged."""
    return path.resolve() if path.is_symlink() else path


def _writer() -> int:
    """Return a number for file names that identifies this process on all machines."""
    return zlib.crc32(platform.node().encode()) * _PROCESSES + os.getpid()


def _is_dead(leftover: Path) -> bool:
    """Return whether the process that made a temporary folder on this machine has ended."""
    found = _UNFINISHED.search(leftover.name)
    machine, process = divmod(int(found[1]) // _WRITES if found else 0, _PROCESSES)
    return machine == _writer() // _PROCESSES and not psutil.pid_exists(process)


def _unfinished(folder: Path, name: str, *suffixes: str) -> list[Path]:
    """List a folder's unfinished files for the name `name`, or for all names if empty."""
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        stem = path.stem.rpartition(".")[0]
        ending = _UNFINISHED.fullmatch(path.name[len(stem) :])
        if ending and ending[2] in suffixes and (stem == name or (stem and not name)):
            found.append(path)
    return found


def remove_unfinished(folder: Path, name: str = "") -> None:
    """Remove the unfinished files that killed processes left in a folder.

    Call this function only under a lock, when no other process writes to the folder.

    Parameters
    ----------
    folder : Path
        Folder to clean. Files of the user with similar names are not removed.
    name : str
        Name of the file or folder that was being written; empty for all names.
    """
    for leftover in _unfinished(folder, name, "new", "old"):
        _remove(leftover)


@contextmanager
def claimed(
    folder: Path,
    lock: Path,
    refused: Callable[[str], Exception],
    busy: Callable[[], str],
    advice: str = "",
) -> Iterator[None]:
    """Lock a folder, creating it if needed, against other processes on this machine.

    Parameters
    ----------
    folder : Path
        Folder that this process writes to.
    lock : Path
        Lock file, which may be inside the folder.
    refused : callable
        Function that converts an error message to an exception.
    busy : callable
        Function that returns the error message for a folder that another process has
        locked.
    advice : str
        Text that is appended to the error message if the folder is not writable.

    Raises
    ------
    Exception
        Exception that `refused` returns, if another process has locked the folder or the
        folder is not writable.
    """
    with ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(locked(lock, timeout=0))
        except LockedError:
            raise refused(busy()) from None
        except OSError as error:
            raise refused(f"cannot write to {folder}: {error}{advice}") from error
        yield


def put_back(folder: Path) -> None:
    """Restore a folder that a killed process renamed before replacing it.

    Call this function only under a lock, when no other process writes to the folder.
    """
    if folder.exists():
        return
    for left in _unfinished(folder.parent, folder.name, "old"):
        if left.is_dir():
            left.replace(folder)
            return


def _remove(path: Path) -> None:
    """Remove a folder or a file, ignoring errors."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def make_private(folder: Path) -> None:
    """Create a folder and its missing parents, accessible only to the owner.

    Raises
    ------
    OSError
        If the folder cannot be created. An existing folder is not changed.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def sync(path: Path) -> None:
    """Wait until the data of a file or folder are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
